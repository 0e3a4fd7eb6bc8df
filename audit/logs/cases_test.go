package logs

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"robots-audit/audit"
	"robots-audit/engine"
)

// caseStart is hour 0 of the cases.
var caseStart = time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)

// caseContents are the answers for robots.txt, by the names that the cases use.
var caseContents = map[string]Observation{
	"allow":   caseServed("User-agent: *\nDisallow: /other\n"),
	"block":   caseServed("User-agent: *\nDisallow: /x\n"),
	"block2":  caseServed("# another line\nUser-agent: *\nDisallow: /x/\nDisallow: /x$\n"),
	"gpt":     caseServed("User-agent: GPTBot\nDisallow: /x\n"),
	"ads":     caseServed("User-agent: AdsBot-Google\nDisallow: /x\n"),
	"404":     {File: engine.File{Status: 404}, Told: true},
	"503":     {File: engine.File{Status: 503}},
	"told503": {File: engine.File{Status: 503}, Told: true},
	"nothing": {},
	"doubt":   {File: engine.File{Status: 200, Body: []byte("<html>")}, SHA256: "html"},
	"far":     {File: engine.File{Status: 200, Body: []byte("User-agent: *\nDisallow: /x\n"), Hops: 7}, SHA256: "far", Told: true},
}

func caseServed(body string) Observation {
	return Observation{File: engine.File{Status: 200, Body: []byte(body)}, SHA256: body, Told: true}
}

// caseHistory reads "0 allow, 48 block": hours and names of caseContents.
func caseHistory(t testing.TB, text string) (list []Observation) {
	for _, part := range strings.Split(text, ", ") {
		var hour float64
		var name string
		if text == "" {
			return nil
		}
		if _, err := fmt.Sscan(part, &hour, &name); err != nil {
			t.Fatalf("%q: %v", part, err)
		}
		o, ok := caseContents[name]
		if !ok {
			t.Fatalf("no content %q", name)
		}
		o.At = caseStart.Add(time.Duration(hour * float64(time.Hour)))
		list = append(list, o)
	}
	return list
}

// caseSecond is that of an hour.
func caseSecond(hour float64) int64 { return caseStart.Unix() + int64(hour*3600) }

var caseNames = []string{"Googlebot", "GPTBot", "AdsBot-Google", "ChatGPT-User", "bare"}

func caseCrawlers(t testing.TB) (list []engine.Crawler, user []bool) {
	for _, name := range caseNames {
		c, err := engine.ParseCrawler(name)
		if name == "bare" {
			c = engine.Crawler{Name: "bare", Tokens: []string{"Bare"}, IgnoresGlobal: true, Profile: "rfc9309"} // a profile without exemptions
		} else if err != nil {
			t.Fatal(err)
		}
		list, user = append(list, c), append(user, name == "ChatGPT-User")
	}
	return list, user
}

