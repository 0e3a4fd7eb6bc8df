package book

import (
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/audit/compare"
	"robots-audit/reports/changes/internal/model"
	"robots-audit/reports/internal/xlsx"
)

// settingRow is a setting with its value in both runs.
type settingRow struct {
	name     string
	old, new xlsx.Cell
	same     xlsx.Cell // blank if the setting cannot be equal in two runs
}

// settingTable describes the compared runs.
func settingTable() *xlsx.Table[settingRow] {
	return xlsx.NewTable("Runs", []xlsx.Column[settingRow]{
		{Title: "Setting", Width: 36, Value: func(r *settingRow) xlsx.Cell { return xlsx.Text(r.name) }},
		{Title: "Old run", Width: 70, Value: func(r *settingRow) xlsx.Cell { return r.old }},
		{Title: "New run", Width: 70, Value: func(r *settingRow) xlsx.Cell { return r.new }},
		{Title: "Same", Width: 8, Value: func(r *settingRow) xlsx.Cell { return r.same }},
	}, xlsx.ConditionalFormat{Column: 3, Highlights: []xlsx.Highlight{{Text: "no", Colour: xlsx.Amber}}})
}

// crawler is a crawler that both runs tested on at least one site, with its changes on all sites.
type crawler struct {
	compare.Crawler
	compare.Counts // pages
}

// addCrawlers counts the changed verdicts of a site for each crawler.
func (b *Book) addCrawlers(s *compare.Site) {
	for i := range s.Crawlers {
		at := slices.IndexFunc(b.crawlers, func(c crawler) bool { return c.Label == s.Crawlers[i].Label })
		if at < 0 {
			at = len(b.crawlers)
			b.crawlers = append(b.crawlers, crawler{Crawler: s.Crawlers[i]})
		}
		if i < len(s.Flips) {
			b.crawlers[at].Add(s.Flips[i].Counts)
		}
	}
}

// writeSettings writes the rows that describe both runs.
func (b *Book) writeSettings(of *model.Comparison) {
	each := func(name string, value func(*model.Run) xlsx.Cell) {
		b.runs.AddRow(&b.Workbook, &settingRow{name: name, old: value(&of.Old), new: value(&of.New)})
	}
	compared := func(name, old, new string) {
		b.runs.AddRow(&b.Workbook, &settingRow{name, xlsx.Text(old), xlsx.Text(new), xlsx.YesNo(old == new)})
	}
	each("Path", func(r *model.Run) xlsx.Cell { return xlsx.Text(r.Path) })
	each("ID", func(r *model.Run) xlsx.Cell { return xlsx.Text(r.ID) })
	each("Version", func(r *model.Run) xlsx.Cell { return xlsx.Text(r.Version) })
	each("Started (UTC)", func(r *model.Run) xlsx.Cell { return xlsx.Time(r.Started) })
	each("Finished (UTC)", func(r *model.Run) xlsx.Cell {
		if r.Finished.IsZero() {
			return xlsx.Text("unknown: stopped early, or one file of records")
		}
		return xlsx.Time(r.Finished)
	})
	if of.Old.Robots != of.New.Robots {
		each("Instead of robots.txt", func(r *model.Run) xlsx.Cell { return xlsx.Text(r.Robots) })
	}
	compared("Crawlers", strings.Join(of.Old.Crawlers, ", "), strings.Join(of.New.Crawlers, ", "))
	for i := range b.crawlers {
		c := &b.crawlers[i]
		both := func(what string, value func(*audit.Crawler) string) {
			compared(c.Label+": "+what, value(&c.Old), value(&c.New))
		}
		both("profile", func(c *audit.Crawler) string { return c.Profile })
		both("product tokens", func(c *audit.Crawler) string { return strings.Join(c.Tokens, ", ") })
	}
	each("Judged by version", func(*model.Run) xlsx.Cell { return xlsx.Text(of.Version) })
}
