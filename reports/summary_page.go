package reports

import (
	"fmt"
	"strings"

	"robots-audit/audit"
	"robots-audit/reports/internal/xlsx"
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

func (r figureRows) layout() xlsx.PageLayout {
	l := xlsx.PageLayout{
		Name:    "Summary",
		Widths:  []float64{40, 13, 13, 13, 84, 13},
		Merged:  []string{"A1:F1", "A2:F2", "A3:F3", "A4:F4"},
		Links:   map[string]string{},
		Formats: []xlsx.RangeFormat{{Range: fmt.Sprintf("D%d:D%d", r.figures+1, r.figures+fixedFigures+r.crawlers), Highlights: stateColours}},
	}
	for i, sheet := range r.links() {
		l.Links[fmt.Sprintf("F%d", r.figures+1+i)] = sheet
	}
	l.Charts = []xlsx.Chart{
		{
			Cell: fmt.Sprintf("E%d", r.directories), Type: xlsx.StackedBarChart, Title: placeDirectoryTitle,
			From: r.directories, Rows: placeDirectoryRows, Categories: "A",
			Values: []string{"B", "C", "D"}, Colours: []string{"C0504D", "9BBB59", "A6A6A6"}, Height: 300,
		},
		{
			Cell: fmt.Sprintf("E%d", r.rules), Type: xlsx.BarChart, Title: placeRuleTitle,
			From: r.rules, Rows: placeRuleRows, Categories: "A",
			Values: []string{"B"}, Colours: []string{"4F81BD"}, Height: 300,
		},
	}
	return l
}

func head(titles ...string) []xlsx.Cell {
	cells := make([]xlsx.Cell, len(titles))
	for i, t := range titles {
		cells[i] = xlsx.Styled(xlsx.StyleHeader, t)
	}
	return cells
}

// summary writes the first sheet: what there is to know, in three sentences,
// key figures and two pictures.
func (b *siteBook) summary(d *audit.Done) *xlsx.Page {
	at := b.tables.figures
	p := &xlsx.Page{Charts: make([]bool, 2)}
	p.SetRow(1, 30, xlsx.Styled(xlsx.StyleTitle, "robots.txt audit of "+b.site.Name))
	rules, deciding := b.topRules(chartRows)
	for i, s := range b.sentences(d, rules) {
		p.SetRow(2+i, xlsx.TextHeight(s, 165), xlsx.Wrapped(s))
	}
	p.SetRow(at.figures, 20, head("Figure", "Value", "Share", "State", "Why it matters", "Sheet")...)
	links := at.links()
	for i, f := range b.figures(d, deciding) {
		link := xlsx.Styled(xlsx.StyleLink, links[i])
		p.SetRow(at.figures+1+i, xlsx.TextHeight(f.why, 88), xlsx.Styled(xlsx.StyleBold, f.name), f.value, f.share, xlsx.TopAligned(f.state), xlsx.Wrapped(f.why), link)
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
func (b *siteBook) directoryTable(p *xlsx.Page, d *audit.Done) {
	list := b.directories.ranked()
	at := b.tables.figures.directories
	if len(list) == 0 || d.URLs == 0 {
		return
	}
	top := list[:min(len(list), chartRows)]
	p.SetRow(at, 32, head("Known URLs by top directory", "Blocked", "Allowed", "Unclear")...)
	for i, dir := range top {
		p.SetRow(at+1+i, 0, xlsx.Text(directoryName(dir.name)), xlsx.Number(dir.blocked), xlsx.Number(dir.urls-dir.blocked-dir.unclear), xlsx.Number(dir.unclear))
	}
	if n := len(list) - len(top); n > 0 {
		p.SetRow(at+1+len(top), 0, xlsx.Text(fmt.Sprintf("and %d more directories", n)))
	}
	p.Charts[0] = true
	p.Placeholders = append(p.Placeholders, placeDirectoryTitle, directoryTitle(list, d), placeDirectoryRows, itoa(at+len(top)))
}

// ruleTable writes the table behind the second chart: the rules that decide most.
func (b *siteBook) ruleTable(p *xlsx.Page, rules []ruleRow, deciding int) {
	if len(rules) == 0 {
		return
	}
	at := b.tables.figures.rules
	p.SetRow(at, 32, head("Rules that decide most", "URLs decided", "Line", "Freed if deleted")...)
	for i, r := range rules {
		p.SetRow(at+1+i, 0, xlsx.Text(fmt.Sprintf("line %d: %s", r.Line, r.Rule)), xlsx.Number(r.Decided), xlsx.Identifier(r.Line), xlsx.Number(r.Frees))
	}
	all, _ := b.idleRules()
	p.Charts[1] = true
	p.Placeholders = append(p.Placeholders, placeRuleTitle, ruleTitle(rules, deciding, all), placeRuleRows, itoa(at+len(rules)))
}
