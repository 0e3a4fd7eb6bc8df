package reports

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"robots-audit/audit"
	"robots-audit/reports/internal/xlsx"
)

func itoa(n int) string { return strconv.Itoa(n) }

// ruleRow is a line of robots.txt that is a rule, with what it did for the
// crawlers that obey it and for which it did the same.
type ruleRow struct {
	audit.RuleCount
	origin   string
	crawlers []int // indices, in the order asked for; none: nobody obeys it
	names    string
	group    string
	words    string
	lint     string // ids of the findings about the line
	id       string
}

func ruleTable() *xlsx.Table[ruleRow] {
	counted := func(r *ruleRow, n int64) xlsx.Cell {
		if len(r.crawlers) == 0 {
			return xlsx.Cell{}
		}
		return xlsx.Number(n)
	}
	return xlsx.NewTable("Rules", []xlsx.Column[ruleRow]{
		{Title: "Line", Width: 7, Value: func(r *ruleRow) xlsx.Cell { return xlsx.Identifier(r.Line) }},
		{Title: "Rule", Width: 44, Value: func(r *ruleRow) xlsx.Cell { return xlsx.Text(r.Rule) }},
		{Title: "Crawlers", Width: 30, Value: func(r *ruleRow) xlsx.Cell { return xlsx.Text(r.names) }},
		{Title: "Group", Width: 24, Value: func(r *ruleRow) xlsx.Cell { return xlsx.Text(r.group) }},
		{Title: "URLs matched", Width: 12, Value: func(r *ruleRow) xlsx.Cell { return counted(r, r.Matched) }},
		{Title: "URLs decided", Width: 12, Value: func(r *ruleRow) xlsx.Cell { return counted(r, r.Decided) }},
		{Title: "Would be allowed if deleted", Width: 19, Value: func(r *ruleRow) xlsx.Cell { return counted(r, r.Frees) }},
		{Title: "Would be blocked if deleted", Width: 19, Value: func(r *ruleRow) xlsx.Cell { return counted(r, r.Blocks) }},
		{Title: "Lint", Width: 18, Value: func(r *ruleRow) xlsx.Cell { return xlsx.Text(r.lint) }},
		{Title: "In words", Width: 84, Value: func(r *ruleRow) xlsx.Cell { return xlsx.Text(r.words) }},
		{Title: "Origin", Width: 30, Value: func(r *ruleRow) xlsx.Cell { return xlsx.Text(r.origin) }},
		{Title: "rule_id", Width: 18, Value: func(r *ruleRow) xlsx.Cell { return xlsx.Text(r.id) }},
	}, xlsx.DataBar(5))
}

// addRules writes the rules of all origins, by line.
func (b *siteBook) addRules(d *audit.Done) {
	for _, robots := range b.robots {
		if robots == nil {
			continue
		}
		rows := map[int][]ruleRow{}
		for _, group := range b.counts {
			if group.Origin != robots.Index {
				continue
			}
			for _, c := range group.Counts {
				rows[c.Line] = b.joinRule(rows[c.Line], robots, group, c, d.URLs)
			}
		}
		reader := b.reader(robots.Index)
		for _, line := range robots.Rules {
			group := reader.group(line.Line)
			if len(rows[line.Line]) == 0 {
				b.rules.AddRow(&b.Workbook, &ruleRow{
					RuleCount: audit.RuleCount{Line: line.Line, Rule: line.Rule}, origin: robots.Origin,
					group: group, id: ruleID(group, line.Rule), names: "none of those asked about", words: "decides nothing here: it stands in a group that none of the crawlers asked about obeys",
					lint: b.lintOf(robots.Index, line.Line),
				})
				continue
			}
			b.addRuleRows(rows[line.Line], group)
			delete(rows, line.Line)
		}
		var rest []int // lines that only the counts know
		for line := range rows {
			rest = append(rest, line)
		}
		slices.Sort(rest)
		for _, line := range rest {
			b.addRuleRows(rows[line], "")
		}
	}
}

