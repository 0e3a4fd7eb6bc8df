package edit

import (
	"bytes"
	"cmp"
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
		noError(t, err)
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
func verdicts(req *request, body []byte, urls []string) (table [][]engine.Verdict) {
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
	req  *request
	urls []string // the set first
	was  [][]engine.Verdict
}

func newBrute(req *request) *brute {
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

// flips counts the other flips of a file.
func (b *brute) flips(body []byte) (pairs int64) {
	for c, row := range verdicts(b.req, body, b.urls) {
		for i, is := range row {
			wanted := i < len(b.req.Set) && is == b.req.Want && c < len(b.req.Crawlers)
			if is != b.was[c][i] && !wanted {
				pairs++
			}
		}
	}
	return pairs
}

// isClean reports whether a file flips nothing else.
func (b *brute) isClean(body []byte) bool {
	for c, of := range slices.Concat(b.req.Crawlers, b.req.Others) {
		g := of.Profile.Parse(body).Group(of.Crawler)
		for i, url := range b.urls {
			is := g.Verdict(url).Verdict
			if wanted := i < len(b.req.Set) && is == b.req.Want && c < len(b.req.Crawlers); is != b.was[c][i] && !wanted {
				return false
			}
		}
	}
	return true
}

// maxTriedBytes are those of the files with a line deleted, or with one inserted where no
// group begins, that are tried of one file.
const maxTriedBytes = 16 << 20

// weight ranks single-line edits, first figures first: rules before other lines, no wildcard before
// a wildcard, readable before unreadable, fewer octets before more.
type weight [4]int

func weigh(kind byte, text, was string, set, deciding []string) (w weight) {
	line := text + was
	if !isRule.MatchString(line) {
		w[0] = 1
	}
	if w[3] = len(line) + 1; text != "" && was != "" {
		w[3]++
	}
	if kind == 'r' {
		line = was
	}
	_, pattern, _ := strings.Cut(strings.TrimRight(line, " \t*"), ":")
	pattern, _, _ = strings.Cut(strings.TrimLeft(pattern, " \t"), "#")
	pattern = strings.TrimRight(pattern, " \t*")
	switch {
	case w[0] == 1:
	case strings.Contains(pattern, "*"):
		w[1] = 1 // how well it reads is beyond the brute force
	case kind != 'i' && pattern == "/":
		w[2] = 1
	case kind != 'i':
		w[2] = readsBadly(pattern, set, nil)
	default:
		w[2] = readsBadly(pattern, set, deciding)
	}
	return w
}

func (w weight) less(other weight) bool { return slices.Compare(w[:], other[:]) < 0 }

var (
	isRule = regexp.MustCompile(`(?i)^\s*(allow|dis\w*)\s*:`)
	isName = regexp.MustCompile(`(?i)^\s*user[- ]?agent\s*:`)
	// isMember matches the lines of groups; other lines may be between them.
	isMember = regexp.MustCompile(`(?i)^\s*(user[- ]?agent|allow|dis\w*)\s*:`)
	isWord   = regexp.MustCompile(`[^/?&=._-]$`)
	isSplit  = regexp.MustCompile(`%$|%.$`)
)

// readsBadly rates a pattern without wildcards: 0 = whole, 1 = whole words, 2 = part of a word, or
// the opposite of an existing line, 3 = part of a letter.
func readsBadly(pattern string, set, deciding []string) (bad int) {
	contrary := slices.Contains(deciding, pattern)
	pattern, whole := strings.CutSuffix(pattern, "$")
	if pattern == "/" && !whole || contrary {
		bad = 2
	}
	for _, url := range set {
		rest, matches := strings.CutPrefix(url, pattern)
		switch {
		case !matches || rest == "" || whole || strings.HasSuffix(pattern, "/"):
		case isSplit.MatchString(pattern) || regexp.MustCompile(`^%[89ABab]|^[\x{80}-\x{BF}]`).MatchString(rest) || rest[0]&0xC0 == 0x80:
			bad = max(bad, 3)
		case isWord.MatchString(pattern) && isWord.MatchString(rest[:1]):
			bad = max(bad, 2)
		default:
			bad = max(bad, 1)
		}
	}
	return bad
}

// ends are the ends of lines.
var ends = regexp.MustCompile(`\r\n|\n|\r`)

// best returns the smallest single-line edit that works and flips nothing else. It tries every
// deletion, every rewriting of rules that decide the set, and a rule for each prefix of a URL of
// the set, with and without "$". Such rules go to the top of the obeyed groups and after other
// lines; in long files only after some. "" = none.
func (b *brute) best() (least weight, what string) {
	body := b.req.File.Body
	try := func(w weight, edited []byte, words string) {
		if (what == "" || w.less(least)) && b.does(edited) && b.isClean(edited) {
			least, what = w, words
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
	decided, deciding := b.deciding()
	step := max(1, len(lines)*(len(body)+1)/maxTriedBytes)
	for i, l := range lines {
		text := string(bytes.TrimRight(body[l[0]:l[1]], "\r\n"))
		end := string(body[l[0]+len(text) : l[1]])
		if i%step == 0 || decided[i+1] { // of long files, some
			try(weigh('d', "", text, b.req.Set, nil), slices.Concat(body[:l[0]], body[l[1]:]), fmt.Sprintf("delete line %d", i+1))
		}
		if decided[i+1] {
			for _, as := range b.otherwise(text) {
				w := weigh('r', as, text, b.req.Set, nil)
				w[3] += 1000 // how else a rule is best written is a matter of taste
				try(w, slices.Concat(body[:l[0]], []byte(as+end), body[l[1]:]), fmt.Sprintf("replace line %d by %q", i+1, as))
			}
		}
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
		}) {
			matching = append(matching, p)
		}
	}
	slices.SortFunc(matching, func(p, q string) int { // those that read best first: of a place only smaller ones are tried then
		return cmp.Or(cmp.Compare(readsBadly(p, b.req.Set, deciding), readsBadly(q, b.req.Set, deciding)), cmp.Compare(len(p), len(q)), strings.Compare(p, q))
	})
	obeyed := map[int]bool{}
	for _, c := range b.req.Crawlers {
		i := c.Profile.Parse(body).Group(c.Crawler).Line
		for obeyed[i] = true; i < len(lines) && i > 0 && bytes.Contains(bytes.ToLower(body[lines[i][0]:lines[i][1]]), []byte("agent")); i++ {
			obeyed[i+1] = true
		}
	}
	step = max(1, len(lines)*len(matching)*(len(body)+1)/maxTriedBytes)
	first := slices.ContainsFunc(slices.Concat(b.req.Crawlers, b.req.Others), func(c Crawler) bool { return c.Profile.FirstMatch })
	is := func(kind *regexp.Regexp, i int) bool { return kind.Match(body[lines[i][0]:lines[i][1]]) }
	for i, l := range lines {
		if i%step != 0 && !obeyed[i+1] || first && !is(isName, i) { // rules go on top of a group, which is one place of many where the first rule decides
			continue
		}
		last, next := i, i+1
		for last >= 0 && !is(isMember, last) {
			last--
		}
		for next < len(lines) && !is(isMember, next) {
			next++
		}
		parts := last >= 0 && next < len(lines) && is(isName, last) && is(isName, next) // those named before from those after
		for _, p := range matching {
			edited := slices.Concat(body[:l[1]], []byte("\n"+field+p+"\n"), body[l[1]:])
			if bytes.HasSuffix(body[:l[1]], []byte("\n")) {
				edited = slices.Concat(body[:l[1]], []byte(field+p+"\n"), body[l[1]:])
			}
			w := weigh('i', field+p, "", b.req.Set, deciding)
			if parts {
				w[0] = 1
			}
			try(w, edited, fmt.Sprintf("insert %q after line %d", field+p, i+1))
		}
	}
	return least, what
}

// deciding are the lines that decide the set for the chosen crawlers, and their paths.
func (b *brute) deciding() (lines map[int]bool, paths []string) {
	lines = map[int]bool{}
	for _, c := range b.req.Crawlers {
		g := c.Profile.Parse(b.req.File.Body).Group(c.Crawler)
		for _, url := range b.req.Set {
			if v := g.Verdict(url); v.Verdict != b.req.Want && v.Rule != nil {
				lines[v.Rule.Line] = true
				paths = append(paths, strings.TrimRight(v.Rule.Value, "*"))
			}
		}
	}
	return lines, paths
}

// otherwise are other ways to write a rule.
func (b *brute) otherwise(text string) (list []string) {
	field, value, _ := strings.Cut(text, ":")
	value, _, _ = strings.Cut(value, "#")
	value = strings.TrimSpace(value)
	list = append(list, "Allow: "+value, "Disallow: "+value, field+": "+value+"$", field+":", field+": "+value+"/", field+": /")
	for _, url := range b.urls[len(b.req.Set):min(len(b.urls), len(b.req.Set)+300)] {
		for n := len(value) + 1; value != "" && strings.HasPrefix(url, value) && n <= min(len(url), len(value)+4); n++ {
			list = append(list, field+": "+url[:n])
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// hold compares a result with brute force. It reports whether brute force found an edit, and
// whether this is smaller than a result marked as possibly not the smallest.
func hold(t *testing.T, name string, req *request, res *Result) (compared, told bool) {
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
	if res.Needed == 0 || len(res.Unmet) > 0 || len(res.NoLine) > 0 {
		return false, false
	}
	least, what := b.best()
	if what == "" {
		return false, false
	}
	_, deciding := b.deciding()
	longer := res.Flips > 0
	if len(res.Edits) == 1 {
		e := res.Edits[0]
		w := weigh(string(e.Op)[0], e.Text, e.Was, req.Set, deciding)
		longer = longer || least.less(w)
		if e.Op == Replace && strings.HasPrefix(what, "replace") {
			longer = res.Flips > 0
		}
	} else {
		longer = longer || least[0] == 0 // changes of rules come before edits of lines that are none
	}
	switch {
	case longer && res.Bounded != "":
		t.Logf("%s: %s (%v) is smaller than\n%s", name, what, least, Describe(res))
		return true, true
	case longer:
		t.Errorf("%s: %d edits, %d flips; this is smaller: %s (%v)\nset %q\n%s", name, len(res.Edits), res.Flips, what, least, req.Set, Describe(res))
	}
	return true, false
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

// setOf selects up to n URLs that lack a verdict for a crawler: random ones, neighbours, or all
// with a common prefix.
func setOf(random *rand.Rand, req *request, urls []string, n int) (set []string) {
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

func smallest(t testing.TB, req request) *Result {
	t.Helper()
	res, err := smallestChange(context.Background(), req)
	noError(t, err)
	return res
}

// noError ends the test where there is an error.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
