//go:build soak && unix

package engine

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

// growthShapes are files in which every line makes some check read other lines.
// %d is the number of the line.
var growthShapes = []struct{ name, head, line string }{
	{"literals", "User-agent: *\n", "Disallow: /section-%d/page\n"},
	{"wildcards", "User-agent: *\n", "Disallow: /a*b%d*c\n"},
	{"leading stars", "User-agent: *\n", "Disallow: /*x%d\n"},
	{"anchored", "User-agent: *\n", "Disallow: /*%d$\n"},
	{"many stars", "User-agent: *\n", "Disallow: /*a*b*a*b*a*%d*a*b*a$\n"},
	{"question marks", "User-agent: *\n", "Disallow: /*?q%d=\nAllow: /*?q%[1]d=1\n"},
	{"allow and disallow", "User-agent: *\n", "Allow: /p%d/\nDisallow: /p%[1]d\n"},
	{"twins", "User-agent: *\n", "Disallow: /same\n"},
	{"twins with a star", "User-agent: *\n", "Disallow: /*same\n"},
	{"shadowed", "User-agent: *\nDisallow: /\n", "Disallow: /under/%d\n"},
	{"shadowed by stars", "User-agent: *\nDisallow: /*a\n", "Disallow: /a*a%d*a\n"},
	{"escapes", "User-agent: *\n", "Disallow: /%%C3%%A4/%d\n"},
	{"lower escapes", "User-agent: *\n", "Disallow: /%%c3%%a4/%d ü\n"},
	{"groups", "", "User-agent: bot-%d\nDisallow: /x\n\n"},
	{"groups of one name", "", "User-agent: *\nDisallow: /x%d\n\n"},
	{"groups of two names", "", "User-agent: Googlebot\nDisallow: /x%d\n\nUser-agent: Bingbot\nDisallow: /x%[1]d\n\n"},
	{"groups alike", "", "User-agent: bot%d\nDisallow: /a\nDisallow: /b\nDisallow: /c\n\n"},
	{"stacked agents", "", "User-agent: bot%d\n"},
	{"agents with versions", "", "User-agent: Googlebot/2.%d\nDisallow: /\n\n"},
	{"agents misspelt", "", "User-agent: Googelbot%d\nDisallow: /\n\n"},
	{"empty groups", "", "User-agent: bot%d\n\n\n"},
	{"sitemaps", "User-agent: *\nDisallow:\n", "Sitemap: https://h%d.example/sitemap.xml\n"},
	{"sitemaps blocked", "User-agent: *\nDisallow: /s\n", "Sitemap: https://www.example.com/s%d.xml\n"},
	{"sitemap twins", "User-agent: *\nDisallow:\n", "Sitemap: https://h.example/sitemap.xml\n"},
	{"clean paths", "User-agent: *\nDisallow:\n", "Clean-param: sid /p%d/\n"},
	{"clean names", "User-agent: *\nDisallow:\n", "Clean-param: p%d\n"},
	{"clean many names", "User-agent: *\nDisallow:\n", "Clean-param: a%d&b%[1]d&c%[1]d&d%[1]d /*x%[1]d\n"},
	{"clean twins", "User-agent: *\nDisallow:\n", "Clean-param: sid\n"},
	{"clean twins with paths", "User-agent: *\nDisallow:\n", "Clean-param: sid /a\n"},
	{"clean stars", "User-agent: *\nDisallow:\n", "Clean-param: sid /*p*%d\n"},
	{"clean and rules", "User-agent: *\n", "Disallow: /*?p%d=\nClean-param: p%[1]d\n"},
	{"hosts", "User-agent: *\nDisallow:\n", "Host: h%d.example\n"},
	{"delays", "User-agent: *\n", "Crawl-delay: %d\n"},
	{"signals", "User-agent: *\n", "Content-Signal: search=yes, ai-train=no, x%d=yes\n"},
	{"signals with paths", "User-agent: *\n", "Content-Usage: /p%d train-ai=n\n"},
	{"unknown fields", "User-agent: *\n", "Field%07d: x\n"},
	{"noindex", "User-agent: *\n", "Noindex: /p%d\n"},
	{"no colon", "User-agent: *\n", "Disallow /p%d\n"},
	{"comments", "User-agent: *\n", "# Disallow: /p%d\n"},
	{"blank lines", "User-agent: *\nDisallow: /\n", "\n"},
	{"HTML", "", "<p>%d</p>\n"},
	{"secrets", "User-agent: *\n", "Disallow: /admin/backup-%d.sql\n"},
	{"spaces", "User-agent: *\n", "  Disallow :  /a b %d  # c\n"},
	{"CR", "User-agent: *\r", "Disallow: /p%d\r"},
	{"AI groups", "", "User-agent: GPTBot\nDisallow: /%d\n\nUser-agent: CCBot\nAllow: /%[1]d\n\n"},
	{"without a group", "", "Disallow: /p%d\n"},
	{"without a slash", "User-agent: *\n" + strings.Repeat("Disallow: /*a*b\nAllow: /*c*d\n", 400), "Disallow: p%d\n"},
	{"misspelt", "User-agent: *\n" + strings.Repeat("Disallow: /*a*b\nAllow: /*c*d\n", 400), "Disalow: /p%d\n"},

	// One line of n pieces, with one to compare it with.
	{"line of stars", "User-agent: *\nDisallow: /*a*b\nDisallow: /", "*a%d"},
	{"line of one star", "User-agent: *\nDisallow: /*a*a*a$\nAllow: /", "a*"},
	{"line of escapes", "User-agent: *\nDisallow: /%%41\nDisallow: /", "%%c3%%a4"},
	{"line of letters", "User-agent: *\nDisallow: /a\nDisallow: /", "a"},
	{"line of agents", "User-agent: *\nDisallow: /a\nUser-agent: ", "bot%d, "},
	{"line of signals", "User-agent: *\nContent-Signal: ", "x%d=yes, "},
	{"line of parameters", "User-agent: *\nClean-param: ", "a%d&"},
	{"line of an address", "User-agent: *\nDisallow: /*a\nSitemap: https://www.example.com/", "a%d/"},
	{"line of a field", "User-agent: *\n", "Field"},
	{"line of colons", "User-agent: *\n", ":"},
	{"line of words", "User-agent: *\nDisallow: /a\n", "Disallow: /b%d "},
	{"line of a comment", "User-agent: *\nDisallow: /a # ", "# x%d "},
	{"line of Cyrillic", "User-agent: *\nDisallow: /a\n# ", "сoоl "},
}

