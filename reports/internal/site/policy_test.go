package site

import (
	"testing"

	"robots-audit/audit"
	"robots-audit/engine"
)

// If no URL was tested, the policy says what the home page and the rules show.
func TestPolicyAccess(t *testing.T) {
	for _, c := range []struct {
		pages           int64
		reach           audit.Reach
		access, summary string
		against         string // what a line that forbids training contradicts, or one that allows it
	}{
		{9, audit.Reach{Word: ReachPart}, "part", "training: part", "line 2 forbids training, but robots.txt allows part of the URLs tested"},
		{9, audit.Reach{Word: ReachAll}, "all", "training: all", "line 2 forbids training, but robots.txt allows all URLs tested"},
		{0, audit.Reach{Word: ReachAll, Home: "allow"}, "all", "training: all (no URL of this origin tested)", "line 2 forbids training, but robots.txt allows everything"},
		{0, audit.Reach{Word: ReachNone, Home: "disallow"}, "none", "training: none (no URL of this origin tested)", "line 3 allows training, but robots.txt blocks everything"},
		{0, audit.Reach{Word: ReachPart, Home: "allow"}, HomeAllowed, "training: home page allowed (no URL of this origin tested)", "line 2 forbids training, but the home page is allowed"},
		{0, audit.Reach{Word: ReachPart, Home: "disallow"}, HomeBlocked, "training: home page blocked (no URL of this origin tested)", ""},
		{0, audit.Reach{Word: ReachPart}, HomeAllowed, "training: home page allowed (no URL of this origin tested)", "line 2 forbids training, but the home page is allowed"}, // a record of before Home was recorded
		{0, audit.Reach{Word: ReachUnknown}, "unknown", "unknown: robots.txt could not be read", ""},
	} {
		p := &Policy{Pages: c.pages, signals: []audit.Signal{{Line: 2, Text: "content-signal: ai-train=no", Tokens: []string{"*"}}, {Line: 3, Text: "content-signal: ai-train=yes", Tokens: []string{"*"}}}}
		for i, crawler := range audit.PolicyCrawlers() {
			if crawler.Purpose == purposeTraining {
				p.Crawlers = append(p.Crawlers, PolicyCrawler{Crawler: &audit.PolicyCrawlers()[i], Read: &audit.PolicyRead{GroupReason: engine.Global}, Reach: c.reach})
			}
		}
		if access, summary := p.Access(&p.Crawlers[0]), p.Summary(); access != c.access || summary != c.summary {
			t.Errorf("%+v of %d pages: %q, %q; want %q, %q", c.reach, c.pages, access, summary, c.access, c.summary)
		}
		_, against := p.Contradictions(&p.Crawlers[0])
		if against != c.against {
			t.Errorf("%+v of %d pages: %q, want %q", c.reach, c.pages, against, c.against)
		}
	}
}
