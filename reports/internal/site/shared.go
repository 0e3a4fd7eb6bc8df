package site

import (
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine"
)

// Shared is the part of a site that is compared with other sites, as the journal keeps it: the ids
// of its findings with their number, and the first MaxShared rules and user agents of its own
// robots.txt.
type Shared struct {
	Lint   map[string]LintCount `json:"lint,omitempty"`
	Rules  []string             `json:"rules,omitempty"`
	Agents []string             `json:"agents,omitempty"`
}

// LintCount is the number of findings of one id on a site.
type LintCount struct {
	Findings int64           `json:"n"`
	Severity engine.Severity `json:"severity"` // the highest severity
}

// MaxShared bounds the rules, and the user agents, of one site that are compared with other sites.
const MaxShared = 100

// AddFindings counts the findings on one robots.txt.
func (s *Shared) AddFindings(list []audit.Finding) {
	if s.Lint == nil {
		s.Lint = map[string]LintCount{}
	}
	for i := range list {
		l := s.Lint[list[i].ID]
		s.Lint[list[i].ID] = LintCount{l.Findings + int64(1+list[i].More), max(l.Severity, list[i].Severity)}
	}
}

// AddRobots adds the rules and user agents of the site's own robots.txt.
func (s *Shared) AddRobots(r *audit.Robots) {
	if len(r.Reads) == 0 || r.Reads[0].Access != engine.Parsed {
		return
	}
	add := func(list *[]string, value string) {
		if len(*list) < MaxShared && !slices.Contains(*list, value) {
			*list = append(*list, value)
		}
	}
	for _, rule := range r.Rules {
		add(&s.Rules, rule.Rule)
	}
	var rfc9309 engine.Profile
	for line := range rfc9309.Lines(r.File.Body) {
		if line.Kind == lineUserAgent && line.Counts {
			add(&s.Agents, strings.ToLower(strings.Clone(line.Value))) // a clone, so that the whole file does not stay in memory
		}
	}
}