func TestClass(t *testing.T) {
	for _, c := range []struct {
		name    string
		history string // hours and names of caseContents
		reads   string // "24 200": hours and statuses of the crawler; "24 404 visitor"
		crawler string
		path    string
		at      float64 // hour of the request
		want    Class
		where   string // version and line
	}{
		// One content, seen before and after.
		{"blocked all the time", "0 block, 100 block", "", "Googlebot", "/x", 50, Disobeyed, "0:2"},
		{"allowed all the time", "0 block, 100 block", "", "Googlebot", "/y", 50, Obeyed, "0:0"},
		{"read and blocked", "0 block, 100 block", "49 200", "Googlebot", "/x", 50, Disobeyed, "0:2"},
		{"the query counts", "0 block, 100 block", "", "Googlebot", "/x?a=b", 50, Disobeyed, "0:2"},
		{"root without a slash", "0 block, 100 block", "", "Googlebot", "", 50, Obeyed, "0:0"},

		// What no run has seen.
		{"no run", "", "", "Googlebot", "/x", 50, Unclear, "-1:0"},
		{"only failed runs", "0 503, 100 503", "", "Googlebot", "/x", 50, Unclear, "-1:0"},
		{"before the first run", "60 block, 100 block", "", "Googlebot", "/x", 50, Unclear, "0:2"},
		{"before the first run, allowed", "60 allow, 100 allow", "", "Googlebot", "/x", 50, Unclear, "-1:0"},
		{"less than a day after the first run", "40 block, 100 block", "", "Googlebot", "/x", 50, Unclear, "0:2"},
		{"a day after the first run", "40 block, 100 block", "", "Googlebot", "/x", 64, Disobeyed, "0:2"},
		{"after the last run", "0 block, 40 block", "", "Googlebot", "/x", 50, Unclear, "0:2"},
		{"after the last run, allowed", "0 allow, 40 allow", "", "Googlebot", "/x", 50, Unclear, "0:0"},
		{"in the second of the last run", "0 block, 50 block", "", "Googlebot", "/x", 50, Disobeyed, "0:2"},
		{"in the second of the only run", "50 block", "", "Googlebot", "/x", 50, Unclear, "0:2"},
		{"read before the first run", "10 block, 100 block", "5 200", "Googlebot", "/x", 50, Unclear, "0:2"},
		{"read before the first run, then allowed", "10 allow, 100 allow", "5 200", "Googlebot", "/x", 50, Unclear, "0:0"},
		{"a failed run between equal ones", "0 block, 50 503, 100 block", "", "Googlebot", "/x", 50, Disobeyed, "0:2"},
		{"no answer between equal ones", "0 block, 50 nothing, 100 block", "", "Googlebot", "/x", 50, Disobeyed, "0:2"},
		{"an error is no content", "0 allow, 20 told503, 100 allow", "", "Googlebot", "/x", 60, Obeyed, "0:0"},
		{"an answer that is not confirmed", "0 block, 50 doubt, 100 block", "", "Googlebot", "/x", 60, Unclear, "0:2"},
		{"a day after it", "0 block, 10 doubt, 20 block, 100 block", "", "Googlebot", "/x", 44, Disobeyed, "0:2"},
		{"a day after it, but read before", "0 block, 10 doubt, 20 block, 100 block", "15 200", "Googlebot", "/x", 44, Unclear, "0:2"},
		{"doubt before the first run", "0 doubt, 10 block, 100 block", "", "Googlebot", "/x", 40, Disobeyed, "0:2"},

		// A new rule blocks.
		{"between the runs", "0 allow, 50 block, 100 block", "", "Googlebot", "/x", 40, Unclear, "1:2"},
		{"between the runs, read before", "0 allow, 20 allow, 50 block, 100 block", "20 200", "Googlebot", "/x", 40, Grace, "1:2"},
		{"an hour after", "0 allow, 50 block, 100 block", "", "Googlebot", "/x", 51, Unclear, "1:2"},
		{"an hour after, runs near", "0 allow, 26 allow, 27 block, 100 block", "", "Googlebot", "/x", 50, Grace, "1:2"},
		{"a day after, without a read", "0 allow, 26 allow, 27 block, 100 block", "", "Googlebot", "/x", 51, Disobeyed, "1:2"},
		{"read before the change", "0 allow, 26 allow, 27 block, 100 block", "20 200", "Googlebot", "/x", 50, Grace, "1:2"},
		{"read long before the change", "0 allow, 26 allow, 27 block, 100 block", "20 200", "Googlebot", "/x", 52, Stale, "1:2"},
		{"stale from a day on", "0 allow, 26 allow, 27 block, 100 block", "20 200", "Googlebot", "/x", 51, Stale, "1:2"},
		{"read after the change", "0 allow, 26 allow, 27 block, 100 block", "20 200, 28 200", "Googlebot", "/x", 52, Disobeyed, "1:2"},
		{"read after the change, within a day", "0 allow, 26 allow, 27 block, 100 block", "28 200", "Googlebot", "/x", 29, Unclear, "1:2"},
		{"read between the runs", "0 allow, 20 allow, 30 block, 100 block", "25 200", "Googlebot", "/x", 90, Unclear, "1:2"},
		{"not modified is a read", "0 allow, 26 allow, 27 block, 100 block", "28 304", "Googlebot", "/x", 60, Disobeyed, "1:2"},
		{"a part is a read", "0 allow, 26 allow, 27 block, 100 block", "28 206", "Googlebot", "/x", 60, Disobeyed, "1:2"},
		{"a redirect is no read", "0 allow, 26 allow, 27 block, 100 block", "20 200, 28 301", "Googlebot", "/x", 60, Stale, "1:2"},
		{"an error is no read", "0 allow, 26 allow, 27 block, 100 block", "20 200, 28 503", "Googlebot", "/x", 60, Stale, "1:2"},
		{"429 is no read", "0 allow, 26 allow, 27 block, 100 block", "20 200, 28 429", "Googlebot", "/x", 60, Stale, "1:2"},
		{"a read after the request", "0 allow, 26 allow, 27 block, 100 block", "20 200, 61 200", "Googlebot", "/x", 60, Stale, "1:2"},
		{"a read in the second of the request", "0 allow, 26 allow, 27 block, 100 block", "20 200, 60 200", "Googlebot", "/x", 60, Disobeyed, "1:2"},
		{"the read of another crawler", "0 allow, 26 allow, 27 block, 100 block", "20 200, 28 200 GPTBot", "Googlebot", "/x", 60, Stale, "1:2"},
		{"both versions block, it read the first one", "0 block, 40 block2, 100 block2", "20 200", "Googlebot", "/x", 60, Disobeyed, "0:2"},
		{"both versions block, it read the second one", "0 block, 26 block, 27 block2, 100 block2", "20 200, 30 200", "Googlebot", "/x", 60, Disobeyed, "1:4"},
		{"both versions block, it could know the first one", "0 block, 26 block, 27 block2, 100 block2", "", "Googlebot", "/x", 50, Disobeyed, "0:2"},
		{"both versions block, it could know the second one", "0 block, 26 block, 27 block2, 100 block2", "", "Googlebot", "/x", 52, Disobeyed, "1:4"},
		{"both versions block, it read between", "0 block, 26 block, 40 block2, 100 block2", "30 200", "Googlebot", "/x", 60, Disobeyed, "0:2"},
		{"both versions block, between", "0 block, 60 block2, 100 block2", "20 200", "Googlebot", "/x", 50, Disobeyed, "0:2"},
		{"blocked, free for some time, blocked again", "0 block, 30 allow, 32 block, 100 block", "20 200", "Googlebot", "/x", 90, Unclear, "2:2"},

		// A rule goes.
		{"newly allowed", "0 block, 27 allow, 28 allow, 100 allow", "28 200", "Googlebot", "/x", 29, Obeyed, "1:0"},
		{"newly allowed, without a read", "0 block, 27 allow, 28 allow, 100 allow", "", "Googlebot", "/x", 29, Unclear, "1:0"},
		{"newly allowed, not read yet", "0 block, 26 block, 27 allow, 100 allow", "20 200", "Googlebot", "/x", 60, Unclear, "1:0"},

		// No file.
		{"no file", "0 404, 100 404", "", "Googlebot", "/x", 50, Obeyed, "0:0"},
		{"read when there was none", "0 404, 26 404, 27 block, 100 block", "20 404", "Googlebot", "/x", 60, Stale, "1:2"},
		{"read when there was none, lately", "0 404, 26 404, 27 block, 100 block", "26 410", "Googlebot", "/x", 29, Grace, "1:2"},
		{"it got 404 where runs got the file", "0 block, 100 block", "20 404", "Googlebot", "/x", 50, Stale, "0:2"},
		{"it got 403 within the day", "0 block, 100 block", "40 403", "Googlebot", "/x", 50, Grace, "0:2"},
		{"a visitor got 404", "0 block, 100 block", "10 200, 30 404 visitor", "Googlebot", "/x", 50, Unclear, "0:2"},
		{"a visitor got 404 before the last read", "0 block, 100 block", "5 404 visitor, 10 200", "Googlebot", "/x", 50, Disobeyed, "0:2"},
		{"a visitor got 404, no read", "0 block, 100 block", "26 404 visitor", "Googlebot", "/x", 50, Unclear, "0:2"},
		{"a visitor got 404 a day ago, no read", "0 block, 100 block", "25 404 visitor", "Googlebot", "/x", 50, Disobeyed, "0:2"},
		{"another crawler got 404", "0 block, 100 block", "10 200, 30 404 GPTBot", "Googlebot", "/x", 50, Unclear, "0:2"},
		{"a visitor got 429", "0 block, 100 block", "10 200, 30 429 visitor", "Googlebot", "/x", 50, Disobeyed, "0:2"},
		{"a visitor got 200", "0 allow, 26 allow, 27 block, 100 block", "20 200, 30 200 visitor", "Googlebot", "/x", 60, Stale, "1:2"},
		{"it got a file where runs saw none", "0 404, 100 404", "40 200", "Googlebot", "/x", 50, Unclear, "0:0"},
		{"it got a file between a file and none", "0 404, 30 allow, 100 allow", "20 200", "Googlebot", "/x", 50, Obeyed, "1:0"},

		// Crawlers that cannot read the file.
		{"errors without a read", "0 block, 100 block", "20 503", "Googlebot", "/x", 50, Unclear, "0:2"},
		{"errors after a read", "0 block, 100 block", "10 200, 20 503", "Googlebot", "/x", 50, Disobeyed, "0:2"},
		{"errors for 29 days", "0 block, 9000 block", "10 200, 20 503, 700 503", "Googlebot", "/x", 20 + 29*24, Disobeyed, "0:2"},
		{"errors for 30 days", "0 block, 9000 block", "10 200, 20 503, 700 503", "Googlebot", "/x", 20 + 30*24, Unclear, "0:2"},
		{"errors for 30 days before a read", "0 block, 9000 block", "20 503, 800 200", "Googlebot", "/x", 801, Disobeyed, "0:2"},
		{"errors after the request", "0 block, 100 block", "60 503", "Googlebot", "/x", 50, Disobeyed, "0:2"},
		{"errors do not hurt", "0 allow, 100 allow", "20 429", "Googlebot", "/x", 50, Obeyed, "0:0"},

		// Groups.
		{"a group of another crawler", "0 gpt, 100 gpt", "", "Googlebot", "/x", 50, Obeyed, "0:0"},
		{"a group of its own", "0 gpt, 100 gpt", "", "GPTBot", "/x", 50, Disobeyed, "0:2"},
		{"it does not obey *", "0 block, 100 block", "", "AdsBot-Google", "/x", 50, Exempt, "0:0"},
		{"it does not obey *, which allows", "0 block, 100 block", "", "AdsBot-Google", "/y", 50, Obeyed, "0:0"},
		{"a group of its own binds it", "0 ads, 100 ads", "", "AdsBot-Google", "/x", 50, Disobeyed, "0:2"},
		{"its profile has no exemptions", "0 block, 100 block", "", "bare", "/x", 50, Exempt, "0:0"},
		{"exempt before it had a group", "0 block, 26 block, 27 ads, 100 ads", "20 200", "AdsBot-Google", "/x", 60, Stale, "1:2"},
		{"exempt after it had a group", "0 ads, 26 ads, 27 block, 100 block", "20 200", "AdsBot-Google", "/x", 60, Exempt, "1:0"},
		{"more redirects than a crawler follows", "0 far, 100 far", "", "Googlebot", "/x", 50, Obeyed, "0:0"},

		// Exempt.
		{"user-triggered, blocked", "0 block, 100 block", "", "ChatGPT-User", "/x", 50, Exempt, "0:2"},
		{"user-triggered, allowed", "0 block, 100 block", "", "ChatGPT-User", "/y", 50, Exempt, "0:0"},
		{"user-triggered, unknown", "", "", "ChatGPT-User", "/y", 50, Exempt, "-1:0"},
		{"robots.txt", "0 block, 100 block", "", "Googlebot", "/robots.txt", 50, Exempt, "0:0"},
		{"robots.txt with a query", "0 block, 100 block", "", "Googlebot", "/robots.txt?a", 50, Exempt, "0:0"},
		{"well-known", "0 block, 100 block", "", "Googlebot", "/.well-known/traffic-advice", 50, Exempt, "0:0"},
		{"robots.txt elsewhere", "0 block, 100 block", "", "Googlebot", "/x/robots.txt", 50, Disobeyed, "0:2"},
		{"robots.txt in a query", "0 block, 100 block", "", "Googlebot", "/x?u=https://a.example/robots.txt", 50, Disobeyed, "0:2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			crawlers, user := caseCrawlers(t)
			timeline := NewTimeline(audit.LogHistory, caseHistory(t, c.history))
			j := NewJudge(timeline, crawlers, user)
			var reads Reads
			number := func(name string) int {
				for i, n := range caseNames {
					if n == name {
						return i
					}
				}
				return Visitor
			}
			for _, part := range strings.Split(c.reads, ", ") {
				var hour float64
				var status int
				who := c.crawler
				if n, _ := fmt.Sscan(part, &hour, &status, &who); n >= 2 {
					reads.Add(number(who), caseSecond(hour), status)
				}
			}
			who := number(c.crawler)
			v := j.Vector(who, "https://example.com"+c.path)
			class, version, line, rule := j.Class(&reads, who, v, caseSecond(c.at), true)
			if where := fmt.Sprint(version, ":", line); class != c.want || strings.ReplaceAll(where, " ", "") != c.where {
				t.Errorf("%v at %s; want %v at %s", class, where, c.want, c.where)
			}
			if (line > 0) != strings.HasPrefix(rule, "disallow: ") {
				t.Errorf("line %d, rule %q", line, rule)
			}
			want := c.want
			if want == Disobeyed {
				want = Blocked
			}
			if class, _, _, _ := j.Class(&reads, who, v, caseSecond(c.at), false); class != want {
				t.Errorf("without proof %v; want %v", class, want)
			}
		})
	}
}

