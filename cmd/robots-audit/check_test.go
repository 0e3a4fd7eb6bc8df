package main

import (
	"bytes"
	"strings"
	"testing"

	"robots-audit/audit"
	"robots-audit/crawl"
	"robots-audit/engine"
)

// explained tells how the verdicts on URLs come about for a crawler.
func explained(t *testing.T, crawler string, file engine.File, urls ...string) string {
	t.Helper()
	c, err := engine.ParseCrawler(crawler)
	if err != nil {
		t.Fatal(err)
	}
	p, _ := engine.ProfileByName(c.Profile)
	answers := &audit.Answers{}
	answers.Add(0, "", &crawl.RobotsFile{Outcome: crawl.Outcome{Status: file.Status}, Body: file.Body})
	var out bytes.Buffer
	explainCheck(&out, c, answers, answers.Read(0, p, c), urls)
	return out.String()
}

// TestExplainForecast: of an answer that time makes another matter, it is told
// what becomes of it.
func TestExplainForecast(t *testing.T) {
	got := explained(t, "Googlebot", engine.File{Status: 503}, "/")
	if n := strings.Count(got, "forecast:\t"); n != 5 || !strings.Contains(got, "forecast:\tafter 12 hours, if no copy was kept: allow_all\n") {
		t.Errorf("%d steps in\n%s", n, got)
	}
	if got := explained(t, "Googlebot", engine.File{Status: 404}, "/"); strings.Contains(got, "forecast:") {
		t.Errorf("a forecast in\n%s", got)
	}
}

// TestExplainParser: where a verdict rests on what only the published parser
// takes, or page and parser part, the explanation says so.
func TestExplainParser(t *testing.T) {
	file := engine.File{Status: 200, Body: []byte("useragent: *\nDisallow /a # b: c\nDisallow: /b\n")}
	for _, c := range []struct {
		crawler, url, want string
		there              bool
	}{
		{"Googlebot", "/a", `its page knows no field "useragent"`, true},
		{"Googlebot", "/a", "its page knows no line without a colon", true},
		{"Googlebot", "/b", "its page knows no line without a colon", false},
		{"Googlebot", "/%62", "published parser (google-oss) part here", true},
		{"Googlebot", "/b", "part here", false},
		{"Googlebot@google-oss", "/%62", "part here", false},
	} {
		if got := explained(t, c.crawler, file, c.url); strings.Contains(got, c.want) != c.there {
			t.Errorf("%s on %s: %q is there: %v\n%s", c.crawler, c.url, c.want, !c.there, got)
		}
	}
}

// TestExplainShows: what files and URLs hold cannot reach the terminal or upset
// the columns.
func TestExplainShows(t *testing.T) {
	file := engine.File{Status: 200, Body: []byte("User-agent:\t*\x1b[2J\nUser-agent: *\nDisallow:\t/\x1b[31m\x0b?\n")}
	got := explained(t, "Googlebot", file, "/\x1b[31m\x0b?\t\x9b")
	if strings.Contains(got, "\x1b") || strings.Contains(got, "\x0b") || strings.Contains(got, "\x9b") || !strings.Contains(got, "\tDisallow: /\uFFFD[31m\uFFFD?\t<- decides") {
		t.Errorf("%q", got)
	}
	if got := explained(t, "Foo@rep-1994", file, "/\x1b[31m\x0b?"); strings.Contains(got, "octet") {
		t.Errorf("to whom the first rule counts, its length is told: %s", got)
	}
}
