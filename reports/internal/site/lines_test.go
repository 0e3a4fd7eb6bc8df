package site

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
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

// Lines uses the profiles after the first only from the first line on for which they are needed:
// the result is the same as if all profiles read the whole file.
func TestLinesAsWhole(t *testing.T) {
	crawlers := []audit.Crawler{{Label: "A", Profile: "google"}, {Label: "B", Profile: "yandex-2016"}, {Label: "C", Profile: "google-oss"}, {Label: "D", Profile: "yandex"}, {Label: "E", Profile: "google"}}
	for seed := range uint64(300) {
		random := rand.New(rand.NewPCG(seed, 1))
		var body []byte
		for range random.IntN(30) {
			body = append(body, []string{"User-agent: *\n", "User-agent: a\r\n", "Disallow: /a\n", "Allow: /b # c\n", "foo\n", "\n", "Disalow: /c\n", "Host: x\n", "Host: y\n", "Crawl-delay: 2\n", "Clean-param: a\n", "Sitemap: /s\n", "Disallow /d\n"}[random.IntN(13)]...)
		}
		robots := &audit.Robots{Reads: make([]audit.Read, len(crawlers))}
		matters := []int{}
		for i := range crawlers {
			if random.IntN(4) > 0 {
				robots.Reads[i].Access = engine.Parsed
				matters = append(matters, i)
			} else {
				robots.Reads[i].Access = engine.AllowAll
			}
		}
		var want []Line
		for k, i := range matters {
			profile, _ := engine.ProfileByName(crawlers[i].Profile)
			for n, raw := range slices.Collect(profile.Parse(body).Lines()) {
				raw.Why = strings.Replace(raw.Why, profile.Name+" does", crawlers[i].Label+" does", 1)
				switch {
				case k == 0:
					want = append(want, Line{RawLine: raw})
				case raw.Counts && !want[n].Counts && want[n].Why != "":
					want[n].For = strings.TrimPrefix(want[n].For+", "+crawlers[i].Label, ", ")
				}
			}
		}
		grouped := false
		for n := range want { // no crawler obeys any of the groups
			grouped = grouped || want[n].Kind == lineUserAgent
			if grouped && want[n].Kind == lineCrawlDelay && strings.Contains(want[n].Why, " does not obey ") {
				want[n].Why = ""
			}
		}
		of := New(&audit.Site{Crawlers: crawlers}, nil)
		other := append(bytes.Clone(body), "Disallow: /last\n"...)
		for _, again := range []string{"first", "again", "another file", "after another file"} {
			if again == "another file" {
				if n := len(slices.Collect(of.Lines(robots, other))); len(matters) > 0 && n <= len(want) {
					t.Errorf("%q: %d lines", other, n)
				}
				continue
			}
			if got := slices.Collect(of.Lines(robots, body)); !slices.Equal(got, want) {
				t.Errorf("%q for %v, %s:\n%+v, want\n%+v", body, matters, again, got, want)
			}
		}
	}
}

// The lines of a file are its bytes, split at the line ends of RFC 9309, whatever they contain;
// those that Lines does not yield follow as not read.
func TestFileLines(t *testing.T) {
	for seed := range uint64(300) {
		random := rand.New(rand.NewPCG(seed, 0))
		crawlers := []audit.Crawler{{Label: "A", Profile: "google"}, {Label: "B", Profile: "yandex-2016"}, {Label: "C", Profile: "google"}}
		var body []byte
		for range random.IntN(12) {
			body = append(body, []string{"\xef\xbb\xbf", "User-agent: *", "Disallow: /a", "Allow: /b # c", "foo", "\n", "\n", "\r\n", "\r", "\n\r", "Crawl-delay: 2", "Host: x", "\u2028", "\x00"}[random.IntN(14)]...)
		}
		robots := &audit.Robots{Origin: "https://a.example", Reads: []audit.Read{{Access: engine.Parsed, GroupLine: 1}, {Access: engine.Parsed, GroupLine: 1}, {Access: engine.AllowAll}}}
		if random.IntN(8) == 0 { // no crawler uses the lines
			robots.Reads = []audit.Read{{Access: engine.AllowAll}, {Access: engine.AllowAll}, {Access: engine.AllowAll}}
		}
		s := New(&audit.Site{Crawlers: crawlers}, func(int) []byte { return body })
		s.AddRecord(audit.Record{Robots: robots})
		s.AddRecord(audit.Record{Rules: &audit.Rules{Crawlers: []int{0, 2}, Counts: []audit.RuleCount{{Line: 2, Decided: 3}, {Line: 4}}}})
		lines := slices.Collect(s.Lines(robots, body))
		var got []FileLine
		s.FileLines(7, func(l *FileLine) { l.Rules = slices.Clone(l.Rules); got = append(got, *l) })
		rest := bytes.TrimPrefix(body, []byte("\xef\xbb\xbf"))
		for n := 1; len(rest) > 0; n++ {
			offset := len(body) - len(rest)
			end := bytes.IndexAny(append(slices.Clip(rest), '\n'), "\r\n")
			text := string(rest[:end])
			if rest = rest[end:]; bytes.HasPrefix(rest, []byte("\r\n")) {
				rest = rest[1:]
			}
			rest = rest[min(1, len(rest)):]
			if n > len(got) {
				t.Fatalf("%q: %d lines, want more", body, len(got))
			}
			l := got[n-1]
			if l.Text != text || l.Offset != offset || l.Number != n || (len(l.Rules) > 0) != (n == 2 || n == 4) || n == 2 && (l.Rules[0].Decided != 3 || !slices.Equal(l.Rules[0].Crawlers, []int{0, 2}) || l.Rules[0].ID == "") {
				t.Errorf("%q: line %d is %+v, want %q at %d", body, n, l, text, offset)
			}
			if why := l.Why; n <= len(lines) && why != lines[n-1].Why || n > len(lines) && (why != "") != (len(lines) > 0) {
				t.Errorf("%q: line %d: %q", body, n, why)
			}
			got[n-1] = FileLine{}
		}
		if slices.ContainsFunc(got, func(l FileLine) bool { return l.Number > 0 }) {
			t.Errorf("%q: lines of which there are none: %+v", body, got)
		}
	}
}

// TestCommentAbove: a comment is about the rules below it, up to the next other line.
func TestCommentAbove(t *testing.T) {
	const body = "# Bots\nUser-agent: *\nDisallow: /a\n# Build files\n# == not for search ==\nDisallow: /b\nAllow: /c\n\nDisallow: /d\n#\nDisallow: /e\n"
	s := New(&audit.Site{Crawlers: []audit.Crawler{{Label: "A", Profile: "google"}}}, func(int) []byte { return []byte(body) })
	s.AddRecord(audit.Record{Robots: &audit.Robots{Origin: "https://a.example", Reads: []audit.Read{{Access: engine.Parsed, GroupLine: 2}}}})
	for rule, want := range map[int]string{3: "", 6: "not for search", 7: "not for search", 9: "", 11: ""} {
		if number, got := s.commentAbove(0, rule); got != want || got != "" && number != 5 {
			t.Errorf("line %d: %q in line %d, want %q", rule, got, number, want)
		}
	}
}
