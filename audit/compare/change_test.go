package compare

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"iter"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"robots-audit/audit"
	"robots-audit/crawl"
	"robots-audit/engine"
)

// answer is what https://example.com answered for its robots.txt.
type answer struct {
	status int    // 0 = 200
	code   string // of trouble
	kind   string // Content-Type; "" = text/plain
	body   string
	way    []string // addresses of all requests; nil = one, without a redirect
}

// sitemap is a requested sitemap.
type sitemap struct {
	url    string
	urls   int64
	status int // 0 = 200
}

// world is one side of a site.
type world struct {
	answer   answer
	second   *answer // of http://example.com; nil = the origin is not asked
	crawlers string  // "" = Googlebot and YandexBot
	urls     []string
	sitemaps []sitemap
	problems []audit.Problem
	cut      bool // the run was cut short within the site
	clicks   int64
	listed   bool // a sitemap names the URLs
	kind     audit.Kind
	pages    []audit.Page
	logs     *audit.Logs
	askAs    []string
	asked    *audit.Asked
}

func (w world) records(t testing.TB) iter.Seq2[audit.Record, error] {
	t.Helper()
	if w.crawlers == "" {
		w.crawlers = "Googlebot,YandexBot"
	}
	crawlers, err := audit.ParseCrawlers(w.crawlers)
	noError(t, err)
	file := func(origin string, a answer) crawl.RobotsFile {
		if a.status == 0 && a.code == "" {
			a.status = 200
		}
		if a.kind == "" {
			a.kind = "text/plain"
		}
		if a.code == "" && a.status != 200 {
			a.code = crawl.CodeHTTPStatus
		}
		if a.way == nil {
			a.way = []string{origin + "/robots.txt"}
		}
		f := crawl.RobotsFile{Outcome: crawl.Outcome{URL: origin + "/robots.txt", Status: a.status, Code: a.code, Type: a.kind, Started: start}}
		for i, url := range a.way {
			hop := crawl.Hop{URL: url, Status: a.status}
			if i < len(a.way)-1 {
				hop.Status, hop.Location = 301, a.way[i+1]
			}
			f.Hops = append(f.Hops, hop)
		}
		if a.status == 200 && a.code == "" {
			sum := sha256.Sum256([]byte(a.body))
			f.Body, f.Bytes, f.SHA256 = []byte(a.body), int64(len(a.body)), hex.EncodeToString(sum[:])
		}
		return f
	}
	records := []audit.Record{
		{Site: &audit.Site{Name: "example.com", Crawlers: crawlers, Started: start, Asked: w.askAs}},
		{Robots: &audit.Robots{Origin: "https://example.com", File: file("https://example.com", w.answer)}},
	}
	if w.second != nil {
		records = append(records, audit.Record{Robots: &audit.Robots{Index: 1, Origin: "http://example.com", File: file("http://example.com", *w.second)}})
	}
	for _, s := range w.sitemaps {
		m := &audit.Sitemap{}
		m.URL, m.Format, m.Status, m.URLs = s.url, "urlset", 200, s.urls
		if s.status != 0 {
			m.Status, m.Code, m.URLs = s.status, crawl.CodeHTTPStatus, 0
		}
		records = append(records, audit.Record{Sitemap: m})
	}
	batch := &audit.URLs{}
	for _, u := range w.urls {
		at := 0
		if strings.HasPrefix(u, "http://") {
			at = 1
		} else {
			u = "https://example.com" + u
		}
		sitemap := -1
		if w.listed {
			sitemap = 0
		}
		batch.List = append(batch.List, audit.URL{
			Loc: u, Origin: at, Kind: w.kind, Sitemap: sitemap, Verdicts: make([]engine.Verdict, len(crawlers)), Lines: make([]int32, len(crawlers)), Weight: audit.Weight{Clicks: w.clicks},
		})
	}
	records = append(records, audit.Record{URLs: batch})
	for i := range w.problems {
		records = append(records, audit.Record{Problem: &w.problems[i]})
	}
	for i := range w.pages {
		records = append(records, audit.Record{Page: &w.pages[i]})
	}
	if w.asked != nil {
		records = append(records, audit.Record{Asked: w.asked})
	}
	if w.logs != nil {
		records = append(records, audit.Record{Logs: w.logs})
	}
	if !w.cut {
		records = append(records, audit.Record{Done: &audit.Done{State: audit.OK, Origin: "https://example.com", Counts: audit.Counts{URLs: int64(len(w.urls))}, Finished: start.Add(time.Second)}})
	}
	return func(yield func(audit.Record, error) bool) {
		for _, rec := range records {
			rec.Domain = "example.com"
			if !yield(rec, nil) {
				return
			}
		}
	}
}

