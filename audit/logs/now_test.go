package logs

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"robots-audit/audit"
	"robots-audit/audit/logs/line"
	"robots-audit/engine"
)

// Verdicts of a run.
const (
	runAllows = engine.Allow
	runBlocks = engine.Disallow
)

// example is a URL of a sitemap, with verdicts.
func example(path string, verdicts ...engine.Verdict) URL {
	return URL{Loc: "https://www.example.com" + path, Listed: true, Verdicts: verdicts}
}

// paths are URLs without their origin, separated by spaces.
func paths(urls []string) string {
	return strings.ReplaceAll(strings.Join(urls, " "), "https://www.example.com", "")
}

// TestBlockedNow: blocked requests are those that the newest version blocks, since blocking the others would save
// something. An error or an answer that was not confirmed is no version.
func TestBlockedNow(t *testing.T) {
	log := logged(google, "02/Nov/2026:00:00:00 +0000", "/x", 200, googlebot) +
		logged(google, "03/Nov/2026:00:00:00 +0000", "/x", 301, googlebot) +
		logged(google, "03/Nov/2026:00:00:00 +0000", "/y", 200, googlebot)
	for history, want := range map[string]int64{
		"0 block, 100 block":                        2,
		"0 block, 100 allow":                        0,
		"0 allow, 100 block":                        2,
		"0 allow, 100 allow":                        0,
		"0 block, 100 allow, 101 block":             2,
		"0 block, 100 503":                          2,
		"0 block, 100 told503, 101 nothing":         2,
		"0 allow, 100 503":                          0,
		"0 allow, 90 block, 100 doubt":              2,
		"0 block, 100 404":                          0,
		"0 503":                                     0,
		"100 block":                                 2,
		"0 block, 20 allow, 100 block2, 101 block2": 2,
	} {
		site := exampleSite("")
		site.Source, site.Origins[0].Seen = audit.LogHistory, caseHistory(t, history)
		_, of := readLogs(t, line.Options{}, site, writeLogs(t, "access.log", log)...)
		g := crawlerOf(t, of, "Googlebot")
		got := []int64{g.Waste.Blocked}
		for _, list := range [][]audit.LogPart{g.Directories, g.Templates, g.Types} {
			var n int64
			for _, part := range list {
				n += part.Blocked
			}
			got = append(got, n)
		}
		if !slices.Equal(got, []int64{want, want, want, want}) {
			t.Errorf("%s: %v blocked, want %d", history, got, want)
		}
	}
}

