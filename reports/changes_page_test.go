package reports

// The page of a comparison, as written. It is tested here, next to the helpers that all pages
// share.

import (
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"robots-audit/audit/compare"
)

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

// TestChangesPage compares the page of a comparison with the compared sites.
func TestChangesPage(t *testing.T) {
	t.Parallel()
	text, elements := parsedPage(t, someCompared(t), "index.html")
	checkHas(t, text, "2 of 4 sites changed", "2 sites: nothing changed", "runs/1", "stopped early", "for Googlebot", "Why: the rules changed (300 URLs)")
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

// TestChangesPageRows compares the rows of the table of sites with the counts.
func TestChangesPageRows(t *testing.T) {
	t.Parallel()
	var got []string
	for _, row := range indexRowsOf(t, someCompared(t)) {
		got = append(got, fmt.Sprint(row[0], row[1], row[2], row[5:]))
	}
	want := []string{"c.examplesite-1critical[200 100 0 0 100 100 0 300]", "b.examplesite-2critical[20 10 0 0 10 10 0 30]"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestChangesPageFile: both files are side by side, with the flips by each line.
func TestChangesPageFile(t *testing.T) {
	t.Parallel()
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

// TestChangesPageLinks: links within the page have a target, and the rules that decided link to
// their lines.
func TestChangesPageLinks(t *testing.T) {
	t.Parallel()
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

// TestChangesPageOfOne: with only one site there is no filter, and nothing is repeated.
func TestChangesPageOfOne(t *testing.T) {
	t.Parallel()
	text, elements := parsedPage(t, comparison(t, comparedSite("b.example", 40, false, "")), "index.html")
	if n := strings.Count(text, "URLs are newly blocked for"); n != 1 {
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

// TestChangesPageHostile: text from a site is always text, also in the page of a comparison.
func TestChangesPageHostile(t *testing.T) {
	t.Parallel()
	var sites []iter.Seq2[compare.Item, error]
	for i, h := range hostileTexts {
		sites = append(sites, comparedSite(fmt.Sprintf("h%d.example", i), 8, i%2 == 0, strings.NewReplacer("\n", "", "\r", "").Replace(h)))
	}
	checkHarmless(t, comparison(t, sites...), "index.html")
}

// TestChangesPageOfMany bounds the page of many sites: all are in the table, the most important
// ones have a section of their own, and the first sections are complete.
func TestChangesPageOfMany(t *testing.T) {
	t.Parallel()
	if raced {
		t.Skip("one goroutine that works for half a minute")
	}
	const more = 8 // additional pages of each site, so that the same share of each is blocked
	var sites []iter.Seq2[compare.Item, error]
	for i := range 300 {
		sites = append(sites, comparedSite(fmt.Sprintf("s%03d.example", i), 104+more*i, false, ""))
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
	if !strings.Contains(text, "The 200 most severe sites are here") {
		t.Error("the page does not say that there are more")
	}
	info, err := os.Stat(filepath.Join(dir, "index.html"))
	noError(t, err)
	if info.Size() > 6<<20 {
		t.Errorf("%d bytes", info.Size())
	}
}

// TestChangesPageWithoutSites: a comparison may have no changes.
func TestChangesPageWithoutSites(t *testing.T) {
	t.Parallel()
	for _, sites := range [][]iter.Seq2[compare.Item, error]{nil, {comparedSite("a.example", 0, false, "")}} {
		dir := comparison(t, sites...)
		text, _ := parsedPage(t, dir, "index.html")
		if !strings.Contains(text, "No site changed.") || len(indexRowsOf(t, dir)) != 0 {
			t.Error("the page does not say that nothing changed")
		}
	}
}
