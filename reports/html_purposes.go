package reports

import (
	"strings"

	"robots-audit/engine/escape"
)

// viewPurpose is what the site's own robots.txt says to the crawlers of one
// purpose that gather for AI.
type viewPurpose struct {
	Purpose  string
	Words    string // "2 all, 1 none"
	Policies []viewPolicy
}

// viewPolicy is what it says to some of them, for one reason.
type viewPolicy struct {
	Access   string // "all", "part", "none", "unknown"
	Sign     string
	Why      string
	Sampled  string // "12 of 100 sampled URLs are blocked"; "" = there are none
	Against  string // what in the file speaks against it
	Crawlers string // with their operators, and with what these say about obeying where it is not yes
	count    int
}

var policySigns = map[string]string{"all": "●", "part": "◐", "none": "○", "unknown": "?"}

// viewPurposes sums the policy up by purpose.
func (b *siteBook) viewPurposes() []viewPurpose {
	if b.policy == nil {
		return nil
	}
	var list []viewPurpose
	for i := range b.policy.readers {
		r := &b.policy.readers[i]
		if len(list) == 0 || list[len(list)-1].Purpose != r.Purpose {
			list = append(list, viewPurpose{Purpose: r.Purpose})
		}
		of := &list[len(list)-1]
		reach := b.policy.reach(r)
		p := viewPolicy{Access: reach.word, Sign: policySigns[reach.word], Why: r.inherited()}
		if reach.rule != nil {
			p.Why += "; line " + itoa(reach.rule.Line) + ", " + escape.Cut(reach.rule.String(), longestRule)
		}
		if reach.sample > 0 {
			p.Sampled = thousands(reach.blocked) + " of " + thousands(reach.sample) + " sampled URLs are blocked"
		}
		_, p.Against = b.policy.contradictions(r, reach.word)
		of.add(p, r)
	}
	for i := range list {
		list[i].Words = countPolicies(list[i].Policies)
	}
	return list
}

// add puts a crawler to those that are told the same.
func (v *viewPurpose) add(p viewPolicy, r *policyReader) {
	name := r.Name
	if r.Operator != "" {
		name += " (" + r.Operator + ")"
	}
	switch r.Obeys {
	case "yes", "":
	case "no":
		name += " [does not obey]"
	default:
		name += " [obeying: " + r.Obeys + "]"
	}
	for i := range v.Policies {
		same := &v.Policies[i]
		if same.Access == p.Access && same.Why == p.Why && same.Against == p.Against {
			same.Crawlers += ", " + name
			same.count++
			return
		}
	}
	p.Crawlers, p.count = name, 1
	v.Policies = append(v.Policies, p)
}

func countPolicies(list []viewPolicy) string {
	var parts []string
	for _, access := range []string{"all", "part", "none", "unknown"} {
		n := 0
		for _, p := range list {
			if p.Access == access {
				n += p.count
			}
		}
		if n > 0 {
			parts = append(parts, itoa(n)+" "+access)
		}
	}
	return strings.Join(parts, ", ")
}
