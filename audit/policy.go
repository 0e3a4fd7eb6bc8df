package audit

import (
	"slices"
	"strings"
	"sync"

	"robots-audit/engine"
	"robots-audit/engine/escape"
)

// PolicyPurposes are the purposes of the crawlers that a policy towards AI is
// about, in order, each with the word that sums it up.
var PolicyPurposes = []struct{ Purpose, Short string }{
	{"AI training", "training"}, {"AI search", "search"}, {"user fetch", "user fetch"}, {"control token", "control tokens"}, {"archive", "archive"},
}

// noPolicy are fetchers for people that have nothing to do with AI.
var noPolicy = map[string]bool{"FeedFetcher-Google": true, "Google-Site-Verification": true, "Google-Read-Aloud": true}

// PolicyCrawlers returns the crawlers of the engine's list that a policy towards
// AI is about, by purpose. They are shared: do not change them.
var PolicyCrawlers = sync.OnceValue(func() (list []engine.Crawler) {
	for _, purpose := range PolicyPurposes {
		for _, c := range engine.Crawlers() {
			if _, ok := engine.ProfileByName(c.Profile); ok && c.Purpose == purpose.Purpose && !noPolicy[c.Name] {
				list = append(list, c)
			}
		}
	}
	return list
})

// Policy is what a site's own robots.txt says to PolicyCrawlers, whether or not
// they are among Site.Crawlers. All its texts are UTF-8: other bytes of the file
// stand as \xNN.
type Policy struct {
	Reads   []PolicyRead `json:"reads"` // each crawler is in one of them
	Signals []Signal     `json:"signals,omitempty"`
}

// PolicyRead is what some crawlers make of the file: those to which it says the
// same, by the same group and for the same reason.
type PolicyRead struct {
	Crawlers    []string           `json:"crawlers"` // engine.Crawler.Name
	Access      engine.Access      `json:"access"`
	Why         string             `json:"why"`                    // as Read.Why
	GroupLine   int                `json:"group_line,omitempty"`   // as Read.GroupLine
	GroupTokens []string           `json:"group_tokens,omitempty"` // the group's user-agent values
	GroupReason engine.GroupReason `json:"group_reason"`
}

// Signal is a usage preference: a Content-Signal or Content-Usage line.
type Signal struct {
	Line   int      `json:"line"`
	Text   string   `json:"text"`             // field and value as written
	Tokens []string `json:"tokens,omitempty"` // user-agent values of the group in which it stands
}

// PolicyReach is how many of the known pages on the site's own origin the crawlers
// of a Policy may fetch: of all of them, where they obey the rules of a crawler of
// Site.Crawlers; else of a sample.
type PolicyReach struct {
	Pages   int64   `json:"pages"`         // of the sample; 0 = no URL was tested, and the Words rest on the rules alone
	All     int64   `json:"all,omitempty"` // known pages; 0 in records of before it was recorded
	Reaches []Reach `json:"reaches"`       // one for each of Policy.Reads
}

// Reach is how much some crawlers may fetch.
type Reach struct {
	// Word is "all", "part", "none" or "unknown". Without a sample, "all" is that no
	// rule blocks anything, "none" that the answer, or the rules, block whatever there
	// is, and "part" that no one tested how much they block. It is "unknown" where
	// no one answered for robots.txt, too.
	Word    string `json:"word"`
	Home    string `json:"home,omitempty"`    // verdict on the home page, where there is no sample; "" in records of before it was recorded
	Whole   bool   `json:"whole,omitempty"`   // Blocked counts all known pages, not those of the sample
	Blocked int64  `json:"blocked,omitempty"` // pages
	Example string `json:"example,omitempty"` // the first of them that is not too long
	Line    int    `json:"line,omitempty"`    // of the rule that decides the example, or the home page; 0 = none
	Rule    string `json:"rule,omitempty"`    // "disallow: /a"

	Rules     []RuleLine `json:"rules,omitempty"`      // that block pages, where they are several: those that block most
	MoreRules int        `json:"more_rules,omitempty"` // that block pages as well
}

// Tested is the number of pages that Blocked is of.
func (p *PolicyReach) Tested(r *Reach) int64 {
	if r.Whole {
		return p.All
	}
	return p.Pages
}

// Covers reports whether the policy speaks of all PolicyCrawlers: one of another
// version of this program may know fewer.
func (p *Policy) Covers() bool {
	said := map[string]bool{}
	for i := range p.Reads {
		for _, name := range p.Reads[i].Crawlers {
			said[name] = true
		}
	}
	return !slices.ContainsFunc(PolicyCrawlers(), func(c engine.Crawler) bool { return !said[c.Name] })
}

// signalsOf collects the usage preferences of a file.
func signalsOf(r *engine.Robots) []Signal {
	var list []Signal
	var groups []*engine.Group
	at := -1 // the group that the line is in
	for line := range r.Lines() {
		if line.Group >= 0 {
			at = line.Group
		}
		if !strings.EqualFold(line.Field, "content-signal") && !strings.EqualFold(line.Field, "content-usage") {
			continue
		}
		if groups == nil {
			groups = r.Groups()
		}
		signal := Signal{Line: line.Number, Text: ownText(line.Field + ": " + line.Value)}
		if at >= 0 && at < len(groups) {
			signal.Tokens = ownTexts(groups[at].Tokens)
		}
		list = append(list, signal)
	}
	return list
}

// ownTexts makes texts of a file UTF-8, and copies that do not hold the file.
func ownTexts(list []string) []string {
	var own []string
	for _, s := range list {
		own = append(own, ownText(s))
	}
	return own
}

func ownText(s string) string { return strings.Clone(escape.ShowInvalid(s)) }
