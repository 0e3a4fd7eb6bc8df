package book

import (
	"slices"
	"strconv"
	"strings"

	"robots-audit/audit"
	"robots-audit/reports/internal/site"
	"robots-audit/reports/internal/xlsx"
)

// Rows (1-based) of the summary sheet of a site's workbook. The to-do list follows the figures.
const (
	summarySentences = 2
	summaryWidth     = 190                                      // approximate number of characters that fit in its columns A to H
	summaryFigures   = summarySentences + site.MaxSentences + 2 // header of the key figures
)

// toDoColumns are the columns of the to-do list on the summary sheet. The columns of clicks and
// hits are there only if they were given.
type toDoColumn struct {
	title string
	width float64
	given func(*audit.Done) bool // nil = it is always there
	cell  func(*site.Cause) xlsx.Cell
}

var toDoColumns = []toDoColumn{
	{"What", 44, nil, func(c *site.Cause) xlsx.Cell { return xlsx.Wrapped(c.What) }},
	{"Crawlers", 18, nil, func(c *site.Cause) xlsx.Cell { return xlsx.Wrapped(c.ForWhom()) }},
	{"URLs", 10, nil, func(c *site.Cause) xlsx.Cell { return value(c.URLs) }},
	{"Share of URLs", 9, nil, func(c *site.Cause) xlsx.Cell { return value(c.Share) }},
	{"Intended?", 30, nil, func(c *site.Cause) xlsx.Cell { return xlsx.Wrapped(c.Meant) }},
	{"What to do", 40, nil, func(c *site.Cause) xlsx.Cell { return xlsx.Wrapped(c.Do) }},
	{"What happens then", 34, nil, func(c *site.Cause) xlsx.Cell { return xlsx.Wrapped(c.Proof) }},
	{"Owner", 14, nil, func(*site.Cause) xlsx.Cell { return xlsx.Cell{} }}, // for the reader to fill in
	{"Clicks", 10, hasClicks, func(c *site.Cause) xlsx.Cell { return value(c.Clicks) }},
	{"Share of clicks", 10, hasClicks, func(c *site.Cause) xlsx.Cell { return value(c.ClickShare) }},
	{" hits", 10, hasHits, func(c *site.Cause) xlsx.Cell { return value(c.Hits) }}, // after the name of the crawler
	{"Share of hits", 10, hasHits, func(c *site.Cause) xlsx.Cell { return value(c.HitShare) }},
}

func hasClicks(d *audit.Done) bool { return d.Clicks > 0 }
func hasHits(d *audit.Done) bool   { return d.Hits != nil }

// summaryLayout is the layout of the summary sheet.
func summaryLayout() xlsx.SummaryLayout {
	l := xlsx.SummaryLayout{
		Name: "Summary", Portrait: true, Merged: []string{"A1:H1"}, Links: map[string]string{},
		Formats: []xlsx.RangeFormat{{Range: "D7:D60", Highlights: stateColours}},
	}
	for _, c := range toDoColumns {
		if c.given == nil {
			l.Widths = append(l.Widths, c.width)
		}
	}
	for i := range site.MaxSentences {
		row := strconv.Itoa(summarySentences + i)
		l.Merged = append(l.Merged, "A"+row+":H"+row)
	}
	return l
}

// stateCell is the word for a state; blank for none.
func stateCell(s audit.State) xlsx.Cell {
	if s == "" {
		return xlsx.Cell{}
	}
	return xlsx.TopAligned(site.StateName(s))
}

func headerCells(titles ...string) []xlsx.Cell {
	cells := make([]xlsx.Cell, len(titles))
	for i, t := range titles {
		cells[i] = xlsx.Styled(xlsx.StyleHeader, t)
	}
	return cells
}

