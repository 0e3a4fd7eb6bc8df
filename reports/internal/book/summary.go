package book

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine/wording"
	"robots-audit/reports/internal/site"
	"robots-audit/reports/internal/xlsx"
)

// summaryLayout says in which rows (1-based) of the summary sheet of a site's workbook its
// tables begin.
type summaryLayout struct {
	sheets      []string // of the workbook, one for each key figure
	figures     int      // header of the key figures
	absent      int      // two rows on the sheets that are left out
	past        int      // the row on the history; 0 = there is none
	directories int      // header of the table behind the first chart
	rules       int      // header of the table behind the second
	segments    int      // header of the table of segments
}

// chartRows is the number of rows of a table behind a chart, at most.
const chartRows = 12

func newSummaryLayout(crawlers int, past bool) summaryLayout {
	r := summaryLayout{sheets: site.FigureSheets(crawlers), figures: 4 + site.MaxSentences}
	r.absent = r.figures + len(r.sheets) + 2
	r.directories = r.absent + 3
	if past {
		r.past = r.absent + 2
		r.directories++
	}
	r.rules = r.directories + chartRows + 5
	r.segments = r.rules + chartRows + 5
	return r
}

// Placeholders in the charts of the summary sheet, which each workbook fills in.
const (
	placeholderDirectoryTitle = "@directories@"
	placeholderDirectoryRows  = "1040001"
	placeholderRuleTitle      = "@rules@"
	placeholderRuleRows       = "1040002"
)

func (r *summaryLayout) xlsxLayout() xlsx.SummaryLayout {
	l := xlsx.SummaryLayout{
		Name:    "Summary",
		Widths:  []float64{40, 13, 13, 13, 84, 13},
		Merged:  []string{"A1:F1", fmt.Sprintf("A%d:F%[1]d", r.absent), fmt.Sprintf("A%d:F%[1]d", r.absent+1)},
		Links:   map[string]string{},
		Formats: []xlsx.RangeFormat{{Range: fmt.Sprintf("D%d:D%d", r.figures+1, r.figures+len(r.sheets)), Highlights: stateColours}},
	}
	if r.past > 0 {
		l.Merged = append(l.Merged, fmt.Sprintf("A%d:F%[1]d", r.past))
	}
	for i := range site.MaxSentences {
		l.Merged = append(l.Merged, fmt.Sprintf("A%d:F%d", 2+i, 2+i))
	}
	l.Links[fmt.Sprintf("A%d", r.figures-2)] = toDoName
	for i, sheet := range r.sheets {
		l.Links[fmt.Sprintf("F%d", r.figures+1+i)] = sheet
	}
	l.Charts = []xlsx.Chart{
		{
			Cell: fmt.Sprintf("E%d", r.directories), Type: xlsx.StackedBarChart, Title: placeholderDirectoryTitle,
			From: r.directories, Rows: placeholderDirectoryRows, Categories: "A",
			Values: []string{"B", "C", "D"}, Colours: []string{"C0504D", "9BBB59", "A6A6A6"}, Height: 300,
		},
		{
			Cell: fmt.Sprintf("E%d", r.rules), Type: xlsx.BarChart, Title: placeholderRuleTitle,
			From: r.rules, Rows: placeholderRuleRows, Categories: "A",
			Values: []string{"B"}, Colours: []string{"4F81BD"}, Height: 300,
		},
	}
	return l
}

func headerCells(titles ...string) []xlsx.Cell {
	cells := make([]xlsx.Cell, len(titles))
	for i, t := range titles {
		cells[i] = xlsx.Styled(xlsx.StyleHeader, t)
	}
	return cells
}

