package audit

import (
	"fmt"
	"testing"

	"robots-audit/crawl"
)

// The sample is even, bounded, and the same however many pages there are.
func TestSample(t *testing.T) {
	var answers Answers
	answers.Add(0, "https://example.com", &crawl.RobotsFile{Outcome: crawl.Outcome{Status: 200}, Body: []byte("user-agent: *\ndisallow: /a\n")})
	for _, pages := range []int{0, 1, 999, 1000, 1001, 5000, 123456} {
		s := NewPolicySample(&answers)
		for i := range pages {
			s.AddPage(fmt.Sprintf("https://example.com/%c/%d", 'a'+byte(i*4/max(pages, 1)), i), nil) // the first quarter is blocked
		}
		reach := s.Reach()
		if low := int64(min(pages, maxSample/2)); reach.Pages < low || reach.Pages > maxSample {
			t.Errorf("%d of %d pages in the sample", reach.Pages, pages)
		}
		if blocked := reach.Reaches[0].Blocked; pages > 3 && (blocked*100/reach.Pages < 24 || blocked*100/reach.Pages > 26) {
			t.Errorf("%d of %d are blocked, a quarter of %d pages is", blocked, reach.Pages, pages)
		}
	}
}

// A policy speaks of each crawler of the list once; one that lacks a crawler, as
// an older list makes it, is told apart.
func TestPolicyCovers(t *testing.T) {
	var answers Answers
	answers.Add(0, "https://example.com", &crawl.RobotsFile{Outcome: crawl.Outcome{Status: 200}, Body: []byte("user-agent: GPTBot\ndisallow: /\n")})
	policy := NewPolicySample(&answers).Policy
	n := 0
	for _, r := range policy.Reads {
		n += len(r.Crawlers)
	}
	if n != len(PolicyCrawlers()) || !policy.Covers() {
		t.Errorf("the policy speaks of %d crawlers of %d", n, len(PolicyCrawlers()))
	}
	policy.Reads[0].Crawlers = policy.Reads[0].Crawlers[1:]
	if policy.Covers() {
		t.Error("a policy that lacks a crawler is taken for a whole one")
	}
}