// summary makes the summary sheet: the lead and further sentences, the key figures, and the to-do
// list.
func (b *Site) summary(d *audit.Done) *xlsx.SummarySheet {
	p := &xlsx.SummarySheet{}
	p.SetRow(1, 30, xlsx.Styled(xlsx.StyleTitle, "robots.txt audit of "+audit.DisplayName(b.site.Name)))
	for i, s := range b.site.Sentences(d) {
		p.SetRow(summarySentences+i, xlsx.TextHeight(s, summaryWidth), xlsx.Wrapped(s))
	}
	at := summaryFigures
	p.SetRow(at, 20, headerCells("Figure", "Value", "Share", "State", "Why it matters")...)
	for _, f := range b.site.Figures(d) {
		unasked := f.Value.Kind == site.NoValue && f.State == ""
		if !b.shared.AllSheets && (unasked || !f.First && (f.ShownElsewhere || f.State == "" || f.State == audit.OK)) {
			continue // it repeats other figures, or was not requested
		}
		at++
		p.SetRow(at, 0, xlsx.Styled(xlsx.StyleBold, f.Name), figureValue(f.Value), value(f.Share), stateCell(f.State), xlsx.TopAligned(f.Why))
	}
	at = b.toDo(p, at+2, d)
	if b.site.Past != nil {
		at += 2
		p.SetRow(at, 0, xlsx.TopAligned(b.site.HistoryWords()))
	}
	if b.shared.AllSheets {
		b.tellAbsent(p, at+2)
	}
	if b.timeline != nil {
		p.Placeholders = append(p.Placeholders, placeholderTimelineTitle, b.timeline.Title, placeholderTimelineDates, timelineDates(b.timeline))
	}
	if b.templateBars > 0 {
		p.Placeholders = append(p.Placeholders, placeholderTemplates, strconv.Itoa(1+b.templateBars))
	}
	return p
}

// toDo writes the to-do list, from a row on, and returns the last row.
func (b *Site) toDo(p *xlsx.SummarySheet, at int, d *audit.Done) int {
	todo := b.site.ToDo(d)
	p.SetRow(at, 20, xlsx.Styled(xlsx.StyleBold, todo.Title))
	for _, text := range []string{todo.Lead.What, todo.Lead.Do, todo.Nothing} {
		if text != "" {
			at++
			p.SetRow(at, 0, xlsx.TopAligned(text))
		}
	}
	if len(todo.List) == 0 {
		return at
	}
	columns := slices.Clone(toDoColumns)
	columns = slices.DeleteFunc(columns, func(c toDoColumn) bool { return c.given != nil && !c.given(d) })
	var titles []string
	for _, c := range columns {
		if strings.HasPrefix(c.title, " ") {
			c.title = b.site.HitsLabel() + c.title
		}
		titles = append(titles, c.title)
	}
	at++
	p.SetRow(at, 32, headerCells(titles...)...)
	for i := range todo.List {
		cause := &todo.List[i]
		var cells []xlsx.Cell
		height := 0.0
		for _, c := range columns {
			cell := c.cell(cause)
			if cell.Kind == xlsx.KindText {
				height = max(height, xlsx.TextHeight(cell.Text, int(c.width)))
			}
			cells = append(cells, cell)
		}
		at++
		p.SetRow(at, height, cells...)
	}
	if todo.More > 0 {
		at++
		p.SetRow(at, 0, xlsx.TopAligned(todo.MoreWords()))
	}
	return at
}

// tellAbsent lists the omitted sheets with the reason: nothing was found, or nothing was checked,
// which is not the same.
func (b *Site) tellAbsent(p *xlsx.SummarySheet, at int) {
	var nothing, unlooked []string
	for _, a := range b.absent {
		if a.why == "" {
			nothing = append(nothing, a.sheet)
		} else {
			unlooked = append(unlooked, a.sheet+" ("+a.why+")")
		}
	}
	for _, list := range []struct {
		begins string
		sheets []string
	}{{"No rows for: ", nothing}, {"Not tested: ", unlooked}} {
		if len(list.sheets) > 0 {
			p.SetRow(at, 0, xlsx.TopAligned(list.begins+strings.Join(list.sheets, "; ")+"."))
			at++
		}
	}
}
