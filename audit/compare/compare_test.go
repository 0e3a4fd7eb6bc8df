package compare

import (
	"fmt"
	"iter"
	"slices"
	"testing"
	"time"

	"robots-audit/audit"
	"robots-audit/crawl"
	"robots-audit/engine"
)

var start = time.Date(2026, 3, 2, 6, 0, 0, 0, time.UTC)

// run is a site's records with one robots.txt and URLs, as an audit would make them.
func run(t testing.TB, crawlers, robots string, urls ...string) iter.Seq2[audit.Record, error] {
	t.Helper()
	return world{answer: answer{body: robots}, crawlers: crawlers, urls: urls, listed: true}.records(t)
}

// compared runs a comparison: its flips as "class cause URL crawler", sorted, and the site.
func compared(t testing.TB, old, new iter.Seq2[audit.Record, error]) (flips []string, site *Site) {
	t.Helper()
	return comparedWith(t, old, new, Options{Temp: t.TempDir()})
}

func comparedWith(t testing.TB, old, new iter.Seq2[audit.Record, error], o Options) (flips []string, site *Site) {
	t.Helper()
	for item, err := range Sides(old, new, o) {
		noError(t, err)
		if item.Site != nil {
			site = item.Site
		}
		if item.Flip == nil {
			continue
		}
		flips = append(flips, describe(item.Flip)...)
	}
	if site == nil {
		t.Fatal("no site")
	}
	slices.Sort(flips)
	return flips, site
}

func describe(f *Flip) (list []string) {
	for i, v := range f.Verdicts {
		switch {
		case f.Appeared && v.Is == engine.Disallow:
			list = append(list, fmt.Sprintf("appeared %s %d by line %d", f.Loc, i, v.New.Line))
		case v.Class != Same:
			list = append(list, fmt.Sprintf("%s %s %s %d line %d to %d", v.Class, v.Cause, f.Loc, i, v.Old.Line, v.New.Line))
		}
	}
	return list
}

// TestSides checks small comparisons.
func TestSides(t *testing.T) {
	const bots = "Googlebot,YandexBot"
	open, shut := "User-agent: *\nDisallow: /b\n", "User-agent: *\nDisallow: /a\nDisallow: /b\n"
	tests := []struct {
		name     string
		old, new iter.Seq2[audit.Record, error]
		want     []string
	}{
		{"two runs of one file", run(t, bots, open, "/a", "/b"), run(t, bots, open, "/b", "/a"), nil},
		{"a rule more", run(t, bots, open, "/a", "/b"), run(t, bots, shut, "/b", "/a"),
			[]string{"newly_blocked rule https://example.com/a 0 line 0 to 2", "newly_blocked rule https://example.com/a 1 line 0 to 2"}},
		{"appeared and vanished", run(t, bots, open, "/v", "/b"), run(t, bots, open, "/b", "/b2", "/a"),
			[]string{"appeared https://example.com/b2 0 by line 2", "appeared https://example.com/b2 1 by line 2"}},
		{"one more crawler", run(t, "Googlebot", open, "/a"), run(t, bots, open, "/a"), nil},
		{"another profile", run(t, "Googlebot@google-2019", "User-agent: GOOGLEBOT\nDisallow: /\n", "/a"), run(t, "Googlebot", "User-agent: GOOGLEBOT\nDisallow: /\n", "/a"),
			[]string{"newly_blocked reader https://example.com/a 0 line 0 to 2"}},
		{"two spellings of one URL", run(t, bots, open, "/%7Ea"), run(t, bots, "User-agent: *\nDisallow: /~\n", "/~a"),
			[]string{"newly_blocked rule https://example.com/~a 0 line 0 to 2", "newly_blocked rule https://example.com/~a 1 line 0 to 2"}},
		{"another group", run(t, "Googlebot", "User-agent: *\nDisallow: /\n", "/a"), run(t, "Googlebot", "User-agent: Googlebot\nAllow: /\n\nUser-agent: *\nDisallow: /\n", "/a"),
			[]string{"newly_allowed group https://example.com/a 0 line 2 to 2"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got, _ := compared(t, test.old, test.new); !slices.Equal(got, test.want) {
				t.Errorf("\n%q, want\n%q", got, test.want)
			}
		})
	}
}

