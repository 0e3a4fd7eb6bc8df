package model

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"robots-audit/audit"
	"robots-audit/audit/compare"
	"robots-audit/crawl"
	"robots-audit/engine"
)

var start = time.Date(2026, 3, 2, 6, 0, 0, 0, time.UTC)

// page is a URL of a run, with its clicks.
type page struct {
	path   string
	clicks int64
}

// run is a site's records with one robots.txt and URLs, as an audit would make them.
func run(t testing.TB, crawlers, robots string, pages ...page) iter.Seq2[audit.Record, error] {
	t.Helper()
	list, err := audit.ParseCrawlers(crawlers)
	if err != nil {
		t.Fatal(err)
	}
	const origin = "https://example.com"
	sum := sha256.Sum256([]byte(robots))
	file := crawl.RobotsFile{Body: []byte(robots), Outcome: crawl.Outcome{
		URL: origin + "/robots.txt", Hops: []crawl.Hop{{URL: origin + "/robots.txt", Status: 200}}, Status: 200,
		Type: "text/plain", Bytes: int64(len(robots)), SHA256: hex.EncodeToString(sum[:]), Started: start,
	}}
	batch := &audit.URLs{}
	for _, p := range pages {
		u := audit.URL{Loc: origin + p.path, Verdicts: make([]engine.Verdict, len(list)), Lines: make([]int32, len(list))}
		u.Weight.Clicks = p.clicks
		batch.List = append(batch.List, u)
	}
	records := []audit.Record{
		{Site: &audit.Site{Name: "example.com", Crawlers: list, Started: start}},
		{Robots: &audit.Robots{Origin: origin, File: file}},
		{URLs: batch},
		{Done: &audit.Done{State: audit.OK, Origin: origin, Counts: audit.Counts{URLs: int64(len(pages))}, Finished: start.Add(time.Second)}},
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

// gathered is a compared site with its texts. know sets the fields of the site, at its end, that
// come from other packages.
func gathered(t testing.TB, old, new iter.Seq2[audit.Record, error], know func(*compare.Site)) *Site {
	t.Helper()
	var g *Gathering
	for item, err := range compare.Sides(old, new, compare.Options{Temp: t.TempDir()}) {
		switch {
		case err != nil:
			t.Fatal(err)
		case item.Begin != nil:
			g = Gather(item.Begin)
		case item.Flip != nil:
			g.Flip(item.Flip)
			*item.Flip = compare.Flip{Loc: "gone", Verdicts: item.Flip.Verdicts} // it is not valid any more
			clear(item.Flip.Verdicts)
		case item.Site != nil:
			if know != nil {
				know(item.Site)
			}
			return g.End(item.Site, 0)
		}
	}
	t.Fatal("no end")
	return nil
}

const open = "User-agent: *\nDisallow: /b\n"

// TestLead checks the first sentence of a site.
func TestLead(t *testing.T) {
	const bots = "Googlebot,YandexBot,GPTBot"
	pages := []page{{"/a", 0}, {"/b", 0}, {"/c", 0}, {"/d", 0}}
	clicks := []page{{"/a", 1000}, {"/b", 5}, {"/c", 340}, {"/d", 7}}
	diff := func(lines ...compare.Line) func(*compare.Site) {
		return func(s *compare.Site) { s.Origins = []compare.Origin{{Name: "https://example.com", Diff: lines}} }
	}
	shut := "User-agent: *\nDisallow: /a\nDisallow: /b\nDisallow: /c\n"
	for _, c := range []struct {
		name     string
		old, new iter.Seq2[audit.Record, error]
		know     func(*compare.Site)
		want     string
	}{
		{"nothing", run(t, bots, open, pages...), run(t, bots, open, pages...), nil, "Nothing changed."},
		{"one line", run(t, bots, open, clicks...), run(t, bots, shut, clicks...), diff(compare.Line{Op: compare.Added, NewLine: 4, New: "Disallow: /c", NewlyBlocked: 2}),
			"2 URLs (1,340 clicks) are newly blocked for Googlebot and YandexBot. New line 4 `Disallow: /c` blocks all of them."},
		{"two lines", run(t, "Googlebot", open, pages...), run(t, "Googlebot", shut, pages...),
			diff(compare.Line{Op: compare.Added, NewLine: 2, New: "Disallow: /a", NewlyBlocked: 1}, compare.Line{Op: compare.Added, NewLine: 4, New: "Disallow: /c", NewlyBlocked: 1}),
			"2 URLs are newly blocked for Googlebot. Line 2 `Disallow: /a` (added) and line 4 `Disallow: /c` (added) each block 1 URL."},
		{"lines that nobody counted", run(t, "Googlebot", open, pages...), run(t, "Googlebot", open+"Disallow: /a\n", pages...), func(s *compare.Site) {
			for i := range s.Origins[0].Diff {
				s.Origins[0].Diff[i] = compare.Line{Op: compare.Added, NewLine: 3, New: "Disallow: /a", NotCounted: true}
			}
		}, "1 URL is newly blocked for Googlebot. Line 3 `Disallow: /a` was added."},
		{"all", run(t, "GPTBot", "User-agent: *\n", pages...), run(t, "GPTBot", "User-agent: *\nDisallow: /\n", pages...), nil,
			"All 4 URLs are newly blocked for GPTBot. New line 2 `Disallow: /` blocks all of them."},
		{"all open", run(t, "Googlebot", "User-agent: *\nDisallow: /\n", pages...), run(t, "Googlebot", "User-agent: *\n", pages...), nil,
			"All 4 URLs are newly allowed for Googlebot. Removing line 2 `Disallow: /` unblocks all of them."},
		{"who leads comes first", run(t, bots, open, pages...), run(t, bots, "User-agent: GPTBot\nDisallow: /\n\nUser-agent: *\nDisallow: /a\nDisallow: /b\n", pages...), nil,
			"1 URL is newly blocked for Googlebot and YandexBot. New line 5 `Disallow: /a` blocks it. 1 other change."},
		{"a hidden character", run(t, "Googlebot", open, pages...), run(t, "Googlebot", open+"Disallow: /a\u202e\nDisallow: /c*\u202e\nDisallow: /c\n", pages...),
			diff(compare.Line{Op: compare.Edited, OldLine: 3, NewLine: 5, New: "Disallow: /c\u202e\xff", NewlyBlocked: 1}),
			"1 URL is newly blocked for Googlebot. Edited line 5 `Disallow: /c[U+202E]\\xFF` blocks it."},
		{"appeared and vanished", run(t, bots, open, pages[:2]...), run(t, bots, open, page{"/a", 0}, page{"/b2", 0}, page{"/e", 0}), nil,
			"No verdict changed; 2 URLs appeared, 1 of them blocked; 1 URL vanished."},
		{"changes alone", run(t, bots, open, pages...), run(t, bots, open, pages...), func(s *compare.Site) {
			s.Changes = []compare.Change{{What: "status of robots.txt", Before: "200", After: "404", Severity: compare.High}, {What: "x"}}
		}, "Status of robots.txt: 200, now 404 (and 1 more change)."},
		{"a new site", nil, run(t, bots, open, pages...), nil, "This site is not in the older run."},
		{"a site that went", run(t, bots, open, pages...), nil, nil, "This site is not in the newer run."},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := gathered(t, c.old, c.new, c.know); got.Entry.Lead != c.want {
				t.Errorf("\n%s, want\n%s", got.Entry.Lead, c.want)
			}
		})
	}
}

