package agent

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"robots-audit/engine"
)

func newSet(t testing.TB, o Options) *Set {
	t.Helper()
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// named returns the name of the crawler that a user agent names; "" = a visitor.
func named(s *Set, f *Finder, agent string) string {
	id, name := f.Find([]byte(agent))
	if id == Visitor || name != "" {
		return name
	}
	return s.Crawlers()[id].Name
}

func TestFind(t *testing.T) {
	s := newSet(t, Options{})
	f := s.NewFinder()
	if len(agents) < 120 {
		t.Errorf("only %d agents", len(agents))
	}
	for _, test := range agents {
		for range 2 { // the second time from the cache
			if got := named(s, f, test.agent); got != test.want {
				t.Errorf("%s: %q, want %q", test.agent, got, test.want)
			}
		}
	}
}

// TestFindUserAgents sends the published User-Agent of each crawler that has one.
func TestFindUserAgents(t *testing.T) {
	s := newSet(t, Options{})
	f := s.NewFinder()
	for _, c := range engine.Crawlers() {
		of, ok := engine.UserAgentOf(c.Name)
		if !ok {
			continue
		}
		if got := named(s, f, of.Header); got != c.Name {
			t.Errorf("%s: %q, want %q", of.Header, got, c.Name)
		}
	}
}

// TestFindEachListed sends the name of each listed crawler, as the simplest of user agents.
func TestFindEachListed(t *testing.T) {
	s := newSet(t, Options{})
	f := s.NewFinder()
	for _, c := range s.Crawlers()[:s.listed] {
		agent := c.Name
		if names := logNames[c.Name]; names != nil {
			agent = names[0]
		}
		want := c.Name
		if c.Purpose == "control token" {
			want = "" // but "bot" in Applebot-Extended makes it a crawler that is not listed
			if c.Name == "Applebot-Extended" {
				want = c.Name
			}
		}
		for _, agent := range []string{agent, "Mozilla/5.0 (compatible; " + agent + "; +https://example.com/bot)"} {
			if got := named(s, f, agent); got != want {
				t.Errorf("%s: %q", agent, got)
			}
		}
	}
}

func TestOwnCrawlers(t *testing.T) {
	own := []engine.Crawler{
		{Name: "googlebot", Tokens: []string{"Googlebot"}, Purpose: "mine"},
		{Name: "Our shop", Tokens: []string{"ShopFetch"}, Agent: "ShopFetch/2"},
	}
	s := newSet(t, Options{Own: own})
	f := s.NewFinder()
	for agent, want := range map[string]string{
		"Googlebot/2.1": "googlebot", "ShopFetch/1": "Our shop", "shopfetch": "Our shop", "ShopFetcher": "", "Googlebot-Image/1.0": "Googlebot-Image",
	} {
		if got := named(s, f, agent); got != want {
			t.Errorf("%s: %q, want %q", agent, got, want)
		}
	}
	n := 0
	for _, c := range s.Crawlers() {
		if strings.EqualFold(c.Name, "Googlebot") {
			n++
		}
	}
	if n != 1 {
		t.Errorf("%d crawlers named Googlebot", n)
	}
}

func TestUserTriggered(t *testing.T) {
	s := newSet(t, Options{})
	want := map[string]bool{"ChatGPT-User": true, "Perplexity-User": true, "FeedFetcher-Google": true, "meta-externalfetcher": true,
		"Google-Safety": true, "Claude-User": false, "Googlebot": false, "Bytespider": false, "AdsBot-Google": false}
	for _, c := range s.Crawlers() {
		if w, ok := want[c.Name]; ok && c.UserTriggered != w {
			t.Errorf("%s: user-triggered %v", c.Name, c.UserTriggered)
		}
	}
}

func TestOtherCrawlers(t *testing.T) {
	s := newSet(t, Options{})
	f := s.NewFinder()
	for agent, want := range map[string]string{
		"YetAnotherBot/1.0":                           "YetAnotherBot",
		strings.Repeat("x", longestOther) + "Bot/1.0": OtherCrawlers, // too long
		"Bötbot/1.0":                                  OtherCrawlers,
	} {
		if id, _ := f.Find([]byte(agent)); id != s.listed || named(s, f, agent) != want {
			t.Errorf("%s has id %d and name %q", agent, id, named(s, f, agent))
		}
	}
	if got := s.Identify(s.listed, []byte("66.249.66.1"), time.Now()); got != Unknown {
		t.Errorf("others: %s", got)
	}
}

func TestCacheIsBounded(t *testing.T) {
	f := newSet(t, Options{}).NewFinder()
	long := strings.Repeat("x", 3000)
	for i := range 5 * maxCached {
		f.Find(fmt.Appendf(nil, "browser %d", i))
		f.Find([]byte("Googlebot/2.1"))
		f.Find(fmt.Appendf(nil, "%d%s", i, long[:i%3000]))
	}
	if len(f.now) > maxCached || len(f.old) > maxCached {
		t.Errorf("%d and %d user agents in the cache", len(f.now), len(f.old))
	}
	for agent := range f.now {
		if len(agent) > longCached {
			t.Fatalf("a user agent of %d bytes in the cache", len(agent))
		}
	}
}

var (
	near = time.Date(2026, 5, 20, 0, 0, 0, 0, time.UTC)
	far  = time.Date(2015, 5, 20, 0, 0, 0, 0, time.UTC)
)

// id returns the id of a crawler.
func id(t testing.TB, s *Set, name string) int {
	t.Helper()
	for i, c := range s.Crawlers() {
		if c.Name == name {
			return i
		}
	}
	t.Fatal("no crawler " + name)
	return Visitor
}

func TestIdentify(t *testing.T) {
	s := newSet(t, Options{})
	day := time.Date(2026, 5, 5, 0, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		crawler, addr string
		at            time.Time
		want          Identity
	}{
		{"Googlebot", "66.249.66.1", near, Genuine},
		{"Googlebot", "66.249.66.1", far, Genuine},
		{"Googlebot", "2001:4860:4801:10::1", near, Genuine},
		{"Googlebot", "::ffff:66.249.66.1", near, Genuine},
		{"Googlebot", "192.0.2.1", near, Claimed},
		{"Googlebot", "2001:db8::1", near, Claimed},
		{"Googlebot", "fe80::1%eth0", near, Claimed},
		{"Googlebot", "192.0.2.1", far, Unknown},
		{"Googlebot", "192.0.2.1", day.AddDate(0, 0, 180), Claimed},
		{"Googlebot", "192.0.2.1", day.AddDate(0, 0, 181), Unknown},
		{"Googlebot", "192.0.2.1", day.AddDate(0, 0, -180), Claimed},
		{"Googlebot", "192.0.2.1", day.AddDate(0, 0, -181), Unknown},
		{"Googlebot", "unknown", near, Unknown},
		{"Googlebot", "66.249.66", near, Unknown},
		{"Googlebot", "66.249.66.256", near, Unknown},
		{"Googlebot", "66.249.66.1.1", near, Unknown},
		{"Googlebot", "66.249..1", near, Unknown},
		{"Googlebot", "", near, Unknown},
		{"Googlebot", "66.249.90.33", near, Unknown}, // of Google's special-case crawlers
		{"AdsBot-Google", "66.249.90.33", near, Genuine},
		{"AdsBot-Google-Mobile", "66.249.90.33", near, Genuine},
		{"Googlebot-News", "66.249.66.1", near, Genuine},
		{"Bingbot", "157.55.39.1", near, Genuine},
		{"YandexFavicons", "5.255.231.1", near, Genuine},
		{"GPTBot", "20.171.206.7", near, Genuine},
		{"ClaudeBot", "216.73.216.5", near, Genuine},
		{"meta-externalagent", "31.13.64.1", near, Genuine},
		{"SemrushBot", "85.208.96.196", near, Genuine},
		{"SemrushBot", "192.0.2.1", near, Unknown}, // its operator publishes no list
		{"CCBot", "192.0.2.1", near, Unknown},      // no list is embedded
		{"MJ12bot", "192.0.2.1", near, Unknown},
	} {
		if got := s.Identify(id(t, s, test.crawler), []byte(test.addr), test.at); got != test.want {
			t.Errorf("%s from %q on %s: %s, want %s", test.crawler, test.addr, test.at.Format(time.DateOnly), got, test.want)
		}
	}
	if day, until := s.Dated(); day != "2026-05-05" || until != "2026-11-01" {
		t.Errorf("dated %s, believed until %s", day, until)
	}
	if got := s.Identify(Visitor, []byte("66.249.66.1"), near); got != Unknown {
		t.Errorf("visitor: %s", got)
	}
}

// TestLists checks that each list names crawlers of the crawler list, and has file names of its own.
func TestLists(t *testing.T) {
	names := map[string]bool{}
	for _, l := range embeddedLists() {
		for _, part := range append(l.parts, l.also...) {
			if names[part] && part != l.name {
				t.Errorf("two lists have a file %s", part)
			}
			names[part] = true
		}
		for _, name := range l.crawlers {
			found := false
			for _, c := range engine.Crawlers() {
				found = found || (&list{crawlers: []string{name}}).covers(c.Name)
			}
			if !found {
				t.Errorf("list %s: no crawler %s", l.name, name)
			}
		}
	}
}

func TestRangesFolder(t *testing.T) {
	const google = `{"creationTime": "2026-11-20T14:46:04.000000", "prefixes": [{"ipv6Prefix": "2001:db8:1::/48"}, {"ipv4Prefix": "203.0.113.0/24"}]}`
	now := time.Date(2026, 11, 28, 0, 0, 0, 0, time.UTC)
	write := func(t *testing.T, files map[string]string) string {
		dir := t.TempDir()
		for name, text := range files {
			path := filepath.Join(dir, name)
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Chtimes(path, now, now); err != nil {
				t.Fatal(err)
			}
		}
		return dir
	}
	s := newSet(t, Options{Ranges: write(t, map[string]string{
		"googlebot.json": google,
		"LICENSE.txt":    "MIT",
		".hidden":        "x",
		"gptbot.txt":     "\uFEFF# ranges\r\n203.0.113.0/24\r\n\r\n198.51.100.7,US # one\r\n",
		"bots.txt":       "# 2026-11-21\n216.73.216.0/22\n",
		"crawler-ips":    `{"ips": [{"ip_address": "203.0.113.9"}]}`,
		"ccbot.json":     `{"prefixes": [{"ipv4Prefix": "203.0.113.0/24"}]}`,
		"applebot.json":  `["203.0.113.0/24"]`,
		// One of three files: the embedded ranges stay, and their day.
		"user-triggered-agents.json": google,
	})})
	for _, test := range []struct {
		crawler, addr string
		at            time.Time
		want          Identity
	}{
		{"Googlebot", "203.0.113.1", now, Genuine},
		{"Googlebot", "2001:db8:1::1", now, Genuine},
		{"Googlebot", "66.249.66.1", now, Claimed}, // replaced
		{"Googlebot", "192.0.2.1", near, Unknown},  // before the new list's time
		{"GPTBot", "198.51.100.7", now, Genuine},
		{"GPTBot", "198.51.100.8", now, Claimed},
		{"AhrefsBot", "203.0.113.9", now, Genuine},
		{"AhrefsBot", "203.0.113.8", now, Claimed},
		{"CCBot", "203.0.113.8", now, Genuine},
		{"CCBot", "192.0.2.1", now, Claimed},
		{"Applebot", "203.0.113.8", now, Genuine},
		{"Google-Agent", "203.0.113.8", now, Genuine},
		{"Google-Agent", "34.64.6.1", now, Genuine},
		{"Google-Agent", "192.0.2.1", now, Unknown},
		{"Bingbot", "157.55.39.1", now, Genuine}, // no file: as embedded
		{"Bingbot", "192.0.2.1", now, Unknown},
	} {
		if got := s.Identify(id(t, s, test.crawler), []byte(test.addr), test.at); got != test.want {
			t.Errorf("%s from %s on %s: %s, want %s", test.crawler, test.addr, test.at.Format(time.DateOnly), got, test.want)
		}
	}
	days := map[string]string{"Googlebot": "2026-11-20", "GPTBot": "2026-11-28", "ClaudeBot": "2026-11-21", "Bingbot": "2026-05-05", "Google-Agent": "2026-05-05"}
	for _, c := range s.Crawlers() {
		if day, ok := days[c.Name]; ok && c.RangesDated != day {
			t.Errorf("%s: dated %q, want %s", c.Name, c.RangesDated, day)
		}
	}

	for _, test := range []struct{ file, text, want string }{
		{"my-list.json", google, "no published list of address ranges has this name: expected a file named ahrefsbot, "},
		{"gptbot.json", `{"prefixes": []}`, "no address range: expected JSON as the operator publishes it"},
		{"gptbot.json", "", "no address range"},
		{"gptbot.json", `{"prefixes": [`, "not valid JSON"},
		{"gptbot.json", `{"prefixes": [{"ipv4Prefix": "203.0.113.0/99"}]}`, `"203.0.113.0/99" is not an address`},
		{"gptbot.json", `{"prefixes": [{"ipv4Prefix": "0.0.0.0/0"}]}`, "range 0.0.0.0/0 is too large: expected at least /8"},
		{"gptbot.json", `{"creationTime": "yesterday", "prefixes": [{"ipv4Prefix": "203.0.113.0/24"}]}`, `creationTime "yesterday" is not a date`},
		{"gptbot.txt", "203.0.113.0/24\n2001::/15\n", "line 2: range 2001::/15 is too large"},
		{"gptbot.txt", "203.0.113.0/24\n<html>\n", `line 2: "<html>" is not an address`},
		{"gptbot.txt", "::ffff:203.0.113.0/120\n", "line 1: "},
		{"gptbot.txt", "0:0:1::/16\n", "line 1: "}, // has all addresses of IPv4
	} {
		_, err := New(Options{Ranges: write(t, map[string]string{test.file: test.text})})
		if err == nil || !strings.Contains(err.Error(), test.file+": ") || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s with %q: %v", test.file, test.text, err)
		}
	}
	if _, err := New(Options{Ranges: t.TempDir()}); err == nil || !strings.Contains(err.Error(), "no file with address ranges") {
		t.Errorf("empty folder: %v", err)
	}
	if _, err := New(Options{Ranges: filepath.Join(t.TempDir(), "none")}); err == nil || strings.Contains(err.Error(), "open ") {
		t.Errorf("no folder: %v", err)
	}
}

