package engine

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"
)

// checkFix fixes a file, and judges the file before and after by every profile for every crawler of
// askAbout: no verdict may change. The second implementation must give the same verdicts. A second Fix must change nothing, and lines without an edit must
// have their bytes.
func checkFix(t *testing.T, name, body string, o LintOptions, counts map[string]int) {
	t.Helper()
	o.MaxPerID = -1
	find := func(body []byte) []Finding { return Lint(body, o) }
	fixed := Fix([]byte(body), nil, find)
	after := string(fixed.Body)
	if (after == body) != (fixed.Edits == 0) {
		t.Errorf("%s: %d edits, but the file changed: %v", name, fixed.Edits, after != body)
	}
	if fixed.Edits == 0 {
		return
	}
	counts["fixed files"]++
	counts["edits made"] += fixed.Edits
	if again := Fix(fixed.Body, nil, find); again.Edits > 0 {
		t.Errorf("%s: a second run makes %d edits:\n%q\n%q", name, again.Edits, after, again.Body)
	}
	was, is := linesWithEnds(strings.TrimPrefix(body, "\xEF\xBB\xBF")), linesWithEnds(strings.TrimPrefix(after, "\xEF\xBB\xBF"))
	if strings.HasPrefix(body, "\xEF\xBB\xBF") != strings.HasPrefix(after, "\xEF\xBB\xBF") || len(is) != len(fixed.From) {
		t.Fatalf("%s: %d lines, of which %d have an origin, or a byte order mark is lost", name, len(is), len(fixed.From))
	}
	var about []int
	for i, from := range fixed.From {
		if is[i] != was[from-1] {
			about = append(about, from)
		}
		if i > 0 && from < fixed.From[i-1] || strings.TrimRight(is[i], "\r\n") == strings.TrimRight(was[from-1], "\r\n") && is[i] != was[from-1] {
			t.Errorf("%s: line %d (%q) comes from line %d (%q)", name, i+1, is[i], from, was[from-1])
		}
	}
	for n := range was {
		if _, kept := slices.BinarySearch(fixed.From, n+1); !kept {
			about = append(about, n+1)
		}
	}
	if len(about) > mostJudged {
		rand.New(rand.NewSource(1)).Shuffle(len(about), func(i, j int) { about[i], about[j] = about[j], about[i] })
		about = about[:mostJudged]
	}
	q := askAbout(body, about)
	if wideText(body) == "" { // else nothing is read of it
		paths := slices.DeleteFunc(slices.Clone(q.urls), func(url string) bool { return !strings.HasPrefix(url, "/") })
		paths = paths[:min(len(paths), mostJudged)]
		counts["verdicts of the second implementation"] += checkSecond(t, body, paths) + checkSecond(t, after, paths)
	}
	for _, p := range Profiles() {
		before, now := p.Parse([]byte(body)), p.Parse([]byte(after))
		judged := map[[2]*ranking]bool{}
		for _, c := range q.crawlers {
			a, b := before.Group(c), now.Group(c)
			if operatorOf(c.Profile) == p.family() && a.CrawlDelay != b.CrawlDelay {
				t.Errorf("%s: Crawl-delay of %s was %v and is %v", name, c.Name, a.CrawlDelay, b.CrawlDelay)
			}
			if counts["verdicts"] += len(q.urls); before.Access == Parsed && judged[[2]*ranking{a.ranking, b.ranking}] {
				continue // crawlers that share a group get the same answers
			}
			judged[[2]*ranking{a.ranking, b.ranking}] = true
			for _, url := range q.urls {
				if x, y := a.Verdict(url), b.Verdict(url); x.Verdict != y.Verdict {
					t.Fatalf("%s: %s by %s: %q was %v (line %d) and is %v (line %d)\n%.400q", name, c.Tokens[0], p.Name, url, x.Verdict, x.Line(), y.Verdict, y.Line(), after)
				}
			}
		}
	}
}

// mostJudged bounds the edited lines of a file that checkFix draws URLs for, and the URLs that the
// second implementation judges.
const mostJudged = 40

// TestFix holds Fix to verdicts, on the files of the lint cases, and on small ones of lines that get in
// each other's way.
func TestFix(t *testing.T) {
	t.Parallel()
	counts := map[string]int{}
	for name, body := range lintCaseFiles(t) {
		checkFix(t, name, body, LintOptions{URL: "https://www.example.com/robots.txt"}, counts)
	}
	for _, body := range trickyFiles {
		for _, p := range Profiles() {
			checkFix(t, fmt.Sprintf("%.200q", body), body, LintOptions{Profiles: []*Profile{p}}, counts)
		}
	}
	random := rand.New(rand.NewSource(2))
	for i := range 1000 {
		checkFix(t, fmt.Sprint("made ", i), smallFile(random), LintOptions{}, counts)
	}
	t.Log(counts)
	if counts["edits made"] < 500 {
		t.Errorf("few edits: %v", counts)
	}
}