// TestAccessWords checks the words for a whole response.
func TestAccessWords(t *testing.T) {
	answer := func(status int, kind compare.BodyKind, access engine.Access, bytes int64) *compare.Answer {
		return &compare.Answer{Status: status, Kind: kind, Access: []engine.Access{access}, Bytes: bytes}
	}
	flip := &compare.Flip{Verdicts: []compare.Verdicts{{Was: engine.Allow, Is: engine.Disallow, Class: compare.NewlyBlocked, Cause: compare.Access}}}
	for _, c := range []struct {
		old, new *compare.Answer
		want     string
	}{
		{answer(200, compare.BodyText, engine.Parsed, 10), answer(503, compare.BodyNone, engine.DisallowAll, 0), "HTTP 503 Service Unavailable instead of HTTP 200: everything is blocked"},
		{answer(404, compare.BodyNone, engine.AllowAll, 10), answer(200, compare.BodyHTML, engine.Parsed, 0), "HTTP 200 with an HTML page instead of HTTP 404 Not Found: its rules apply"},
		{answer(200, compare.BodyText, engine.Parsed, 10), answer(200, compare.BodyText, engine.Parsed, 600000), "robots.txt is now 600,000 bytes long instead of 10 bytes: its rules apply"},
		{nil, answer(200, compare.BodyText, engine.Parsed, 600000), "robots.txt answers differently"},
	} {
		site := &compare.Site{Crawlers: make([]compare.Crawler, 1), Origins: []compare.Origin{{Old: c.old, New: c.new}}}
		if got := CauseWords(site, flip, 0); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

// TestSamples compares the ranked samples with a sort of all flips, in any order of arrival.
func TestSamples(t *testing.T) {
	crawlers := []compare.Crawler{{Label: "Googlebot", New: audit.Crawler{Name: "Googlebot", Profile: "google", Purpose: "search"}}, {Label: "GPTBot", New: audit.Crawler{Name: "GPTBot", Profile: "rfc9309", Purpose: "AI training"}}}
	random := rand.New(rand.NewPCG(1, 2))
	var flips []compare.Flip
	for n := range 5000 {
		f := compare.Flip{Loc: fmt.Sprintf("https://example.com/%d", n), Listed: n%2 == 0, Weight: audit.Weight{Clicks: random.Int64N(500), ClicksGiven: true}, Verdicts: make([]compare.Verdicts, 2)}
		switch n % 50 {
		case 0:
			f.Verdicts[1].Class = compare.NewlyBlocked
		case 1:
			f.Verdicts[0].Class = compare.NewlyAllowed
		default:
			f.Verdicts[0].Class = compare.NewlyBlocked
		}
		flips = append(flips, f)
	}
	samples := func() *Samples {
		s := newSamples(crawlers)
		for i := range flips {
			f := flips[i]
			f.Verdicts = slices.Clone(f.Verdicts)
			s.add(&f)
			clear(f.Verdicts)
		}
		return s
	}
	locs := func(list []*Sample) (text []string) {
		for _, s := range list {
			text = append(text, fmt.Sprintf("%d %d %s", s.Rank, s.Weight.Clicks, s.Loc))
		}
		return text
	}
	first := locs(samples().First(100))
	random.Shuffle(len(flips), func(i, j int) { flips[i], flips[j] = flips[j], flips[i] })
	if again := locs(samples().First(100)); !slices.Equal(first, again) || len(first) != 100 {
		t.Errorf("another order gives other samples:\n%q\n%q", first, again)
	}
	slices.SortFunc(flips, func(a, b compare.Flip) int { return before(&a, &b) })
	var want []string
	for rank, n := range map[Rank]int{Lost: 80, Blocked: 10, Allowed: 10} {
		for i := range flips {
			if f := &flips[i]; n > 0 && (rank == Lost && f.Verdicts[0].Class == compare.NewlyBlocked || rank == Blocked && f.Verdicts[1].Class == compare.NewlyBlocked || rank == Allowed && f.Verdicts[0].Class == compare.NewlyAllowed) {
				want = append(want, fmt.Sprintf("%d %d %s", rank, f.Weight.Clicks, f.Loc))
				n--
			}
		}
	}
	slices.Sort(want)
	slices.Sort(first)
	if !slices.Equal(first, want) {
		t.Errorf("%q, want %q", first, want)
	}
	if all := samples().First(5000); len(all) != MaxSamples {
		t.Errorf("%d samples", len(all))
	}
}

// TestOrder checks the order of sites.
func TestOrder(t *testing.T) {
	sites := []*Entry{
		{Name: "half is lost", Weights: Weights{Leading: 4, Blocked: 4}, Share: 0.5},
		{Name: "critical", Severities: compare.Severities{Critical: 1}},
		{Name: "lost with clicks", Weights: Weights{Leading: 2, Blocked: 2}, Weighed: true, Share: 0.01},
		{Name: "larger share", Weights: Weights{Leading: 5, Blocked: 5}, Share: 0.3},
		{Name: "more URLs", Weights: Weights{Leading: 9, Blocked: 9}, Share: 0.2},
		{Name: "lost", Weights: Weights{Leading: 5, Blocked: 5}},
		{Name: "high", Severities: compare.Severities{High: 1}},
		{Name: "medium, and much allowed", Severities: compare.Severities{Medium: 1}, Weights: Weights{Allowed: 900}},
		{Name: "medium", Severities: compare.Severities{Medium: 3}},
		{Name: "two notes", Severities: compare.Severities{Info: 2}},
		{Name: "blocked for others", Weights: Weights{Blocked: 500}},
		{Name: "allowed", Weights: Weights{Allowed: 500}},
		{Name: "vanished", Changed: true, Number: 9},
		{Name: "same", Number: 0}, {Name: "same too", Number: 1},
	}
	c := Comparison{Sites: slices.Clone(sites)}
	rand.New(rand.NewPCG(3, 4)).Shuffle(len(sites), func(i, j int) { c.Sites[i], c.Sites[j] = c.Sites[j], c.Sites[i] })
	c.Sort()
	if !slices.Equal(c.Sites, sites) {
		for _, e := range c.Sites {
			t.Error(e.Name)
		}
	}
}

// TestEntryBounds checks that the entry of a site stays within its bounds, whatever the site
// contains.
func TestEntryBounds(t *testing.T) {
	long := strings.Repeat("\u202e", 100000)
	s := gathered(t, run(t, "Googlebot", open, page{"/a", 0}), run(t, "Googlebot", open+"Disallow: /a\n", page{"/a", 0}), func(s *compare.Site) {
		for range 100 {
			s.Changes = append(s.Changes, compare.Change{What: long, Before: long, After: long, Severity: compare.Critical})
		}
		s.Origins = []compare.Origin{{Diff: []compare.Line{{Op: compare.Edited, Old: long, New: long, NewlyBlocked: 1}}}}
	})
	size := len(s.Entry.Lead)
	for _, c := range s.Entry.Gravest {
		size += len(c.What) + len(c.Before) + len(c.After)
	}
	if size > 3000 || s.Entry.Critical != 100 {
		t.Errorf("%d bytes, %d critical changes", size, s.Entry.Critical)
	}
}
