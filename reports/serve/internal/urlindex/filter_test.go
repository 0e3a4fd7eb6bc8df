package urlindex

import (
	"cmp"
	"fmt"
	"iter"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"robots-audit/audit"
	"robots-audit/audit/pattern"
	"robots-audit/engine"
)

// world has the records of a run's sites, and the same URLs as searches must return them.
type world struct {
	sites [][]audit.Record
	urls  []URL // sorted
	pages []audit.Page
}

var (
	testSegments = []string{"", "blog", "(no segment)"}
	testSets     = []string{"Googlebot,Bingbot,GPTBot", "Googlebot", "Bingbot,ClaudeBot"}
	testRules    = []string{"disallow: /a", "disallow: /A", "allow: /shop/", "disallow: /shop/", "disallow: /*?q=", "disallow: \x00=cmd|'<b>\u202e", "disallow: " + strings.Repeat("/long", 300), ""}
)

// someWorld makes records with all that they may have, also what no audit writes: missing verdicts, unknown lines,
// negative numbers.
func someWorld(r *rand.Rand, n int) (w world) {
	number := func() int64 { return []int64{0, 1, 2, 5, 5, 300, 1 << 40, -3}[r.IntN(8)] }
	for at := range 4 {
		crawlers, _ := audit.ParseCrawlers(testSets[at%3])
		records := []audit.Record{{Site: &audit.Site{Crawlers: crawlers}}}
		rules := map[int]map[int32]string{0: {}, 1: {}}
		for origin := range 2 {
			robots := &audit.Robots{Index: origin}
			for line := range int32(6) {
				if text := testRules[r.IntN(len(testRules))]; line > 0 {
					robots.Rules = append(robots.Rules, audit.RuleLine{Line: int(line), Rule: text})
					rules[origin][line] = text
				}
			}
			records = append(records, audit.Record{Robots: robots})
		}
		var groups pattern.Groups[*int64]
		groups.New, groups.Merge, groups.Size = func() *int64 { return new(int64) }, func(into, from *int64) { *into += *from }, func(n *int64) int64 { return *n }
		seen := map[string]bool{}
		first := len(w.urls)
		for _, some := range someURLs(r, n/4) {
			some.Site = int32(at)
			if key := fmt.Sprint(some.Loc, some.Kind); seen[key] {
				continue
			} else {
				seen[key] = true
			}
			u := audit.URL{Loc: some.Loc, Kind: some.Kind, Sitemap: r.IntN(3) - 1, Origin: r.IntN(2), Weight: audit.Weight{Listed: some.Listed}}
			for range r.IntN(10) / 9 * r.IntN(len(crawlers)) { // sometimes too few
				u.Verdicts = append(u.Verdicts, engine.Disallow)
			}
			if len(u.Verdicts) == 0 && r.IntN(20) > 0 {
				for range crawlers {
					u.Verdicts, u.Lines = append(u.Verdicts, []engine.Verdict{engine.Allow, engine.Allow, engine.Allow, engine.Disallow, engine.Disallow, engine.Unknown, engine.Undefined}[r.IntN(7)]), append(u.Lines, int32(r.IntN(8)))
				}
			}
			if r.IntN(4) == 0 {
				u.Clicks, u.ClicksGiven = number(), r.IntN(2) == 0
				u.Impressions, u.ImpressionsGiven = number(), r.IntN(2) == 0
			}
			for range crawlers {
				if r.IntN(5) == 0 {
					u.Hits = append(u.Hits, number())
				}
			}
			records = append(records, audit.Record{URLs: &audit.URLs{List: []audit.URL{u}}})
			if r.IntN(4) == 0 {
				p := &audit.Page{URL: u.Loc, Status: []int{200, 200, 301, 404, 404, 503, 0}[r.IntN(7)]}
				if p.Status == 0 && r.IntN(2) == 0 {
					p.Code = "disallowed"
				}
				if other := slices.IndexFunc(w.pages[min(first, len(w.pages)):], func(o audit.Page) bool { return o.URL == u.Loc }); other < 0 {
					records = slices.Insert(records, 3+r.IntN(len(records)-2), audit.Record{Page: p}) // before or after its URL
				}
			}
			if audit.IsPage(u.Kind) {
				*groups.Of(u.Loc)++
			}
			w.urls = append(w.urls, plainURL(&u, at, crawlers, rules[u.Origin]))
		}
		w.sites = append(w.sites, records)
		status := map[string]int{}
		for _, rec := range records {
			if p := rec.Page; p != nil && !p.Refused() {
				status[p.URL] = max(status[p.URL], cmp.Or(p.Status, NoAnswer))
			}
		}
		names := map[*int64]string{}
		for name, of := range groups.All() {
			names[of] = strings.ToValidUTF8(name, "\uFFFD")
		}
		for i := range w.urls[first:] {
			u := &w.urls[first+i]
			u.Status = status[u.Loc]
			if of, ok := groups.Find(u.Loc); ok && audit.IsPage(u.Kind) {
				u.Template = names[of]
			}
		}
	}
	slices.SortFunc(w.urls, compareURLs)
	return w
}

