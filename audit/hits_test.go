package audit

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"robots-audit/engine"
)

// someHits are hits by URL, one for each crawler, for the sites of these hosts.
type someHits struct {
	hosts []string
	urls  map[string][]int64
}

var logPeriod = LogPeriod{From: time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC), To: time.Date(2026, 1, 30, 0, 0, 0, 0, time.UTC)}

func (h someHits) Period(d Domain) (LogPeriod, bool) {
	return logPeriod, strings.Contains(strings.Join(h.hosts, " "), d.Host)
}

func (h someHits) Hits(url string, counts []int64) bool {
	for i, n := range h.urls[url] {
		counts[i] += n
	}
	return h.urls[url] != nil
}

// TestHits gives URLs the requests of the crawlers, and counts them.
func TestHits(t *testing.T) {
	a := world(t, map[string]string{
		"a.example/robots.txt":  "User-agent: Googlebot\nDisallow: /p/\n",
		"a.example/sitemap.xml": urlset("http://a.example/p/1", "http://a.example/2", "http://a.example/3", "http://a.example"),
		"b.example/robots.txt":  "",
		"b.example/sitemap.xml": urlset("http://b.example/2"),
	})
	a.Crawlers, _ = ParseCrawlers("Googlebot,Bingbot")
	a.Hits = someHits{[]string{"a.example"}, map[string][]int64{
		"http://a.example/p/1": {7, 2}, "http://a.example/2": {3, 0}, "http://a.example/": {0, 1}, "http://a.example/3": {0, 0}, "http://b.example/2": {9, 9},
	}}
	got := map[string][]int64{}
	for rec := range a.All(t.Context(), Domains(strings.NewReader("http://a.example\nhttp://b.example"))) {
		rec = rewritten(t, rec)
		switch {
		case rec.Site != nil:
			if has := rec.Site.Logs != nil; has != (rec.Domain == "a.example") || has && *rec.Site.Logs != logPeriod {
				t.Errorf("%s: logs %v", rec.Domain, rec.Site.Logs)
			}
		case rec.URLs != nil:
			for _, u := range rec.URLs.List {
				if u.Hits != nil {
					got[u.Loc] = append([]int64{}, u.Hits...)
				}
			}
		case rec.Done != nil && rec.Domain == "a.example":
			checkEqual(t, "requests", fmt.Sprint(rec.Done.Hits, rec.Done.HitsBlocked), "[10 3] [7 0]")
			if want := "1 of 4 URLs (25 %, 70 % of Googlebot's requests) is blocked for Googlebot."; !strings.Contains(rec.Done.Why, want) {
				t.Errorf("the lead %q lacks %q", rec.Done.Why, want)
			}
		case rec.Done != nil && rec.Done.Hits != nil:
			t.Error("a site without logs has hits")
		}
	}
	checkEqual(t, "hits", got, map[string][]int64{"http://a.example/p/1": {7, 2}, "http://a.example/2": {3, 0}, "http://a.example/": {0, 1}})
}

// TestWireHits writes hits without the zeros at the end. The exact form and any other read alike.
func TestWireHits(t *testing.T) {
	verdicts, lines := []engine.Verdict{engine.Allow, engine.Disallow, engine.Allow}, []int32{0, 7, 0}
	want := []URL{
		{Loc: "http://a.example/1", Verdicts: verdicts, Lines: lines, Hits: []int64{0, 12_345_678_901, 0}},
		{Loc: "http://a.example/2", Verdicts: verdicts, Lines: lines, Hits: []int64{5, 6, 0}},
		{Loc: "http://a.example/3", Verdicts: verdicts, Lines: lines},
		{Loc: "http://a.example/4", Verdicts: verdicts, Lines: lines, Hits: []int64{0, 0, 8}, Weight: Weight{Clicks: 4, ClicksGiven: true}},
	}
	wire := Encode(nil, Record{Domain: "a.example", URLs: &URLs{List: append(clone(want), URL{Loc: "http://a.example/5", Verdicts: verdicts, Lines: lines, Hits: []int64{0, 0, 0}})}})
	if text := string(wire); !strings.Contains(text, `"l":[0,7,0],"h":[5,6]}}`) || strings.Count(text, `"h":`) != 3 {
		t.Errorf("the lines are\n%s", text)
	}
	got, err := collect(t, wire)
	noError(t, err)
	want = append(want, URL{Loc: "http://a.example/5", Verdicts: verdicts, Lines: lines})
	checkEqual(t, "hits", got[0].URLs.List, want, sameRecords)
}
