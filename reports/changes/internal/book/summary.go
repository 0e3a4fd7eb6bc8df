package book

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
	"robots-audit/reports/changes/internal/model"
	"robots-audit/reports/internal/xlsx"
)

// summaryName is the name of the first sheet.
const summaryName = "Summary"

// wide is the number of characters in a line over all columns of the summary sheet.
const wide = 165

// sheetWriter fills the summary sheet from top to bottom. Its links, merged cells and charts are
// the layout, which is set at the end.
type sheetWriter struct {
	xlsx.SummarySheet
	layout xlsx.SummaryLayout
	row    int // the next free row, 1-based
}

// sentence writes a line over all columns.
func (w *sheetWriter) sentence(height float64, c xlsx.Cell) {
	w.SetRow(w.row, height, c)
	w.layout.Merged = append(w.layout.Merged, fmt.Sprintf("A%d:F%[1]d", w.row))
	w.row++
}

func (w *sheetWriter) words(s string) {
	if s != "" {
		w.sentence(xlsx.TextHeight(s, wide), xlsx.Wrapped(s))
	}
}

// summary makes the summary sheet: the changes in short, key figures, the compared runs, and two
// charts with their tables.
func (b *Book) summary(of *model.Comparison) *xlsx.SummarySheet {
	w := &sheetWriter{row: 1, layout: xlsx.SummaryLayout{Name: summaryName, Widths: []float64{44, 13, 13, 13, 80, 13}, Links: map[string]string{}}}
	w.sentence(30, xlsx.Styled(xlsx.StyleTitle, title(of)))
	w.words(of.Totals.Headline() + ".")
	w.words(of.Lead())
	w.words(runWords("Old run", &of.Old))
	w.words(runWords("New run", &of.New))
	for _, note := range of.AllNotes() {
		w.words(note)
	}
	w.row++
	b.figures(w, of)
	w.row++
	w.words(b.absentWords())
	w.row++
	b.directoryChart(w, of)
	b.crawlerChart(w)
	b.Template.Summary = w.layout
	return &w.SummarySheet
}

func title(of *model.Comparison) string {
	if of.New.Robots != "" {
		return "What another robots.txt changes"
	}
	return "What changed between two runs"
}

// runWords describe a run.
func runWords(name string, r *model.Run) string {
	parts := []string{name + ": " + escape.Show(r.Path)}
	if r.Robots != "" {
		parts = append(parts, "with "+escape.Show(r.Robots)+" instead of robots.txt")
	}
	if r.ID != "" {
		parts = append(parts, "id "+r.ID)
	}
	if !r.Started.IsZero() {
		parts = append(parts, "started "+r.Started.UTC().Format(time.DateTime)+" UTC")
	}
	if r.Version != "" {
		parts = append(parts, "version "+r.Version)
	}
	return strings.Join(parts, "; ") + "."
}

// absentWords list the omitted sheets.
func (b *Book) absentWords() string {
	var names []string
	for _, s := range b.Sheets {
		if !s.Begun() {
			names = append(names, s.Name())
		}
	}
	if names == nil {
		return ""
	}
	return "Nothing found for: " + strings.Join(names, "; ") + "."
}

func headerCells(titles ...string) []xlsx.Cell {
	cells := make([]xlsx.Cell, len(titles))
	for i, t := range titles {
		cells[i] = xlsx.Styled(xlsx.StyleHeader, t)
	}
	return cells
}

// figure is a row of the key figures. A figure of the comparison itself has no old and no new
// value.
type figure struct {
	name             string
	old, new, change xlsx.Cell
	why              string
	sheet            xlsx.AnySheet
}

func (b *Book) figures(w *sheetWriter, of *model.Comparison) {
	t := &of.Totals
	both := func(name string, old, new int64, why string, sheet xlsx.AnySheet) figure {
		return figure{name, xlsx.Number(old), xlsx.Number(new), xlsx.Number(new - old), why, sheet}
	}
	change := func(name string, n int64, why string, sheet xlsx.AnySheet) figure {
		return figure{name: name, change: xlsx.Number(n), why: why, sheet: sheet}
	}
	list := []figure{
		both("Sites", int64(t.Sites-t.OnlyNew), int64(t.Sites-t.OnlyOld), "Sites in the run.", &b.sites),
		change("Sites changed", int64(t.SitesChanged), "Sites with any difference, or in one run only.", &b.sites),
		both("URLs", b.oldURLs.URLs, b.newURLs.URLs, "URLs found by the run: pages only.", &b.sites),
		both("Blocked from crawling", b.oldURLs.Blocked, b.newURLs.Blocked, "Blocked for at least one crawler, judged by this version.", &b.flips),
		change("Newly blocked", t.NewlyBlocked, "Allowed before and blocked now, for at least one crawler. The URL is in both runs.", &b.flips),
		change("Newly allowed", t.NewlyAllowed, "Blocked before and allowed now, for at least one crawler. The URL is in both runs.", &b.flips),
		change("Now unclear", t.NowUnclear, "The verdict is undefined or unknown now. It is not counted as allowed.", &b.flips),
		change("Clear again", t.ClearAgain, "The verdict was undefined or unknown.", &b.flips),
		change("Weight of the changes", t.Weight, "The clicks of your list of URLs, and 1 for each URL without clicks.", &b.directories),
		change("Appeared", t.Appeared, "Only in the new run.", &b.sites),
		change("Appeared and blocked", t.AppearedBlocked, "Only in the new run, and blocked for at least one crawler.", &b.appeared),
		change("Vanished", t.Vanished, "Only in the old run.", &b.sites),
		change("Changes, critical or high", int64(t.Critical+t.High), "Status, size, redirect, sitemaps and more, by severity.", &b.changes),
		change("Changes, all", int64(t.Changes()), "Minor changes included. They may be intended.", &b.changes),
	}
	w.SetRow(w.row, 20, headerCells("Figure", "Old", "New", "Change", "Meaning", "Sheet")...)
	w.row++
	for _, f := range list {
		link := xlsx.Cell{}
		if f.sheet.Begun() {
			link = xlsx.Styled(xlsx.StyleLink, f.sheet.Name())
			w.layout.Links[fmt.Sprintf("F%d", w.row)] = f.sheet.Name()
		}
		w.SetRow(w.row, xlsx.TextHeight(f.why, 84), xlsx.Styled(xlsx.StyleBold, f.name), f.old, f.new, f.change, xlsx.Wrapped(f.why), link)
		w.row++
	}
}