// TestFixed shows what is fixed, and what stays.
func TestFixed(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"a repeated rule", "User-agent: *\nDisallow: /a\nDisallow: /a\n", "User-agent: *\nDisallow: /a\n"},
		{"three of them, one stays", "User-agent: *\nDisallow: /a\nDisallow: /a\nDisallow: /a\n", "User-agent: *\nDisallow: /a\n"},
		{"a rule within another one", "User-agent: *\nDisallow: /a\nDisallow: /a/b\n", "User-agent: *\nDisallow: /a\n"},
		{"a blank line, which ends the group by the standard of 1994", "User-agent: *\nDisallow: /a\n\nDisallow: /b\n", "User-agent: *\nDisallow: /a\n\nDisallow: /b\n"},
		{"a wildcard at the end, which the standard of 1994 takes literally", "User-agent: *\nDisallow: /a*\n", "User-agent: *\nDisallow: /a*\n"},
		{"the only rule of a group, which holds it apart", "User-agent: *\nDisallow: /a\n\nUser-agent: *\nDisallow: /a\nUser-agent: b\nDisallow: /\n", "User-agent: *\nDisallow: /a\n\nUser-agent: *\nDisallow: /a\nUser-agent: b\nDisallow: /\n"},
		{"a sitemap twice", "Sitemap: https://a.example/s.xml\nUser-agent: *\nDisallow: /a\nSitemap: https://a.example/s.xml\n", "Sitemap: https://a.example/s.xml\nUser-agent: *\nDisallow: /a\n"},
		{"a misspelt sitemap", "Site map: https://a.example/s.xml\nUser-agent: *\nDisallow: /a\n", "Sitemap: https://a.example/s.xml\nUser-agent: *\nDisallow: /a\n"},
		{"a misspelt rule blocks", "User-agent: *\nDisalow: /a\n", "User-agent: *\nDisalow: /a\n"},
		{"a misspelt rule that another one has", "User-agent: *\nDisallow: /\nDissallow: /a\n", "User-agent: *\nDisallow: /\n"},
		{"bytes around an edit", "\xEF\xBB\xBF# \xff\r\nUser-agent: *\rDisallow: /a\nDisallow: /a\r\n#x", "\xEF\xBB\xBF# \xff\r\nUser-agent: *\rDisallow: /a\n#x"},
		{"what would be a byte order mark without the first line", "Noindex: /\nNoindex: /\n\xEF\xBB\xBFUser-agent: *\nDisallow: /a\n", "Noindex: /\n\xEF\xBB\xBFUser-agent: *\nDisallow: /a\n"},
		{"what would be one line end without the lines between", "User-agent: *\nDisallow: /a\rNoindex: /\nNoindex: /\n\nDisallow: /b\n", "User-agent: *\nDisallow: /a\rNoindex: /\n\nDisallow: /b\n"},
		{"no line end at the end", "User-agent: *\nDisallow: /a\nDisallow: /a", "User-agent: *\nDisallow: /a\n"},
		{"a field that ends the names of a group for some parsers", "User-agent: a\nVisit-time: 0200-0600\n\nUser-agent: b\nDisallow: /\n", "User-agent: a\nVisit-time: 0200-0600\n\nUser-agent: b\nDisallow: /\n"},
		{"a Crawl-delay behind an invisible character", "User-agent: a\n\u200bCrawl-delay: 30\nDisallow: /a\n", "User-agent: a\n\u200bCrawl-delay: 30\nDisallow: /a\n"},
		{"a sitemap with http and with https", "Sitemap: https://a.example/s.xml\nSitemap: http://a.example/s.xml\nUser-agent: *\nDisallow: /a\n", "Sitemap: https://a.example/s.xml\nSitemap: http://a.example/s.xml\nUser-agent: *\nDisallow: /a\n"},
		{"a Request-rate, which SeznamBot obeys", "User-agent: *\nDisallow: /a\nRequest-rate: 1/10\n", "User-agent: *\nDisallow: /a\nRequest-rate: 1/10\n"},
		{"a Crawl-delay of Bing", "User-agent: bingbot\nCrawl-delay: 1,5\nDisallow: /a\n", "User-agent: bingbot\nCrawl-delay: 1,5\nDisallow: /a\n"},
	} {
		fixed := Fix([]byte(c.body), nil, func(body []byte) []Finding { return Lint(body, LintOptions{}) })
		if got := string(fixed.Body); got != c.want {
			t.Errorf("%s: %q\nis %q\nwant %q", c.name, c.body, got, c.want)
		}
	}
}
