package book

import (
	"strings"

	"robots-audit/audit"
	"robots-audit/audit/compare"
	"robots-audit/engine"
	"robots-audit/reports/changes/internal/model"
	"robots-audit/reports/internal/site"
	"robots-audit/reports/internal/xlsx"
)

// flipRow is a URL with the change of its verdict for some crawlers.
type flipRow struct {
	site     int
	loc      string
	crawlers string
	compare.Verdicts
	lines   int // index in lineSets, instead of Lines
	clicks  int64
	counted bool  // clicks are known
	hits    int64 // requests of the crawlers of the row, plus one; 0 = there are no access logs
	kind    audit.Kind
	listed  bool
}

// Flip adds the rows of a URL: one for each outcome, however many crawlers share it.
func (b *Book) Flip(f *compare.Flip) error {
	to, sheet, used := &b.flipRows, &b.flips, b.flipColumns
	if f.Appeared {
		to, sheet, used = &b.appearedRows, &b.appeared, b.appearedColumns
	}
	for alike := range model.Outcomes(f) {
		v := &f.Verdicts[alike[0]]
		row := flipRow{
			site: b.site, loc: f.Loc, crawlers: b.labels.join(alike), Verdicts: *v,
			lines: b.lines.number(f.Origin, v.Lines), clicks: f.Weight.Clicks, counted: f.Weight.HasClicks(), kind: f.Kind, listed: f.Listed,
		}
		if b.logged && !f.Appeared && audit.IsPage(f.Kind) {
			row.hits = 1
			for _, i := range alike {
				if f.Hits != nil {
					row.hits += f.Hits[i]
				}
			}
		}
		sheet.Mark(&row, used)
		if !f.Appeared && len(v.Lines) > 0 {
			used[changedLines] = true // its text is known once the site ends
		}
		b.row = row.append(b.row[:0])
		if err := to.add(row.clicks, b.row); err != nil {
			return err
		}
	}
	return nil
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// append appends a row in the format of a spool.
func (r *flipRow) append(to []byte) []byte {
	to = appendNumber(to, r.site)
	to = appendNumber(to, r.Class)
	to = appendNumber(to, r.Cause)
	to = appendNumber(to, r.Was)
	to = appendNumber(to, r.Is)
	to = appendNumber(to, r.lines)
	to = appendNumber(to, r.clicks)
	to = appendNumber(to, bit(r.counted))
	to = appendNumber(to, r.hits)
	to = appendNumber(to, r.kind)
	to = appendNumber(to, bit(r.listed))
	for _, rule := range []engine.Rule{r.Old, r.New} {
		to = appendText(appendNumber(appendNumber(to, rule.Line), bit(rule.Allow)), rule.Value)
	}
	return appendText(appendText(to, r.crawlers), r.loc)
}

// read reads a row from a spool.
func (r *flipRow) read(f fields) {
	r.site, r.Class, r.Cause = int(f.number()), compare.Class(f.number()), compare.Cause(f.number())
	r.Was, r.Is = engine.Verdict(f.number()), engine.Verdict(f.number())
	r.lines, r.clicks, r.counted, r.hits = int(f.number()), f.number(), f.number() != 0, f.number()
	r.kind, r.listed = audit.Kind(f.number()), f.number() != 0
	for _, rule := range []*engine.Rule{&r.Old, &r.New} {
		rule.Line, rule.Allow, rule.Value = int(f.number()), f.number() != 0, f.text()
	}
	r.crawlers, r.loc = f.text(), f.text()
}

// writeFlip writes rows from a spool to a sheet.
func (b *Book) writeFlip(to *xlsx.Sheet[flipRow]) func(row string) {
	var r flipRow
	return func(row string) {
		r.read(fields(row))
		to.AddRow(&b.Workbook, &r)
	}
}

// changedLines is the index of the column of changed lines.
const changedLines = 11

// flipTable has a row for each URL and outcome.
func (b *Book) flipTable() *xlsx.Table[flipRow] {
	columns := []xlsx.Column[flipRow]{
		{Title: "Site", Width: 24, Value: func(r *flipRow) xlsx.Cell { return b.siteName(r.site) }},
		{Title: "URL", Width: 64, Value: func(r *flipRow) xlsx.Cell { return xlsx.Text(r.loc) }},
		{Title: "Crawlers", Width: 26, Value: func(r *flipRow) xlsx.Cell { return b.Strings.Cell(r.crawlers) }},
		{Title: "Change", Width: 14, Value: func(r *flipRow) xlsx.Cell { return b.Strings.Cell(r.Class.Words()) }},
		{Title: "Before", Width: 10, Value: func(r *flipRow) xlsx.Cell { return b.Strings.Cell(r.Was.Word()) }},
		{Title: "Now", Width: 10, Value: func(r *flipRow) xlsx.Cell { return b.Strings.Cell(r.Is.Word()) }},
		{Title: "Cause", Width: 9, Value: func(r *flipRow) xlsx.Cell { return b.Strings.Cell(r.Cause.String()) }},
		{Title: "Old rule", Width: 26, Value: func(r *flipRow) xlsx.Cell { return b.rule(r.Old) }},
		{Title: "Old line", Width: 7, Value: func(r *flipRow) xlsx.Cell { return line(r.Old.Line) }},
		{Title: "New rule", Width: 26, Value: func(r *flipRow) xlsx.Cell { return b.rule(r.New) }},
		{Title: "New line", Width: 7, Value: func(r *flipRow) xlsx.Cell { return line(r.New.Line) }},
		{Title: "Changed lines", Width: 44, Value: func(r *flipRow) xlsx.Cell { return b.Strings.Cell(b.lines.words[r.lines]) }},
	}
	marks := []xlsx.ConditionalFormat{{Column: 3, Highlights: classColours}, {Column: 4, Highlights: verdictColours}, {Column: 5, Highlights: verdictColours}}
	t := xlsx.NewTable("Changed URLs", append(columns, b.urlColumns()...), marks...)
	t.Kind.Optional = true
	return t
}

// appearedTable has a row for each URL that only the new run found and each line that blocks it.
func (b *Book) appearedTable() *xlsx.Table[flipRow] {
	columns := []xlsx.Column[flipRow]{
		{Title: "Site", Width: 24, Value: func(r *flipRow) xlsx.Cell { return b.siteName(r.site) }},
		{Title: "URL", Width: 64, Value: func(r *flipRow) xlsx.Cell { return xlsx.Text(r.loc) }},
		{Title: "Crawlers", Width: 26, Value: func(r *flipRow) xlsx.Cell { return b.Strings.Cell(r.crawlers) }},
		{Title: "Verdict", Width: 10, Value: func(r *flipRow) xlsx.Cell { return b.Strings.Cell(r.Is.Word()) }},
		{Title: "Rule", Width: 30, Value: func(r *flipRow) xlsx.Cell { return b.rule(r.New) }},
		{Title: "Line", Width: 7, Value: func(r *flipRow) xlsx.Cell { return line(r.New.Line) }},
	}
	t := xlsx.NewTable("Appeared", append(columns, b.urlColumns()...), xlsx.ConditionalFormat{Column: 3, Highlights: verdictColours})
	t.Kind.Optional = true
	return t
}

// urlColumns are the last columns of sheets on URLs.
func (b *Book) urlColumns() []xlsx.Column[flipRow] {
	return []xlsx.Column[flipRow]{
		{Title: "Clicks", Width: 10, Value: func(r *flipRow) xlsx.Cell {
			if !r.counted {
				return xlsx.Cell{}
			}
			return xlsx.Number(r.clicks)
		}},
		{Title: "Hits", Width: 10, Value: func(r *flipRow) xlsx.Cell {
			if r.hits == 0 {
				return xlsx.Cell{}
			}
			return xlsx.Number(r.hits - 1)
		}},
		{Title: "Kind", Width: 10, Value: func(r *flipRow) xlsx.Cell { return b.Strings.Cell(site.KindName(r.kind)) }},
		{Title: "In sitemap", Width: 9, Value: func(r *flipRow) xlsx.Cell { return xlsx.YesNo(r.listed) }},
		{Title: "url_id", Width: 18, Folded: true, Value: func(r *flipRow) xlsx.Cell {
			var id string
			id, b.id = audit.URLID(b.id, originOf(r.loc), r.loc)
			return xlsx.Text(id)
		}},
	}
}

// rule is the rule that decided.
func (b *Book) rule(r engine.Rule) xlsx.Cell {
	if r.Line == 0 {
		return b.Strings.Cell("no rule")
	}
	return b.Strings.Cell(r.String())
}

// line is a line of a file; empty if there is none.
func line(n int) xlsx.Cell {
	if n == 0 {
		return xlsx.Cell{}
	}
	return xlsx.Identifier(n)
}

// originOf returns the origin of a URL: scheme and host in lower case, no default port.
func originOf(loc string) string {
	scheme, rest, _ := strings.Cut(loc, "://")
	if end := strings.IndexAny(rest, "/?#"); end >= 0 {
		rest = rest[:end]
	}
	scheme, host := strings.ToLower(scheme), strings.ToLower(rest)
	switch scheme {
	case "http":
		host = strings.TrimSuffix(host, ":80")
	case "https":
		host = strings.TrimSuffix(host, ":443")
	}
	return scheme + "://" + host
}
