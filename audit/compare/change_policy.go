package compare

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine"
	"robots-audit/engine/wording"
)

// samplePolicy judges a page that both sides know with both policies, so that differences come from
// the policy and not from the pages.
func (c *comparison) samplePolicy(loc string) {
	if c.openPolicies() {
		c.facts.oldPolicy.AddPage(loc, nil)
		c.facts.newPolicy.AddPage(loc, nil)
	}
}

// openPolicies reads the policies of both sides, once. false = the files are the same, or one side
// has no policy.
func (c *comparison) openPolicies() bool {
	f := &c.facts
	if !f.policiesAsked {
		f.policiesAsked = true
		if old, new := c.old.own(), c.new.own(); old.isText() && new.isText() && !bytes.Equal(old.record.File.Body, new.record.File.Body) {
			f.oldPolicy, f.newPolicy = audit.NewPolicySample(&c.old.answers), audit.NewPolicySample(&c.new.answers)
		}
	}
	return f.oldPolicy != nil
}

// Preferences is Change.What of a KindPolicy change about preferences for the use of pages.
const Preferences = "usage preferences"

// addPolicy reports differences in the site's policy for AI crawlers: what they may fetch, by
// purpose, and the usage preferences. Both are derived from the answers with this version's list of
// crawlers. An answer without rules has no policy: its effect is reported with the answer.
func (c *comparison) addPolicy() {
	if !c.openPolicies() {
		return
	}
	old, new := c.old.own(), c.new.own()
	if was, is := signalsOf(old.record.File.Body), signalsOf(new.record.File.Body); !slices.Equal(was, is) {
		c.add(Change{Kind: KindPolicy, What: Preferences, Before: strings.Join(was, "; "), After: strings.Join(is, "; "), Severity: Medium, Condition: "AL10", Subjects: append([]string{Preferences}, is...)})
	}
	was, is := accesses(c.facts.oldPolicy), accesses(c.facts.newPolicy)
	crawlers := map[[2]string][]engine.Crawler{} // by what they could fetch before, and can now
	reach := map[[2]string][2]Reach{}
	var order [][2]string
	for _, crawler := range audit.PolicyCrawlers() {
		a, b := was[crawler.Name], is[crawler.Name]
		if a.Word == b.Word && math.Abs(a.share()-b.share()) <= shareMoves {
			continue
		}
		pair := [2]string{a.String(), b.String()}
		reach[pair] = [2]Reach{a, b}
		if crawlers[pair] == nil {
			order = append(order, pair)
		}
		crawlers[pair] = append(crawlers[pair], crawler)
	}
	obeying := slices.DeleteFunc(slices.Clone(audit.PolicyCrawlers()), func(c engine.Crawler) bool { return was[c.Name].exempt || is[c.Name].exempt })
	for _, pair := range order {
		c.add(Change{Kind: KindPolicy, What: policyWords(crawlers[pair], obeying), Before: pair[0], After: pair[1], Reach: reach[pair], Severity: Medium, Condition: "AL10", Subjects: reachSubjects(crawlers[pair], is)})
	}
}

// reachSubjects are crawlers with the word for what they may fetch now. It stays the same if only a
// share changes.
func reachSubjects(crawlers []engine.Crawler, is map[string]Reach) (subjects []string) {
	for _, c := range crawlers {
		subjects = append(subjects, c.Name+": "+is[c.Name].Word)
	}
	return subjects
}

// PolicyAll is the What of a policy change that all crawlers share, because they obey the "*"
// rules.
const PolicyAll = "all AI crawlers that obey robots.txt"

// policyWords name crawlers by their purposes. A crawler is named itself if the list lacks others
// of its purpose that also obey robots.txt.
func policyWords(list, obeying []engine.Crawler) string {
	if len(list) == len(obeying) {
		return PolicyAll
	}
	var words []string
	for _, purpose := range audit.PolicyPurposes {
		var found []string
		for _, crawler := range list {
			if crawler.Purpose == purpose.Purpose {
				found = append(found, crawler.Name)
			}
		}
		all := 0
		for _, crawler := range obeying {
			if crawler.Purpose == purpose.Purpose {
				all++
			}
		}
		switch len(found) {
		case 0:
		case all:
			words = append(words, purpose.Purpose)
		default:
			words = append(words, purpose.Purpose+" ("+names(found)+")")
		}
	}
	return wording.And(words)
}

// Reach says how many of the pages that both sides know a crawler may fetch.
type Reach struct {
	Word           string // see audit.Reach
	Blocked, Pages int64
	exempt         bool // "*" would apply, but the crawler ignores it
}

// share is the percentage of blocked pages.
func (r Reach) share() float64 { return 100 * float64(r.Blocked) / float64(max(1, r.Pages)) }

// String describes it in words.
func (r Reach) String() string {
	switch r.Word {
	case "all":
		return "may fetch everything"
	case "none":
		return "may fetch nothing"
	case "part":
		if r.Pages > 0 {
			return fmt.Sprintf("may fetch part of the site: %s of its pages are blocked", wording.Percent(r.Blocked, r.Pages))
		}
		return "may fetch part of the site"
	}
	return "unknown"
}

// accesses returns what each crawler of a policy may fetch.
func accesses(s *audit.PolicySample) map[string]Reach {
	of := map[string]Reach{}
	reach := s.Reach()
	for i, read := range s.Policy.Reads {
		r := Reach{reach.Reaches[i].Word, reach.Reaches[i].Blocked, reach.Pages, read.GroupReason == engine.Exempt}
		for _, name := range read.Crawlers {
			of[name] = r
		}
	}
	return of
}

// signalsOf returns the usage preferences of a file, each with its group. Their place in the file
// does not matter.
func signalsOf(body []byte) (list []string) {
	whole := *rfc9309
	whole.Limit = -1
	r := whole.Parse(body)
	group := -1
	var groups []*engine.Group
	for l := range r.Lines() {
		if l.Group >= 0 {
			group = l.Group
		}
		if field := strings.ToLower(l.Field); field != "content-signal" && field != "content-usage" {
			continue
		}
		if groups == nil {
			groups = r.Groups()
		}
		text := l.Field + ": " + l.Value
		if group >= 0 && group < len(groups) {
			text += " (for " + strings.Join(groups[group].Tokens, ", ") + ")"
		}
		list = append(list, text)
	}
	slices.Sort(list)
	return slices.Compact(list)
}
