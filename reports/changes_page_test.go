package reports

// The page of a comparison, as it is written. It is tested here, beside the harness that
// all pages have in common.

import (
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"robots-audit/audit"
	"robots-audit/audit/compare"
	"robots-audit/engine"
	"robots-audit/reports/changes"
)

// comparedSite is a site as a comparison tells of it: of every four of n pages, two are
// newly blocked, for one crawler or two, one is newly allowed, and one has appeared. text
// stands wherever a site's own text can.
func comparedSite(name string, n int, clicks bool, text string) iter.Seq2[compare.Item, error] {
	site := &compare.Site{Name: name, Causes: map[compare.Cause]int64{}}
	for _, label := range []string{"Googlebot", "Bingbot", "GPTBot" + text} {
		site.Crawlers = append(site.Crawlers, compare.Crawler{Label: label, Old: audit.Crawler{Label: label}, New: audit.Crawler{Label: label}})
	}
	site.Flips = make([]compare.CrawlerTotals, 3)
	old, new := []string{"User-agent: *", "Disallow: /old" + text, "Disallow: /x", "# a", "# b", "# c", "# d", "# e", "# f", "# g", "# h", "Disallow: /moved"}, []string(nil)
	new = slices.Concat([]string{"User-agent: *", "Disallow: /new" + text, "Disallow: /moved"}, old[2:11], []string{"Disallow: /added"})
	return func(yield func(compare.Item, error) bool) {
		if !yield(compare.Item{Begin: site}, nil) {
			return
		}
		lost := compare.Verdicts{Was: engine.Allow, Is: engine.Disallow, New: engine.Rule{Line: 2, Value: "/new" + text}, Class: compare.NewlyBlocked, Cause: compare.Rule, Lines: []int{0}}
		freed := compare.Verdicts{Was: engine.Disallow, Is: engine.Allow, Old: engine.Rule{Line: 2, Value: "/old" + text}, Class: compare.NewlyAllowed, Cause: compare.Rule, Lines: []int{0}}
		for i := range n {
			f := &compare.Flip{Loc: fmt.Sprintf("https://%s/new%s/%d", name, text, i), Verdicts: []compare.Verdicts{lost, {Was: engine.Allow, Is: engine.Allow}, lost}}
			if clicks {
				f.Weight = audit.Weight{Clicks: int64(i), ClicksGiven: true}
			}
			t, weight := &site.Totals, compare.Clicks(f.Weight)
			switch i % 4 {
			case 0:
				f.Verdicts[1] = lost
				t.NewlyBlocked++
			case 1:
				t.NewlyBlocked++
			case 2:
				f.Loc = fmt.Sprintf("https://%s/old%s/%d", name, text, i)
				f.Verdicts = []compare.Verdicts{freed, {Was: engine.Allow, Is: engine.Allow}, freed}
				t.NewlyAllowed++
			case 3:
				f.Appeared = true
				f.Verdicts = make([]compare.Verdicts, 3)
				f.Verdicts[0] = compare.Verdicts{Is: engine.Disallow, New: lost.New}
				t.Appeared++
				t.AppearedBlocked++
			}
			for c, v := range f.Verdicts {
				switch per := &site.Flips[c]; {
				case f.Appeared && v.Is == engine.Disallow:
					per.AppearedBlocked++
				case v.Class == compare.NewlyBlocked:
					per.NewlyBlocked, per.WeightBlocked, per.Weight = per.NewlyBlocked+1, per.WeightBlocked+weight, per.Weight+weight
				case v.Class == compare.NewlyAllowed:
					per.NewlyAllowed, per.WeightAllowed, per.Weight = per.NewlyAllowed+1, per.WeightAllowed+weight, per.Weight+weight
				}
			}
			if !f.Appeared {
				t.Known++
				t.Weight += weight
			}
			if !yield(compare.Item{Flip: f}, nil) {
				return
			}
		}
		answer := func(status int, lines []string) *compare.Answer {
			body := strings.Join(lines, "\n") + "\n"
			return &compare.Answer{Status: status, Type: "text/plain" + text, Bytes: int64(len(body)), SHA256: fmt.Sprint(lines), Body: []byte(body), Kind: compare.BodyText, HasAnswer: true, Access: make([]engine.Access, 3)}
		}
		side := &compare.Side{Started: start, Finished: start.Add(1), State: audit.Warn, URLs: int64(n)}
		site.Old, site.New = side, side
		if n == 0 {
			yield(compare.Item{Site: site}, nil)
			return
		}
		t := &site.Totals
		site.Causes[compare.Rule] = t.NewlyBlocked + t.NewlyAllowed
		site.Notes = []string{"A note" + text}
		site.Origins = []compare.Origin{
			{Name: "https://" + name, Old: answer(200, old), New: answer(200, new), Diff: []compare.Line{
				{Op: compare.Edited, OldLine: 2, NewLine: 2, Old: old[1], New: new[1], NewlyBlocked: t.NewlyBlocked, NewlyAllowed: t.NewlyAllowed},
				{Op: compare.Moved, OldLine: 12, NewLine: 3, Old: old[11], New: new[2]},
				{Op: compare.Added, NewLine: 13, New: new[12], NotCounted: true},
			}},
			{Name: "http://" + name, SameAs: "https://" + name, Old: answer(200, old), New: answer(200, new)},
			{Name: "https://shop." + name, Old: answer(200, old), New: answer(503, nil)},
		}
		site.Sections = []compare.Section{
			{Path: "/new" + text + "/", NewlyBlocked: t.NewlyBlocked, WeightBlocked: t.Weight},
			{Path: "/old" + text + "/", Host: "shop." + name, NewlyAllowed: t.NewlyAllowed, WeightAllowed: t.NewlyAllowed},
			{Path: ""},
		}
		site.Changes = []compare.Change{
			{Kind: "status", What: "https://shop." + name + "/robots.txt" + text, Before: "200" + text, After: "503" + text, Severity: compare.Critical, Condition: "AL03"},
			{Kind: "rule_edited", What: "line 2", Before: old[1], After: new[1], Severity: compare.High},
			{Kind: "sitemap_lost", What: "sitemap", Before: "https://" + name + "/sitemap.xml", Severity: compare.Medium, Condition: "AL07"},
			{Kind: "lint", What: "finding", After: "GRP004", Severity: compare.Info},
		}
		yield(compare.Item{Site: site}, nil)
	}
}

