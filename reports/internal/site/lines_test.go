package site

import (
	"slices"
	"testing"

	"robots-audit/audit"
	"robots-audit/engine"
)

// A Crawl-delay line counts for the crawlers that obey it, whatever their profile.
func TestLineCounts(t *testing.T) {
	of := New(&audit.Site{Crawlers: []audit.Crawler{{Label: "Googlebot", Profile: "google"}, {Label: "Bingbot", Profile: "rfc9309"}}}, nil)
	robots := &audit.Robots{Reads: []audit.Read{{Access: engine.Parsed, GroupLine: 1}, {Access: engine.Parsed, GroupLine: 4, CrawlDelay: 5}}}
	body := "User-agent: *\nCrawl-delay: 2\nDisallow: /a\nUser-agent: bingbot\nUser-agent: other\nCrawl-delay: 5\nfoo: 1\nnothing\n# a\n"
	want := []string{"user-agent", "crawl-delay, does not count", "disallow", "user-agent", "user-agent", "crawl-delay, for Bingbot", "other field, does not count", "no field, does not count", "comment"}
	var got []string
	for l := range of.Lines(robots, []byte(body)) {
		got = append(got, l.CountsAs())
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
