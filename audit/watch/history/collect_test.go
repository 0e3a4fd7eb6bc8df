package history

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"
	"time"

	"robots-audit/audit"
	"robots-audit/crawl"
	"robots-audit/engine"
)

// Classes of answers, as they come from the fetcher.
func TestAnswerOf(t *testing.T) {
	to := crawl.Hop{Status: 301, Location: "https://b.example/robots.txt"}
	for _, c := range []struct {
		want Answer
		file crawl.RobotsFile
		body string
	}{
		{AnswerOK, answered(200, ""), "User-agent: *\nDisallow: /\n"},
		{AnswerOK, answered(206, ""), "Disallow: /"},
		{AnswerOK, answered(200, crawl.CodeBodyTooLarge), "User-agent: *\n"},
		{AnswerEmpty, answered(200, ""), ""},
		{AnswerEmpty, answered(200, ""), "\uFEFF \r\n"},
		{AnswerHTML, answered(200, ""), "<!DOCTYPE html><p>moved"},
		{AnswerBinary, answered(200, ""), "\xff\xfeU\x00s\x00"},
		{AnswerRedirect, answered(302, crawl.CodeBadRedirect), ""},
		{AnswerRedirect, answered(0, crawl.CodeDNSNotFound, to), ""},
		{AnswerRedirect, answered(301, crawl.CodeTooManyRedirects, to, to), ""},
		{AnswerMissing, answered(404, crawl.CodeHTTPStatus), "<html>no"},
		{AnswerMissing, answered(403, crawl.CodeHTTPStatus), ""},
		{AnswerBusy, answered(429, crawl.CodeHTTPStatus), ""},
		{AnswerServerError, answered(503, crawl.CodeHTTPStatus), ""},
		{AnswerServerError, answered(599, crawl.CodeHTTPStatus), ""},
		{AnswerNone, answered(0, crawl.CodeDNSNotFound), ""},
		{AnswerNone, answered(0, crawl.CodeTLSExpired), ""},
		{AnswerNone, answered(200, crawl.CodeBodyIncomplete), "Disal"},
		{AnswerNotAsked, answered(0, crawl.CodeCancelled), ""},
		{AnswerNotAsked, answered(0, crawl.CodeBlockedAddress), ""},
	} {
		c.file.Body, c.file.Bytes = []byte(c.body), int64(len(c.body))
		if got := AnswerOf(&c.file); got != c.want {
			t.Errorf("%d %s %q: %s, want %s", c.file.Status, c.file.Code, c.body, got, c.want)
		}
	}
}

func answered(status int, code string, hops ...crawl.Hop) crawl.RobotsFile {
	return crawl.RobotsFile{Outcome: crawl.Outcome{Status: status, Code: code, Hops: hops}}
}

// siteRecords returns records of a site with two crawlers, whose robots.txt repeats a rule. urls
// are URLs on it and on http, which has no file.
func siteRecords(urls ...audit.URL) []audit.Record {
	begin := time.Date(2026, 11, 22, 6, 0, 0, 0, time.UTC)
	body := "User-agent: Googlebot\nUser-agent: Bingbot\nDisallow: /a\nDisallow: /b\nDisallow: /a\n\nUser-agent: *\nDisallow: /\n"
	own := answered(200, "")
	own.Body, own.Bytes, own.SHA256 = []byte(body), int64(len(body)), "5a"
	crawlers, err := audit.ParseCrawlers("Googlebot,Bingbot")
	if err != nil {
		panic(err)
	}
	rules := []audit.RuleLine{{Line: 3, Rule: "disallow: /a"}, {Line: 4, Rule: "disallow: /b"}, {Line: 5, Rule: "disallow: /a"}, {Line: 8, Rule: "disallow: /"}}
	return []audit.Record{
		{Site: &audit.Site{Name: "a.example", Crawlers: crawlers, Started: begin}},
		{Robots: &audit.Robots{Index: 0, Origin: "https://a.example", File: own, Rules: rules}}, // without groups, as those of old
		{Robots: &audit.Robots{Index: 1, Origin: "http://a.example", File: answered(503, crawl.CodeHTTPStatus)}},
		{URLs: &audit.URLs{List: urls}},
		{Done: &audit.Done{State: audit.Warn, Counts: audit.Counts{URLs: 9, BlockedAny: 5, Blocked: []int64{4, 3}}, Finished: begin.Add(3 * time.Second)}},
	}
}

func sequenceOf(list []audit.Record, err error) iter.Seq2[audit.Record, error] {
	return func(yield func(audit.Record, error) bool) {
		for _, rec := range list {
			if !yield(rec, nil) {
				return
			}
		}
		if err != nil {
			yield(audit.Record{}, err)
		}
	}
}

func tested(loc string, origin int, a, b engine.Verdict, lines ...int32) audit.URL {
	return audit.URL{Loc: loc, Origin: origin, Verdicts: []engine.Verdict{a, b}, Lines: lines}
}

