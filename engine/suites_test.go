package engine

import (
	"slices"
	"testing"
)

// Reasons why a profile's page differs from the test suite of a parser.
const (
	pageRobotsTxt = `"/robots.txt" is implicitly allowed (RFC 9309 2.2.2)`
	pageRawURL    = "octets outside ASCII equal their escapes, in URLs too (RFC 9309 2.2.2; Google's page: UTF-8 or percent-escaped UTF-8)"
	pageEscape    = "escaped unreserved octets are decoded before the comparison (RFC 9309 2.2.2, table; RFC 3986 6.2.2.2)"
	pageColon     = "a colon stands between field and value (RFC 9309 2.2, ABNF)"
	pageFallback  = "the most specific group counts alone (Google's page: order of precedence for user agents)"
)

// disputed lists the rows in which a profile does not follow the suites, since
// its page differs.
var disputed = map[string]map[string]string{
	"rfc9309": {
		"google-robotstxt-cc ID_LineSyntax_Line:80":                  pageColon,
		"google-robotstxt-cc ID_Encoding:420":                        pageRawURL,
		"google-robotstxt-cc ID_Encoding:431":                        pageRawURL,
		"google-robotstxt-cc ID_Encoding:442":                        pageEscape,
		"google-robotstxt-spec-test correctness/non-ascii-paths#1.1": pageRawURL,
		"google-robotstxt-spec-test correctness/non-ascii-paths#2.1": pageRawURL,
		"google-robotstxt-spec-test correctness/non-ascii-paths#3.0": pageEscape,
		"google-robotstxt-spec-test stress/327748#0.5":               pageRobotsTxt,
		"google-robotstxt-spec-test stress/369883#0.5":               pageRobotsTxt,
		"google-robotstxt-spec-test stress/369883#0.9":               pageRobotsTxt,
		"google-robotstxt-spec-test stress/860237#0.9":               pageRobotsTxt,
	},
	"google": {
		"google-robotstxt-cc ID_Encoding:420":                        pageRawURL,
		"google-robotstxt-cc ID_Encoding:431":                        pageRawURL,
		"google-robotstxt-spec-test correctness/non-ascii-paths#1.1": pageRawURL,
		"google-robotstxt-spec-test correctness/non-ascii-paths#2.1": pageRawURL,
		"grobotstxt should ID_Multiple_Useragents:197":               pageFallback,
		"robots-parser should handle lone high / low surrogates":     pageRawURL,
	},
}

// TestSuites compares the profiles that follow a page with the suites, verdict
// by verdict. TestGoogleMatcher does this for google-oss.
func TestSuites(t *testing.T) {
	cases := readCases(t, "suites.jsonl.gz")
	for _, set := range []struct {
		profile string
		asks    int
		holds   func(f *caseFile) bool
	}{
		{"rfc9309", 484, func(f *caseFile) bool { return f.Profile == "rfc9309" || slices.Contains(f.Also, "rfc9309") }},
		{"google", 1672, func(f *caseFile) bool { return f.Profile == "google" || f.Profile == "google-page" }},
	} {
		p, asks, seen := mustProfile(t, set.profile), 0, map[string]bool{}
		for _, f := range cases {
			if !set.holds(&f) {
				continue
			}
			for _, ask := range f.Asks {
				asks++
				d := p.Parse(f.body()).Group(suiteCrawler(&f, ask)).Verdict(ask.URL)
				agrees := d.Verdict.String() == ask.Verdict
				reason := disputed[set.profile][f.ID]
				seen[f.ID] = seen[f.ID] || !agrees
				if !agrees && reason == "" {
					t.Errorf("%s: %s: agents %q url %q: %v, line %d; want %s\n%q",
						p.Name, f.ID, ask.Agents, ask.URL, d.Verdict, d.Line(), ask.Verdict, f.body())
				}
			}
		}
		for id, reason := range disputed[set.profile] {
			if !seen[id] {
				t.Errorf("%s: %s is not in dispute: %s", p.Name, id, reason)
			}
		}
		if asks != set.asks {
			t.Errorf("%s: %d rows, want %d", p.Name, asks, set.asks)
		}
	}
}

// suiteCrawler returns the crawler of a row: the unchanged tokens, or the
// listed crawler for Google's page, which has fallbacks.
func suiteCrawler(f *caseFile, a ask) Crawler {
	if f.Profile == "google-page" {
		if c, err := ParseCrawler(a.Agents[0]); err == nil {
			return c
		}
	}
	return token(a.Agents...)
}
