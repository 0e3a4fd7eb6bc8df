package changes

import (
	"encoding/json"
	"flag"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"robots-audit/audit"
	"robots-audit/audit/compare"
	"robots-audit/engine"
)

var update = flag.Bool("update", false, "write the goldens anew")

// TestGolden compares the text of changes.json and changes.md.
func TestGolden(t *testing.T) {
	dir := t.TempDir()
	r := newReport(t, Options{Dir: dir})
	sites := others(t)
	add(t, r, sites[0])
	add(t, r, shop(t))
	for _, site := range sites[1:] {
		add(t, r, site)
	}
	r.Notes = []string{"The runs are of two versions of the program."}
	closeReport(t, r)
	files := folder(t, dir)
	for _, name := range []string{"changes.json", "changes.md"} {
		golden := filepath.Join("testdata", name)
		if *update {
			if err := os.WriteFile(golden, []byte(files[name]), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if files[name] != string(want) {
			t.Errorf("%s differs from the golden; see git diff after go test ./reports/changes -run TestGolden -update:\n%s", name, files[name])
		}
	}
	for name := range files {
		if strings.HasPrefix(name, hidden) {
			t.Errorf("left behind: %s", name)
		}
	}
	want := "5 sites: 3 changed. 120 URLs newly blocked, 1 newly allowed, 6 appeared (1 of them blocked), 2 vanished, 1 site only in the older run\n" +
		"The newer run stopped early. Sites may be missing from it.\nThe runs are of two versions of the program.\n  shop.example: 120 URLs (1,340 clicks) are newly blocked for Googlebot and Bingbot"
	if got := r.Outcome(0); !strings.HasPrefix(got, want) || strings.Count(got, "\n") != 6 || strings.Contains(got, "same.example") {
		t.Errorf("%s, want %s", got, want)
	}
	for line := range strings.Lines(r.Outcome(40)) {
		if n := utf8.RuneCountInString(line); n > 40 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}

// readJSON is the part of changes.json that the test reads: the keys of the contract.
type readJSON struct {
	Old, New map[string]any
	Totals   map[string]int64
	Sites    []struct {
		Domain  string
		Changed *bool
		Robots  struct {
			Old, New map[string]any
			Diff     []map[string]any
		}
		Flips   map[string]map[string]int64
		Causes  map[string]int64
		Changes []map[string]any
		Samples []map[string]any
		More    int64 `json:"samples_more"`
	}
}

func readBack(t testing.TB, dir string) (j readJSON) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "changes.json"))
	if err != nil {
		t.Fatal(err)
	}
	if !utf8.Valid(text) {
		t.Error("changes.json is not UTF-8")
	}
	if err := json.Unmarshal(text, &j); err != nil {
		t.Fatal(err)
	}
	return j
}

