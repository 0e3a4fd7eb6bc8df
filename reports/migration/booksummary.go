package migration

import (
	"fmt"
	"strconv"
	"strings"

	"robots-audit/audit/migrate"
	"robots-audit/engine/wording"
	"robots-audit/reports/internal/xlsx"
)

// Values for the first sheet.
const (
	classHeader = 6  // row of the header of the table of classes
	chartRows   = 20 // rows that a chart covers
	chartHeight = 380
	chartChains = 12 // chains in the chart

	classTitle = "@classes@" // placeholders of titles
	chainTitle = "@chains@"
)

// chainHeader is the row of the header of the table of chains.
func (s *Summary) chainHeader() int { return classHeader + len(s.Classes) + chartRows + 4 }

// shownChains are the chains on the first sheet.
func (s *Summary) shownChains() []Chain { return s.Chains[:min(len(s.Chains), chartChains)] }

// layout is the layout of the first sheet.
func (s *Summary) layout() xlsx.SummaryLayout {
	l := xlsx.SummaryLayout{
		Name: "Summary", Widths: []float64{58, 14, 16, 12, 18, 100}, Merged: []string{"A1:F1", "A2:F2", "A3:F3"}, Links: map[string]string{},
		Formats: []xlsx.RangeFormat{{Range: fmt.Sprintf("D%d:D%d", classHeader+1, classHeader+max(1, len(s.Classes))), Highlights: severityColours}},
	}
	if len(s.Classes) == 0 {
		return l
	}
	from, chains := s.chainHeader(), s.shownChains()
	bars := len(s.Classes)
	if bars > 1 && s.Classes[bars-1].Class == migrate.ClassOK {
		bars-- // next to the bar of pairs that are as planned, the others would be invisible
	}
	l.Charts = []xlsx.Chart{
		{
			Cell: fmt.Sprintf("A%d", classHeader+len(s.Classes)+2), Type: xlsx.BarChart, Title: classTitle, From: classHeader, Rows: strconv.Itoa(classHeader + bars),
			Categories: "A", Values: []string{"B"}, Colours: []string{"4F81BD"}, Height: chartHeight,
		},
		{
			Cell: fmt.Sprintf("A%d", from+len(chains)+2), Type: xlsx.StackedBarChart, Title: chainTitle, From: from, Rows: strconv.Itoa(from + len(chains)),
			Categories: "A", Values: []string{"B", "C", "D", "E"}, Colours: []string{"6AA875", "D9A13B", "9AA0C8", "C4443A"}, Height: chartHeight,
		},
	}
	return l
}

// sheet makes the first sheet.
func (s *Summary) sheet() *xlsx.SummarySheet {
	p := &xlsx.SummarySheet{}
	p.SetRow(1, 30, xlsx.Styled(xlsx.StyleTitle, "Pre-migration check of "+wording.Plural(s.Totals.Pairs, "pair")))
	p.SetRow(2, 0, xlsx.Text(s.Totals.Headline()))
	p.SetRow(3, 0, xlsx.Text(s.further()))
	if e := s.Expectations; e != nil {
		p.SetRow(4, 0, xlsx.Text(e.Headline))
	}
	header := func(row int, titles ...string) {
		var cells []xlsx.Cell
		for _, title := range titles {
			cells = append(cells, xlsx.Styled(xlsx.StyleHeader, title))
		}
		p.SetRow(row, 20, cells...)
	}
	header(classHeader, "What is wrong, most severe first", "Pairs", "Clicks", "Severity", "Class", "Fix")
	for i, c := range s.Classes {
		p.SetRow(classHeader+1+i, 0, xlsx.Text(c.Words), xlsx.Number(c.Pairs), xlsx.NumberOrBlank(c.Clicks), xlsx.Text(string(c.Severity)), xlsx.Text(c.Class), xlsx.Text(c.Todo))
	}
	if len(s.Classes) == 0 {
		p.SetRow(classHeader+1, 0, xlsx.Text("No pair has a result yet."))
		return p
	}
	from := s.chainHeader()
	header(from, "Redirect chains, most frequent first", "As planned", "Warning or info", "Unknown", "Error or critical")
	for i, c := range s.shownChains() {
		p.SetRow(from+1+i, 0, xlsx.Text(c.String()), xlsx.Number(c.OK), xlsx.Number(c.Minor), xlsx.Number(c.Unknown), xlsx.Number(c.Failing))
	}
	p.Charts = []bool{true, true}
	p.Placeholders = []string{classTitle, s.classFinding(), chainTitle, s.chainFinding()}
	return p
}

// classFinding is the title of the chart of classes.
func (s *Summary) classFinding() string {
	switch c := &s.Classes[0]; {
	case c.Class == migrate.ClassOK:
		return "All pairs are as planned"
	default:
		return c.Words + ": " + wording.Plural(c.Pairs, "pair")
	}
}

// chainFinding is the title of the chart of chains.
func (s *Summary) chainFinding() string {
	direct := int64(0)
	for _, c := range s.Chains {
		if c.Redirects == 1 && len(c.Steps) == 2 && c.Steps[1].Text == "200" {
			direct += c.Pairs
		}
	}
	return wording.Thousands(direct) + " of " + wording.Plural(s.Totals.Pairs, "pair") + wording.Verb(s.Totals.Pairs, " leads", " lead") + " crawlers to a page with one redirect"
}

// further is the second sentence on a check.
func (s *Summary) further() string {
	parts := []string{wording.Plural(len(s.Leaks), "problem") + " in the new site's robots.txt"}
	if s.Totals.Important > 0 {
		parts = append(parts, wording.Thousands(s.Totals.ImportantFailing)+" of "+wording.Plural(s.Totals.Important, "important URL")+" failed")
	}
	if s.Totals.Passing > 0 {
		parts = append(parts, wording.Plural(s.Totals.Passing, "pair")+" had temporary errors")
	}
	if s.Left > 0 {
		parts = append(parts, wording.Plural(s.Left, "pair")+" not tested yet")
	}
	return strings.Join(parts, "; ") + "."
}
