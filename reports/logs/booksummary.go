package logs

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
	"robots-audit/reports/internal/xlsx"
)

// topCrawler is a crawler of all sites together.
type topCrawler struct {
	name                string
	requests, disobeyed int64
}

// Bounds of the first sheet.
const (
	bookCrawlers = 12 // crawlers in the chart
	chartHeight  = 360

	chartTitle = "@crawlers@" // its placeholder
)

// summary makes the first sheet, and its layout.
func (b *book) summary(s *Summary) (xlsx.SummaryLayout, *xlsx.SummarySheet) {
	l := xlsx.SummaryLayout{Name: "Summary", Widths: []float64{36, 16, 16, 16, 16, 16, 16, 16, 16}, Merged: []string{"A1:I1"}, Links: map[string]string{}}
	p := &xlsx.SummarySheet{}
	row := 1
	wide := func(cells ...xlsx.Cell) {
		row++
		n := strconv.Itoa(row)
		from := "A"
		if len(cells) > 1 {
			from = "B"
		}
		l.Merged = append(l.Merged, from+n+":I"+n)
		last := cells[len(cells)-1]
		p.SetRow(row, max(18, xlsx.TextHeight(last.Text, 126)+3), cells...)
	}
	p.SetRow(1, 30, xlsx.Styled(xlsx.StyleTitle, "Crawlers in the logs"))
	if len(s.Sites) == 1 {
		of := &s.Sites[0]
		wide(xlsx.Wrapped(escape.Show(of.Name) + ": " + of.Headline))
		for _, a := range of.Answers {
			wide(xlsx.Styled(xlsx.StyleBold, a.Question), xlsx.Wrapped(strings.ReplaceAll(strings.Join(a.Sentences, " "), "`", "")))
		}
		for _, text := range of.Incomplete {
			wide(xlsx.Wrapped(text))
		}
	} else {
		for _, text := range s.headline() {
			wide(xlsx.Wrapped(text))
		}
	}
	for _, text := range s.Head.sentences() {
		wide(xlsx.Wrapped(text))
	}
	b.chart(&l, p, row+2)
	return l, p
}

// chartName is a crawler's name in the chart, which has no space for a long one.
func chartName(name string) string { return escape.Cut(escape.Show(name), 40) }

// chart is the chart of the crawlers with most requests, below its table.
func (b *book) chart(l *xlsx.SummaryLayout, p *xlsx.SummarySheet, row int) {
	list := slices.SortedFunc(maps.Values(b.top), func(x, y *topCrawler) int {
		return cmp.Or(cmp.Compare(y.requests, x.requests), strings.Compare(x.name, y.name))
	})
	list = list[:min(len(list), bookCrawlers)]
	if len(list) == 0 || list[0].requests == 0 {
		return
	}
	p.SetRow(row, 20, xlsx.Styled(xlsx.StyleHeader, "Crawlers"), xlsx.Styled(xlsx.StyleHeader, "Other requests"), xlsx.Styled(xlsx.StyleHeader, "Disobeyed"))
	for i, of := range list {
		p.SetRow(row+1+i, 0, xlsx.Text(chartName(of.name)), xlsx.Number(of.requests-of.disobeyed), xlsx.Number(of.disobeyed))
	}
	last := row + len(list)
	l.Charts = []xlsx.Chart{{
		Cell: "A" + strconv.Itoa(last+2), Type: xlsx.StackedBarChart, Title: chartTitle, From: row, Rows: strconv.Itoa(last),
		Categories: "A", Values: []string{"B", "C"}, Colours: []string{"4F81BD", "C4443A"}, Height: chartHeight,
	}}
	p.Charts = []bool{true}
	p.Placeholders = []string{chartTitle, chartName(list[0].name) + " made most requests: " + wording.Thousands(list[0].requests)}
}
