package main

import (
	"bytes"
	"strings"
	"testing"

	"robots-audit/audit"
	"robots-audit/crawl"
	"robots-audit/engine"
)

// explained is the explanation of the verdicts on URLs for a crawler.
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

// TestExplainForecast: for a response whose effect changes with time, the explanation says how.
func TestExplainForecast(t *testing.T) {
	got := explained(t, "Googlebot", engine.File{Status: 503}, "/")
	if n := strings.Count(got, "forecast:\t"); n != 5 || !strings.Contains(got, "forecast:\tafter 12 hours, if no copy was kept: allow_all\n") {
		t.Errorf("%d steps in\n%s", n, got)
	}
	if got := explained(t, "Googlebot", engine.File{Status: 404}, "/"); strings.Contains(got, "forecast:") {
		t.Errorf("a forecast in\n%s", got)
	}
}

// TestExplainParser: the explanation says if only the published parser accepts a rule, or if page
// and parser differ.
func TestExplainParser(t *testing.T) {
	file := engine.File{Status: 200, Body: []byte("useragent: *\nDisallow /a # b: c\nDisallow: /b\nDisallow: /\u00e9\n")}
	for _, c := range []struct {
		crawler, url, want string
		there              bool
	}{
		{"Googlebot", "/a", `Google's page does not mention the directive "useragent"`, true},
		{"Googlebot", "/a", "Google's page mentions no line without a colon", true},
		{"Googlebot", "/b", "Google's page mentions no line without a colon", false},
		{"Googlebot", "/%c3%a9", "published parser (google-oss) differ here", true},
		{"Googlebot", "/b", "part here", false},
		{"Googlebot", "/%62", "part here", false},
		{"Googlebot@google-oss", "/%c3%a9", "part here", false},
	} {
		if got := explained(t, c.crawler, file, c.url); strings.Contains(got, c.want) != c.there {
			t.Errorf("%s on %s: %q is there: %v\n%s", c.crawler, c.url, c.want, !c.there, got)
		}
	}
}

// TestExplainPartings: if another profile has another verdict because it compares escapes or treats
// /robots.txt differently, the output has the sentences of both.
func TestExplainPartings(t *testing.T) {
	file := engine.File{Status: 200, Body: []byte("user-agent: *\nDisallow: /%65\nDisallow: /r\nDisallow: /\u00e9\nDisallow: /*?\n")}
	for _, c := range []struct {
		crawler, url string
		want         []string // if none of these, nothing is printed
	}{
		{"Googlebot", "/e", []string{"\n  encoding\tgoogle: treats", "ID_Encoding", "\n  encoding\trfc9309: decodes", "MUST be unencoded prior to comparison"}},
		{"Googlebot@rfc9309", "/e", []string{"\n  encoding\trfc9309: decodes", "\n  encoding\tgoogle, google-2023, google-2019: treats", "\n  encoding\tbing: decodes nothing"}},
		{"Googlebot@google-oss", "/\u00e9", []string{"\n  encoding\tgoogle-oss: decodes nothing", "Non-7-bit ASCII characters in a path may be included as UTF-8"}},
		{"Googlebot", "/robots.txt", []string{"\n  /robots.txt\tgoogle: treats", "\n  /robots.txt\trfc9309: always allows", "\n  /robots.txt\tbing: always allows it, as RFC 9309 does", "by rfc9309\tallow\t/robots.txt is always allowed (RFC 9309 2.2.2)"}},
		{"Googlebot", "/x?", nil},
		{"Googlebot", "/x", nil},
	} {
		got := explained(t, c.crawler, file, c.url)
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s on %s: no %q in\n%s", c.crawler, c.url, want, got)
			}
		}
		if c.want == nil && (strings.Contains(got, "\n  encoding\t") || strings.Contains(got, "\n  /robots.txt\t")) {
			t.Errorf("%s on %s:\n%s", c.crawler, c.url, got)
		}
	}
	if got := explained(t, "Googlebot", engine.File{Status: 404}, "/e"); strings.Contains(got, "encoding") {
		t.Error(got)
	}
}

// TestExplainShows: text of files and URLs cannot control the terminal or shift the columns.
func TestExplainShows(t *testing.T) {
	file := engine.File{Status: 200, Body: []byte("User-agent:\t*\x1b[2J\nUser-agent: *\nDisallow:\t/\x1b[31m\x0b?\n")}
	got := explained(t, "Googlebot", file, "/\x1b[31m\x0b?\t\x9b")
	if strings.Contains(got, "\x1b") || strings.Contains(got, "\x0b") || strings.Contains(got, "\x9b") || !strings.Contains(got, "\tDisallow: /\uFFFD[31m\uFFFD?\t<- decides") {
		t.Errorf("%q", got)
	}
	if got := explained(t, "token:Foo@rep-1994", file, "/\x1b[31m\x0b?"); strings.Contains(got, "byte") {
		t.Errorf("to whom the first rule counts, its length is told: %s", got)
	}
}
