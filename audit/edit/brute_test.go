package edit

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"robots-audit/engine"
)

// crawlersNamed makes crawlers of the engine's list.
func crawlersNamed(t testing.TB, names ...string) (list []Crawler) {
	for _, name := range names {
		c, err := engine.ParseCrawler(name)
		if err != nil {
			t.Fatal(err)
		}
		p, ok := engine.ProfileByName(c.Profile)
		if !ok {
			t.Fatalf("no profile %q", c.Profile)
		}
		list = append(list, Crawler{Label: name, Crawler: c, Profile: p})
	}
	return list
}

func parsed(body string) engine.File {
	return engine.File{Status: 200, Body: []byte(body), SiteAvailable: true}
}

func all(urls []string) func() iter.Seq[string] {
	return func() iter.Seq[string] { return slices.Values(urls) }
}

// verdicts judges every URL for every crawler, each alone.
func verdicts(req *Request, body []byte, urls []string) (table [][]engine.Verdict) {
	for _, c := range slices.Concat(req.Crawlers, req.Others) {
		g := c.Profile.Parse(body).Group(c.Crawler)
		var row []engine.Verdict
		for _, url := range urls {
			row = append(row, g.Verdict(url).Verdict)
		}
		table = append(table, row)
	}
	return table
}

// brute is the plain way: each file is judged on each URL.
type brute struct {
	req  *Request
	urls []string // the set first
	was  [][]engine.Verdict
}

func newBrute(req *Request) *brute {
	b := &brute{req: req, urls: slices.Clone(req.Set)}
	for url := range req.Known() {
		if !slices.Contains(req.Set, url) {
			b.urls = append(b.urls, url)
		}
	}
	b.was = verdicts(req, req.File.Body, b.urls)
	return b
}

// does reports whether a file gives the set the verdict.
func (b *brute) does(body []byte) bool {
	for _, c := range b.req.Crawlers {
		g := c.Profile.Parse(body).Group(c.Crawler)
		for _, url := range b.req.Set {
			if g.Verdict(url).Verdict != b.req.Want {
				return false
			}
		}
	}
	return true
}

// flips counts what else a file flips.
func (b *brute) flips(body []byte) (pairs int64) {
	for c, row := range verdicts(b.req, body, b.urls) {
		for i, is := range row {
			wanted := i < len(b.req.Set) && is == b.req.Want && (c < len(b.req.Crawlers) || b.req.Along)
			if is != b.was[c][i] && !wanted {
				pairs++
			}
		}
	}
	return pairs
}

// maxDeletedBytes are those of the files with a line deleted that are tried of one file.
const maxDeletedBytes = 200 << 20

// noRule is what a line that is no rule counts for, to come after all rules.
const noRule = 1 << 20

// ends are the ends of lines.
var ends = regexp.MustCompile(`\r\n|\n|\r`)

// best returns the smallest single-line edit that does and flips nothing else, as octets
// and, before them, whether the line is no rule: every deletion, and every rule of each
// beginning of a URL of the set, with and without "$", after every user-agent line. -1 =
// there is none.
func (b *brute) best() (octets int, what string) {
	octets = -1
	body := b.req.File.Body
	try := func(n int, edited []byte, words string) {
		if (octets < 0 || n < octets) && b.does(edited) && b.flips(edited) == 0 {
			octets, what = n, words
		}
	}
	var lines [][2]int // begin and end of each, with its end
	begin := 0
	for _, at := range ends.FindAllIndex(body, -1) {
		lines = append(lines, [2]int{begin, at[1]})
		begin = at[1]
	}
	if begin < len(body) {
		lines = append(lines, [2]int{begin, len(body)})
	}
	for i, l := range lines {
		if most := maxDeletedBytes / len(body); len(lines) > most && i%(len(lines)/most+1) != 0 {
			continue // of long files, some
		}
		text := bytes.TrimRight(body[l[0]:l[1]], "\r\n")
		size := len(text) + 1
		if !regexp.MustCompile(`(?i)^\s*(allow|dis\w*)\s*:`).Match(text) {
			size += noRule
		}
		try(size, slices.Concat(body[:l[0]], body[l[1]:]), fmt.Sprintf("delete line %d", i+1))
	}
	field := "Allow: "
	if b.req.Want == engine.Disallow {
		field = "Disallow: "
	}
	patterns := map[string]bool{}
	for _, url := range b.req.Set {
		for n := 1; n <= len(url); n++ {
			patterns[url[:n]], patterns[url[:n]+"$"] = true, true
		}
	}
	var matching []string // what does not match all of the set covers no set
	for p := range patterns {
		if !slices.ContainsFunc(b.req.Set, func(url string) bool {
			return !strings.HasPrefix(url, strings.TrimSuffix(p, "$")) || strings.HasSuffix(p, "$") && url != strings.TrimSuffix(p, "$")
		}) || len(b.req.Crawlers) > 1 {
			matching = append(matching, p)
		}
	}
	slices.Sort(matching)
	for i, l := range lines {
		if !bytes.Contains(bytes.ToLower(body[l[0]:l[1]]), []byte("agent")) {
			continue
		}
		for _, p := range matching {
			edited := slices.Concat(body[:l[1]], []byte("\n"+field+p+"\n"), body[l[1]:])
			if bytes.HasSuffix(body[:l[1]], []byte("\n")) {
				edited = slices.Concat(body[:l[1]], []byte(field+p+"\n"), body[l[1]:])
			}
			try(len(field+p)+1, edited, fmt.Sprintf("insert %q after line %d", field+p, i+1))
		}
	}
	return octets, what
}