// growthFile makes a file of n pieces.
func growthFile(head, line string, n int) []byte {
	var b strings.Builder
	b.WriteString(head)
	for i := range n {
		if strings.Contains(line, "%") {
			fmt.Fprintf(&b, line, i)
		} else {
			b.WriteString(line)
		}
	}
	b.WriteString("\n")
	return []byte(b.String())
}

// processor returns the processor time that this process has used.
func processor() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// growthWork is work that grows with a file's lines.
type growthWork struct {
	name string
	run  func(body []byte)
}

// growthWorks are all of them.
func growthWorks(t *testing.T) []growthWork {
	p := *mustProfile(t, "google-oss")
	crawler := mustCrawler(t, "Googlebot@google-oss")
	yandex := *mustProfile(t, "yandex")
	yandex.Limit = -1
	url := "https://www.example.com/section-7/under/3?sid=1&p7=2&q3=" + strings.Repeat("ab", 40)
	return []growthWork{
		{"lint", func(body []byte) { Lint(body, LintOptions{}) }},
		{"lint everything", func(body []byte) {
			Lint(body, LintOptions{Profiles: Profiles(), MaxPerID: -1, URL: "https://www.example.com/robots.txt"})
		}},
		{"parse and compile", func(body []byte) { p.Parse(body).Group(crawler).Verdict(url) }},
		{"explain", func(body []byte) { p.Parse(body).Group(crawler).Explain(url) }},
		{"matrix", func(body []byte) {
			var groups []*Group
			r := p.Parse(body)
			for _, c := range Crawlers() {
				groups = append(groups, r.Group(c))
			}
			m := NewMatrix(groups...)
			m.Verdicts(url, make([]Decision, len(groups)))
			m.AppendCounts(nil, 0)
		}},
		{"forecast", func(body []byte) { p.Forecast(File{Status: 503, Cached: body, UnreachableHours: 1}) }},
		{"Clean-param", func(body []byte) { yandex.Parse(body).Canonical(url) }},
	}
}

// TestGrowth measures the processor time of all work that grows with a file's
// lines, with ten times as many lines, and a hundred times. Ten times as many
// lines may take at most 30 times as long: n log n and noise take 13.
func TestGrowth(t *testing.T) {
	works := growthWorks(t)
	only := os.Getenv("ROBOTS_AUDIT_GROWTH")
	for _, shape := range growthShapes {
		if !strings.Contains(shape.name, only) {
			continue
		}
		for _, work := range works {
			measureGrowth(t, shape.name, work, func(n int) []byte { return growthFile(shape.head, shape.line, n) })
		}
	}
}

// measureGrowth measures one work on files of one shape, which file makes.
func measureGrowth(t *testing.T, shape string, work growthWork, file func(n int) []byte) {
	sizes := []int{1000, 10_000, 100_000}
	var took []time.Duration
	var bodies [][]byte
	again := func(i int) { // the minimum of a few runs, since others disturb it
		for range 3 {
			start := processor()
			work.run(bodies[i])
			took[i] = min(took[i], processor()-start)
			if took[i] > 2*time.Second {
				break
			}
		}
	}
	for _, n := range sizes {
		body := file(n)
		if len(body) > 16<<20 { // no file is read further
			continue
		}
		bodies, took = append(bodies, body), append(took, time.Hour)
		again(len(took) - 1)
		if took[len(took)-1] > 20*time.Second {
			break
		}
	}
	for i := 1; i < len(took); i++ {
		tooLong := func() bool { return took[i] > 50*time.Millisecond && took[i] > 30*took[i-1] }
		for tries := 0; tooLong() && tries < 3; tries++ {
			again(i)
		}
		if tooLong() {
			t.Errorf("%s: %s: %d lines take %v, ten times as many %v", shape, work.name, sizes[i-1], took[i-1], took[i])
		}
	}
	t.Logf("%-22s %-18s %v", shape, work.name, took)
}