// chartRows is the maximum number of rows of a table for a chart.
const chartRows = 12

// Colours of both sides of charts, with readable labels.
const (
	blockedColour = "E6928C"
	allowedColour = "A9CFAE"
)

// chartRow is a row of a table for a chart.
type chartRow struct {
	name             string
	blocked, allowed int64
}

// chart draws bars with two sides, newly blocked on the left, after their table.
func (w *sheetWriter) chart(header, title string, rows []chartRow) {
	if len(rows) == 0 {
		return
	}
	from := w.row
	w.SetRow(from, 32, headerCells(header, "Newly blocked", "Newly allowed")...)
	for i, r := range rows {
		w.SetRow(from+1+i, 0, xlsx.Text(escape.Cut(r.name, 44)), xlsx.Left(r.blocked), xlsx.Number(r.allowed))
	}
	placeholder := "@chart" + strconv.Itoa(len(w.layout.Charts)) + "@"
	height := 120 + 28*len(rows)
	w.layout.Charts = append(w.layout.Charts, xlsx.Chart{
		Cell: fmt.Sprintf("E%d", from), Type: xlsx.StackedBarChart, Title: placeholder, From: from, Rows: strconv.Itoa(from + len(rows)), Categories: "A",
		Values: []string{"B", "C"}, Colours: []string{blockedColour, allowedColour}, Height: uint(height), TwoSided: true,
	})
	w.Charts = append(w.Charts, true)
	w.Placeholders = append(w.Placeholders, placeholder, title)
	const rowHeight = 17 // pixels, for programs with lower rows than Excel, which uses 20
	w.row = from + max(len(rows)+3, height/rowHeight+2)
}

// directoryChart shows the directories with changed verdicts, by weight.
func (b *Book) directoryChart(w *sheetWriter, of *model.Comparison) {
	var rows []chartRow
	for i := range b.top {
		s := &b.top[i]
		name := directoryName(&s.Section)
		switch {
		case s.Host != "":
			name = s.Host + " " + name
		case len(b.names) > 1:
			name = b.names[s.site] + " " + name
		}
		rows = append(rows, chartRow{name, s.WeightBlocked, s.WeightAllowed})
	}
	if rows != nil {
		w.chart("Weight by directory", directoryTitle(rows, of.Totals.Weight), rows)
	}
}

// directoryTitle names the directory with most changes.
func directoryTitle(rows []chartRow, weight int64) string {
	first := rows[0]
	words := "newly blocked"
	n := first.blocked
	if first.allowed > first.blocked {
		words, n = "newly allowed", first.allowed
	}
	return fmt.Sprintf("%[1]s has most of the change: %[2]s of %[3]s %[4]s", escape.Cut(first.name, 50), wording.Thousands(n), wording.Thousands(weight), words)
}

// crawlerChart shows the crawlers with changed verdicts.
func (b *Book) crawlerChart(w *sheetWriter) {
	var rows []chartRow
	for i := range b.crawlers {
		if c := &b.crawlers[i]; c.NewlyBlocked+c.NewlyAllowed > 0 {
			rows = append(rows, chartRow{c.Label, c.NewlyBlocked, c.NewlyAllowed})
		}
	}
	if rows == nil {
		return
	}
	slices.SortStableFunc(rows, func(a, b chartRow) int { return int(b.blocked + b.allowed - a.blocked - a.allowed) })
	title := crawlerTitle(rows)
	w.chart("URLs by crawler", title, rows[:min(len(rows), chartRows)])
}

// crawlerTitle names the crawler with most changed pages.
func crawlerTitle(rows []chartRow) string {
	var alike []string
	for _, r := range rows {
		if r.blocked == rows[0].blocked && r.allowed == rows[0].allowed {
			alike = append(alike, r.name)
		}
	}
	return fmt.Sprintf("%s: %s newly blocked, %s newly allowed", model.Names(alike), wording.URLs(rows[0].blocked), wording.Thousands(rows[0].allowed))
}
