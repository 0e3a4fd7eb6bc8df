package summary

import (
	"cmp"
	"fmt"
	"slices"

	"robots-audit/engine"
	"robots-audit/engine/wording"
	"robots-audit/reports/internal/site"
)

// CommonRow is something that sites of a run share: a row of the sheet Issues across sites.
type CommonRow struct {
	Kind     string // "finding", "robots.txt", "rule", "user agent"
	Item     string
	Severity string // of a finding: the highest on any site
	Words    string
	Sites    int
	All      int   // number of sites in the run
	Findings int64 // of a finding, on all sites
	Examples []string
}

// Bounds of counts over all sites: memory does not grow with the number of sites.
const (
	maxTallied  = 20_000 // different values of a kind
	maxCommon   = 1000   // rows of a kind
	maxExamples = 3      // sites named in a row
)

// tally counts the sites with each value.
type tally struct {
	counts map[string]*tallied
	missed int64 // occurrences of values beyond maxTallied
}

type tallied struct {
	sites    int
	findings int64
	severity engine.Severity
	examples []string
}

// count counts a value of the site called name; lint has the number and severity of a finding.
func (t *tally) count(value, name string, lint site.LintCount) {
	if t.counts == nil {
		t.counts = map[string]*tallied{}
	}
	n := t.counts[value]
	if n == nil {
		if len(t.counts) >= maxTallied {
			t.missed++
			return
		}
		n = &tallied{}
		t.counts[value] = n
	}
	n.sites++
	n.findings += lint.Findings
	n.severity = max(n.severity, lint.Severity)
	if len(n.examples) < maxExamples {
		n.examples = append(n.examples, name)
	}
}

// rows returns the values found on at least least sites, those on most sites first, and a last row
// with the number of values that are not shown. all is the number of sites.
func (t *tally) rows(kind string, least, all int, words func(value string, n *tallied) (severity, words string)) []CommonRow {
	var list []CommonRow
	for value, n := range t.counts {
		if n.sites < least {
			continue
		}
		row := CommonRow{Kind: kind, Item: value, Sites: n.sites, All: all, Findings: n.findings, Examples: n.examples}
		row.Severity, row.Words = words(value, n)
		list = append(list, row)
	}
	slices.SortFunc(list, func(a, b CommonRow) int { return cmp.Or(cmp.Compare(b.Sites, a.Sites), cmp.Compare(a.Item, b.Item)) })
	if more := len(list) - maxCommon; more > 0 {
		list = append(list[:maxCommon], CommonRow{Kind: kind, Words: fmt.Sprintf("and %s more on as many sites or fewer", wording.Thousands(int64(more)))})
	}
	if t.missed > 0 {
		list = append(list, CommonRow{Kind: kind, Words: fmt.Sprintf("only the first %s are counted; others were found %s times", wording.Thousands(maxTallied), wording.Thousands(t.missed))})
	}
	return list
}

// Common counts what the sites of a run share.
type Common struct{ lint, bodies, rules, agents tally }

// AddSite counts the values of a finished site.
func (c *Common) AddSite(l *Site) {
	if sum := l.Entry.Robots.SHA256; sum != "" && l.Entry.Robots.Bytes > 0 && l.Entry.Robots.Status/100 == 2 {
		c.bodies.count(sum, l.Name, site.LintCount{})
	}
	if l.Shared == nil {
		return
	}
	for id, n := range l.Shared.Lint {
		c.lint.count(id, l.Name, n)
	}
	for _, rule := range l.Shared.Rules {
		c.rules.count(rule, l.Name, site.LintCount{})
	}
	for _, agent := range l.Shared.Agents {
		c.agents.count(agent, l.Name, site.LintCount{})
	}
}

// Rows returns the rows of the sheet "Common issues".
func (c *Common) Rows(sites int) []CommonRow {
	plain := func(words string) func(string, *tallied) (string, string) {
		return func(string, *tallied) (string, string) { return "", words }
	}
	list := c.lint.rows("finding", 1, sites, func(id string, n *tallied) (string, string) {
		kind, _ := engine.FindingKindByID(id)
		return n.severity.String(), kind.Name + ": " + kind.What
	})
	list = append(list, c.bodies.rows("robots.txt", 2, sites, func(_ string, n *tallied) (string, string) {
		return "", fmt.Sprintf("%d sites serve the same file (SHA-256)", n.sites)
	})...)
	list = append(list, c.rules.rows("rule", 2, sites, plain(fmt.Sprintf("the same rule (the first %d of each site)", site.MaxShared)))...)
	return append(list, c.agents.rows("user agent", 1, sites, plain("named in a user-agent line"))...)
}
