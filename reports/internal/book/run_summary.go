package book

import (
	"fmt"
	"slices"
	"strconv"

	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
	"robots-audit/reports/internal/site"
	"robots-audit/reports/internal/summary"
	"robots-audit/reports/internal/xlsx"
)

// Rows (1-based) of the summary sheet of summary.xlsx in which its tables begin.
const (
	runFigures  = 6 // header of the key figures
	runStates   = 18
	runShares   = 36
	runProblems = 54
)

// Placeholders in its charts, to be replaced.
const (
	placeholderStateTitle   = "@states@"
	placeholderShareTitle   = "@shares@"
	placeholderProblemTitle = "@problems@"
	placeholderProblemRows  = "1040003"
)

func runSummaryLayout() xlsx.SummaryLayout {
	l := xlsx.SummaryLayout{
		Name:   "Summary",
		Widths: []float64{40, 14, 12, 84, 13},
		Merged: []string{"A1:E1", "A2:E2", "A3:E3", "A4:E4"},
		Links:  map[string]string{},
		Charts: []xlsx.Chart{
			{Cell: fmt.Sprintf("D%d", runStates), Type: xlsx.BarChart, Title: placeholderStateTitle, From: runStates, Rows: strconv.Itoa(runStates + len(summary.Totals{}.States())), Categories: "A",
				Values: []string{"B"}, Colours: []string{"4F81BD"}, Height: 330},
			{Cell: fmt.Sprintf("D%d", runShares), Type: xlsx.ColumnChart, Title: placeholderShareTitle, From: runShares, Rows: strconv.Itoa(runShares + summary.ShareClasses()), Categories: "A",
				Values: []string{"B"}, Colours: []string{"C0504D"}, Height: 330},
			{Cell: fmt.Sprintf("D%d", runProblems), Type: xlsx.BarChart, Title: placeholderProblemTitle, From: runProblems, Rows: placeholderProblemRows, Categories: "A",
				Values: []string{"B"}, Colours: []string{"7F7F7F"}, Height: 330},
		},
	}
	for i, sheet := range summary.FigureSheets() {
		l.Links[fmt.Sprintf("E%d", runFigures+1+i)] = sheet
	}
	return l
}

// summary makes the summary sheet of summary.xlsx.
func (w *Run) summary(run *summary.Run) *xlsx.SummarySheet {
	p := &xlsx.SummarySheet{Charts: make([]bool, 3)}
	p.SetRow(1, 30, xlsx.Styled(xlsx.StyleTitle, "robots.txt audit of "+wording.Plural(run.Totals.Sites, "site")))
	for i, s := range run.Overview.Sentences(run.Totals) {
		p.SetRow(2+i, xlsx.TextHeight(s, 150), xlsx.Wrapped(s))
	}
	p.SetRow(runFigures, 20, headerCells("Figure", "Value", "Share", "Why it matters", "Sheet")...)
	for i, f := range run.Figures() {
		if slices.ContainsFunc(w.Sheets, func(s xlsx.AnySheet) bool { return s.Name() == f.Sheet && !s.Begun() }) {
			f.Sheet = ""
		}
		p.SetRow(runFigures+1+i, xlsx.TextHeight(f.Why, 88), xlsx.Styled(xlsx.StyleBold, f.Name), figureValue(f.Value), value(f.Share), xlsx.Wrapped(f.Why), xlsx.Styled(xlsx.StyleLink, f.Sheet))
	}
	if run.Totals.Sites > 0 {
		chartTables(p, run)
	}
	return p
}

// chartTables writes the tables behind the charts, and the charts' titles.
func chartTables(p *xlsx.SummarySheet, run *summary.Run) {
	table := func(at int, title string, classes []summary.Class) {
		p.SetRow(at, 20, headerCells(title, "Sites")...)
		for i, class := range classes {
			p.SetRow(at+1+i, 0, xlsx.Text(class.Name), xlsx.Number(int64(class.Count)))
		}
	}
	table(runStates, "Sites by state", run.Totals.States())
	p.Charts[0] = true
	p.Placeholders = append(p.Placeholders, placeholderStateTitle, run.Totals.StatesTitle())

	if classes, judged := run.Overview.Shares(); judged > 0 {
		table(runShares, "Sites by share of URLs blocked", classes)
		p.Charts[1] = true
		p.Placeholders = append(p.Placeholders, placeholderShareTitle, run.Overview.SharesTitle())
	}
	problems := run.Overview.FrequentProblems()
	if len(problems) == 0 {
		return
	}
	for i := range problems {
		problems[i].Name = escape.Cut(site.Meaning(problems[i].Name), 60)
	}
	table(runProblems, "Errors by kind", problems)
	p.Charts[2] = true
	p.Placeholders = append(p.Placeholders, placeholderProblemRows, strconv.Itoa(runProblems+len(problems)),
		placeholderProblemTitle, fmt.Sprintf("Most frequent problem, on %s: %s", wording.Plural(problems[0].Count, "site"), problems[0].Name))
}