// TestJSON reads changes.json back, and compares it with verdicts that are computed here, one URL
// at a time.
func TestJSON(t *testing.T) {
	const bots = "Googlebot,YandexBot"
	old, new := "User-agent: *\nDisallow: /c\n", "User-agent: Yandex\nDisallow: /a1\n\nUser-agent: *\nDisallow: /a\nDisallow: /c\n"
	var urls []string
	for n := range 300 {
		urls = append(urls, fmt.Sprintf("/a%d\xff", n), fmt.Sprintf("/b%d", n), fmt.Sprintf("/c%d", n))
	}
	dir := t.TempDir()
	r := newReport(t, Options{Dir: dir})
	add(t, r, compare.Sides(run(t, "example.com", bots, old, urls...), run(t, "example.com", bots, new, append(urls, "/new", "/anew")...), compare.Options{Temp: r.Temp()}))
	add(t, r, compare.Sides(run(t, "example.org", bots, old, "/x"), run(t, "example.org", bots, old), compare.Options{Temp: r.Temp()}))
	closeReport(t, r)
	j := readBack(t, dir)

	want := map[string]map[string]int64{}
	flips, blocked, allowed := map[string]bool{}, int64(0), int64(0)
	for i, name := range []string{"Googlebot", "YandexBot"} {
		want[name] = map[string]int64{}
		for _, u := range urls {
			was, is := !strings.HasPrefix(u, "/c"), !strings.HasPrefix(u, "/a") && !strings.HasPrefix(u, "/c")
			if i == 1 {
				is = !strings.HasPrefix(u, "/a1")
			}
			switch {
			case was && !is:
				want[name]["newly_blocked"]++
			case !was && is:
				want[name]["newly_allowed"]++
			}
			if was != is {
				if was && !flips[u] {
					blocked++
				} else if is {
					allowed++
				}
				flips[u] = true
			}
		}
	}
	if len(j.Sites) != 2 || j.Sites[0].Domain != "example.com" || !*j.Sites[0].Changed {
		t.Fatalf("sites: %+v", j.Sites)
	}
	site := j.Sites[0]
	for name, of := range want {
		for key, n := range of {
			if site.Flips[name][key] != n {
				t.Errorf("%s: %d %s, want %d", name, site.Flips[name][key], key, n)
			}
		}
	}
	for key, n := range map[string]int64{"sites": 2, "sites_changed": 2, "newly_blocked": blocked, "newly_allowed": allowed, "now_unclear": 0, "clear_again": 0, "appeared": 2, "appeared_blocked": 1, "vanished": 1} {
		if got, there := j.Totals[key]; got != n || !there {
			t.Errorf("totals: %d %s, want %d", got, key, n)
		}
	}
	if n := int64(len(flips)) + 1; site.More <= 0 || site.More >= n || len(site.Samples) > maxJSONSamples || len(site.Samples) < 50 { // and the one that appeared
		t.Errorf("%d samples and %d more URLs of %d", len(site.Samples), site.More, n)
	}
	for _, s := range site.Samples {
		for _, key := range []string{"url", "crawler", "was", "is", "old_rule", "old_line", "new_rule", "new_line", "cause"} {
			if s[key] == nil {
				t.Fatalf("a sample without %s: %v", key, s)
			}
		}
		if url := s["url"].(string); strings.HasPrefix(url, "https://example.com/a") && s["class"] != "appeared_blocked" && !strings.HasSuffix(url, `\xFF`) {
			t.Errorf("the byte of %s is lost", url)
		}
	}
	if j.Sites[1].Samples == nil || j.Sites[1].Changes == nil || j.Sites[1].Robots.Diff == nil || j.Sites[1].Flips == nil || j.Sites[1].Causes == nil {
		t.Errorf("a list is null: %+v", j.Sites[1])
	}
}

