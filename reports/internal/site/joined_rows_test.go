package site

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"robots-audit/audit"
	"robots-audit/crawl"
)

// Crawlers for which a rule had the same effect share a row, whatever other rules did for them, and
// the rows are made once.
func TestJoinedRows(t *testing.T) {
	s := New(&audit.Site{Crawlers: []audit.Crawler{{Label: "A"}, {Label: "B"}, {Label: "C"}, {Label: "D"}}}, func(int) []byte { return []byte(strings.Repeat("x\n", 7)) })
	own := &audit.Robots{Origin: "https://a.example", Reads: make([]audit.Read, 4)}
	for line := range 6 {
		own.Rules = append(own.Rules, audit.RuleLine{Line: 2 + line, Rule: fmt.Sprintf("disallow: /%d", line)})
	}
	s.addRobots(own)
	own = s.Robots(0)
	add := func(crawlers []int, decided ...int64) {
		of := &audit.Rules{Crawlers: crawlers}
		for i, n := range decided {
			of.Counts = append(of.Counts, audit.RuleCount{Line: 2 + i, Rule: own.Rules[i].Rule, Matched: n, Decided: n, Frees: n})
		}
		s.AddRecord(audit.Record{Rules: of})
	}
	add([]int{2, 0}, 5, 5, 0, 0, 0)
	add([]int{1}, 5, 6, 0, 1, 0)
	add([]int{3, 99}, 5, 5, 0, 1, 0)
	rows := s.RuleLinesOf(own, 100)
	got := map[int][]string{}
	for line, list := range rows {
		for _, r := range list {
			if r.Line != line || r.Rule != own.Rules[line-2].Rule || r.Effect != RuleEffect(r.RuleCount, 0) {
				t.Errorf("line %d: %+v", line, r)
			}
			got[line] = append(got[line], fmt.Sprint(r.Names, " ", r.Decided, " ", r.Crawlers))
		}
	}
	for line, want := range map[int][]string{
		2: {"A, B, C, D 5 [0 1 2 3]"}, 3: {"A, C, D 5 [0 2 3]", "B 6 [1]"}, 4: {"A, B, C, D 0 [0 1 2 3]"},
		5: {"A, C 0 [0 2]", "B, D 1 [1 3]"}, 6: {"A, B, C, D 0 [0 1 2 3]"}, 7: nil,
	} {
		if !slices.Equal(got[line], want) {
			t.Errorf("line %d: %q, want %q", line, got[line], want)
		}
		for _, of := range [][]RuleRow{s.rowsOfLine(originLine{0, line}, 100), s.joinRules(own, 100, line)[line]} {
			if !slices.EqualFunc(of, rows[line], func(a, b RuleRow) bool { return fmt.Sprint(a) == fmt.Sprint(b) }) {
				t.Errorf("line %d alone: %+v, want %+v", line, of, rows[line])
			}
		}
	}
	if again := s.RuleLinesOf(own, 100); &again[2][0] != &rows[2][0] {
		t.Error("the rows are made again")
	}
	if other := s.RuleLinesOf(own, 0); &other[2][0] == &rows[2][0] {
		t.Error("the rows of another number of URLs are not made again")
	}
	// Rows that are yielded are the site's own no longer.
	count := 0
	s.FileLines(100, func(l *FileLine) {
		for i := range l.Rules {
			l.Rules[i].Names = ""
			count++
		}
	})
	if count != 8 || s.RuleLinesOf(own, 100)[2][0].Names == "" {
		t.Errorf("%d rows", count)
	}
}

// TestSitemapNotes explains entries that gave no URL to test because others named it before.
func TestSitemapNotes(t *testing.T) {
	noted := func(repeated int64) (s audit.Sitemap) {
		s.Notes, s.Repeated = []audit.Note{{Code: "mixed_schemes"}}, repeated
		return s
	}
	notes := FormatNotes(noted(0).Notes)
	for _, c := range []struct {
		file audit.Sitemap
		want string
	}{
		{audit.Sitemap{Tested: 2, Repeated: 45_000}, "45,000 entries repeat URLs listed before"},
		{noted(1), "1 entry repeats a URL listed before; " + notes},
		{noted(0), notes},
	} {
		if got := SitemapNotes(&c.file); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// TestSchemeNotes: entries of the other scheme are counted, and not the sitemaps that have them.
func TestSchemeNotes(t *testing.T) {
	for _, c := range []struct {
		note audit.Note
		want string
	}{
		{audit.Note{Code: crawl.NoteOtherScheme, Count: 10_000, Detail: "https://a.example/"}, "10,000 https URLs in an http sitemap: https://a.example/"},
		{audit.Note{Code: crawl.NoteOtherScheme, Count: 1, Detail: "http://a.example/"}, "http URLs in an https sitemap: http://a.example/"},
		{audit.Note{Code: crawl.NoteOtherScheme}, "https URLs in an http sitemap, or the reverse"},
		{audit.Note{Code: crawl.NoteOtherHost, Count: 2}, "2 URLs of another host, whose robots.txt does not name this sitemap"},
		{audit.Note{Code: crawl.NoteMissingLoc, Count: 2}, "an entry without a URL (2 times)"},
	} {
		if got := FormatNotes([]audit.Note{c.note}); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// TestNeedlessRule: a rule that decides URLs, and whose deletion changes nothing, has a reason for that.
func TestNeedlessRule(t *testing.T) {
	for rule, want := range map[string]string{
		"allow: /":    "decides 2 URLs; deleting it changes nothing, because they are allowed without it",
		"disallow: /": "decides 2 URLs; deleting it changes nothing, because another line decides the same",
	} {
		if got := RuleEffect(audit.RuleCount{Rule: rule, Matched: 2, Decided: 2}, 2); got != want {
			t.Errorf("%s: %q, want %q", rule, got, want)
		}
	}
}
