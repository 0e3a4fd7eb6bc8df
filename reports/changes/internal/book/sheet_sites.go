package book

import (
	"strings"

	"robots-audit/audit"
	"robots-audit/audit/compare"
	"robots-audit/reports/changes/internal/model"
	"robots-audit/reports/internal/site"
	"robots-audit/reports/internal/xlsx"
)

// siteRow is a site, whether it has changed or not.
type siteRow struct {
	*model.Entry
	files
	name xlsx.Cell
}

// files is the data that is kept for a site in addition to its entry.
type files struct {
	old, new answer // of the site's own origin
	notes    string
	robots   string // a link to its first line on the sheet Robots.txt; "" = none
}

// answer is the response for a robots.txt.
type answer struct {
	known  bool // the run has the site
	asked  bool
	given  bool   // a file of -robots replaced it
	status int    // 0 = no response
	sha256 string // "" = no body
}

func filesOf(s *compare.Site) files {
	own := compare.Origin{}
	if len(s.Origins) > 0 {
		own = s.Origins[0]
	}
	of := func(side *compare.Side, a *compare.Answer) answer {
		if a == nil {
			return answer{known: side != nil}
		}
		return answer{side != nil, true, a.Given, a.Status, a.SHA256}
	}
	return files{old: of(s.Old, own.Old), new: of(s.New, own.New), notes: strings.Join(s.Notes, " ")}
}

// state is the state of the site at the end of the run.
func (a *answer) state(s audit.State) xlsx.Cell {
	switch {
	case !a.known:
		return xlsx.TopAligned("not known")
	case s == "":
		return xlsx.TopAligned("cut short")
	}
	return xlsx.TopAligned(site.StateName(s))
}

// cell is the status of the response.
func (a *answer) cell() xlsx.Cell {
	switch {
	case !a.asked:
		return xlsx.Cell{}
	case a.given:
		return xlsx.TopAligned("not asked")
	case a.status == 0:
		return xlsx.TopAligned("no answer")
	}
	return xlsx.Identifier(a.status)
}

// same says whether both files have the same bytes; empty if one of them has no body.
func (f *files) same() xlsx.Cell {
	if f.old.sha256 == "" || f.new.sha256 == "" {
		return xlsx.Cell{}
	}
	return xlsx.YesNo(f.old.sha256 == f.new.sha256)
}

// siteTable has a row for every site, those with the greatest changes first.
func siteTable() *xlsx.Table[siteRow] {
	const lead, change, notes = 90, 50, 60
	number := func(title string, of func(*compare.Totals) int64) xlsx.Column[siteRow] {
		return xlsx.Column[siteRow]{Title: title, Width: 10, Value: func(r *siteRow) xlsx.Cell { return xlsx.NumberOrBlank(of(&r.Totals)) }}
	}
	t := xlsx.NewTable("Sites", []xlsx.Column[siteRow]{
		{Title: "Site", Width: 30, Value: func(r *siteRow) xlsx.Cell { return top(r.name) }, Link: func(r *siteRow) string { return r.robots }},
		{Title: "Changed", Width: 10, Value: func(r *siteRow) xlsx.Cell { return top(xlsx.YesNo(r.Changed)) }},
		{Title: "Severity", Width: 10, Value: func(r *siteRow) xlsx.Cell {
			return xlsx.TopAligned(r.Severity().Word())
		}},
		{Title: "What changed", Width: lead, Value: func(r *siteRow) xlsx.Cell { return xlsx.Wrapped(r.Lead) }},
		number("Newly blocked", func(t *compare.Totals) int64 { return t.NewlyBlocked }),
		number("Newly allowed", func(t *compare.Totals) int64 { return t.NewlyAllowed }),
		number("Now unclear", func(t *compare.Totals) int64 { return t.NowUnclear }),
		number("Clear again", func(t *compare.Totals) int64 { return t.ClearAgain }),
		number("Appeared", func(t *compare.Totals) int64 { return t.Appeared }),
		number("Appeared, blocked", func(t *compare.Totals) int64 { return t.AppearedBlocked }),
		number("Vanished", func(t *compare.Totals) int64 { return t.Vanished }),
		{Title: "Weight", Width: 10, Value: func(r *siteRow) xlsx.Cell { return xlsx.NumberOrBlank(r.Totals.Weight) }},
		{Title: "Status, old", Width: 10, Value: func(r *siteRow) xlsx.Cell { return r.old.cell() }},
		{Title: "Status, new", Width: 10, Value: func(r *siteRow) xlsx.Cell { return r.new.cell() }},
		{Title: "Same file", Width: 9, Value: func(r *siteRow) xlsx.Cell { return top(r.same()) }},
		{Title: "Most severe change", Width: change, Folded: true, Value: func(r *siteRow) xlsx.Cell {
			words := ""
			if len(r.Gravest) > 0 {
				words = model.ChangeWords(&r.Gravest[0])
			}
			return xlsx.Wrapped(words)
		}},
		{Title: "Changes", Width: 10, Value: func(r *siteRow) xlsx.Cell { return xlsx.NumberOrBlank(int64(r.Changes())) }},
		{Title: "URLs in both", Width: 10, Value: func(r *siteRow) xlsx.Cell { return xlsx.Number(r.Totals.Known) }},
		{Title: "State, old", Width: 10, Value: func(r *siteRow) xlsx.Cell { return r.old.state(r.Old) }},
		{Title: "State, new", Width: 10, Value: func(r *siteRow) xlsx.Cell { return r.new.state(r.New) }},
		{Title: "Notes", Width: notes, Value: func(r *siteRow) xlsx.Cell { return xlsx.Wrapped(r.notes) }},
	}, xlsx.ConditionalFormat{Column: 2, Highlights: severityColours})
	t.Height = func(r *siteRow) float64 {
		return max(xlsx.TextHeight(r.Lead, lead), xlsx.TextHeight(r.notes, notes))
	}
	return t
}

// writeSites writes the rows of all sites, in their order.
func (b *Book) writeSites(of *model.Comparison) {
	b.sites.Fill(&b.Workbook, func(yield func(*siteRow) bool) {
		for _, e := range of.Sites {
			if !yield(&siteRow{e, b.files[e.Number], b.siteName(e.Number)}) {
				return
			}
		}
	})
}

// top is a cell next to text over several lines.
func top(c xlsx.Cell) xlsx.Cell {
	if c.Kind != xlsx.KindBlank {
		c.Style = xlsx.StyleTop
	}
	return c
}
