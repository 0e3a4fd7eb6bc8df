package site

import (
	"testing"

	"robots-audit/audit"
)

// TestBeyondLead: the sentence after the lead names exactly the crawlers that the lead does not
// name.
func TestBeyondLead(t *testing.T) {
	s := &Site{Site: &audit.Site{}}
	for _, label := range []string{"Googlebot", "Bingbot", "YandexBot", "GPTBot", "CCBot"} {
		s.Crawlers = append(s.Crawlers, audit.Crawler{Label: label})
	}
	const plain = "A blocked URL can still be indexed."
	for _, c := range []struct {
		why     string
		blocked []int64
		want    string
	}{
		{"45 of 165 URLs (27 %) are blocked for Googlebot, 39 for YandexBot, 3 for Bingbot.", []int64{45, 3, 39}, plain},
		{"45 of 165 URLs (27 %) are blocked for Googlebot, 39 for YandexBot, 3 for Bingbot.", []int64{45, 3, 39, 45, 1}, "Also blocked: GPTBot (45), CCBot (1). " + plain},
		{"All 165 URLs are blocked for Googlebot and Bingbot.", []int64{165, 165, 0, 0, 165}, "Also blocked: CCBot (165). " + plain},
		{"1 critical issue.", []int64{45, 3}, "Blocked: Googlebot (45), Bingbot (3). " + plain},
		{"All 165 URLs are blocked for Googlebot.", []int64{165, 12}, "Also blocked: Bingbot (12). " + plain},
	} {
		d := &audit.Done{Why: c.why, Counts: audit.Counts{URLs: 165, BlockedAny: 1, Blocked: c.blocked}}
		if got := s.Sentences(d)[1]; got != c.want {
			t.Errorf("%s\n%q, want %q", c.why, got, c.want)
		}
	}
}
