package edit

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime"
	"slices"
	"strings"
	"testing"

	"robots-audit/audit"
	"robots-audit/audit/table"
	"robots-audit/crawl"
	"robots-audit/engine"
)

// records are those of a site with a robots.txt by https and by http, and URLs of either.
func records(t *testing.T, crawlers, https, http string, urls ...string) Records {
	t.Helper()
	list, err := audit.ParseCrawlers(crawlers)
	noError(t, err)
	var robots []*audit.Robots
	for i, body := range []string{https, http} {
		origin := []string{"https://a.example", "http://a.example"}[i]
		r := &audit.Robots{Index: i, Origin: origin, File: *crawl.ServedRobots(origin, []byte(body), 0)}
		if i > 0 && body == https {
			r.SameAs = robots[0].Origin
		}
		robots = append(robots, r)
	}
	return func() iter.Seq2[audit.Record, error] {
		return func(yield func(audit.Record, error) bool) {
			if !yield(audit.Record{Site: &audit.Site{Name: "a.example", Crawlers: list}}, nil) || !yield(audit.Record{Robots: robots[0]}, nil) || !yield(audit.Record{Robots: robots[1]}, nil) {
				return
			}
			for _, url := range urls {
				u := audit.URL{Loc: url}
				if strings.HasPrefix(url, "http:") {
					u.Origin = 1
				}
				if !yield(audit.Record{URLs: &audit.URLs{List: []audit.URL{u}}}, nil) {
					return
				}
			}
		}
	}
}

// TestFind asks for changes of files that http and https share, or do not.
func TestFind(t *testing.T) {
	const shut, open = "User-agent: *\nDisallow: /a\n", "User-agent: *\nDisallow: /b\n"
	for _, test := range []struct {
		name    string
		records Records
		want    engine.Verdict
		urls    []string
		words   string // "" = an error
		origins []string
		unknown int
		err     string
	}{
		{"both serve it", records(t, "Googlebot", shut, shut, "https://a.example/a1", "http://a.example/a2"), engine.Allow, []string{"http://a.example/a1", "https://a.example/a1"},
			"Insert after line 1: Allow: /a1\nThis unblocks the URL for the crawler. It changes no other verdict on 1 URL.", []string{"http://a.example", "https://a.example"}, 0, ""},
		{"each its own", records(t, "Googlebot", shut, open, "https://a.example/a1", "https://a.example/a2", "http://a.example/b1"), engine.Allow, []string{"/a1"},
			"Insert after line 1: Allow: /a1\nThis unblocks the URL for the crawler. It changes no other verdict on 1 URL.", []string{"https://a.example"}, 0, ""},
		{"of both", records(t, "Googlebot", shut, open, "https://a.example/a1"), engine.Allow, []string{"/a1", "http://a.example/b1"},
			"", nil, 0, "/a1 and http://a.example/b1 have different robots.txt files. Ask for the URLs of https://a.example and of http://a.example in two steps"},
		{"not asked", records(t, "Googlebot", shut, open), engine.Allow, []string{"https://b.example/"},
			"", nil, 0, "https://b.example/: the run did not fetch https://b.example/robots.txt, only that of https://a.example and http://a.example"},
		{"unURLs", records(t, "Googlebot", shut, open, "https://a.example/c"), engine.Disallow, []string{"/x", "/y?z", "/c"},
			"Insert after line 1: Disallow: /\nThis gives all 3 verdicts asked for. No other URL was found to check.", []string{"https://a.example"}, 2, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			a, err := Find(context.Background(), &Wish{Want: test.want, URLs: test.urls}, test.records)
			if err != nil || test.err != "" {
				if fmt.Sprint(err) != test.err {
					t.Errorf("error %v, want %s", err, test.err)
				}
				return
			}
			if words := Describe(a.Result); words != test.words || !slices.Equal(a.Origins, test.origins) || a.Unknown != test.unknown || !a.Met() {
				t.Errorf("%s\n%q, %d unknown, met: %v\nwant\n%s\n%q, %d unknown", words, a.Origins, a.Unknown, a.Met(), test.words, test.origins, test.unknown)
			}
		})
	}
}

// TestFindForOthers asks for some crawlers alone: for the others nothing flips.
func TestFindForOthers(t *testing.T) {
	of := records(t, "Googlebot,Bingbot", "User-agent: *\nDisallow: /a\n", "", "https://a.example/a", "https://a.example/b")
	chosen, err := audit.ParseCrawlers("bingbot,GPTBot")
	noError(t, err)
	a, err := Find(context.Background(), &Wish{Want: engine.Disallow, URLs: []string{"/b"}, Crawlers: chosen}, of)
	noError(t, err)
	if len(a.Further) != 1 || a.Further[0].Label != "GPTBot" || !a.Met() {
		t.Errorf("met: %v, not of the run: %v", a.Met(), a.Further)
	}
	for crawler, want := range map[string]engine.Verdict{"Googlebot": engine.Allow, "Bingbot": engine.Disallow, "GPTBot": engine.Disallow} {
		robot, _ := engine.ParseCrawler(crawler)
		profile, _ := engine.ParseProfile(robot.Profile)
		if is := profile.Parse(a.Body).Group(robot).Verdict("/b").Verdict; is != want {
			t.Errorf("%s: %s by\n%s", crawler, is, a.Body)
		}
	}
}