// summary makes the summary sheet: the lead and what adds to it, key figures, and two charts
// with the tables behind them.
func (b *Site) summary(d *audit.Done) *xlsx.SummarySheet {
	at := &b.shared.layout
	p := &xlsx.SummarySheet{Charts: make([]bool, 2)}
	p.SetRow(1, 30, xlsx.Styled(xlsx.StyleTitle, "robots.txt audit of "+audit.DisplayName(b.site.Name)))
	rules, deciding := b.site.TopRules(chartRows)
	for i, s := range b.site.Sentences(d) {
		p.SetRow(2+i, xlsx.TextHeight(s, 165), xlsx.Wrapped(s))
	}
	p.SetRow(at.figures-2, 0, xlsx.Styled(xlsx.StyleLink, b.site.ToDo(d).Title))
	p.SetRow(at.figures, 20, headerCells("Figure", "Value", "Share", "State", "Why it matters", "Sheet")...)
	for i, f := range b.site.Figures(d) {
		link := xlsx.Styled(xlsx.StyleLink, f.Sheet)
		if slices.ContainsFunc(b.absent, func(a absence) bool { return a.sheet == f.Sheet }) {
			link = xlsx.Cell{}
		}
		p.SetRow(at.figures+1+i, xlsx.TextHeight(f.Why, 88), xlsx.Styled(xlsx.StyleBold, f.Name), figureValue(f.Value), value(f.Share), xlsx.TopAligned(string(f.State)), xlsx.Wrapped(f.Why), link)
	}
	b.tellAbsent(p)
	if at.past > 0 {
		words := b.site.HistoryWords()
		p.SetRow(at.past, xlsx.TextHeight(words, 165), xlsx.Wrapped(words))
	}
	b.directoryTable(p, d)
	b.ruleTable(p, rules, deciding)
	b.segmentTable(p, at.segments)
	if b.timeline != nil {
		p.Placeholders = append(p.Placeholders, placeholderTimelineTitle, b.timeline.Title, placeholderTimelineDates, timelineDates(b.timeline))
	}
	return p
}

// tellAbsent says which sheets are left out: because there is nothing to tell, or
// because nothing was looked at, which is not the same.
func (b *Site) tellAbsent(p *xlsx.SummarySheet) {
	var nothing, unlooked []string
	for _, a := range b.absent {
		if a.why == "" {
			nothing = append(nothing, a.sheet)
		} else {
			unlooked = append(unlooked, a.sheet+" ("+a.why+")")
		}
	}
	at := b.shared.layout.absent
	for _, list := range []struct {
		begins string
		sheets []string
	}{{"Nothing to tell in: ", nothing}, {"Not there: ", unlooked}} {
		if len(list.sheets) > 0 {
			words := list.begins + strings.Join(list.sheets, "; ") + "."
			p.SetRow(at, xlsx.TextHeight(words, 165), xlsx.Wrapped(words))
			at++
		}
	}
}

// directoryTable writes the table behind the first chart: the directories with
// most blocked URLs.
func (b *Site) directoryTable(p *xlsx.SummarySheet, d *audit.Done) {
	list := b.site.Directories.Ranked()
	at := b.shared.layout.directories
	if len(list) == 0 || d.URLs == 0 {
		return
	}
	top := list[:min(len(list), chartRows)]
	p.SetRow(at, 32, headerCells("Known URLs by top directory", "Blocked", "Allowed", "Unclear")...)
	for i, dir := range top {
		p.SetRow(at+1+i, 0, xlsx.Text(site.DirectoryName(dir.Name)), xlsx.Number(dir.Blocked), xlsx.Number(dir.URLs-dir.Blocked-dir.Unclear), xlsx.Number(dir.Unclear))
	}
	if n := len(list) - len(top); n > 0 {
		p.SetRow(at+1+len(top), 0, xlsx.Text("and "+wording.Thousands(n)+" more directories"))
	}
	p.Charts[0] = true
	p.Placeholders = append(p.Placeholders, placeholderDirectoryTitle, site.DirectoryTitle(list, d), placeholderDirectoryRows, strconv.Itoa(at+len(top)))
}

// ruleTable writes the table behind the second chart: the rules that decide most.
func (b *Site) ruleTable(p *xlsx.SummarySheet, rules []site.RuleRow, deciding int) {
	if len(rules) == 0 {
		return
	}
	at := b.shared.layout.rules
	p.SetRow(at, 32, headerCells("Rules that decide most", "URLs decided", "Line", "Freed if deleted")...)
	for i, r := range rules {
		cells := []xlsx.Cell{xlsx.Text(fmt.Sprintf("line %d: %s", r.Line, r.Rule)), xlsx.Number(r.Decided), xlsx.Identifier(r.Line), ifDeleted(&r, xlsx.Number(r.Frees))}
		if words := r.IfDeleted(); words != "" {
			cells = append(cells, xlsx.Text(words))
		}
		p.SetRow(at+1+i, 0, cells...)
	}
	p.Charts[1] = true
	p.Placeholders = append(p.Placeholders, placeholderRuleTitle, site.RuleTitle(rules, deciding, b.site.RuleTotals()), placeholderRuleRows, strconv.Itoa(at+len(rules)))
}