func FuzzFind(f *testing.F) {
	for _, test := range agents {
		f.Add([]byte(test.agent))
	}
	s := newSet(f, Options{})
	f.Fuzz(func(t *testing.T, agent []byte) {
		finder := s.NewFinder()
		id, name := finder.Find(agent)
		crawlers := s.Crawlers()
		if id < Visitor || id >= len(crawlers) {
			t.Fatalf("id %d of %d", id, len(crawlers))
		}
		if again, same := finder.Find(agent); again != id || same != name {
			t.Fatal("the cache has another crawler")
		}
		if id > Visitor && id < s.listed {
			if name != "" {
				t.Fatalf("a listed crawler has the name %q", name)
			}
			name := strings.ToLower(crawlers[id].Name)
			tokens := append([]string{name, crawlers[id].Agent}, append(crawlers[id].Tokens, logNames[crawlers[id].Name]...)...)
			found := false
			for _, token := range tokens {
				found = found || token != "" && strings.Contains(strings.ToLower(string(agent)), strings.ToLower(token))
			}
			if !found {
				t.Fatalf("%q is %s", agent, name)
			}
		}
		if !isName(name) || len(name) > longestOther {
			t.Fatalf("name %q", name)
		}
	})
}

func BenchmarkFindCached(b *testing.B) {
	f := newSet(b, Options{}).NewFinder()
	list := make([][]byte, len(agents))
	for i := range agents {
		list[i] = []byte(agents[i].agent)
	}
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		f.Find(list[i%len(list)])
		i++
	}
}

func BenchmarkFindNew(b *testing.B) {
	f := newSet(b, Options{}).NewFinder()
	b.ReportAllocs()
	var agent []byte
	i := 0
	for b.Loop() {
		agent = fmt.Appendf(agent[:0], "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.%d Safari/537.36", i)
		f.Find(agent)
		i++
	}
}

func BenchmarkIdentify(b *testing.B) {
	s := newSet(b, Options{})
	google := id(b, s, "Googlebot")
	for _, addr := range []string{"66.249.66.1", "198.51.100.1", "2001:4860:4801:10::1"} {
		b.Run(addr, func(b *testing.B) {
			b.ReportAllocs()
			a := []byte(addr)
			for b.Loop() {
				s.Identify(google, a, near)
			}
		})
	}
}