// plainURL is a URL as a search must return it.
func plainURL(u *audit.URL, at int, crawlers []audit.Crawler, rules map[int32]string) URL {
	of := URL{Loc: u.Loc, Site: int32(at), Kind: u.Kind, Listed: u.Listed || u.HasClicks() || u.HasImpressions(), Sitemap: u.Sitemap >= 0, Clicks: -1, Impressions: -1, Outcome: &Outcome{}, Segment: segmentOfTest(u)}
	for i, c := range crawlers {
		verdict, line := engine.Unknown, int32(0)
		if i < len(u.Verdicts) {
			verdict = u.Verdicts[i]
		}
		if i < len(u.Lines) {
			line = u.Lines[i]
		}
		rule := rules[line]
		if len(rule) > maxRule {
			rule = rule[:maxRule] + "…"
		}
		o := of.Outcome
		o.Crawlers, o.Verdicts, o.Lines, o.texts, o.rules = append(o.Crawlers, c.Label), append(o.Verdicts, verdict), append(o.Lines, line), append(o.texts, rule), append(o.rules, uint32(i))
	}
	if u.HasClicks() {
		of.Clicks = max(0, u.Clicks)
	}
	if u.HasImpressions() {
		of.Impressions = max(0, u.Impressions)
	}
	for _, n := range u.Hits {
		of.Hits = append(of.Hits, max(0, n))
	}
	return of
}

func segmentOfTest(u *audit.URL) string {
	if audit.IsPage(u.Kind) {
		return testSegments[len(u.Loc)%3]
	}
	return ""
}

// entries yields the world as the dashboard does.
func (w *world) entries(d *Dictionary) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		for at, records := range w.sites {
			s := d.Site(at, records[0].Site.Crawlers)
			for _, rec := range records {
				switch {
				case rec.Robots != nil:
					s.AddRobots(rec.Robots)
				case rec.Page != nil:
					if e, ok := s.Page(rec.Page); ok {
						yield(e, nil)
					}
				case rec.URLs != nil:
					for i := range rec.URLs.List {
						yield(s.URL(&rec.URLs.List[i], segmentOfTest(&rec.URLs.List[i])), nil)
					}
				}
			}
			s.End()
		}
	}
}

// plainly reports whether a filter selects a URL, by a loop over its crawlers for each question.
func (f *Filter) plainly(u *URL) bool {
	o := u.Outcome
	some := func(holds func(i int) bool) bool {
		for i := range o.Crawlers {
			if (f.Crawler == "" || f.Crawler == o.Crawlers[i]) && holds(i) {
				return true
			}
		}
		return false
	}
	by := func(i int) bool {
		rule := o.Rule(i)
		switch {
		case f.Line == 0 && f.Rule == "":
			return true
		case o.Lines[i] == 0, f.Line != 0 && int(o.Lines[i]) != f.Line:
			return false
		case strings.HasPrefix(f.Rule, "disallow: "), strings.HasPrefix(f.Rule, "allow: "):
			return rule == f.Rule
		case f.Rule != "":
			return rule != "" && strings.Contains(strings.ToLower(rule), strings.ToLower(f.Rule))
		}
		return true
	}
	blocked := func(i int) bool { return o.Verdicts[i] == engine.Disallow }
	allowed := func(i int) bool { return o.Verdicts[i] == engine.Allow }
	switch f.Blocked {
	case Whatever:
		if (f.Crawler != "" || f.Line != 0 || f.Rule != "") && !some(by) {
			return false
		}
	case BlockedAny:
		if !some(func(i int) bool { return blocked(i) && by(i) }) {
			return false
		}
	case BlockedNone:
		if some(func(i int) bool { return !allowed(i) }) || !some(by) {
			return false
		}
	case BlockedUnknown:
		if !some(func(i int) bool { return !blocked(i) && !allowed(i) && by(i) }) {
			return false
		}
	}
	return (f.Template == "" || f.Template == u.Template) && (f.Segment == "" || f.Segment == u.Segment) && (f.Sitemap == nil || *f.Sitemap == u.Sitemap) &&
		(f.Status == nil || f.Status.From <= u.Status && u.Status <= f.Status.To) && (f.Kinds == nil || slices.Contains(f.Kinds, u.Kind)) &&
		(f.Clicks == 0 || u.Clicks >= f.Clicks) && (f.Hits == 0 || plainHits(u, f.Crawler) >= f.Hits)
}

