package book

import (
	"robots-audit/audit"
	"robots-audit/reports/internal/site"
	"robots-audit/reports/internal/xlsx"
)

// cleanParamSheet has the classes of URLs that Clean-param lines make.
func cleanParamSheet(o *sheetOptions) sheetDefinition {
	of := func(r *site.CleanRow, c func(*site.CleanClass) xlsx.Cell) xlsx.Cell {
		if r.Class == nil {
			return xlsx.Cell{}
		}
		return c(r.Class)
	}
	table := xlsx.NewTable("Clean-param", []xlsx.Column[site.CleanRow]{
		{Title: "Rule", Width: 40, Value: func(r *site.CleanRow) xlsx.Cell { return xlsx.Text(r.Rule) }},
		{Title: "Line", Width: 9, Value: func(r *site.CleanRow) xlsx.Cell { return xlsx.Text(r.Lines) }},
		{Title: "Parameters removed", Width: 24, Value: func(r *site.CleanRow) xlsx.Cell { return xlsx.Text(r.Names) }},
		{Title: "Canonical URL", Width: 60, Value: func(r *site.CleanRow) xlsx.Cell {
			return of(r, func(c *site.CleanClass) xlsx.Cell { return xlsx.Text(c.Canonical) })
		}},
		{Title: "Members", Width: 10, Value: func(r *site.CleanRow) xlsx.Cell {
			return of(r, func(c *site.CleanClass) xlsx.Cell { return xlsx.Number(c.Members) })
		}},
		{Title: "Requests saved", Width: 10, Value: func(r *site.CleanRow) xlsx.Cell {
			return of(r, func(c *site.CleanClass) xlsx.Cell { return xlsx.Number(c.Members - 1) })
		}},
		{Title: "Canonical URL is known", Width: 11, Extra: true, Value: func(r *site.CleanRow) xlsx.Cell {
			return of(r, func(c *site.CleanClass) xlsx.Cell { return xlsx.YesNo(c.Known) })
		}},
		{Title: "Kept under, as of 2016", Width: 60, Value: func(r *site.CleanRow) xlsx.Cell {
			return of(r, func(c *site.CleanClass) xlsx.Cell {
				if c.Known {
					return xlsx.Text(c.Canonical)
				}
				return xlsx.Text(c.First)
			})
		}},
		{Title: "Members blocked for Yandex", Width: 11, Value: func(r *site.CleanRow) xlsx.Cell {
			return of(r, func(c *site.CleanClass) xlsx.Cell { return xlsx.Number(c.Blocked) })
		}},
		{Title: "Example", Width: 60, Value: func(r *site.CleanRow) xlsx.Cell {
			return of(r, func(c *site.CleanClass) xlsx.Cell { return xlsx.Text(c.First) })
		}},
		{Title: "Further example", Width: 60, Extra: true, Value: func(r *site.CleanRow) xlsx.Cell {
			return of(r, func(c *site.CleanClass) xlsx.Cell { return xlsx.Text(c.Example) })
		}},
		{Title: "In words", Width: 70, Value: func(r *site.CleanRow) xlsx.Cell { return xlsx.Text(r.Explanation) }},
		{Title: "Origin", Width: 30, Extra: true, Value: func(r *site.CleanRow) xlsx.Cell { return xlsx.Text(r.Origin) }},
	})
	table.Kind.Optional = true
	return define(o, table, hooks[site.CleanRow]{end: func(s *sheet[site.CleanRow], _ *audit.Done) {
		for row := range s.workbook.site.CleanRows {
			s.write(row)
		}
	}})
}
