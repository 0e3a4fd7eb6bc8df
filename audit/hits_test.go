package audit

import (
	"cmp"
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

// TestNoteLogs: only what the logs prove about a leading crawler changes the state.
func TestNoteLogs(t *testing.T) {
	now := time.Date(2026, 11, 29, 8, 0, 0, 0, time.UTC)
	// refused has 60 requests for pages of which some got an HTTP 503, and 3 for robots.txt with one.
	refused := func(name, purpose string, n int64) LogCrawler {
		return LogCrawler{
			Name: name, Purpose: purpose, Genuine: LogTally{Requests: 63},
			Robots:   LogRobots{Requests: 3, Statuses: []LogCount{{"200", 2}, {"503", 1}}},
			Statuses: []LogCount{{"2xx", 62 - n}, {"5xx", n + 1}}, Codes: []LogCount{{"503", n + 1}},
		}
	}
	google, bing, gpt := refused("Googlebot", "search", 30), refused("Bingbot", "search", 45), refused("GPTBot", "AI training", 60)
	with := func(c LogCrawler, change func(*LogCrawler)) []LogCrawler {
		change(&c)
		return []LogCrawler{c}
	}
	// days are two days, some days ago, with errors for some of the requests for pages and 20 requests for robots.txt.
	days := func(ago, later int, requests, errors, laterRequests, laterErrors int64) []LogDay {
		day := func(ago int, requests, errors int64) LogDay {
			return LogDay{Day: now.AddDate(0, 0, -ago).Format(time.DateOnly), Requests: requests + 20, Errors: errors, Robots: 20}
		}
		return []LogDay{day(ago, requests, errors), day(later, laterRequests, laterErrors)}
	}
	google30 := "the genuine Googlebot got HTTP 503 in 30 of 60 requests"
	for name, tt := range map[string]struct {
		logs    []LogCrawler
		tested  string
		age     time.Duration
		scaled  float64
		state   State // before; "" = OK
		want    State
		because string // before the lead; "" = nothing
	}{
		"half of the requests":          {logs: []LogCrawler{google}, want: Warn, because: google30},
		"nine of ten":                   {logs: []LogCrawler{refused("Googlebot", "search", 54)}, want: Critical, because: "the genuine Googlebot got HTTP 503 in 54 of 60 requests"},
		"not quite nine of ten":         {logs: []LogCrawler{refused("Googlebot", "search", 53)}, want: Warn, because: "the genuine Googlebot got HTTP 503 in 53 of 60 requests"},
		"less than half":                {logs: []LogCrawler{refused("Googlebot", "search", 29)}, want: OK},
		"few requests":                  {logs: with(google, func(c *LogCrawler) { c.Statuses, c.Codes = []LogCount{{"5xx", 12}}, []LogCount{{"503", 10}} }), want: OK},
		"two crawlers":                  {logs: []LogCrawler{google, bing}, want: Warn, because: google30 + " and the genuine Bingbot got HTTP 503 in 45 of 60 requests"},
		"nothing was tested":            {logs: []LogCrawler{google}, state: Undetermined, want: Warn, because: google30},
		"not a tested crawler":          {logs: []LogCrawler{gpt}, want: OK},
		"the user tests an AI crawler":  {logs: []LogCrawler{gpt}, tested: "GPTBot", want: Warn, because: "the genuine GPTBot got HTTP 503 in 60 of 60 requests"},
		"old logs":                      {logs: []LogCrawler{google}, age: 31 * 24 * time.Hour, want: OK},
		"addresses of others":           {logs: with(google, func(c *LogCrawler) { c.Unknown.Requests = 1 }), want: OK},
		"no address is known":           {logs: with(google, func(c *LogCrawler) { c.Genuine, c.Unknown = c.Unknown, c.Genuine }), want: OK},
		"other crawlers' are newer":     {logs: with(google, func(c *LogCrawler) { c.Days = days(40, 31, 30, 30, 30, 0) }), want: OK},
		"refused every day":             {logs: with(google, func(c *LogCrawler) { c.Days = days(29, 23, 30, 0, 30, 30) }), want: Warn, because: google30},
		"mended a week ago":             {logs: with(google, func(c *LogCrawler) { c.Days = days(27, 20, 30, 30, 30, 14) }), want: OK},
		"the last week":                 {logs: with(google, func(c *LogCrawler) { c.Days = days(6, 0, 40, 30, 20, 0) }), want: Warn, because: google30},
		"a log of some requests":        {logs: []LogCrawler{google}, scaled: 4, want: OK},
		"a log of a third":              {logs: []LogCrawler{google}, scaled: 3, want: Warn, because: google30},
		"most refused URLs are blocked": {logs: with(refused("Googlebot", "search", 40), func(c *LogCrawler) { c.Waste.Blocked = 25 }), want: OK},
		"half of the allowed ones":      {logs: with(refused("Googlebot", "search", 40), func(c *LogCrawler) { c.Waste.Blocked = 20 }), want: Warn, because: "the genuine Googlebot got HTTP 503 in 40 of 60 requests"},
		"nine of ten allowed ones":      {logs: with(refused("Googlebot", "search", 56), func(c *LogCrawler) { c.Waste.Blocked = 30 }), want: Warn, because: "the genuine Googlebot got HTTP 503 in 56 of 60 requests"},
		"two errors":                    {logs: with(google, func(c *LogCrawler) { c.Codes = []LogCount{{"503", 21}, {"403", 10}} }), want: Warn, because: "the genuine Googlebot got HTTP 503 or another error in 30 of 60 requests"},
		"an error of robots.txt": {logs: with(google, func(c *LogCrawler) {
			c.Statuses = []LogCount{{"2xx", 30}, {"4xx", 2}, {"5xx", 31}}
			c.Robots.Statuses, c.Codes = []LogCount{{"403", 2}, {"503", 1}}, []LogCount{{"503", 31}, {"403", 2}}
		}), want: Warn, because: google30},
		"blocked URLs are refused":  {logs: with(google, func(c *LogCrawler) { c.Waste.Blocked = 30 }), want: OK},
		"a record without statuses": {logs: with(google, func(c *LogCrawler) { c.Codes = nil }), want: OK},
		"HTTP 404":                  {logs: with(google, func(c *LogCrawler) { c.Codes = []LogCount{{"404", 31}} }), want: OK},
	} {
		crawlers, err := ParseCrawlers(cmp.Or(tt.tested, "Googlebot,Bingbot"))
		if err != nil {
			t.Fatal(err)
		}
		d := Done{State: cmp.Or(tt.state, OK), Ground: GroundNone, Why: "All is allowed.", Finished: now}
		d.NoteLogs(&Logs{To: now.Add(-tt.age), Crawlers: tt.logs, Scaled: tt.scaled}, crawlers)
		why, ground := "All is allowed.", GroundNone
		if tt.because != "" {
			why, ground = "In the access logs, "+tt.because+". "+why, GroundLogs
		}
		if d.State != tt.want || d.Why != why || d.Ground != ground {
			t.Errorf("%s: %s, %s, %q; want %s, %s, %q", name, d.State, d.Ground, d.Why, tt.want, ground, why)
		}
	}
	for code, refuses := range map[string]bool{"401": false, "402": true, "403": true, "404": false, "406": true, "410": false, "429": true, "444": true, "451": true, "500": false, "503": true} {
		c := LogCrawler{Genuine: LogTally{Requests: 10}, Statuses: []LogCount{{code[:1] + "xx", 10}}, Codes: []LogCount{{code, 10}}}
		if of := c.Answers(); of.Requests != 10 || (of.Refused == 10) != refuses {
			t.Errorf("HTTP %s: %+v", code, of)
		}
	}
	// What was critical before, or could not be read, stays the first thing to say.
	for ground, state := range map[string]State{GroundHome: Critical, GroundUnread: Undetermined} {
		d := Done{State: state, Ground: ground, Why: "The home page is blocked. Is this intended?", Finished: now}
		crawlers, _ := ParseCrawlers("Googlebot")
		d.NoteLogs(&Logs{To: now, Crawlers: []LogCrawler{google}}, crawlers)
		if want := "The home page is blocked. In the access logs, " + google30 + ". Is this intended?"; d.State != state || d.Ground != ground || d.Why != want {
			t.Errorf("%s: %s, %s, %q; want %q", ground, d.State, d.Ground, d.Why, want)
		}
	}
}