func plainHits(u *URL, crawler string) (sum int64) {
	for i, n := range u.Hits {
		if crawler == "" || u.Outcome.Crawlers[i] == crawler {
			sum += n
		}
	}
	return sum
}

// someFilter asks for several things, or nothing.
func someFilter(r *rand.Rand, urls []URL) (f Filter) {
	like := urls[r.IntN(len(urls))]
	yes := r.IntN(2) == 0
	for range r.IntN(4) {
		switch r.IntN(10) {
		case 0, 1:
			f.Blocked = Blocked(r.IntN(4))
		case 2:
			f.Crawler = []string{"Googlebot", "Bingbot", "ClaudeBot", "no such"}[r.IntN(4)]
		case 3:
			f.Line = r.IntN(9)
		case 4:
			f.Rule = append(testRules, "SHOP", "a", ":", "/nowhere")[r.IntN(len(testRules)+4)]
		case 5:
			f.Template = cmp.Or(like.Template, "/nothing")
		case 6:
			f.Segment = testSegments[r.IntN(3)]
		case 7:
			f.Status = []*Span{{0, 0}, {404, 404}, {400, 499}, {NoAnswer, NoAnswer}, {100, 999}}[r.IntN(5)]
		case 8:
			f.Sitemap, f.Kinds = &yes, []audit.Kind{like.Kind, 9}
		case 9:
			f.Clicks, f.Hits = int64(r.IntN(4)), int64(r.IntN(2)*r.IntN(4))
		}
	}
	return f
}

// plainSearch is the expected result of a query with a filter.
func plainSearch(urls []URL, a asked, q *Query) (list []URL, prefix bool) {
	var selected []URL
	for _, u := range urls {
		if q.Filter.plainly(&u) {
			selected = append(selected, u)
		}
	}
	list, prefix = plainResult(selected, a, q.Site)
	by := map[Sort]func(u *URL) int64{ByURL: func(*URL) int64 { return 0 }, ByClicks: func(u *URL) int64 { return u.Clicks }, ByImpressions: func(u *URL) int64 { return u.Impressions }, ByHits: func(u *URL) int64 { return plainHits(u, q.Filter.Crawler) }}[q.Sort]
	slices.SortStableFunc(list, func(a, b URL) int { return cmp.Compare(by(&b), by(&a)) })
	return list, prefix
}

// sameURL reports whether two URLs are equal in everything that can be seen.
func sameURL(a, b URL) bool {
	seen := func(u *URL) string {
		var of []string
		for i, label := range u.Outcome.Crawlers {
			hits := int64(0)
			if i < len(u.Hits) {
				hits = u.Hits[i]
			}
			of = append(of, fmt.Sprint(label, u.Outcome.Verdict(i), u.Outcome.Lines[i], u.Outcome.Rule(i), hits))
		}
		return strings.Join(of, "|")
	}
	texts := [2]string{seen(&a), seen(&b)}
	a.Outcome, b.Outcome, a.Hits, b.Hits = nil, nil, nil, nil
	return texts[0] == texts[1] && reflect.DeepEqual(a, b)
}

