package page

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"robots-audit/audit"
	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
	"robots-audit/reports/internal/site"
)

// viewPurpose is the site's own robots.txt for the AI crawlers of one purpose.
type viewPurpose struct {
	Purpose  string
	Counts   string // "2 all, 1 none"
	Policies []viewPolicy
}

// viewPolicy is the policy for the crawlers of a purpose that get the same one.
type viewPolicy struct {
	Access   string // of site.Policy.Access
	Class    string // its colour: a value of audit.Reach.Word
	Sign     string
	Why      string
	Tested   string   // "12 of 100 URLs are blocked"; "" = no URL was tested
	Against  string   // lines of the file that contradict it
	Crawlers []string // with their operators, and the operators' statements about obeying if that is not yes
}

var policySigns = map[string]string{site.ReachAll: "●", site.ReachPart: "◐", site.ReachNone: "○", site.ReachUnknown: "?"}

// viewPurposes groups the policy by purpose.
func viewPurposes(policy *site.Policy) []viewPurpose {
	list := make([]viewPurpose, 0, len(audit.PolicyPurposes))
	var p viewPolicy
	names := policyNames()
	for i := range policy.Crawlers {
		r := &policy.Crawlers[i]
		if len(list) == 0 || list[len(list)-1].Purpose != r.Purpose {
			list = append(list, viewPurpose{Purpose: r.Purpose})
		}
		of := &list[len(list)-1]
		if i == 0 || r.Read != policy.Crawlers[i-1].Read { // most crawlers get the same
			p = newPolicy(policy, r)
		}
		_, p.Against = policy.Contradictions(r)
		of.addCrawler(p, names[i])
	}
	for i := range list {
		list[i].Counts = countPolicies(list[i].Policies)
	}
	return list
}

// newPolicy describes the access of a crawler. Crawlers with the same rules share a row.
func newPolicy(policy *site.Policy, r *site.PolicyCrawler) viewPolicy {
	reach := &r.Reach
	p := viewPolicy{Access: policy.Access(r), Class: reach.Word, Why: r.Inherited()}
	if p.Access != p.Class {
		p.Class = site.ReachUnknown // how much is blocked was not measured
	}
	p.Sign = policySigns[p.Class]
	rules := reach.Rules
	if len(rules) == 0 && reach.Line > 0 {
		rules = []audit.RuleLine{{Line: reach.Line, Rule: reach.Rule}}
	}
	for i := range rules {
		p.Why += "; line " + strconv.Itoa(rules[i].Line) + ", " + escape.Cut(rules[i].Rule, longestRule)
	}
	if reach.MoreRules > 0 {
		p.Why += "; and " + strconv.Itoa(reach.MoreRules) + " more"
	}
	if p.Tested = testedWords(policy, r); reach.Word == site.ReachUnknown {
		p.Tested = ""
	}
	return p
}

// testedWords says how many of which pages are blocked for a crawler.
func testedWords(policy *site.Policy, r *site.PolicyCrawler) string {
	if r.Tested == 0 {
		return ""
	}
	words := wording.Thousands(r.Reach.Blocked) + " of " + wording.URLs(r.Tested)
	if r.Reach.Blocked == 0 && r.Reach.Word == site.ReachPart {
		words = "few URLs are blocked: " + words // these were found before the sample was thinned
	}
	if r.Tested != policy.All {
		words += " sampled"
		if policy.All > 0 {
			words += " from " + wording.Thousands(policy.All)
		}
	}
	return words + wording.Verb(r.Reach.Blocked, " is blocked", " are blocked")
}

// addCrawler adds a crawler to an equal policy, or as a new one.
func (v *viewPurpose) addCrawler(p viewPolicy, name string) {
	for i := range v.Policies {
		same := &v.Policies[i]
		if same.Access == p.Access && same.Why == p.Why && same.Against == p.Against {
			same.Crawlers = append(same.Crawlers, name)
			return
		}
	}
	p.Crawlers = append(make([]string, 0, 8), name)
	v.Policies = append(v.Policies, p)
}

// policyNames are the names of audit.PolicyCrawlers for the pages of all sites.
var policyNames = sync.OnceValue(func() (list []string) {
	for _, c := range audit.PolicyCrawlers() {
		name := c.Name
		if c.Operator != "" {
			name += " (" + c.Operator + ")"
		}
		switch c.Obeys {
		case "yes", "":
		case "no":
			name += " [does not follow robots.txt]"
		case "may not apply":
			name += " [may not follow robots.txt]"
		default: // "unclear", "not stated"
			name += " [" + c.Obeys + "]"
		}
		list = append(list, name)
	}
	return list
})

func countPolicies(list []viewPolicy) string {
	var access, parts []string
	for _, p := range list {
		if !slices.Contains(access, p.Access) {
			access = append(access, p.Access)
		}
	}
	slices.SortStableFunc(access, func(a, b string) int { return cmp.Compare(accessRank(a), accessRank(b)) })
	for _, word := range access {
		n := 0
		for _, p := range list {
			if p.Access == word {
				n += len(p.Crawlers)
			}
		}
		parts = append(parts, strconv.Itoa(n)+" "+word)
	}
	return strings.Join(parts, ", ")
}

// accessRank orders the values of access: all first, unknown last.
func accessRank(access string) int {
	switch access {
	case site.ReachAll:
		return 0
	case site.ReachNone:
		return 2
	case site.ReachUnknown:
		return 3
	}
	return 1
}
