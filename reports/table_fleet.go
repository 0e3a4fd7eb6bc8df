package reports

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine"
	"robots-audit/reports/internal/xlsx"
)

// siteFleet is what a site has in common with others, as the journal keeps it:
// the ids of its findings with their number, its rules and the user agents
// that its robots.txt names, the first ones of each.
type siteFleet struct {
	Lint   map[string]siteLint `json:"lint,omitempty"`
	Rules  []string            `json:"rules,omitempty"`
	Agents []string            `json:"agents,omitempty"`
}

// siteLint is the findings of one id about a site.
type siteLint struct {
	Findings int64           `json:"n"`
	Severity engine.Severity `json:"severity"` // the gravest
}

// maxShared bounds the rules, and the user agents, of one site that are
// compared with other sites'.
const maxShared = 100

// addFindings counts the findings about one robots.txt.
func (f *siteFleet) addFindings(list []audit.Finding) {
	if f.Lint == nil {
		f.Lint = map[string]siteLint{}
	}
	for i := range list {
		l := f.Lint[list[i].ID]
		f.Lint[list[i].ID] = siteLint{l.Findings + int64(1+list[i].More), max(l.Severity, list[i].Severity)}
	}
}

// addRobots takes the rules and user agents of the site's own robots.txt.
func (f *siteFleet) addRobots(r *audit.Robots) {
	if len(r.Reads) == 0 || r.Reads[0].Access != engine.Parsed.String() {
		return
	}
	keep := func(list *[]string, value string) {
		if len(*list) < maxShared && !slices.Contains(*list, value) {
			*list = append(*list, value)
		}
	}
	for _, rule := range r.Rules {
		keep(&f.Rules, rule.Rule)
	}
	var rfc9309 engine.Profile
	for line := range rfc9309.Parse(r.File.Body).Lines() {
		if line.Kind == "user-agent" && line.Counts {
			keep(&f.Agents, strings.ToLower(strings.Clone(line.Value))) // not the whole file
		}
	}
}

// fleetRow is something that sites of a run have in common.
type fleetRow struct {
	kind     string // "finding", "robots.txt", "rule", "user agent"
	item     string
	severity string // of a finding: the gravest on any site
	words    string
	sites    int
	all      int   // sites of the run
	findings int64 // of a finding, on all sites
	examples []string
}

func fleetTable() *xlsx.Table[fleetRow] {
	return xlsx.NewTable("Fleet", []xlsx.Column[fleetRow]{
		{Title: "Kind", Width: 12, Value: func(r *fleetRow) xlsx.Cell { return xlsx.Text(r.kind) }},
		{Title: "Item", Width: 50, Value: func(r *fleetRow) xlsx.Cell { return xlsx.Text(r.item) }},
		{Title: "Severity", Width: 10, Value: func(r *fleetRow) xlsx.Cell { return xlsx.Text(r.severity) }},
		{Title: "In words", Width: 70, Value: func(r *fleetRow) xlsx.Cell { return xlsx.Text(r.words) }},
		{Title: "Sites", Width: 10, Value: func(r *fleetRow) xlsx.Cell { return xlsx.NumberOrBlank(int64(r.sites)) }},
		{Title: "% of sites", Width: 10, Value: func(r *fleetRow) xlsx.Cell {
			if r.sites == 0 {
				return xlsx.Cell{}
			}
			return xlsx.Percent(int64(r.sites), int64(r.all))
		}},
		{Title: "Findings", Width: 10, Value: func(r *fleetRow) xlsx.Cell { return xlsx.NumberOrBlank(r.findings) }},
		{Title: "Such as", Width: 60, Value: func(r *fleetRow) xlsx.Cell { return xlsx.Text(strings.Join(r.examples, ", ")) }},
	}, xlsx.ConditionalFormat{Column: 2, Highlights: severityColours}, xlsx.DataBar(5))
}

// Bounds of what is counted over all sites: memory does not grow with them.
const (
	maxTallied  = 20_000 // different values of a kind
	maxFleet    = 1000   // rows of a kind
	maxExamples = 3      // sites that a row names
)

// tally counts on how many sites each value is found.
type tally struct {
	counts map[string]*tallied
	missed int64 // times a value was met for which there was no room
}

type tallied struct {
	sites    int
	findings int64
	severity engine.Severity
	examples []string
}

// add counts a value of a site; lint is what a finding is beyond its id.
func (t *tally) add(value, site string, lint siteLint) {
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
		n.examples = append(n.examples, site)
	}
}

// rows returns the values found on at least so many sites, those of most sites
// first, and at the end how much is not shown.
func (t *tally) rows(kind string, least, all int, words func(value string, n *tallied) (severity, words string)) []fleetRow {
	var list []fleetRow
	for value, n := range t.counts {
		if n.sites < least {
			continue
		}
		row := fleetRow{kind: kind, item: value, sites: n.sites, all: all, findings: n.findings, examples: n.examples}
		row.severity, row.words = words(value, n)
		list = append(list, row)
	}
	slices.SortFunc(list, func(a, b fleetRow) int { return cmp.Or(cmp.Compare(b.sites, a.sites), cmp.Compare(a.item, b.item)) })
	if more := len(list) - maxFleet; more > 0 {
		list = append(list[:maxFleet], fleetRow{kind: kind, words: fmt.Sprintf("and %s more, each on no more sites than the last one", thousands(int64(more)))})
	}
	if t.missed > 0 {
		list = append(list, fleetRow{kind: kind, words: fmt.Sprintf("the first %s different ones are counted; others were met %s times", thousands(maxTallied), thousands(t.missed))})
	}
	return list
}

// common is what the sites of a run have in common.
type common struct{ lint, bodies, rules, agents tally }

func (c *common) add(l *siteLine) {
	if sum := l.entry.Robots.SHA256; sum != "" && l.entry.Robots.Bytes > 0 && l.entry.Robots.Status/100 == 2 {
		c.bodies.add(sum, l.Name, siteLint{})
	}
	if l.Fleet == nil {
		return
	}
	for id, n := range l.Fleet.Lint {
		c.lint.add(id, l.Name, n)
	}
	for _, rule := range l.Fleet.Rules {
		c.rules.add(rule, l.Name, siteLint{})
	}
	for _, agent := range l.Fleet.Agents {
		c.agents.add(agent, l.Name, siteLint{})
	}
}

// rows are the rows of the sheet "Fleet".
func (c *common) rows(sites int) []fleetRow {
	plain := func(words string) func(string, *tallied) (string, string) {
		return func(string, *tallied) (string, string) { return "", words }
	}
	list := c.lint.rows("finding", 1, sites, func(id string, n *tallied) (string, string) {
		kind, _ := engine.FindingKindByID(id)
		return n.severity.String(), kind.What
	})
	list = append(list, c.bodies.rows("robots.txt", 2, sites, func(_ string, n *tallied) (string, string) {
		return "", fmt.Sprintf("%d sites serve the very same file (its SHA-256)", n.sites)
	})...)
	list = append(list, c.rules.rows("rule", 2, sites, plain(fmt.Sprintf("the same rule; of each site the first %d count", maxShared)))...)
	return append(list, c.agents.rows("user agent", 1, sites, plain("named in a user-agent line"))...)
}
