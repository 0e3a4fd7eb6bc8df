package book

import (
	"robots-audit/audit"
	"robots-audit/reports/internal/site"
	"robots-audit/reports/internal/xlsx"
)

// disagreementRow is a page for which the crawlers' verdicts differ.
type disagreementRow struct {
	*urlRow
	workbook *Site
	details  *disagreementCells
}

// disagreementCells are all cells of a row except the URL.
type disagreementCells struct {
	cause, explanation xlsx.Cell
	rules              []xlsx.Cell // the deciding rule for each crawler
}

// disagreement returns the cells for a URL for which verdicts differ.
func (b *Site) disagreement(u *site.URL) *disagreementCells {
	d := b.site.Disagreement(u)
	made := b.cells.disagreements[d]
	if made == nil {
		made = &disagreementCells{}
		for _, rule := range d.Rules {
			made.rules = append(made.rules, b.Strings.Cell(rule))
		}
		made.cause, made.explanation = b.Strings.Cell(d.Cause), b.Strings.Cell(d.Explanation)
		if b.cells.disagreements == nil || len(b.cells.disagreements) >= maxRemembered {
			b.cells.disagreements = map[*site.Disagreement]*disagreementCells{}
		}
		b.cells.disagreements[d] = made
	}
	return made
}

// disagreementSheet has the pages for which the crawlers' verdicts differ.
func disagreementSheet(o *sheetOptions) sheetDefinition {
	crawlers := o.Crawlers
	columns := []xlsx.Column[disagreementRow]{
		{Title: "URL", Width: 72, Value: func(r *disagreementRow) xlsx.Cell { return xlsx.Text(r.url.Loc) }},
		{Title: "Cause", Width: 18, Value: func(r *disagreementRow) xlsx.Cell { return r.details.cause }},
		{Title: "In words", Width: 100, Value: func(r *disagreementRow) xlsx.Cell { return r.details.explanation }},
	}
	var marks []xlsx.ConditionalFormat
	for i, c := range crawlers {
		marks = append(marks, xlsx.ConditionalFormat{Column: len(columns), Highlights: verdictColours})
		columns = append(columns, xlsx.Column[disagreementRow]{Title: c.Label, Width: 14, Value: func(r *disagreementRow) xlsx.Cell { return r.workbook.verdictNameOf(r.url, i) }})
	}
	for i, c := range crawlers {
		columns = append(columns, xlsx.Column[disagreementRow]{Title: "Rule for " + c.Label, Width: 36, Value: func(r *disagreementRow) xlsx.Cell {
			if i >= len(r.details.rules) {
				return xlsx.Cell{}
			}
			return r.details.rules[i]
		}})
	}
	columns = append(columns,
		xlsx.Column[disagreementRow]{Title: "Source", Width: 46, Value: func(r *disagreementRow) xlsx.Cell { return r.source }},
		xlsx.Column[disagreementRow]{Title: "Directory", Width: 22, Extra: true, Value: func(r *disagreementRow) xlsx.Cell { return r.directory }},
		xlsx.Column[disagreementRow]{Title: "Clicks", Width: 10, Extra: true, Value: func(r *disagreementRow) xlsx.Cell { return clicks(r.url) }},
		xlsx.Column[disagreementRow]{Title: "url_id", Width: 18, Extra: true, Folded: true, Value: func(r *disagreementRow) xlsx.Cell { return r.id }},
	)
	if o.hitsOf != "" {
		columns = append(columns, xlsx.Column[disagreementRow]{Title: o.titleHits(), Width: 10, Extra: true, Value: func(r *disagreementRow) xlsx.Cell { return xlsx.Number(r.url.HitsOf(o.hitter)) }})
	}
	return define(o, xlsx.NewTable("Disagreements", columns, marks...), hooks[disagreementRow]{
		url: func(s *sheet[disagreementRow], row *urlRow) {
			if row.url.Page && row.url.Differs {
				s.workbook.disagreementRow = disagreementRow{row, s.workbook, s.workbook.disagreement(row.url)}
				s.write(&s.workbook.disagreementRow)
			}
		},
		absent: func(of *site.Site, d *audit.Done) absence {
			switch {
			case d.URLs == 0:
				return absence{why: "no URL was tested, so there are no verdicts to compare"}
			case len(of.Crawlers) < 2:
				return absence{why: "there is nobody to disagree: one crawler was asked about"}
			}
			if d.Unknown == d.URLs {
				return absence{why: "there is nothing to compare: no crawler has a clear verdict on any URL"}
			}
			return nothing
		},
	})
}
