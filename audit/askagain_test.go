package audit

import (
	"testing"

	"robots-audit/crawl"
)

// TestDifferingAnswers: the answers read from the detail of a problem equal those written there.
func TestDifferingAnswers(t *testing.T) {
	first := crawl.RobotsFile{Outcome: crawl.Outcome{URL: "https://example.com/robots.txt", Status: 200, Bytes: 27, SHA256: "0123456789abcdef"}}
	for _, c := range []struct {
		agent         string
		agents        []string
		file          crawl.RobotsFile
		asker, theirs string
		status        int
	}{
		{"", nil, crawl.RobotsFile{Outcome: crawl.Outcome{Status: 404, Code: crawl.CodeHTTPStatus}}, "", "HTTP 404 Not Found", 404},
		{"Googlebot", []string{"Googlebot"}, crawl.RobotsFile{Outcome: crawl.Outcome{Status: 200, Bytes: 40, SHA256: "fedcba9876543210"}}, "to Googlebot's User-Agent", "HTTP 200 with 40 bytes", 200},
		{`a "b" at c`, []string{"x", "y"}, crawl.RobotsFile{Outcome: crawl.Outcome{Code: crawl.CodeTimeout}}, `to the User-Agent "a \"b\" at c"`, "no usable answer (" + Meaning(crawl.CodeTimeout) + ")", 0},
	} {
		p := Differing(&crawl.Variant{UserAgent: c.agent, File: c.file}, &first, &crawl.Variants{UserAgents: c.agents})
		theirs, ours, url := DifferingAnswers(&p)
		if Asker(&p) != c.asker || theirs != c.theirs || ours != "HTTP 200 with 27 bytes" || url != first.URL || AskerStatus(&p) != c.status {
			t.Errorf("%s: %q, %q, %q, %q, %d", p.Detail, Asker(&p), theirs, ours, url, AskerStatus(&p))
		}
	}
}
