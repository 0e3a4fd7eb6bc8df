package reports

import (
	"fmt"
	"strings"

	"robots-audit/audit"
)

// figureRows says where on the page of a site's workbook things stand.
type figureRows struct {
	crawlers    int
	figures     int // header of the key figures
	directories int // header of the table behind the first chart
	rules       int // header of the table behind the second
}

// chartRows is the number of rows of a table behind a chart, at most.
const chartRows = 12

// fixedFigures is the number of key figures, those of the crawlers apart.
const fixedFigures = 16

func newFigureRows(crawlers int) figureRows {
	r := figureRows{crawlers: crawlers, figures: 6}
	r.directories = r.figures + fixedFigures + crawlers + 3
	r.rules = r.directories + chartRows + 5
	return r
}

// Places of the page's charts that are filled in for each workbook.
const (
	placeDirectoryTitle = "@directories@"
	placeDirectoryRows  = "1040001"
	placeRuleTitle      = "@rules@"
	placeRuleRows       = "1040002"
)

// siteSheets are the sheets that the key figures lead to, the crawlers' figures
// standing for one.
func (r figureRows) links() []string {
	links := []string{"Problems", "Hosts", "Hosts", "Sitemaps", "Blocked"}
	for range r.crawlers {
		links = append(links, "Blocked")
	}
	return append(links, "Agents", "Disagreements", "Blocked", "Resources", "Blocked", "AI policy", "Rules", "Lint", "Sitemaps", "Left out", "Problems")
}

func (r figureRows) layout() layout {
	l := layout{
		name:        "Summary",
		widths:      []float64{40, 13, 13, 13, 84, 13},
		merged:      []string{"A1:F1", "A2:F2", "A3:F3", "A4:F4"},
		links:       map[string]string{},
		highlighted: []highlightedCells{{fmt.Sprintf("D%d:D%d", r.figures+1, r.figures+fixedFigures+r.crawlers), stateColours}},
	}
	for i, sheet := range r.links() {
		l.links[fmt.Sprintf("F%d", r.figures+1+i)] = sheet
	}
	l.charts = []chart{
		{
			cell: fmt.Sprintf("E%d", r.directories), kind: stackedBars, title: placeDirectoryTitle,
			from: r.directories, rows: placeDirectoryRows, category: "A",
			values: []string{"B", "C", "D"}, colours: []string{"C0504D", "9BBB59", "A6A6A6"}, height: 300,
		},
		{
			cell: fmt.Sprintf("E%d", r.rules), kind: bars, title: placeRuleTitle,
			from: r.rules, rows: placeRuleRows, category: "A",
			values: []string{"B"}, colours: []string{"4F81BD"}, height: 300,
		},
	}
	return l
}

func head(titles ...string) []cell {
	cells := make([]cell, len(titles))
	for i, t := range titles {
		cells[i] = cell{kind: textCell, look: lookHead, text: t}
	}
	return cells
}

// summary writes the first sheet: what there is to know, in three sentences,
// key figures and two pictures.
func (b *siteBook) summary(d *audit.Done) *page {
	at := b.tables.figures
	p := &page{charts: make([]bool, 2)}
	p.row(1, 30, cell{kind: textCell, look: lookTitle, text: "robots.txt audit of " + b.site.Name})
	rules, deciding := b.topRules(chartRows)
	for i, s := range b.sentences(d, rules) {
		p.row(2+i, lines(s, 165), wrapped(s))
	}
	p.row(at.figures, 20, head("Figure", "Value", "Share", "State", "Why it matters", "Sheet")...)
	links := at.links()
	for i, f := range b.figures(d, deciding) {
		link := cell{kind: textCell, look: lookLink, text: links[i]}
		p.row(at.figures+1+i, lines(f.why, 88), cell{kind: textCell, look: lookBold, text: f.name}, f.value, f.share, atTop(f.state), wrapped(f.why), link)
	}
	b.directoryTable(p, d)
	b.ruleTable(p, rules, deciding)
	return p
}