// Any filter, order and page of random worlds gives the same as a loop over the records.
func TestFilter(t *testing.T) {
	met := map[Blocked]int{}
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 20))
		w := someWorld(r, []int{40, 400, 1500}[seed%3])
		path := filepath.Join(t.TempDir(), "urls")
		d := NewDictionary()
		if err := build(t.Context(), path, "key", d, w.entries(d), smallSizes(r)); err != nil {
			t.Fatal(err)
		}
		x, err := Open(path, "key", nil)
		if err != nil {
			t.Fatal(err)
		}
		if lost := x.Lost(); lost != (Lost{}) {
			t.Errorf("lost %+v", lost)
		}
		for range queries {
			a := someQuery(r, w.urls)
			if r.IntN(2) == 0 {
				a = asked{}
			}
			q := Query{Text: a.text, Filter: someFilter(r, w.urls), Sort: Sort(r.IntN(4)), Offset: int64(r.IntN(2) * r.IntN(len(w.urls))), Limit: r.IntN(60)}
			if r.IntN(3) == 0 {
				q.Site = new(int32(r.IntN(5)))
			}
			want, prefix := plainSearch(w.urls, a, &q)
			page := want[min(int(q.Offset), len(want)):]
			page = page[:min(q.Limit, len(page))]
			got, err := x.Search(t.Context(), q)
			if err != nil || got.Total != int64(len(want)) || got.Prefix != prefix || !slices.EqualFunc(got.URLs, page, sameURL) {
				t.Fatalf("seed %d: %+v of %+q: %d URLs, prefix %t, %v; want %d, %t\n%.600s\n%.600s", seed, q.Filter, q.Text, got.Total, got.Prefix, err, len(want), prefix, fmt.Sprint(got.URLs), fmt.Sprint(page))
			}
			if len(want) > 0 {
				met[q.Filter.Blocked]++
			}
			q.Offset = 0
			rows, err := x.Rows(t.Context(), q, t.TempDir())
			if err != nil || rows.Total != int64(len(want)) {
				t.Fatalf("%d rows, %v; want %d", rows.Total, err, len(want))
			}
			n := 0
			for u, err := range rows.All {
				if err != nil || n >= len(want) || !sameURL(*u, want[n]) {
					t.Fatalf("seed %d: %+v: row %d of %d is %+v, %v", seed, q, n, len(want), u, err)
				}
				n++
			}
			if n != min(q.Limit, len(want)) {
				t.Fatalf("seed %d: %+v: %d rows, want %d of %d", seed, q, n, q.Limit, len(want))
			}
		}
		x.Close()
	}
	for _, b := range []Blocked{Whatever, BlockedAny, BlockedNone, BlockedUnknown} {
		if met[b] < queries/8 {
			t.Errorf("%d queries with the filter %d found URLs", met[b], b)
		}
	}
}

// Beyond its bounds a dictionary keeps nothing more: verdicts are then unknown, never fine, and counted.
func TestLost(t *testing.T) {
	d := NewDictionary()
	crawlers, _ := audit.ParseCrawlers("Googlebot")
	entries := func(yield func(Entry, error) bool) {
		s := d.Site(0, crawlers)
		for i := range maxOutcomes + 10 {
			u := audit.URL{Loc: fmt.Sprintf("https://a.test/%d", i), Verdicts: []engine.Verdict{engine.Allow}, Lines: []int32{int32(i + 1)}}
			yield(s.URL(&u, ""), nil)
		}
		s.End()
	}
	path := filepath.Join(t.TempDir(), "urls")
	if err := Build(t.Context(), path, "", d, entries); err != nil {
		t.Fatal(err)
	}
	x, err := Open(path, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	if lost := x.Lost(); lost.Verdicts != 10 {
		t.Errorf("lost %+v", lost)
	}
	for blocked, want := range map[Blocked]int64{BlockedNone: maxOutcomes, BlockedUnknown: 10, BlockedAny: 0} {
		got, err := x.Search(t.Context(), Query{Filter: Filter{Blocked: blocked}, Limit: 10})
		if err != nil || got.Total != want {
			t.Errorf("filter %d: %d URLs, %v; want %d", blocked, got.Total, err, want)
		}
		if blocked == BlockedUnknown && (got.URLs[0].Outcome.Verdicts != nil || got.URLs[0].Outcome.Verdict(0) != engine.Unknown) {
			t.Errorf("%+v", got.URLs[0].Outcome)
		}
	}
}