// comparison makes the folder of a comparison of sites.
func comparison(t *testing.T, sites ...iter.Seq2[compare.Item, error]) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "changes")
	run := changes.Run{Path: "runs/1", ID: "1", Version: "1.0.0", Started: start, Finished: start.Add(1), Crawlers: []string{"Googlebot", "Bingbot", "GPTBot"}}
	again := run
	again.Path, again.Finished = "runs/2", time.Time{}
	r, err := changes.Open(changes.Options{Dir: dir, Old: run, New: again, Version: "1.0.0"})
	if err != nil {
		t.Fatal(err)
	}
	for _, site := range sites {
		if _, err := r.AddSite(site); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

// someCompared are a few sites: two on which something changed, and two on which nothing did.
func someCompared(t *testing.T) (dir string) {
	return comparison(t, comparedSite("a.example", 0, false, ""), comparedSite("b.example", 40, false, ""), comparedSite("c.example", 400, true, ""), comparedSite("d.example", 0, false, ""))
}

// classed are the elements of a class.
func classed(elements []*html.Node, class string) (list []*html.Node) {
	for _, n := range elements {
		if of, _ := attribute(n, "class"); slices.Contains(strings.Fields(of), class) {
			list = append(list, n)
		}
	}
	return list
}

// wordsIn is the text of an element, its white space joined.
func wordsIn(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data + " ")
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// cellsOfRows are the cells of the rows of tables of a class.
func cellsOfRows(elements []*html.Node, class string) (rows [][]string) {
	for _, table := range classed(elements, class) {
		for n := range table.Descendants() {
			if n.Type != html.ElementNode || n.Data != "tr" || n.Parent.Data != "tbody" {
				continue
			}
			var row []string
			for c := range n.ChildNodes() {
				if c.Type == html.ElementNode {
					row = append(row, wordsIn(c))
				}
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// TestChangesPage holds the page of a comparison to what was compared.
func TestChangesPage(t *testing.T) {
	text, elements := parsedPage(t, someCompared(t), "index.html")
	for _, want := range []string{"2 of 4 sites changed", "2 sites: nothing changed", "runs/1", "cut short", "for Googlebot", "Why they flip: the rules differ (300 URLs)"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	var tiles []string
	for _, n := range classed(elements, "tile") {
		tiles = append(tiles, wordsIn(n))
	}
	if want := []string{"220 newly blocked", "110 newly allowed", "0 now unclear", "0 clear again", "110 appeared", "110 appeared and blocked", "0 vanished"}; !slices.Equal(tiles, want) {
		t.Errorf("tiles %q, want %q", tiles, want)
	}
	var sections []string
	for _, n := range classed(elements, "compared") {
		id, _ := attribute(n, "id")
		sections = append(sections, id+" "+wordsIn(n.FirstChild))
	}
	if want := []string{"site-1 c.example ✕ Critical 200 newly blocked 100 newly allowed", "site-2 b.example ✕ Critical 20 newly blocked 10 newly allowed"}; !slices.Equal(sections, want) {
		t.Errorf("sections %q, want %q", sections, want)
	}
	bars := cellsOfRows(elements, "flipbars") // of all sites together, then of each
	want := [][]string{
		{"c.example /new/", "200 59,700 clicks", "", "–"}, {"c.example /old/ shop.c.example", "–", "", "100 100 clicks"},
		{"b.example /new/", "20 30 clicks", "", "–"}, {"b.example /old/ shop.b.example", "–", "", "10 10 clicks"},
		{"/new/", "200 59,700 clicks", "", "–"}, {"/old/ shop.c.example", "–", "", "100 100 clicks"}, {"all other directories", "–", "", "–"},
		{"/new/", "20", "", "–"}, {"/old/ shop.b.example", "–", "", "10"}, {"all other directories", "–", "", "–"},
	}
	if !slices.EqualFunc(bars, want, slices.Equal) {
		t.Errorf("bars %q, want %q", bars, want)
	}
	urls := cellsOfRows(elements, "urls")
	if got, want := urls[0], []string{"https://c.example/new/397", "397", "newly blocked for Googlebot and GPTBot", "allowed", "blocked line 2: disallow: /new"}; len(got) != 6 || !slices.Equal(got[:5], want) {
		t.Errorf("first URL %q, want %q", got, want)
	}
	if len(urls) != 140 { // 100 of 400, and all 40
		t.Errorf("%d URLs", len(urls))
	}
}

// TestChangesPageRows holds the rows of the table of sites to the counts.
func TestChangesPageRows(t *testing.T) {
	var got []string
	for _, row := range indexRowsOf(t, someCompared(t)) {
		got = append(got, fmt.Sprint(row[0], row[1], row[2], row[5:]))
	}
	want := []string{"c.examplesite-1critical[200 100 0 0 100 100 0 300]", "b.examplesite-2critical[20 10 0 0 10 10 0 30]"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestChangesPageFile: both files stand side by side, with what each line flips.
func TestChangesPageFile(t *testing.T) {
	_, elements := parsedPage(t, comparison(t, comparedSite("b.example", 40, false, "")), "index.html")
	want := [][]string{
		{"1", "User-agent: *", "1", "User-agent: *", ""},
		{"2", "Disallow: / old", "2", "Disallow: / new edited", "−20 +10"},
		{"", "", "3", "Disallow: /moved moved from line 12", "–"},
		{"3", "Disallow: /x", "4", "Disallow: /x", ""},
		{"4", "# a", "5", "# a", ""},
		{"5", "# b", "6", "# b", ""},
		{"3 lines stay as they are"},
		{"9", "# f", "10", "# f", ""},
		{"10", "# g", "11", "# g", ""},
		{"11", "# h", "12", "# h", ""},
		{"12", "Disallow: /moved moved to line 3", "", "", ""},
		{"", "", "13", "Disallow: /added added", "not counted"},
	}
	got := cellsOfRows(elements, "diff")
	for i := range max(len(got), len(want)) {
		switch {
		case i >= len(got) || i >= len(want):
			t.Fatalf("%d rows, want %d: %q", len(got), len(want), got)
		case !slices.Equal(got[i], want[i]):
			t.Errorf("row %d: %q, want %q", i, got[i], want[i])
		}
	}
}

// TestChangesPageLinks: what leads to a place within the page finds it, and the rules that
// decided lead to their lines.
func TestChangesPageLinks(t *testing.T) {
	_, elements := parsedPage(t, someCompared(t), "index.html")
	byID, lines := map[string]*html.Node{}, map[string]bool{}
	for _, n := range elements {
		if id, ok := attribute(n, "id"); ok {
			if byID[id] != nil {
				t.Errorf("two elements have the id %s", id)
			}
			byID[id] = n
		}
	}
	for _, n := range elements {
		href, _ := attribute(n, "href")
		at, within := strings.CutPrefix(href, "#")
		if !within {
			continue
		}
		to := byID[at]
		if to == nil {
			t.Errorf("%s (%s) leads nowhere", href, wordsIn(n))
		} else if rule, ok := strings.CutPrefix(wordsIn(n), "line 2: disallow: "); ok {
			lines[at+" "+wordsIn(to)] = true
			if text := strings.ReplaceAll(wordsIn(to), "/ ", "/"); !strings.Contains(text, rule) {
				t.Errorf("%s leads to %q", rule, text)
			}
		}
	}
	for _, want := range []string{"site-1-is1-2 Disallow: / new edited", "site-1-was1-2 Disallow: / old", "site-2-is1-2 Disallow: / new edited", "site-2-was1-2 Disallow: / old"} {
		if !lines[want] {
			t.Errorf("no rule leads to %q: %v", want, lines)
		}
	}
	for _, want := range []string{"site-1-directories", "site-1-robots", "site-1-urls", "site-1-changes"} {
		if byID[want] == nil {
			t.Errorf("no part %s", want)
		}
	}
}

// TestChangesPageOfOne: where there is one site, nothing is to be chosen, and nothing is said twice.
func TestChangesPageOfOne(t *testing.T) {
	text, elements := parsedPage(t, comparison(t, comparedSite("b.example", 40, false, "")), "index.html")
	if n := strings.Count(text, "may no longer crawl"); n != 1 {
		t.Errorf("what changed is said %d times", n)
	}
	for _, n := range elements {
		if id, _ := attribute(n, "id"); id == "table" || id == "directories" {
			t.Errorf("there is an element %s, which chooses among one", id)
		}
	}
	if n := len(cellsOfRows(elements, "urls")); n != 40 {
		t.Errorf("%d URLs, want 40", n)
	}
}

// TestChangesPageHostile: what a site says is text in the page of a comparison, too.
func TestChangesPageHostile(t *testing.T) {
	var sites []iter.Seq2[compare.Item, error]
	for i, h := range hostileTexts {
		sites = append(sites, comparedSite(fmt.Sprintf("h%d.example", i), 8, i%2 == 0, strings.NewReplacer("\n", "", "\r", "").Replace(h)))
	}
	text, elements := parsedPage(t, comparison(t, sites...), "index.html")
	for _, h := range hostileShown {
		if !strings.Contains(text, h) {
			t.Errorf("%q is not shown", h)
		}
	}
	scripts := 0
	for _, n := range elements {
		if n.Data == "script" {
			scripts++
		}
		if slices.Contains([]string{"img", "iframe", "object"}, n.Data) {
			t.Errorf("an element %s that nobody asked for", n.Data)
		}
		for _, a := range n.Attr {
			if strings.HasPrefix(a.Key, "on") || a.Key == "href" && strings.HasPrefix(a.Val, "javascript") {
				t.Errorf("%s has %s=%q", n.Data, a.Key, a.Val)
			}
		}
	}
	if scripts != 3 {
		t.Errorf("%d script elements, want 3", scripts)
	}
}

// TestChangesPageOfMany bounds the page of many sites: all are in the table, the gravest
// have a part of their own, and the first of these in full.
func TestChangesPageOfMany(t *testing.T) {
	var sites []iter.Seq2[compare.Item, error]
	for i := range 300 {
		sites = append(sites, comparedSite(fmt.Sprintf("s%03d.example", i), 104+4*i, false, ""))
	}
	dir := comparison(t, sites...)
	text, elements := parsedPage(t, dir, "index.html")
	if rows := indexRowsOf(t, dir); len(rows) != 300 || rows[0][0] != "s299.example" || rows[199][1] != "site-200" || rows[200][1] != "" {
		t.Errorf("%d rows of sites", len(rows))
	}
	if n := len(classed(elements, "compared")); n != 200 {
		t.Errorf("%d sites with a part of their own, want 200", n)
	}
	if n := len(cellsOfRows(elements, "urls")); n != 40*100+160*10 {
		t.Errorf("%d URLs, want those of 40 sites in full and ten each of 160", n)
	}
	if !strings.Contains(text, "The 200 gravest are here") {
		t.Error("the page does not say that there are more")
	}
	info, err := os.Stat(filepath.Join(dir, "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() > 6<<20 {
		t.Errorf("%d bytes", info.Size())
	}
}

// TestChangesPageWithoutSites: a comparison may have nothing to tell.
func TestChangesPageWithoutSites(t *testing.T) {
	for _, sites := range [][]iter.Seq2[compare.Item, error]{nil, {comparedSite("a.example", 0, false, "")}} {
		dir := comparison(t, sites...)
		text, _ := parsedPage(t, dir, "index.html")
		if !strings.Contains(text, "On no site did anything change.") || len(indexRowsOf(t, dir)) != 0 {
			t.Error("the page does not say that nothing changed")
		}
	}
}
