package audit

import (
	"slices"
	"strings"
	"sync"

	"robots-audit/engine"
	"robots-audit/engine/escape"
)

// PolicyPurposes are the purposes of crawlers that a policy about AI covers, in order, each with a
// short name.
var PolicyPurposes = []struct{ Purpose, Short string }{
	{"AI training", "training"}, {"AI search", "search"}, {"user fetch", "user fetch"}, {"control token", "control tokens"}, {"archive", "archive"},
}

// noPolicy are fetchers for users that have nothing to do with AI.
var noPolicy = map[string]bool{"FeedFetcher-Google": true, "Google-Site-Verification": true, "Google-Read-Aloud": true}

// PolicyCrawlers returns the crawlers of the engine's list that a policy about AI covers, by
// purpose. They are shared: do not change them.
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

// Policy describes how a site's own robots.txt treats PolicyCrawlers, even those that are not in
// Site.Crawlers. All its texts are UTF-8: other bytes of the file become \xNN.
type Policy struct {
	Reads   []PolicyRead `json:"reads"` // each crawler is in one of them
	Signals []Signal     `json:"signals,omitempty"`
}

// PolicyRead describes how the file treats some crawlers: those to which the same group applies for
// the same reason.
type PolicyRead struct {
	Crawlers    []string           `json:"crawlers"` // engine.Crawler.Name
	Access      engine.Access      `json:"access"`
	Why         string             `json:"why"`                    // see Read.Why
	GroupLine   int                `json:"group_line,omitempty"`   // see Read.GroupLine
	GroupTokens []string           `json:"group_tokens,omitempty"` // the group's user-agent values
	GroupReason engine.GroupReason `json:"group_reason"`
}

// Signal is a usage preference: a Content-Signal or Content-Usage line.
type Signal struct {
	Line   int      `json:"line"`
	Text   string   `json:"text"`             // field and value as written
	Tokens []string `json:"tokens,omitempty"` // user-agent values of its group
}

// PolicyReach says how many known pages on the site's own origin the crawlers of a Policy may
// fetch. It counts all pages for crawlers with the same rules as one of Site.Crawlers, else a
// sample.
type PolicyReach struct {
	Pages   int64   `json:"pages"`         // of the sample; 0 = no URL was tested, and the Words depend on the rules alone
	All     int64   `json:"all,omitempty"` // known pages; 0 in older records
	Reaches []Reach `json:"reaches"`       // one for each of Policy.Reads
}

// Reach is how much some crawlers may fetch.
type Reach struct {
	// Word is "all", "part", "none" or "unknown". Without a sample, "all" means that no rule blocks
	// anything, and "none" that the answer or the rules block everything. "part" then means that
	// the amount was not tested. "unknown" is also used if the request for robots.txt got no
	// answer.
	Word    string `json:"word"`
	Home    string `json:"home,omitempty"`    // verdict on the home page, if there is no sample; "" in older records
	Whole   bool   `json:"whole,omitempty"`   // Blocked counts all known pages, not only the sample
	Blocked int64  `json:"blocked,omitempty"` // pages
	Example string `json:"example,omitempty"` // the first blocked page that is not too long
	Line    int    `json:"line,omitempty"`    // of the rule that decides the example, or the home page; 0 = none
	Rule    string `json:"rule,omitempty"`    // "disallow: /a"

	Rules     []RuleLine `json:"rules,omitempty"`      // if several rules block pages: those that block most
	MoreRules int        `json:"more_rules,omitempty"` // number of further rules that block pages
}

// Tested returns the number of pages that Blocked refers to.
func (p *PolicyReach) Tested(r *Reach) int64 {
	if r.Whole {
		return p.All
	}
	return p.Pages
}

// Covers reports whether the policy includes all PolicyCrawlers. A policy from another version of
// this program may lack some.
func (p *Policy) Covers() bool {
	said := map[string]bool{}
	for i := range p.Reads {
		for _, name := range p.Reads[i].Crawlers {
			said[name] = true
		}
	}
	return !slices.ContainsFunc(PolicyCrawlers(), func(c engine.Crawler) bool { return !said[c.Name] })
}

// signalsOf returns the usage preferences of a file.
func signalsOf(r *engine.Robots) []Signal { return linesOf(r, "content-signal", "content-usage") }

// linesOf returns the lines of a file with some fields in lower case, and their groups.
func linesOf(r *engine.Robots, fields ...string) []Signal {
	var list []Signal
	var groups []*engine.Group
	at := -1 // the group that the line is in
	for line := range r.Lines() {
		if line.Group >= 0 {
			at = line.Group
		}
		if !slices.Contains(fields, strings.ToLower(line.Field)) {
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

// ownTexts copies texts of a file as UTF-8, so that the file can be freed.
func ownTexts(list []string) []string {
	var own []string
	for _, s := range list {
		own = append(own, ownText(s))
	}
	return own
}

func ownText(s string) string { return strings.Clone(escape.ShowInvalid(s)) }
