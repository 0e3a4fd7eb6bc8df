package compare

import (
	"iter"
	"strings"
	"testing"

	"robots-audit/audit"
	"robots-audit/crawl"
)

// TestParseFailOn reads conditions, and refuses what would pass by accident.
func TestParseFailOn(t *testing.T) {
	for text, want := range map[string]string{
		"never": "", "flip": "", "change": "", "newly-blocked": "", "newly-allowed>5.5%": "", "newly-blocked>100": "", "newly-blocked>5%:googlebot": "", "newly-blocked-clicks>5%:Googlebot, flip": "", "newly-blocked-hits>5": "", "newly-blocked>5%hits:Googlebot": "", "newly-allowed>50clicks": "",
		"": "expected newly-blocked", "newly-blocked,": "expected", "never,flip": "expected", "flip>5": "expected", "newly-blocked>": "expected", "newly-blocked>5 %": "expected", "newly-blocked>=5": "expected", "newly-blocked:": "expected",
		"newly-blocked>100%": "a share is below 100%", "newly-blocked-hits>5%clicks": "expected", "newly-blocked>hits": "expected", "newly-blocked:Googlebut": `newly-blocked:Googlebut: the run has no crawler "Googlebut". Did you mean Googlebot?`,
		"newly-blocked:GPTBot": `the run does not test "GPTBot". It tests Googlebot and YandexBot`,
	} {
		on, err := ParseFailOn(text)
		if err == nil {
			err = on.Check([]string{"Googlebot", "YandexBot"})
		}
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// weighed gives URLs clicks: 10 for /a, 30 for /b, none for the others; and hits of two crawlers, 30
// and 10 for /a, 90 and 30 for /b.
func weighed(records iter.Seq2[audit.Record, error]) iter.Seq2[audit.Record, error] {
	records = withLogs(records)
	return func(yield func(audit.Record, error) bool) {
		for rec, err := range records {
			if rec.URLs != nil {
				urls := *rec.URLs
				urls.List = append([]audit.URL{}, urls.List...)
				for i := range urls.List {
					if n := map[string]int64{"/a": 10, "/b": 30}[strings.TrimPrefix(urls.List[i].Loc, "https://example.com")]; n > 0 {
						urls.List[i].Weight.Clicks = n
						urls.List[i].Hits = []int64{n * 3, n}
					}
				}
				rec.URLs = &urls
			}
			if !yield(rec, err) {
				return
			}
		}
	}
}

// unread returns records of a site as if its server had refused the connection.
func unread(records iter.Seq2[audit.Record, error]) iter.Seq2[audit.Record, error] {
	return func(yield func(audit.Record, error) bool) {
		for rec, err := range records {
			if rec.Robots != nil {
				silent := *rec.Robots
				silent.File = crawl.RobotsFile{Outcome: crawl.Outcome{URL: silent.File.URL, Code: crawl.CodeConnectRefused}}
				rec.Robots = &silent
			}
			if !yield(rec, err) {
				return
			}
		}
	}
}

// TestGate applies conditions to comparisons: what fails, and what is unclear. Nothing passes where
// nothing could be compared.
func TestGate(t *testing.T) {
	const open, shut = "User-agent: *\nDisallow: /x\n", "User-agent: *\nDisallow: /x\nDisallow: /a\n\nUser-agent: YandexBot\nAllow: /\n"
	const bots = "Googlebot,YandexBot"
	urls := []string{"/a", "/b", "/c", "/d"}
	undefined := run(t, "Googlebot@google-2019", "User-agent: *\nDisallow: /*.htm\nAllow: /page\n", "/page.htm")
	one := func(old, new iter.Seq2[audit.Record, error]) [2]iter.Seq2[audit.Record, error] {
		return [2]iter.Seq2[audit.Record, error]{old, new}
	}
	blocking := one(run(t, bots, open, urls...), run(t, bots, shut, urls...))
	clicks := one(weighed(blocking[0]), weighed(blocking[1]))
	for _, c := range []struct {
		name                   string
		sides                  [2]iter.Seq2[audit.Record, error]
		on                     string
		failing, site, overall string
	}{
		{"never", blocking, "never", "", "", ""},
		{"any", blocking, "newly-blocked", "newly-blocked: 1 site fails: example.com (1 URL newly blocked)", "", ""},
		{"flip", blocking, "flip", "flip: 1 site fails: example.com (1 changed verdict)", "", ""},
		{"change", blocking, "change", "change: 1 site fails: example.com (something changed)", "", ""},
		{"at a number", blocking, "newly-blocked>1", "", "", ""},
		{"above a share", blocking, "newly-blocked>24.9%:Googlebot", "newly-blocked>24.9%:Googlebot: 1 site fails: example.com (25 % of 4 URLs newly blocked for Googlebot)", "", ""},
		{"at a share", blocking, "newly-blocked>25%", "", "", ""},
		{"of another crawler", blocking, "newly-blocked:YandexBot", "", "", ""},
		{"two conditions", blocking, "newly-blocked>1,newly-blocked>0:googlebot", "newly-blocked>0:googlebot: 1 site fails: example.com (1 URL newly blocked for googlebot)", "", ""},
		{"clicks", clicks, "newly-blocked-clicks>9", "newly-blocked-clicks>9: 1 site fails: example.com (10 clicks newly blocked)", "", ""},
		{"a share of clicks", clicks, "newly-blocked-clicks>20%:Googlebot", "newly-blocked-clicks>20%:Googlebot: 1 site fails: example.com (25 % of 40 clicks newly blocked for Googlebot)", "", ""},
		{"few clicks", clicks, "newly-blocked-clicks>10", "", "", ""},
		{"clicks of another crawler", clicks, "newly-blocked-clicks:YandexBot", "", "", ""},
		{"no clicks", blocking, "newly-blocked-clicks>50", "", "1 URL newly blocked, but no clicks are known", "newly-blocked-clicks>50: the run has no clicks."},
		{"no clicks, nothing blocked", one(blocking[0], blocking[0]), "newly-blocked-clicks>50", "", "", "newly-blocked-clicks>50: the run has no clicks."},
		{"hits", clicks, "newly-blocked>29hits", "newly-blocked>29hits: 1 site fails: example.com (30 requests newly blocked)", "", ""},
		{"a share of hits", clicks, "newly-blocked>20%hits:Googlebot", "newly-blocked>20%hits:Googlebot: 1 site fails: example.com (25 % of 120 requests newly blocked for Googlebot)", "", ""},
		{"few hits", clicks, "newly-blocked-hits>25%:Googlebot", "", "", ""},
		{"hits of another crawler", clicks, "newly-blocked-hits:YandexBot", "", "", ""},
		{"hits of the older side only", one(weighed(blocking[0]), blocking[1]), "newly-blocked>20%hits", "", "", ""},
		{"hits of the older side alone", one(weighed(blocking[0]), blocking[1]), "newly-blocked>18%hits", "newly-blocked>18%hits: 1 site fails: example.com (19 % of 160 requests newly blocked)", "", ""},
		{"no hits", blocking, "newly-blocked-hits>50", "", "1 URL newly blocked, but no access logs were given", "newly-blocked-hits>50: the run has no access logs."},
		{"no URLs, another file", one(run(t, bots, open), run(t, bots, shut)), "newly-blocked", "", "no URL was found, so nothing could be compared", "no URL was found"},
		{"no URLs, the same file", one(run(t, bots, open), run(t, bots, open)), "newly-blocked>5%", "", "", "no URL was found"},
		{"nothing changed", one(blocking[0], blocking[0]), "newly-blocked", "", "", ""},
		{"no common crawler", one(run(t, "Googlebot", open, urls...), run(t, "YandexBot", shut, urls...)), "newly-blocked", "", "no crawler was tested on both sides", ""},
		{"a crawler that is not compared", one(run(t, "Googlebot", open, urls...), run(t, bots, shut, urls...)), "newly-blocked:YandexBot", "", "YandexBot was not compared", ""},
		{"undefined before, blocked now", one(undefined, run(t, "Googlebot@google-2019", "User-agent: *\nDisallow: /\n", "/page.htm")), "newly-blocked>99%", "", "the verdict on 1 URL is unclear, before or now", ""},
		{"undefined before, allowed now", one(undefined, run(t, "Googlebot@google-2019", "User-agent: *\nAllow: /\n", "/page.htm")), "newly-blocked", "", "", ""},
		{"unread before", one(unread(run(t, bots, open, urls...)), run(t, bots, shut, urls...)), "newly-blocked:Googlebot", "", "robots.txt could not be read before", ""},
		{"unread now", one(run(t, bots, open, urls...), unread(run(t, bots, open, urls...))), "newly-blocked:YandexBot", "", "robots.txt cannot be read now", ""},
		{"unread now, and blocked", one(run(t, bots, open, urls...), unread(run(t, bots, open, urls...))), "newly-blocked", "newly-blocked: 1 site fails: example.com (4 URLs newly blocked)", "", ""},
		{"unread on both sides", one(unread(run(t, bots, open, urls...)), unread(run(t, bots, open, urls...))), "change", "", "", ""},
		{"undefined on both sides", one(undefined, undefined), "newly-blocked", "", "", ""},
	} {
		on, err := ParseFailOn(c.on)
		noError(t, err)
		gate := Gate{On: on}
		_, site := compared(t, c.sides[0], c.sides[1])
		unclear := gate.Add(site)
		failing := strings.Join(gate.Failing(), "; ")
		if overall := gate.Unclear(); failing != c.failing || unclear != c.site || !strings.HasPrefix(overall, c.overall) || overall != "" && c.overall == "" {
			t.Errorf("%s: fails %q, unclear %q, overall %q", c.name, failing, unclear, overall)
		}
	}
	if gate := (Gate{On: FailOn{{text: "flip"}}}); gate.Unclear() != "no site was compared" {
		t.Errorf("no site: %q", gate.Unclear())
	}
}