// addRuleRows writes the rows of one line; group are the product tokens of the
// group in which it stands, "" = not known.
func (b *siteBook) addRuleRows(rows []ruleRow, group string) {
	for i := range rows {
		r := &rows[i]
		slices.Sort(r.crawlers)
		var names []string
		for _, c := range r.crawlers {
			names = append(names, b.site.Crawlers[c].Label)
		}
		r.names = strings.Join(names, ", ")
		r.id = ruleID(cmp.Or(group, r.group), r.Rule)
		b.rules.AddRow(&b.Workbook, r)
	}
}

// joinRule adds what a rule did for one group to the rows of its line: crawlers
// for which it did the same share a row.
func (b *siteBook) joinRule(rows []ruleRow, robots *audit.Robots, group *audit.Rules, c audit.RuleCount, urls int64) []ruleRow {
	var crawlers []int
	for _, i := range group.Crawlers {
		if i >= 0 && i < len(b.site.Crawlers) {
			crawlers = append(crawlers, i)
		}
	}
	if len(crawlers) == 0 {
		return rows
	}
	for i := range rows {
		if rows[i].RuleCount == c {
			rows[i].crawlers = append(rows[i].crawlers, crawlers...)
			return rows
		}
	}
	return append(rows, ruleRow{
		RuleCount: c, origin: robots.Origin, crawlers: crawlers, group: read(robots, crawlers[0]).GroupTokens, words: ruleWords(c, urls),
		lint: b.lintOf(robots.Index, c.Line),
	})
}

// blocks reports whether a rule is one that keeps crawlers out: an empty
// disallow allows everything.
func blocks(rule string) bool {
	path, ok := strings.CutPrefix(rule, "disallow:")
	return ok && strings.TrimSpace(path) != ""
}

// ruleTitle says of how many rules how many matter; top are those that decide most.
func ruleTitle(top []ruleRow, deciding, all int) string {
	if len(top) == 0 {
		return fmt.Sprintf("None of the %s decides the verdict of a known URL", plural(all, "rule line"))
	}
	return fmt.Sprintf("%d of %s %s anything; line %d decides most: %s",
		deciding, plural(all, "rule line"), verb(deciding, "decides", "decide"), top[0].Line, known(top[0].Decided))
}

// verb is the form of a verb that goes with a number.
func verb[N int | int64](n N, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// ruleWords says what a rule is good for.
func ruleWords(c audit.RuleCount, urls int64) string {
	switch {
	case c.Matched == 0 && urls == 0:
		return "decides nothing: there are no known URLs"
	case c.Matched == 0:
		return fmt.Sprintf("decides nothing: it matches none of the %s", known(urls))
	case c.Decided == 0:
		return fmt.Sprintf("decides nothing: a stronger rule decides each of the %s it matches", known(c.Matched))
	case c.Frees > 0 && c.Blocks > 0:
		return fmt.Sprintf("without this line %s would be allowed and %s blocked", known(c.Frees), known(c.Blocks))
	case c.Frees > 0:
		return fmt.Sprintf("without this line %s would be allowed", known(c.Frees))
	case c.Blocks > 0:
		return fmt.Sprintf("without this line %s would be blocked", known(c.Blocks))
	}
	return fmt.Sprintf("decides %s, but without it the verdicts would be the same", known(c.Decided))
}

// known returns "1 known URL", "1,234 known URLs".
func known(n int64) string {
	if n == 1 {
		return "1 known URL"
	}
	return thousands(n) + " known URLs"
}

// thousands writes a number with commas.
func thousands(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// topRules returns the rules that decide most, at most n, and how many decide
// anything. A line counts once: for the crawlers for which it decides most.
func (b *siteBook) topRules(n int) (top []ruleRow, deciding int) {
	best := map[[2]int]ruleRow{}
	for _, group := range b.counts {
		for _, c := range group.Counts {
			key := [2]int{group.Origin, c.Line}
			if at, ok := best[key]; c.Decided > 0 && (!ok || at.Decided < c.Decided) {
				best[key] = ruleRow{RuleCount: c, origin: b.origin(group.Origin).Origin}
			}
		}
	}
	for _, r := range best {
		top = append(top, r)
	}
	slices.SortFunc(top, func(a, b ruleRow) int {
		return cmp.Or(cmp.Compare(b.Decided, a.Decided), cmp.Compare(a.origin, b.origin), cmp.Compare(a.Line, b.Line))
	})
	return top[:min(n, len(top))], len(top)
}