func TestCollect(t *testing.T) {
	urls := []audit.URL{
		tested("https://a.example/a", 0, engine.Disallow, engine.Disallow, 3, 5),
		tested("https://a.example/%61", 0, engine.Disallow, engine.Disallow, 3, 5), // another spelling
		tested("https://a.example/b", 0, engine.Unknown, engine.Disallow, 0, 4),
		tested("https://a.example/bee", 0, engine.Disallow, engine.Disallow, 4, 4), // not of the list
		tested("https://a.example/c", 0, engine.Allow, engine.Allow, 0, 0),
		tested("http://a.example/a", 1, engine.Disallow, engine.Allow, 0, 0), // no rule decides
	}
	important := func(loc string) bool { return !strings.HasSuffix(loc, "bee") }
	site, err := collect(sequenceOf(siteRecords(urls...), nil), important)
	noError(t, err)
	a, b := audit.RuleID("googlebot,bingbot", "disallow: /a"), audit.RuleID("googlebot,bingbot", "disallow: /b")
	var got []string
	for _, r := range site.Rules {
		got = append(got, fmt.Sprintf("%s %s %s %d", r.ID, r.Tokens, r.Rule, r.Line))
	}
	for _, u := range site.URLs {
		got = append(got, fmt.Sprintf("%s %s %s %s %d %t", u.URL, u.Crawler, u.RuleID, u.Rule, u.Line, u.Own))
		if id, _ := audit.URLID(nil, u.URL[:strings.LastIndexByte(u.URL, '/')], u.URL); u.ID != id {
			t.Errorf("%s: %s, want %s", u.URL, u.ID, id)
		}
	}
	want := []string{
		a + " Googlebot, Bingbot disallow: /a 3", b + " Googlebot, Bingbot disallow: /b 4", audit.RuleID("*", "disallow: /") + " * disallow: / 8",
		"https://a.example/a Googlebot " + a + " disallow: /a 3 true", "https://a.example/a Bingbot " + a + " disallow: /a 5 true",
		"https://a.example/b Bingbot " + b + " disallow: /b 4 true", "http://a.example/a Googlebot   0 false",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if site.Name != "a.example" || site.State != "warn" || site.Answer != AnswerOK || site.Status != 200 || site.SHA256 != "5a" || len(site.Body) != int(site.Bytes) ||
		site.Known != 9 || site.Blocked != 5 || site.Took != 3*time.Second || !slices.Equal(site.Crawlers, []Crawler{{"Googlebot", 4}, {"Bingbot", 3}}) {
		t.Errorf("%+v", site)
	}
	if site, err := collect(sequenceOf(siteRecords(urls...), nil), nil); err != nil || site.URLs != nil || len(site.Rules) != 3 {
		t.Errorf("without a list: %d URLs, %d rules, %v", len(site.URLs), len(site.Rules), err)
	}
}

// TestCollectNotKnown: if a crawler's interpretation of the answer is unknown, there is no count
// for it.
func TestCollectNotKnown(t *testing.T) {
	crawlers, err := audit.ParseCrawlers("Googlebot,Bingbot,YandexBot")
	noError(t, err)
	site, err := collect(sequenceOf([]audit.Record{
		{Site: &audit.Site{Name: "a.example", Crawlers: crawlers}},
		{Robots: &audit.Robots{Origin: "https://a.example", File: crawl.RobotsFile{Outcome: crawl.Outcome{Status: 503}}, Reads: []audit.Read{{Access: engine.DisallowAll}, {Access: engine.AccessUnknown}, {Access: engine.AllowAll}}}},
		{Done: &audit.Done{Counts: audit.Counts{URLs: 8, BlockedAny: 8, Blocked: []int64{8, 0, 0}}}},
	}, nil), nil)
	if err != nil || !slices.Equal(site.Crawlers, []Crawler{{"Googlebot", 8}, {"YandexBot", 0}}) {
		t.Errorf("%+v (%v)", site.Crawlers, err)
	}
}

func TestCollectBound(t *testing.T) {
	const beyond = 10
	var urls []audit.URL
	for i := range MaxBlocked/2 + beyond {
		urls = append(urls, tested(fmt.Sprintf("https://a.example/a%d", i), 0, engine.Disallow, engine.Disallow, 3, 3))
	}
	site, err := collect(sequenceOf(siteRecords(urls...), nil), func(string) bool { return true })
	if err != nil || len(site.URLs) != MaxBlocked || site.URLsCut != beyond {
		t.Errorf("%d blocked URLs, %d cut, %v", len(site.URLs), site.URLsCut, err)
	}
}

func TestCollectFaults(t *testing.T) {
	all, broken := siteRecords(), errors.New("records, line 3: broken")
	for name, c := range map[string]struct {
		records []audit.Record
		err     error
		want    error
	}{
		"nothing":  {nil, nil, ErrNoSite},
		"no site":  {all[1:], nil, ErrNoSite},
		"no end":   {all[:4], nil, ErrCutShort},
		"broken":   {all[:2], broken, broken},
		"too late": {all, broken, broken},
	} {
		if _, err := collect(sequenceOf(c.records, c.err), nil); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
	site, err := collect(sequenceOf([]audit.Record{all[0], all[4]}, nil), nil)
	if err != nil || site.Answer != AnswerNotAsked || site.SHA256 != "" {
		t.Errorf("robots.txt never asked for: %+v, %v", site, err)
	}
}

// collect reads the records of a site through a collector.
func collect(records iter.Seq2[audit.Record, error], important func(url string) bool) (Site, error) {
	c := NewCollector(important)
	for rec, err := range records {
		if err != nil {
			return Site{}, err
		}
		c.Add(rec)
	}
	return c.Site()
}