// TestRulesRead: a rule that a crawler disobeys is that of the version that it had read, in the result as well.
func TestRulesRead(t *testing.T) {
	log := logged(google, "01/Nov/2026:20:00:00 +0000", "/robots.txt", 200, googlebot) +
		logged(google, "04/Nov/2026:00:00:00 +0000", "/x", 200, googlebot) +
		logged(nobody, "02/Nov/2026:20:00:00 +0000", "/x", 200, strings.ReplaceAll(googlebot, "Googlebot/2.1", "Bytespider"))
	site := exampleSite("")
	site.Source, site.Origins[0].Seen = audit.LogHistory, caseHistory(t, "0 block, 40 block, 41 block2, 100 block2")
	_, of := readLogs(t, line.Options{}, site, writeLogs(t, "access.log", log)...)
	for name, want := range map[string]string{
		"Googlebot":  "1 Nov 2026, 00:00 line 2 disallow: /x, 1 disobeyed",
		"Bytespider": "1 Nov 2026, 00:00 line 2 disallow: /x, 0 disobeyed", // it has not read the file
	} {
		var got []string
		for _, r := range crawlerOf(t, of, name).Rules {
			got = append(got, fmt.Sprintf("%s line %d %s, %d disobeyed", r.Version, r.Line, r.Rule, r.Disobeyed))
		}
		if !slices.Equal(got, []string{want}) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// TestNeverBlocked: of the URLs of sitemaps that a crawler never requested, those count as blocked that the run says
// are blocked for it, whatever the log can tell of its requests. The others are the samples.
func TestNeverBlocked(t *testing.T) {
	urls := []URL{ // for Googlebot, GPTBot
		example("/a", runAllows, runBlocks), example("/b", runAllows, runBlocks), example("/b", runAllows, runBlocks), // a sitemap names it twice
		example("/private/1", runBlocks, runBlocks), example("/private/2", runBlocks, runBlocks), example("/private/3?id=1", runBlocks, runBlocks),
		example("/images/1", runBlocks, runAllows), example("/images/2", runBlocks, runAllows),
		example("/c d", runAllows, engine.Unknown), {Loc: "https://www.example.com/private/linked", Verdicts: []engine.Verdict{runBlocks, runBlocks}},
	}
	combined := logged(google, "24/May/2026:06:00:00 +0000", "/a", 200, googlebot) +
		logged(google, "24/May/2026:06:00:00 +0000", "/private/1", 200, googlebot) +
		logged(google, "24/May/2026:06:00:01 +0000", "/private/1", 200, googlebot) +
		logged(google, "24/May/2026:06:00:02 +0000", "/private/linked", 200, googlebot) +
		logged(openai, "24/May/2026:06:00:03 +0000", "/private/1", 200, gptbot) +
		logged(openai, "24/May/2026:06:00:03 +0000", "/a", 200, gptbot) +
		logged(openai, "24/May/2026:06:00:03 +0000", "/images/1", 200, gptbot) +
		logged(nobody, "24/May/2026:06:00:04 +0000", "/private/2", 200, gptbot) + // it only claims to be GPTBot
		logged(nobody, "24/May/2026:06:00:05 +0000", "/b", 200, "Bytespider")
	decoded := "#Fields: date time cs-method cs-uri-stem c-ip cs(User-Agent) sc-status\n"
	for _, of := range []string{"/a " + google + " Googlebot/2.1", "/private/1 " + google + " Googlebot/2.1", "/c%20d " + google + " Googlebot/2.1"} {
		decoded += "2026-05-24 06:00:00 GET " + of + " 200\n"
	}
	for _, test := range []struct {
		name, log string
		audited   []string
		source    audit.LogSource
		crawler   string
		never     int64
		blocked   int64
		samples   string
	}{
		{"its verdicts", combined, []string{"Googlebot", "GPTBot"}, audit.LogFile, "Googlebot", 6, 4, "/b /c d"},
		{"of another crawler", combined, []string{"Googlebot", "GPTBot"}, audit.LogFile, "GPTBot", 5, 3, "/images/2 /c d"},
		{"not audited", combined, []string{"Googlebot", "GPTBot"}, audit.LogFile, "Bytespider", 7, 0, "/a /private/1 /private/2 /private/3?id=1 /images/1 /images/2 /c d"},
		{"another profile", combined, []string{"Googlebot@google-2019", "GPTBot"}, audit.LogFile, "Googlebot", 6, 4, "/b /c d"},
		{"its own profile first", combined, []string{"GPTBot@rep-1994", "gptbot"}, audit.LogFile, "GPTBot", 5, 3, "/images/2 /c d"},
		{"a name that begins so", combined, []string{"Googlebot-Image", "GPTBot"}, audit.LogFile, "Googlebot", 6, 0, "/b /private/2 /private/3?id=1 /images/1 /images/2 /c d"},
		{"verdicts of another robots.txt", combined, nil, audit.LogFile, "Googlebot", 6, 0, "/b /private/2 /private/3?id=1 /images/1 /images/2 /c d"},
		{"nothing is known of robots.txt", combined, []string{"Googlebot", "GPTBot"}, audit.LogRun, "Googlebot", 6, 4, "/b /c d"},
		{"no request can be judged", decoded, []string{"Googlebot", "GPTBot"}, audit.LogFile, "Googlebot", 6, 4, "/b /c d"},
	} {
		for _, running := range []bool{false, true} {
			site := exampleSite("User-agent: *\nDisallow: /private\n", urls...)
			site.Source, site.Audited = test.source, test.audited
			if test.source == audit.LogRun {
				site.Origins[0].Seen = caseHistory(t, "0 told503")
			}
			if running {
				site.Known, site.URLs = NewKnown(), nil
				for _, u := range urls {
					site.Known.Add(u, nil)
				}
			}
			_, of := readLogs(t, line.Options{}, site, writeLogs(t, "access.log", test.log)...)
			c := crawlerOf(t, of, test.crawler)
			if c.NeverFetched != test.never || c.NeverBlocked != test.blocked || !running && paths(c.Never) != test.samples {
				t.Errorf("%s, running %t: %d never fetched, %d of them blocked, %q; want %d, %d, %q", test.name, running, c.NeverFetched, c.NeverBlocked, paths(c.Never), test.never, test.blocked, test.samples)
			}
			if running && test.blocked > 0 && paths(c.Never) != test.samples {
				t.Errorf("%s, running: %q, want %q", test.name, paths(c.Never), test.samples)
			}
		}
	}
}

// TestNeverKept: a running audit keeps examples for each crawler, however many URLs are blocked for it or were
// requested by another one, and not many.
func TestNeverKept(t *testing.T) {
	k := NewKnown()
	blocked, allowed := []engine.Verdict{runBlocks, runAllows}, []engine.Verdict{runAllows, runAllows}
	buffer := make([]engine.Verdict, 2) // the list belongs to the audit, which uses it again
	add := func(path string, verdicts []engine.Verdict, hits []int64) {
		copy(buffer, verdicts)
		k.Add(example(path, buffer...), hits)
	}
	for i := range 5000 {
		add(fmt.Sprint("/private/", i), blocked, []int64{0, 1})
	}
	for i := range 5000 {
		add(fmt.Sprint("/hers/", i), allowed, []int64{3, 0})
	}
	for i := range 5000 {
		add(fmt.Sprint("/his/", i), allowed, []int64{0, 2})
	}
	for i := range 5000 {
		add(fmt.Sprint("/rest/", i), allowed, nil)
	}
	add("/private/last", []engine.Verdict{runBlocks, runBlocks}, nil)
	if n := len(k.ignored); n != 2*maxIgnored || k.ignored[0].Loc != "https://www.example.com/hers/0" || k.ignored[n-1].Loc != fmt.Sprint("https://www.example.com/his/", maxIgnored-1) {
		t.Errorf("%d kept, %v", n, k.ignored)
	}
	site := exampleSite("")
	site.Known, site.Audited = k, []string{"Googlebot", "GPTBot"}
	var log strings.Builder
	for i := range 5000 {
		log.WriteString(logged(google, "24/May/2026:06:00:00 +0000", fmt.Sprint("/hers/", i), 200, googlebot))
		log.WriteString(logged(openai, "24/May/2026:06:00:00 +0000", fmt.Sprint("/his/", i), 200, gptbot))
	}
	_, of := readLogs(t, line.Options{}, site, writeLogs(t, "access.log", log.String())...)
	for name, want := range map[string]struct {
		beginning string
		samples   int
	}{"Googlebot": {"https://www.example.com/his/", maxIgnored}, "GPTBot": {"https://www.example.com/hers/", maxSamples}} {
		c := crawlerOf(t, of, name)
		if len(c.Never) != want.samples || !strings.HasPrefix(c.Never[0], want.beginning) {
			t.Errorf("%s: %d never fetched, samples %q", name, c.NeverFetched, c.Never)
		}
	}
}

// TestNeverAll: of a stored run, a search engine's crawler has more samples than others.
func TestNeverAll(t *testing.T) {
	var urls []URL
	for i := range 2 * maxNever {
		urls = append(urls, example(fmt.Sprint("/", i)))
	}
	log := logged(google, "24/May/2026:06:00:00 +0000", "/0", 200, googlebot) + logged(openai, "24/May/2026:06:00:00 +0000", "/1", 200, gptbot)
	_, of := readLogs(t, line.Options{}, exampleSite("", append(urls, urls...)...), writeLogs(t, "access.log", log)...)
	for name, want := range map[string]int{"Googlebot": maxNever, "GPTBot": maxSamples} {
		if c := crawlerOf(t, of, name); c.NeverFetched != 2*maxNever-1 || len(c.Never) != want {
			t.Errorf("%s: %d of %d never fetched, want %d", name, len(c.Never), c.NeverFetched, want)
		}
	}
}

// TestKnownBounds: the answers to which crawlers a URL is blocked for are bounded. URLs with further ones count as
// allowed.
func TestKnownBounds(t *testing.T) {
	k := NewKnown()
	for i := range 256 {
		var verdicts []engine.Verdict
		for bit := range 8 {
			verdicts = append(verdicts, []engine.Verdict{runAllows, runBlocks}[i>>bit&1])
		}
		u := example(fmt.Sprint("/", i), verdicts...)
		k.add(&u)
	}
	var all int64
	for i := range 8 {
		all += k.blocked[i]
	}
	if len(k.blockedFor) != maxBlockedFor || all == 0 || all >= 1024 {
		t.Errorf("%d answers, %d blocked", len(k.blockedFor), all)
	}
}

// TestSamples: samples that differ only by the values of parameters are one.
func TestSamples(t *testing.T) {
	var log strings.Builder
	for i := range 30 {
		log.WriteString(logged(google, "24/May/2026:06:00:00 +0000", fmt.Sprint("/private?id=", i), 200, googlebot))
	}
	for i := range 30 {
		log.WriteString(logged(google, "24/May/2026:06:00:00 +0000", fmt.Sprint("/private/", i), 200, googlebot))
	}
	_, of := readLogs(t, line.Options{}, exampleSite("User-agent: *\nDisallow: /private\n", example("/a")), writeLogs(t, "access.log", log.String())...)
	g := crawlerOf(t, of, "Googlebot")
	for name, got := range map[string][]string{"rule": g.Rules[0].Samples, "orphans": g.Orphan} {
		if all := paths(got); len(got) != maxSamples || !strings.HasPrefix(all, "/private?id=… /private/0 /private/1 ") {
			t.Errorf("%s: %s", name, all)
		}
	}
	if g.Rules[0].URLs != 60 || g.Orphans != 60 {
		t.Errorf("%d URLs of the rule, %d orphans", g.Rules[0].URLs, g.Orphans)
	}
}

// TestPages: a page with parameters at the top level is a part of its own, as one rule can block it.
func TestPages(t *testing.T) {
	write := func(targets ...string) string {
		var log strings.Builder
		for _, target := range targets {
			log.WriteString(logged(google, "24/May/2026:06:00:00 +0000", target, 200, googlebot))
		}
		return log.String()
	}
	var many, full []string
	for i := range maxPages + 3 {
		many = append(many, fmt.Sprintf("/p%d?x", i), fmt.Sprintf("/p%d?y", i))
	}
	for i := range maxParts - 1 {
		full = append(full, fmt.Sprintf("/d%d/", i))
	}
	full = append(full, "/", "/late?1", "/late?2", "/d0/?late")
	for kind, test := range map[string]struct {
		log  string
		want map[string][2]int64 // requests and URLs
		all  int
	}{
		"few": {write("/search?q=1", "/search?q=2", "/search?q=2", "/search", "/", "/?a=1", "/search/", "/search/x?q=1", "/x.php?"), map[string][2]int64{
			"/search": {3, 2}, "/": {3, 3}, "/search/": {2, 2}, "/x.php": {1, 1},
		}, 4},
		"many": {write(many...), map[string][2]int64{"/": {6, 6}, "/p0": {2, 2}}, maxListed},
		"full": {write(full...), map[string][2]int64{"/": {3, 3}, "/d0/": {2, 2}}, maxListed},
	} {
		_, of := readLogs(t, line.Options{}, exampleSite(""), writeLogs(t, "access.log", test.log)...)
		parts := map[string][2]int64{}
		for _, part := range crawlerOf(t, of, "Googlebot").Directories {
			parts[part.Name] = [2]int64{part.Requests, part.URLs}
		}
		for name, want := range test.want {
			if parts[name] != want {
				t.Errorf("%s: %s has %v, want %v", kind, name, parts[name], want)
			}
		}
		if len(parts) != test.all {
			t.Errorf("%s: %d directories, want %d", kind, len(parts), test.all)
		}
	}
}

// TestOrder: the result has one order, also where two origins have rules with the same line and version.
func TestOrder(t *testing.T) {
	site := exampleSite("User-agent: *\nDisallow: /\n")
	var log strings.Builder
	for i := range 8 {
		host := fmt.Sprintf("%d.example.com", i)
		site.Origins = append(site.Origins, Origin{Name: "https://" + host, Seen: site.Origins[0].Seen})
		log.WriteString(host + ":443 " + logged(google, "24/May/2026:06:00:00 +0000", "/a", 200, googlebot))
	}
	names := writeLogs(t, "access.log", log.String())
	_, first := readLogs(t, line.Options{}, site, names...)
	for range 10 {
		if _, of := readLogs(t, line.Options{}, site, names...); !reflect.DeepEqual(of, first) {
			t.Fatalf("%+v\n%+v", crawlerOf(t, of, "Googlebot").Rules, crawlerOf(t, first, "Googlebot").Rules)
		}
	}
}

// TestLongURLs: names and examples are bounded, whatever clients send.
func TestLongURLs(t *testing.T) {
	long := "/private/" + strings.Repeat("x", 9000)
	log := logged(google, "24/May/2026:06:00:00 +0000", long, 200, googlebot) + logged(google, "24/May/2026:06:00:00 +0000", long[1:]+"?id=1", 200, googlebot) + logged(google, "24/May/2026:06:00:00 +0000", "/"+long[9:]+"/a?id=1", 200, googlebot)
	_, of := readLogs(t, line.Options{}, exampleSite("User-agent: *\nDisallow: /private\n", example("/a")), writeLogs(t, "access.log", log)...)
	g := crawlerOf(t, of, "Googlebot")
	text, err := json.Marshal(g)
	if err != nil || len(text) > 5000 || g.Orphans != 2 || g.Rules[0].URLs != 1 || g.Genuine.Requests != 3 {
		t.Errorf("%d bytes, %d orphans, %+v: %v", len(text), g.Orphans, g.Rules, err)
	}
}

// TestTemplatesArePlain: a long parameter without "=" may be personal, in the name of a template, too.
func TestTemplatesArePlain(t *testing.T) {
	log := logged(google, "02/Nov/2026:00:00:00 +0000", "/y?anna.schmidt@mail.example", 200, googlebot) +
		logged(google, "02/Nov/2026:00:00:01 +0000", "/y?a=1&b", 200, googlebot)
	_, of := readLogs(t, line.Options{}, exampleSite(""), writeLogs(t, "access.log", log)...)
	var names []string
	for _, part := range crawlerOf(t, of, "Googlebot").Templates {
		names = append(names, part.Name)
	}
	if want := []string{"/y?a={v}&b", "/y?…"}; !slices.Equal(names, want) {
		t.Errorf("%q, want %q", names, want)
	}
}