// TestLongRun: a run of hours saw a new rule at some moment of them. Nobody is accused before its end, and it
// may have seen the old file until its end.
func TestLongRun(t *testing.T) {
	crawlers, user := caseCrawlers(t)
	for _, c := range []struct {
		history string
		at      float64
		want    Class
	}{
		{"0 allow, 9 allow, 10 block, 100 block", 34, Unclear}, // the day before begins within the run
		{"0 allow, 9 allow, 10 block, 100 block", 40, Disobeyed},
		{"0 block, 9 block, 10 allow, 100 allow", 12, Unclear},
		{"0 block, 9 block, 10 block, 100 block", 12, Unclear}, // nothing is known of the day before 0
		{"0 block, 9 block, 10 block, 100 block", 25, Disobeyed},
		{"0 block, 20 block, 30 allow, 100 block", 34, Unclear}, // the run may have seen it after the request
		{"0 block, 20 block, 30 allow, 100 block", 29, Unclear}, // and the change may have been before
	} {
		list := caseHistory(t, c.history)
		for i := range list {
			list[i].Until = list[i].At.Add(6 * time.Hour)
		}
		list[0].Until = time.Time{}
		j := NewJudge(NewTimeline(audit.LogHistory, list), crawlers, user)
		if got, _, _, _ := j.Class(&Reads{}, 0, j.Vector(0, "https://example.com/x"), caseSecond(c.at), true); got != c.want {
			t.Errorf("%s, at %v: %v, want %v", c.history, c.at, got, c.want)
		}
	}
}

// TestOverlappingRuns: a run may end after later ones began, such as one that was resumed. Times stay in order, because
// they are searched.
func TestOverlappingRuns(t *testing.T) {
	list := caseHistory(t, "0 allow, 20 block, 40 allow, 60 block, 100 block")
	list[1].Until = list[4].At
	first := NewTimeline(audit.LogHistory, list).first
	if !slices.IsSorted(first) {
		t.Errorf("times are not in order: %v", first)
	}
}