// TestFindLongList uses more URLs than package edit takes: all of them are judged by the new file,
// and a list without common parts is refused.
func TestFindLongList(t *testing.T) {
	const file = "User-agent: *\nDisallow: /shop/\nDisallow: /news/\n"
	var urls, shop, odd []string
	for i := range 1200 {
		urls = append(urls, fmt.Sprintf("https://a.example/shop/%d", i), fmt.Sprintf("https://a.example/news/%d", i))
		shop = append(shop, fmt.Sprintf("/shop/%d", i))
		if i%7 > 2 && i%7 != 5 {
			odd = append(odd, fmt.Sprintf("/shop/%d", i), fmt.Sprintf("/news/%d", i))
		}
	}
	shop = append(shop, "/news/7") // which no part has at first
	of := records(t, "Googlebot", file, "", urls...)
	a, err := Find(context.Background(), &Wish{Want: engine.Allow, URLs: shop}, of)
	noError(t, err)
	if !a.Met() || a.Needed != 1201 || a.Known != 1199 {
		t.Errorf("met: %v, %d needed, %d others known", a.Met(), a.Needed, a.Known)
	}
	google, _ := engine.ParseProfile("google")
	allowed := google.Parse(a.Body).Group(engine.Crawler{Name: "Googlebot", Tokens: []string{"Googlebot"}})
	for _, url := range urls {
		if want := strings.Contains(url, "/shop/") || strings.HasSuffix(url, "/news/7"); (allowed.Verdict(url).Verdict == engine.Allow) != want {
			t.Fatalf("%s allowed is not %v by\n%s", url, want, a.Body)
		}
	}
	if _, err := Find(context.Background(), &Wish{Want: engine.Allow, URLs: odd}, of); err == nil || !strings.Contains(err.Error(), "have too little in common for one change") {
		t.Errorf("a list without anything in common: %v", err)
	}
}

// TestFindFaults returns the errors of the records.
func TestFindFaults(t *testing.T) {
	of := records(t, "Googlebot", "User-agent: *\nDisallow: /a\n", "", "https://a.example/a")
	damaged := errors.New("a damaged line")
	passes := 0
	broken := func() iter.Seq2[audit.Record, error] {
		passes++
		return func(yield func(audit.Record, error) bool) {
			for rec, err := range of() {
				if !yield(rec, err) {
					return
				}
			}
			if passes > 2 {
				yield(audit.Record{}, damaged)
			}
		}
	}
	if _, err := Find(context.Background(), &Wish{Want: engine.Allow, URLs: []string{"/a"}}, broken); !errors.Is(err, damaged) || !errors.As(err, new(*RecordsError)) {
		t.Errorf("records that are damaged: %v", err)
	}
	without := func(change func(*crawl.RobotsFile)) Records {
		return func() iter.Seq2[audit.Record, error] {
			return func(yield func(audit.Record, error) bool) {
				for rec, err := range of() {
					if rec.Robots != nil {
						r := *rec.Robots
						change(&r.File)
						rec.Robots = &r
					}
					if !yield(rec, err) {
						return
					}
				}
			}
		}
	}
	for want, change := range map[string]func(*crawl.RobotsFile){
		"the run did not store https://a.example/robots.txt. Name the file with -robots":                           func(f *crawl.RobotsFile) { f.Body = nil },
		"the run stored only the first 27 bytes of https://a.example/robots.txt. Name the whole file with -robots": func(f *crawl.RobotsFile) { f.Truncated = true },
	} {
		if _, err := Find(context.Background(), &Wish{Want: engine.Allow, URLs: []string{"/a"}}, without(change)); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestReadList reads files of URLs.
func TestReadList(t *testing.T) {
	list, err := ReadList("f", []byte("\xEF\xBB\xBF/a\r\n# no URL\n\n  https://a.example/b?c#d  \nHTTP://a.example"), table.Options{})
	if want := []string{"/a", "https://a.example/b?c#d", "HTTP://a.example"}; err != nil || !slices.Equal(list, want) {
		t.Errorf("%q, %v", list, err)
	}
	_, err = ReadList("f", []byte(strings.Repeat("x\n", 50)), table.Options{})
	if n := strings.Count(fmt.Sprint(err), "\n"); n != maxTold-1 {
		t.Errorf("%d lines told: %v", n+1, err)
	}
	if _, err = ReadList("f", []byte(strings.Repeat("/x\n", MaxURLs+1)), table.Options{}); fmt.Sprint(err) != "f: more than 200,000 URLs" {
		t.Errorf("a list too long: %v", err)
	}
}

// TestFindGrowth edits files with a thousand groups of one name, which readers join, and rules with
// thousands of wildcards. The cost must not grow with their number times the number of URLs.
func TestFindGrowth(t *testing.T) {
	const wished, most = 100, 512 << 20
	var urls []string
	for i := range wished {
		urls = append(urls, fmt.Sprintf("https://a.example/x/%d", i))
	}
	var groups, stars strings.Builder
	stars.WriteString("User-agent: googlebot\n")
	for i := range 1000 {
		fmt.Fprintf(&groups, "User-agent: b%d\nUser-agent: googlebot\nDisallow: /x/%d\n", i, i)
	}
	for range 4 {
		stars.WriteString("Disallow: /x/" + strings.Repeat("*", 100_000) + "\n")
	}
	for name, body := range map[string]string{"groups": groups.String(), "wildcards": stars.String()} {
		of := records(t, "Googlebot,Bingbot,YandexBot", body, "", append(urls, "https://a.example/x/200", "https://a.example/y")...)
		for _, want := range []engine.Verdict{engine.Allow, engine.Disallow} {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			a, err := Find(context.Background(), &Wish{Want: want, URLs: urls}, of)
			runtime.ReadMemStats(&after)
			noError(t, err)
			if taken := after.TotalAlloc - before.TotalAlloc; taken > most {
				t.Errorf("%s, %v: %d bytes were allocated, want %d at most", name, want, taken, most)
			}
			if name == "groups" && !a.Met() {
				t.Errorf("%s, %v: not met:\n%s", name, want, Describe(a.Result))
			}
		}
	}
}