// TestServe compares a served file with a run that got it as its answer.
func TestServe(t *testing.T) {
	open, shut := "User-agent: *\nDisallow: /b\n", "User-agent: *\nDisallow: /a\nDisallow: /b\n"
	old := run(t, "Googlebot", open, "/a", "/b", "/c")
	served, _ := compared(t, old, Serve(old, "example.com", []byte(shut)))
	rerun, _ := compared(t, old, run(t, "Googlebot", shut, "/a", "/b", "/c"))
	if !slices.Equal(served, rerun) || len(served) != 1 {
		t.Errorf("served %q, asked again %q", served, rerun)
	}
	if none, _ := compared(t, old, Serve(old, "other.example", []byte(shut))); none != nil {
		t.Errorf("the file of another host: %q", none)
	}
	for rec := range Serve(old, "example.com", []byte(shut)) {
		if rec.Done != nil && rec.Done.State != audit.Undetermined {
			t.Errorf("state %s, which nobody has worked out", rec.Done.State)
		}
	}
}

// TestServeBothSchemes serves one file by http and https: the effects of its lines are reported
// once.
func TestServeBothSchemes(t *testing.T) {
	records := slices.Values([]audit.Record{
		{Robots: &audit.Robots{Index: 0, Origin: "https://example.com", File: crawl.RobotsFile{Outcome: crawl.Outcome{Status: 200, Type: "Text/Plain; charset=utf-8"}}}},
		{Robots: &audit.Robots{Index: 1, Origin: "https://example.com:8443", SameAs: "https://example.com"}},
		{Robots: &audit.Robots{Index: 2, Origin: "http://example.com", File: crawl.RobotsFile{Outcome: crawl.Outcome{Status: 404, Type: "text/html"}}}},
	})
	withError := func(yield func(audit.Record, error) bool) {
		for rec := range records {
			if !yield(rec, nil) {
				return
			}
		}
	}
	served := Serve(withError, "example.com", []byte("Disallow:\n"))
	for range 2 { // as often as it is asked for
		var got []string
		for rec := range served {
			got = append(got, fmt.Sprintf("%s %d %s same as %q", rec.Robots.Origin, rec.Robots.File.Status, rec.Robots.File.Type, rec.Robots.SameAs))
		}
		want := []string{
			`https://example.com 200 Text/Plain; charset=utf-8 same as ""`,
			`https://example.com:8443 0  same as "https://example.com"`,
			`http://example.com 200 text/plain same as "https://example.com"`,
		}
		if !slices.Equal(got, want) {
			t.Errorf("\n%q, want\n%q", got, want)
		}
	}
	for rec := range Edit(withError, []string{"http://example.com"}, []byte("Disallow: /\n")) {
		if f := rec.Robots.File; (rec.Robots.Index == 2) != (string(f.Body) == "Disallow: /\n") || rec.Robots.Index == 2 && (f.Status != 404 || f.Bytes != 12 || f.SHA256 == "") {
			t.Errorf("%s: %+v", rec.Robots.Origin, f)
		}
	}
}

// TestTotals checks the counts of a site.
func TestTotals(t *testing.T) {
	_, site := compared(t, run(t, "Googlebot,YandexBot", "User-agent: *\nDisallow: /b\n", "/a", "/b", "/c", "/v"),
		run(t, "Googlebot,YandexBot", "User-agent: Yandex\nDisallow: /c\n\nUser-agent: *\nDisallow: /b\nDisallow: /n\n", "/a", "/b", "/c", "/n", "/o"))
	want := Totals{Known: 3, Counts: Counts{NewlyBlocked: 1, NewlyAllowed: 1}, Appeared: 2, AppearedBlocked: 1, Vanished: 1, Weight: 2}
	if site.Totals != want {
		t.Errorf("%+v, want %+v", site.Totals, want)
	}
	if google, yandex := site.Flips[0], site.Flips[1]; google != (CrawlerTotals{AppearedBlocked: 1}) || yandex != (CrawlerTotals{Counts: Counts{NewlyBlocked: 1, NewlyAllowed: 1}, Weight: 2, WeightBlocked: 1, WeightAllowed: 1}) {
		t.Errorf("Googlebot %+v, YandexBot %+v", google, yandex)
	}
	if site.Causes[Group] != 2 {
		t.Errorf("causes %v", site.Causes)
	}
}

// noError ends the test where there is an error.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
