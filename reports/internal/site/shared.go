package site

import (
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine"
)

// Shared is what a site has in common with others, as the journal keeps it:
// the ids of its findings with their number, its rules and the user agents
// that its robots.txt names, the first ones of each.
type Shared struct {
	Lint   map[string]LintCount `json:"lint,omitempty"`
	Rules  []string             `json:"rules,omitempty"`
	Agents []string             `json:"agents,omitempty"`
}

// LintCount is the findings of one id about a site.
type LintCount struct {
	Findings int64           `json:"n"`
	Severity engine.Severity `json:"severity"` // the gravest
}

// MaxShared bounds the rules, and the user agents, of one site that are
// compared with other sites'.
const MaxShared = 100

// AddFindings counts the findings about one robots.txt.
func (f *Shared) AddFindings(list []audit.Finding) {
	if f.Lint == nil {
		f.Lint = map[string]LintCount{}
	}
	for i := range list {
		l := f.Lint[list[i].ID]
		f.Lint[list[i].ID] = LintCount{l.Findings + int64(1+list[i].More), max(l.Severity, list[i].Severity)}
	}
}

// AddRobots takes the rules and user agents of the site's own robots.txt.
func (f *Shared) AddRobots(r *audit.Robots) {
	if len(r.Reads) == 0 || r.Reads[0].Access != engine.Parsed {
		return
	}
	keep := func(list *[]string, value string) {
		if len(*list) < MaxShared && !slices.Contains(*list, value) {
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
