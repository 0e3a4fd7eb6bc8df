package site

import (
	"strings"
	"testing"

	"robots-audit/audit"
)

// If no URL was tested, the policy says what the home page and the rules show.
func TestPolicyAccess(t *testing.T) {
	for _, c := range []struct {
		pages           int64
		reach           audit.Reach
		access, summary string
	}{
		{9, audit.Reach{Word: ReachPart}, "part", "training: part"},
		{9, audit.Reach{Word: ReachAll}, "all", "training: all"},
		{0, audit.Reach{Word: ReachAll, Home: "allow"}, "all", "training: all (no URL of this origin tested)"},
		{0, audit.Reach{Word: ReachNone, Home: "disallow"}, "none", "training: none (no URL of this origin tested)"},
		{0, audit.Reach{Word: ReachPart, Home: "allow"}, HomeAllowed, "training: home page allowed (no URL of this origin tested)"},
		{0, audit.Reach{Word: ReachPart, Home: "disallow"}, HomeBlocked, "training: home page blocked (no URL of this origin tested)"},
		{0, audit.Reach{Word: ReachPart}, HomeAllowed, "training: home page allowed (no URL of this origin tested)"}, // a record of before Home was recorded
		{0, audit.Reach{Word: ReachUnknown}, "unknown", "unknown: robots.txt could not be read"},
	} {
		p := &Policy{Pages: c.pages}
		for i, crawler := range audit.PolicyCrawlers() {
			if crawler.Purpose == purposeTraining {
				p.Crawlers = append(p.Crawlers, PolicyCrawler{Crawler: &audit.PolicyCrawlers()[i], Read: &audit.PolicyRead{}, Reach: c.reach})
			}
		}
		if access, summary := p.Access(&p.Crawlers[0]), p.Summary(); access != c.access || summary != c.summary {
			t.Errorf("%+v of %d pages: %q, %q; want %q, %q", c.reach, c.pages, access, summary, c.access, c.summary)
		}
		_, against := p.Contradictions(&p.Crawlers[0])
		if c.pages == 0 && strings.Contains(against, "URLs tested") {
			t.Errorf("%+v of no pages: %s", c.reach, against)
		}
	}
}