// toldOf lists the changes of a site and of the crawlers, one per line.
func toldOf(s *Site) (list []string) {
	for _, c := range slices.Concat(s.Readers, s.Changes) {
		line := fmt.Sprintf("%s %s %s: %s → %s", c.Severity, c.Kind, c.What, cmp.Or(c.Before, "nothing"), cmp.Or(c.After, "nothing"))
		if c.Condition != "" {
			line += " " + c.Condition
		}
		list = append(list, line)
	}
	return list
}

var update = flag.Bool("update", false, "write testdata/changes.txt anew, for review")

const base = "User-agent: *\nDisallow: /b\n"

var pages = []string{"/", "/a", "/b", "/c/d"}

// TestChanges compares each kind of change, with the causes of its flips, with
// testdata/changes.txt.
func TestChanges(t *testing.T) {
	plain := world{answer: answer{body: base}, urls: pages}
	with := func(change func(*world)) world {
		w := plain
		change(&w)
		return w
	}
	body := func(text string) world { return with(func(w *world) { w.answer.body = text }) }
	status := func(n int) world { return with(func(w *world) { w.answer = answer{status: n} }) }
	asked := func(list string) world {
		return with(func(w *world) {
			w.asked = askedAs(list)
			for _, c := range w.asked.Crawlers {
				w.askAs = append(w.askAs, c.Name)
			}
		})
	}
	long := base + strings.Repeat("# a comment of forty bytes, more or less\n", 12_500) // 512,528 bytes
	askers := func(details ...string) world {
		return with(func(w *world) {
			for _, d := range details {
				w.problems = append(w.problems, audit.Problem{Code: audit.CodeRobotsDiffers, URL: "https://example.com/robots.txt", Detail: d})
			}
		})
	}
	maps := func(list ...sitemap) world { return with(func(w *world) { w.sitemaps = list }) }
	logs := func(crawlers ...audit.LogCrawler) world {
		versions := []audit.LogVersion{{First: start.Add(-100 * time.Hour)}}
		for _, before := range []time.Duration{80 * time.Hour, 60 * time.Hour, 0} {
			versions = append(versions, audit.LogVersion{Before: start.Add(-before - time.Hour), First: start.Add(-before)})
		}
		return with(func(w *world) { w.logs = &audit.Logs{To: start.Add(time.Hour), Versions: versions, Crawlers: crawlers} })
	}
	obedient := audit.LogCrawler{Name: "YandexBot", Genuine: audit.LogTally{Requests: 40}, Robots: audit.LogRobots{Read: start}}
	disobedient, waits, refused := obedient, obedient, obedient
	disobedient.Genuine.Disobeyed = 12
	disobedient.Rules = []audit.LogRule{
		{Line: 2, Rule: "disallow: /b", Disobeyed: 9, First: start.Add(10 * time.Minute), Last: start.Add(20 * time.Minute)},
		{Line: 3, Rule: "disallow: /c", Disobeyed: 3, First: start.Add(5 * time.Minute), Last: start.Add(6 * time.Minute)},
		{Line: 4, Rule: "disallow: /d", Grace: 3},
	}
	waits.Robots.Read = start.Add(-79 * time.Hour)
	refused.Robots.Answers = []audit.LogAnswer{
		{Status: 200, First: start, Last: start, Requests: 1}, {Status: 503, First: start.Add(time.Minute), Last: start.Add(9 * time.Minute), Requests: 3},
		{Status: 403, First: start.Add(10 * time.Minute), Last: start.Add(10 * time.Minute), Requests: 1}, {Status: 499, First: start.Add(time.Hour), Last: start.Add(time.Hour), Requests: 1},
	}
	another := refused
	another.Name = "bingbot"
	a, b := "https://example.com/a.xml", "https://example.com/b.xml"
	tests := []struct {
		name     string
		old, new world
	}{
		{name: "nothing", old: plain, new: plain},
		{name: "a rule added", old: plain, new: body(base + "Disallow: /a\n")},
		{name: "a rule removed", old: plain, new: body("User-agent: *\n")},
		{name: "a rule edited", old: plain, new: body("User-agent: *\nDisallow: /c\n")},
		{name: "rules in another order", old: body(base + "Disallow: /a\n"), new: body("User-agent: *\nDisallow: /a\nDisallow: /b\n")},
		{name: "a comment", old: plain, new: body("# hello\n" + base)},
		{name: "a group of its own", old: plain, new: body("User-agent: Googlebot\nDisallow:\n\n" + base)},
		{name: "two groups merged", old: body("User-agent: Googlebot\nDisallow: /a\n\n" + base), new: body("User-agent: Googlebot\nUser-agent: *\nDisallow: /a\nDisallow: /b\n")},
		{name: "all blocked", old: plain, new: body("User-agent: *\nDisallow: /\n")},
		{name: "a staging file", old: plain, new: body("# staging: do not crawl\nUser-agent: *\nDisallow: /\nSitemap: https://staging.example.com/s.xml\n")},
		{name: "503", old: plain, new: status(503)},
		{name: "503 ended", old: status(503), new: plain},
		{name: "429", old: plain, new: status(429)},
		{name: "no answer", old: plain, new: with(func(w *world) { w.answer = answer{code: crawl.CodeTimeout} })},
		{name: "404", old: plain, new: status(404)},
		{name: "404 of a file that blocks nothing", old: body("User-agent: *\nDisallow:\n"), new: status(404)},
		{name: "403", old: plain, new: status(403)},
		{name: "404 to a file", old: status(404), new: plain},
		{name: "HTML", old: plain, new: with(func(w *world) {
			w.answer = answer{kind: "text/html", body: "<!DOCTYPE html><html><body>Hello</body></html>"}
		})},
		{name: "empty", old: plain, new: body("")},
		{name: "beyond 500 KiB", old: body(long[:300_000] + "\nDisallow: /a\n"), new: body(long + "Disallow: /a\n")},
		{name: "over four fifths of a limit", old: plain, new: body(long[:420_000])},
		{name: "redirected to another host", old: plain, new: with(func(w *world) {
			w.answer = answer{body: base + "Disallow: /a\n", way: []string{"https://example.com/robots.txt", "https://other.example/robots.txt"}}
		})},
		{name: "a redirect on the same host", old: plain, new: with(func(w *world) { w.answer.way = []string{"https://example.com/robots.txt", "https://example.com/r.txt"} })},
		{name: "redirects in a circle", old: plain, new: with(func(w *world) {
			w.answer = answer{status: 301, code: crawl.CodeRedirectLoop, way: []string{"https://example.com/robots.txt", "https://example.com/robots.txt"}}
		})},
		{name: "another type", old: plain, new: with(func(w *world) { w.answer.kind = "application/octet-stream" })},
		{name: "another charset in other letters", old: with(func(w *world) { w.answer.kind = "text/plain; charset=UTF-8" }), new: with(func(w *world) { w.answer.kind = "Text/Plain;charset=utf-8" })},
		{name: "no UTF-8", old: body("# Straße\n" + base), new: body("# Stra\xdfe\n" + base)},
		{name: "other line ends", old: plain, new: body("User-agent: *\r\nDisallow: /b\r\n")},
		{name: "a sitemap line lost", old: body(base + "Sitemap: " + a + "\n"), new: plain},
		{name: "a sitemap line added", old: plain, new: body(base + "Sitemap: " + a + "\n")},
		{name: "a sitemap blocked", old: body(base + "Sitemap: " + a + "\n"), new: body(base + "Disallow: /a.xml\nSitemap: " + a + "\n")},
		{name: "a sitemap that fails", old: maps(sitemap{a, 100, 0}), new: maps(sitemap{a, 0, 404})},
		{name: "a sitemap that can be read again", old: maps(sitemap{a, 0, 404}), new: maps(sitemap{a, 100, 0})},
		{name: "a sitemap with a third fewer URLs", old: maps(sitemap{a, 100, 0}), new: maps(sitemap{a, 60, 0})},
		{name: "a sitemap with a few fewer", old: maps(sitemap{a, 100, 0}), new: maps(sitemap{a, 80, 0})},
		{name: "one sitemap of two has half the URLs", old: maps(sitemap{a, 1000, 0}, sitemap{b, 100, 0}), new: maps(sitemap{a, 1000, 0}, sitemap{b, 50, 0})},
		{name: "AI crawlers shut out", old: plain, new: body(base + "\nUser-agent: GPTBot\nDisallow: /\n")},
		{name: "a preference", old: plain, new: body("User-agent: *\nContent-Signal: ai-train=no\nDisallow: /b\n")},
		{name: "a new lint error", old: plain, new: body(base + "Disalow: /x\n")},
		{name: "a file with a lint error where there was none", old: status(404), new: body("User-agent: *\nDisalow: /x\n\nUser-agent: *\n")},
		{name: "a lint error gone", old: body(base + "Disalow: /x\n"), new: plain},
		{name: "other askers get another file", old: plain, new: with(func(w *world) {
			w.problems = []audit.Problem{{Code: audit.CodeRobotsDiffers, URL: "https://example.com/robots.txt", Detail: "asked as a browser: 40 bytes in place of 27"}}
		})},
		{name: "Googlebot gets another file where www always was another one", old: askers("here HTTP 404 Not Found, HTTP 200 to us"), new: askers("here HTTP 404 Not Found, HTTP 200 to us", "to Googlebot's User-Agent HTTP 403 Forbidden, HTTP 200 to us")},
		{name: "of two askers one gets the same again", old: askers(`to the User-Agent "a" HTTP 403 Forbidden`, `to the User-Agent "b" HTTP 403 Forbidden`), new: askers(`to the User-Agent "b" HTTP 429 Too Many Requests`)},
		{name: "a crawler disobeys", old: plain, new: logs(disobedient)},
		{name: "it has disobeyed before", old: logs(disobedient), new: logs(disobedient)},
		{name: "it obeys", old: logs(disobedient), new: logs(obedient)},
		{name: "it is not in the logs", old: logs(disobedient, waits), new: logs(another)},
		{name: "a crawler does not read robots.txt", old: logs(obedient), new: logs(waits)},
		{name: "it reads it", old: logs(waits), new: logs(obedient)},
		{name: "robots.txt answers it errors", old: plain, new: logs(refused, another)},
		{name: "no logs", old: logs(disobedient, waits), new: plain},
		{name: "one crawler is refused", old: asked("Googlebot llll, GPTBot llll"), new: asked("Googlebot llll, GPTBot lrrr")},
		{name: "all crawlers are refused", old: asked("Googlebot llll, GPTBot llll, ClaudeBot llll"), new: asked("Googlebot rrrr, GPTBot rrrr, ClaudeBot rrrr")},
		{name: "treatments of each kind", old: asked("A llll, B llll, C llll, D llll, E rrrr, F prrl"), new: asked("A lnnn, B rnrn, C lpcl, D looo, E cccc, F lllr")},
		{name: "they are let in again", old: asked("Googlebot rrrr, GPTBot lcol"), new: asked("Googlebot llll, GPTBot llll")},
		{name: "unclear treatments", old: asked("A llll, B uuuu, C lllu, D rrrr, E rrru"), new: asked("A uuuu, B rrrr, C luur, D uuuu, E rrur")},
		{name: "a part of the site is new, and one is gone", old: asked("GPTBot rll"), new: asked("GPTBot rllr")},
		{name: "crawlers are first asked for", old: asked("GPTBot llll"), new: asked("GPTBot llll, Googlebot rrrr, ClaudeBot lrrl, PerplexityBot llcl, CCBot llll")},
		{name: "the first answers to crawlers", old: plain, new: asked("Googlebot lrrr, GPTBot uupu, CCBot llll")},
		{name: "another User-Agent", old: asked("GPTBot llll"), new: with(func(w *world) {
			*w = asked("GPTBot rrrr")
			w.asked.Crawlers[0].UserAgent = "GPTBot/2"
		})},
		{name: "nothing is asked as crawlers any more", old: asked("GPTBot rrrr"), new: plain},
		{name: "clicks", old: plain, new: with(func(w *world) { w.answer.body, w.clicks = base+"Disallow: /a\n", 30 })},
		{name: "one more crawler", old: plain, new: with(func(w *world) { w.crawlers = "Googlebot,YandexBot,GPTBot" })},
		{name: "another profile", old: with(func(w *world) { w.crawlers = "Googlebot@google-2019" }), new: with(func(w *world) { w.crawlers = "Googlebot" })},
		{name: "another origin", old: plain, new: with(func(w *world) {
			w.second, w.urls = &answer{body: base}, append(slices.Clone(pages), "http://example.com/z")
		})},
		{name: "an answer that was never asked for", old: plain, new: with(func(w *world) { w.answer = answer{code: crawl.CodeCancelled} })},
	}
	var got strings.Builder
	for _, test := range tests {
		_, site := compared(t, test.old.records(t), test.new.records(t))
		fmt.Fprintf(&got, "== %s\n", test.name)
		if len(site.Causes) > 0 {
			fmt.Fprintln(&got, "causes of flips:", site.Causes)
		}
		for _, line := range toldOf(site) {
			fmt.Fprintln(&got, line)
		}
	}
	const file = "testdata/changes.txt"
	if *update {
		if err := os.WriteFile(file, []byte(got.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	is, due := strings.Split(got.String(), "\n== "), strings.Split(string(want), "\n== ")
	for n := range min(len(is), len(due)) {
		if is[n] != due[n] {
			t.Errorf("%s\n\ndue:\n%s\n-update writes %s anew", is[n], due[n], file)
		}
	}
	if len(is) != len(due) {
		t.Errorf("%d cases, %d in %s", len(is), len(due), file)
	}
}

// TestOwnOriginFirst checks the order of origins, whatever URL flips first.
func TestOwnOriginFirst(t *testing.T) {
	side := func(robots string) iter.Seq2[audit.Record, error] {
		return world{answer: answer{body: base}, second: &answer{body: robots}, urls: []string{"http://example.com/a", "/a"}}.records(t)
	}
	flips, site := compared(t, side(base), side(base+"Disallow: /a\n"))
	var names []string
	for i := range site.Origins {
		names = append(names, site.Origins[i].Name)
	}
	if !slices.Equal(names, []string{"https://example.com", "http://example.com"}) || len(flips) != 2 || len(site.Origins[1].Diff) != 1 {
		t.Errorf("origins %q, flips %q", names, flips)
	}
}