// TestMarkdownBound checks that changes.md is never longer than a comment may be: 5,000 sites with
// long names and texts, and one with 100,000 flips.
func TestMarkdownBound(t *testing.T) {
	output := &markdownOutput{}
	c := &Comparison{}
	crawlers := crawlersOf(t, "Googlebot,Bingbot")
	side := &compare.Side{State: audit.OK}
	long := strings.Repeat("|`*_<&\xff\u202e", 1000)
	blocked := compare.Verdicts{Was: engine.Allow, Is: engine.Disallow, New: engine.Rule{Value: long, Line: 1}, Class: compare.NewlyBlocked, Cause: compare.Rule}
	for n := range 5001 {
		site := &compare.Site{Name: fmt.Sprintf("%d.%s.example", n, strings.Repeat("long-", 40)), Old: side, New: side, Flips: make([]compare.CrawlerTotals, 2)}
		for _, crawler := range crawlers {
			site.Crawlers = append(site.Crawlers, compare.Crawler{Label: crawler.Label, Old: crawler, New: crawler})
		}
		flips := 1
		if n == 5000 {
			flips = 100_000
		}
		site.Totals = compare.Totals{Known: int64(flips), Counts: compare.Counts{NewlyBlocked: int64(flips)}, Weight: int64(flips)}
		site.Flips[0].NewlyBlocked, site.Flips[0].WeightBlocked = int64(flips), int64(flips)
		if n%500 == 0 {
			site.Notes = []string{long}
			for range 25 {
				site.Changes = append(site.Changes, compare.Change{What: long, Before: long, After: long})
			}
			lines := make([]compare.Line, 25)
			for i := range lines {
				lines[i] = compare.Line{Op: compare.Edited, OldLine: i, NewLine: i, Old: long, New: long, NewlyBlocked: int64(i)}
			}
			site.Origins = []compare.Origin{{Name: "https://" + site.Name, Diff: lines}}
		}
		f := &compare.Flip{Verdicts: []compare.Verdicts{blocked, {}}}
		told, err := gather(func(yield func(compare.Item, error) bool) {
			yield(compare.Item{Begin: site}, nil)
			for i := range flips {
				f.Loc = "https://example.com/"
				if f.Weight.Clicks = int64(i % 1000); i%1000 == 0 {
					f.Loc += long
				}
				yield(compare.Item{Flip: f}, nil)
			}
			yield(compare.Item{Site: site}, nil)
		}, n, output)
		if err != nil {
			t.Fatal(err)
		}
		c.Add(told)
	}
	for range 200 {
		c.Notes = append(c.Notes, long)
	}
	c.Sort()
	text := comparisonMarkdown(c, output.first)
	if n := len(text); n > 60_000 || n < 30_000 {
		t.Errorf("%d bytes", n)
	}
	if !strings.Contains(text, "more sites\n\nThis file is full. See changes.json for these sites.") || !strings.Contains(text, "> 190 more notes.") {
		t.Error("what is left out is not told")
	}
	if !strings.Contains(text, "## 5000.long-") {
		t.Error("the site with most flips is not told of")
	}
}

// markdownOf describes the comparison of one site as changes.md does, in at most limit bytes. It is
// empty if nothing changed.
func markdownOf(items iter.Seq2[compare.Item, error], limit int) (string, *compare.Site, error) {
	site, err := gather(items, 0)
	if err != nil {
		return "", nil, err
	}
	if !site.Changed() {
		return "", site.Site, nil
	}
	return siteMarkdown(site, limit), site.Site, nil
}

// TestMarkdown checks the text for one site.
func TestMarkdown(t *testing.T) {
	text, site, err := markdownOf(shop(t), 10_000)
	if err != nil || site.Name != "shop.example" || len(text) > 10_000 || !strings.HasPrefix(text, "120 URLs (1,340 clicks) are newly blocked for Googlebot and Bingbot. New line 14 `Disallow: /de/p` blocks all of them.") {
		t.Errorf("%v %s", err, text)
	}
	if brief, _, _ := markdownOf(shop(t), 1500); len(brief) > 1500 || !strings.Contains(brief, "blocks all of them") {
		t.Errorf("%d bytes: %s", len(brief), brief)
	}
	if text, site, err := markdownOf(others(t)[0], 10_000); text != "" || site == nil || err != nil {
		t.Errorf("%q of a site that nobody changed (%v)", text, err)
	}
	if _, _, err := markdownOf(func(func(compare.Item, error) bool) {}, 100); err == nil {
		t.Error("a comparison without an end")
	}
}

// TestMarkdownText checks the escapes.
func TestMarkdownText(t *testing.T) {
	for text, want := range map[string]string{
		"a_b *c* <i> [x](y) # ~ & \\": `a\_b \*c\* \<i\> \[x\](y) \# \~ \& \\`,
		"line 1 `a|b_` was added":     "line 1 `a|b_` was added",
		"an `odd one":                 "an \\`odd one",
		"\n\u202e|":                   `\\x0A\[U+202E\]|`,
		"@name `@b` shop@c.example":   "`@name` `@b` shop@c.example",
	} {
		if got := markdownText(text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
	if got, want := markdownRow("a|b", "`c|d`"), "| a\\|b | `c\\|d` |\n"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