// hold holds a result to the brute force.
func hold(t *testing.T, name string, req *Request, res *Result) {
	t.Helper()
	b := newBrute(req)
	if len(res.Unmet) == 0 && len(res.NoLine) == 0 && res.Needed > 0 {
		if !res.Proved || !b.does(res.Body) {
			t.Errorf("%s: the set %q has not the verdict, proved: %v, by\n%s", name, req.Set, res.Proved, Describe(res))
		}
	}
	if n := b.flips(res.Body); n != res.Flips {
		t.Errorf("%s: %d flips, %d told: %s", name, n, res.Flips, Describe(res))
	}
	if res.Needed == 0 || len(res.Unmet) > 0 {
		return
	}
	octets := 0
	for _, e := range res.Edits {
		octets += e.octets()
		if e.reach() == 2 {
			octets += noRule
		}
	}
	if least, what := b.best(); least >= 0 && (res.Flips > 0 || len(res.Edits) != 1 || octets > least) {
		t.Errorf("%s: %d edits of %d octets, %d flips; %d octets do: %s\nset %q\n%s", name, len(res.Edits), octets, res.Flips, least, what, req.Set, Describe(res))
	}
}

// urlsFor makes paths that the rules of a file are about, and others.
func urlsFor(random *rand.Rand, body []byte, n int) (urls []string) {
	words := []string{"a", "about", "blog", "shop", "index.html", "item", "1", "27", "2026", "print", "de", "search", "x.pdf", "page"}
	word := func() string { return words[random.IntN(len(words))] }
	rules := engine.Profiles()[0].Parse(body).Rules()
	seen := map[string]bool{}
	for range n * 4 {
		url := "/" + word()
		if len(rules) > 0 && random.IntN(4) > 0 {
			url = strings.TrimSuffix(rules[random.IntN(len(rules))].Value, "$")
			for strings.Contains(url, "*") {
				url = strings.Replace(url, "*", word(), 1)
			}
			if !strings.HasPrefix(url, "/") {
				url = "/" + url
			}
		}
		for range random.IntN(4) {
			url += []string{"/", "", "-", "?q="}[random.IntN(4)] + word()
		}
		if !seen[url] && len(urls) < n && !strings.ContainsAny(url, " #\t") && !strings.HasPrefix(url, "//") && len(url) < 200 {
			seen[url] = true
			urls = append(urls, url)
		}
	}
	return urls
}

// setOf picks up to n URLs that lack a verdict for a crawler: anywhere, beside each other,
// or all that begin alike.
func setOf(random *rand.Rand, req *Request, urls []string, n int) (set []string) {
	rows := verdicts(req, req.File.Body, urls)
	var lacking []string
	for i, url := range urls {
		if slices.ContainsFunc(rows[:len(req.Crawlers)], func(row []engine.Verdict) bool { return row[i] != req.Want }) {
			lacking = append(lacking, url)
		}
	}
	random.Shuffle(len(lacking), func(i, k int) { lacking[i], lacking[k] = lacking[k], lacking[i] })
	switch random.IntN(3) {
	case 0:
		slices.Sort(lacking)
		if at := len(lacking) - n; at > 0 {
			at = random.IntN(at)
			lacking = lacking[at : at+n]
		}
	case 1:
		if len(lacking) == 0 {
			return nil
		}
		first := lacking[0]
		for end := range first {
			alike := slices.DeleteFunc(slices.Clone(lacking), func(url string) bool { return !strings.HasPrefix(url, first[:end+1]) })
			if len(alike) <= n {
				return alike
			}
		}
	}
	return lacking[:min(n, len(lacking))]
}

func smallest(t testing.TB, req Request) *Result {
	t.Helper()
	res, err := Smallest(context.Background(), req)
	if err != nil {
		t.Fatal(err)
	}
	return res
}