// sentences are the three on top of the page: the state, how much is blocked,
// and what decides it.
func (b *siteBook) sentences(d *audit.Done, rules []ruleRow) [3]string {
	var s [3]string
	s[0] = stateWord(d.State) + ": " + d.Why + "."
	switch {
	case d.URLs == 0:
		s[1] = "No known URL was tested, so nothing can be said about single URLs."
	case d.BlockedAny == 0:
		s[1] = fmt.Sprintf("None of the %s is blocked from crawling for %s.", known(d.URLs), b.anyOf())
	default:
		s[1] = fmt.Sprintf("%s of %s (%s) %s blocked from crawling for %s; a blocked URL can still be indexed.",
			thousands(d.BlockedAny), known(d.URLs), percent(d.BlockedAny, d.URLs), verb(d.BlockedAny, "is", "are"), b.byCrawler(d))
	}
	if d.Unknown > 0 {
		s[1] += fmt.Sprintf(" For %s the verdict is unknown or undefined; these are not counted as allowed.", known(d.Unknown))
	}
	var top *ruleRow
	for i := range rules {
		if blocks(rules[i].Rule) {
			top = &rules[i]
			break
		}
	}
	switch {
	case top != nil && top.Frees+top.Blocks == 0:
		s[2] = fmt.Sprintf("Line %d (%s) decides most of it, %s; without it the verdicts would be the same.", top.Line, top.Rule, known(top.Decided))
	case top != nil:
		s[2] = fmt.Sprintf("Line %d (%s) decides most of it, %s; %s.", top.Line, top.Rule, known(top.Decided), ruleWords(top.RuleCount, d.URLs))
	case d.BlockedAny > 0:
		s[2] = "No single line decides it: " + read(b.origin(0), 0).Why + "."
	default:
		s[2] = "No disallow line decides the verdict of any known URL."
	}
	return s
}

func stateWord(s audit.State) string {
	switch s {
	case audit.OK:
		return "OK"
	case audit.Warn:
		return "Warning"
	case audit.Critical:
		return "Critical"
	}
	return "Unknown"
}

// byCrawler says how many URLs are blocked for whom.
func (b *siteBook) byCrawler(d *audit.Done) string {
	const most = 5
	var parts []string
	more := 0
	for i, c := range b.site.Crawlers {
		n := blockedFor(d, i)
		switch {
		case n == 0:
		case len(parts) == most:
			more++
		default:
			parts = append(parts, fmt.Sprintf("%s (%s)", c.Label, thousands(n)))
		}
	}
	if more > 0 {
		parts = append(parts, plural(more, "further crawler"))
	}
	return strings.Join(parts, ", ")
}

// anyOf names the crawlers.
func (b *siteBook) anyOf() string {
	var names []string
	for _, c := range b.site.Crawlers {
		names = append(names, c.Label)
	}
	if len(names) > 6 {
		return fmt.Sprintf("%s and %d more crawlers", strings.Join(names[:5], ", "), len(names)-5)
	}
	return strings.Join(names, ", ")
}

func percent(part, whole int64) string {
	if whole == 0 {
		return "0 %"
	}
	p := 100 * float64(part) / float64(whole)
	if part > 0 && p < 0.1 {
		return "less than 0.1 %"
	}
	return fmt.Sprintf("%.1f %%", p)
}

// directoryTable writes the table behind the first chart: the directories with
// most blocked URLs.
func (b *siteBook) directoryTable(p *page, d *audit.Done) {
	list := b.directories.ranked()
	at := b.tables.figures.directories
	if len(list) == 0 || d.URLs == 0 {
		return
	}
	top := list[:min(len(list), chartRows)]
	p.row(at, 32, head("Known URLs by top directory", "Blocked", "Allowed", "Unclear")...)
	for i, dir := range top {
		p.row(at+1+i, 0, text(directoryName(dir.name)), number(dir.blocked), number(dir.urls-dir.blocked-dir.unclear), number(dir.unclear))
	}
	if n := len(list) - len(top); n > 0 {
		p.row(at+1+len(top), 0, text(fmt.Sprintf("and %d more directories", n)))
	}
	p.charts[0] = true
	p.places = append(p.places, placeDirectoryTitle, directoryTitle(list, d), placeDirectoryRows, itoa(at+len(top)))
}

// ruleTable writes the table behind the second chart: the rules that decide most.
func (b *siteBook) ruleTable(p *page, rules []ruleRow, deciding int) {
	if len(rules) == 0 {
		return
	}
	at := b.tables.figures.rules
	p.row(at, 32, head("Rules that decide most", "URLs decided", "Line", "Freed if deleted")...)
	for i, r := range rules {
		p.row(at+1+i, 0, text(fmt.Sprintf("line %d: %s", r.Line, r.Rule)), number(r.Decided), plainNumber(r.Line), number(r.Frees))
	}
	all, _ := b.idleRules()
	p.charts[1] = true
	p.places = append(p.places, placeRuleTitle, ruleTitle(rules, deciding, all), placeRuleRows, itoa(at+len(rules)))
}
