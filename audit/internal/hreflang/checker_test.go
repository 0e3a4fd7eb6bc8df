package hreflang

import (
	"fmt"
	"hash/maphash"
	"maps"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"robots-audit/crawl"
)

// list is an entry as text: "a: de=a en=b". "?" as its URL or that of an alternate cannot be compared.
type list struct {
	loc  string
	alts [][2]string // code and URL
}

func parse(line string) list {
	loc, alternates, _ := strings.Cut(line, ":")
	l := list{loc: loc}
	for one := range strings.FieldsSeq(alternates) {
		lang, url, _ := strings.Cut(one, "=")
		l.alts = append(l.alts, [2]string{lang, url})
	}
	return l
}

// site feeds a checker.
type site struct {
	*Checker
	seed maphash.Seed
}

func newSite() site { return site{New(), maphash.MakeSeed()} }

func (s site) hash(url string) uint64 { return maphash.String(s.seed, url) }

func (s site) url(url string) URL { return URL{s.hash(url), []byte(url), strings.HasPrefix(url, own)} }

func (s site) add(l list) {
	s.Begin()
	if l.loc != "" {
		s.SetLoc(s.url(l.loc))
	}
	for _, a := range l.alts {
		if a[1] == "?" {
			s.Skip()
			continue
		}
		s.Add(s.url(a[1]), []byte(a[0]))
	}
}

// words are the notes in one line.
func words(notes []crawl.Note) string {
	var all []string
	for _, n := range notes {
		all = append(all, fmt.Sprintf("%d %s: %s", n.Count, strings.TrimPrefix(n.Code, "hreflang_"), strings.Join(append([]string{n.Detail}, n.More...), " | ")))
	}
	return strings.Join(all, "; ")
}

func TestEntries(t *testing.T) {
	for _, c := range []struct{ name, entries, want string }{
		{"nothing wrong", "a: de=a en=b x-default=b", ""},
		{"no alternates", "a:\nb:", ""},
		{"a code for several URLs", "a: de=a en=b en=c", "1 repeated: en of a"},
		{"in other case", "a: de-AT=a DE-at=b", "1 repeated: de-at of a"},
		{"a code twice for one URL", "a: de=a de=a", ""},
		{"one URL for several codes", "a: de=a de-AT=a x-default=a", ""},
		{"the same codes in the next entry", "a: de=a en=b\nc: de=c en=d", ""},
		{"another order in the next entry", "a: de=a en=b\nb: en=b de=a x-default=a\nc: de=c", ""},
		{"two x-default", "a: de=a x-default=a X-Default=b", "1 x_default: a"},
		{"no self-reference", "a: de=b\nc: de=c\nd: en=c", "2 no_self: a | d"},
		{"no self-reference that could be read", "a: de=b en=?", ""},
		{"codes", "a: en_US=a =b en=c\nd: en_US=d en=e\nf: xx=f", `4 code: en_US (write en-US) of a | "" (empty) of a | xx ("xx" is not a language of ISO 639-1) of f`},
		{"an invalid code has no meaning", "a: xx=a xx=b", `2 code: xx ("xx" is not a language of ISO 639-1) of a`},
		{"without loc", ": de=a", ""},
	} {
		s := newSite()
		for line := range strings.Lines(c.entries) {
			s.add(parse(strings.TrimSpace(line)))
		}
		if got := words(s.End(Source{})); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		if notes := s.End(Source{}); notes != nil {
			t.Errorf("%s: noted again: %v", c.name, notes)
		}
	}
}

// The URL of an entry may come after its alternates. An entry with two is none of the protocol.
func TestOrder(t *testing.T) {
	s := newSite()
	s.Begin()
	s.Add(s.url("b"), []byte("de"))
	s.SetLoc(s.url("a"))
	s.Begin()
	s.SetLoc(s.url("c"))
	s.SetLoc(s.url("d"))
	s.Add(s.url("b"), []byte("de"))
	if got := words(s.End(Source{})); got != "1 no_self: a" {
		t.Errorf("got %q", got)
	}
	s.add(parse("b: de=b"))
	s.End(Source{})
	for _, notes := range s.Links(nil) {
		if got := words(notes); got != "1 no_return: a to b" {
			t.Errorf("got %q", got)
		}
	}
}

// A site with endless codes has bounded memory, and no code is taken for another.
func TestManyCodes(t *testing.T) {
	s := newSite()
	for i := range 5 * maxCodes {
		s.add(list{"a", [][2]string{{"de", "a"}, {fmt.Sprint("A", i), "b"}, {fmt.Sprint("B", i), "c"}}})
	}
	notes := s.End(Source{})
	if len(notes) != 1 || notes[0].Code != NoteCode || notes[0].Count > 2*maxCodes || len(s.codes) > maxCodes || len(s.ids) > maxCodes {
		t.Errorf("%d codes, %v", len(s.codes), notes)
	}
}

const own = "https://a.test/"

func TestLinks(t *testing.T) {
	for _, c := range []struct{ name, entries, want string }{
		{"complete", "a: de=a en=b\nb: de=a en=b", ""},
		{"complete, with other lists", "a: de=a en=b\nb: en=b x-default=b fr=a de=c\nc: de=c en=b", ""},
		{"one does not return", "a: de=a en=b\nb: en=b", "1 no_return: a to b"},
		{"neither lists itself", "a: en=b\nb: de=a", ""},
		{"an entry in two parts", "a: de=a en=b\nb: en=b\nb: de=a", ""},
		{"a fault in two entries counts once", "a: de=a en=b\na: de=a en=b fr=c\nb: en=b\nc: fr=c de=a", "1 no_return: a to b"},
		{"the same entry twice", "a: de=a en=b\nb: de=a en=b\na: de=a en=b", ""},
		{"listed without hreflang", "a: de=a en=b\nb:", "1 unannotated: a to b"},
		{"in no sitemap", "a: de=a en=b\nc: de=c en=b", "1 not_in_sitemap: b, of a"},
		{"a broken list", "a: de=a en=b\nb: en=b de=?", ""},
	} {
		s, locs := newSite(), map[uint64]bool{}
		for line := range strings.Lines(c.entries) {
			l := parse(strings.TrimSpace(line))
			l.loc = own + l.loc
			for i := range l.alts {
				if l.alts[i][1] != "?" {
					l.alts[i][1] = own + l.alts[i][1]
				}
			}
			s.add(l)
			locs[s.hash(l.loc)] = true
		}
		s.End(Source{URL: "s", Line: 3})
		var got string
		for from, notes := range s.Links(func(h uint64) bool { return locs[h] }) {
			if from != (Source{URL: "s", Line: 3}) {
				t.Errorf("%s: from %+v", c.name, from)
			}
			got += strings.ReplaceAll(words(notes), own, "")
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// naive finds the links without return links in another way: by sets of URLs. It returns the number of
// each code, and the links as "a to b".
func naive(entries []list) (counts map[string]int64, links map[string]bool) {
	sets, partial := map[string]map[string]bool{}, map[string]bool{}
	for _, l := range entries {
		set := sets[l.loc]
		if set == nil {
			set = map[string]bool{}
			sets[l.loc] = set
		}
		whole := !slices.ContainsFunc(l.alts, func(a [2]string) bool { return a[1] == "?" })
		partial[l.loc] = partial[l.loc] || !whole
		for _, a := range l.alts {
			set[a[1]] = set[a[1]] || whole
		}
	}
	annotated := func(url string) bool { return len(sets[url]) > 0 }
	counts, links = map[string]int64{}, map[string]bool{}
	unlisted := map[string]bool{}
	for from, set := range sets {
		for to, sure := range set {
			switch _, known := sets[to]; {
			case to == from || !sure || partial[to]:
			case !known:
				unlisted[to] = strings.HasPrefix(to, own)
			case !annotated(to):
				counts[NoteUnannotated]++
				links[from+" to "+to] = true
			case !sets[to][from]:
				counts[NoteNoReturn]++
				links[from+" to "+to] = true
			}
		}
	}
	for _, own := range unlisted {
		if own {
			counts[NoteUnlisted]++
		}
	}
	return counts, links
}

// TestRandomLinks compares with a second implementation.
func TestRandomLinks(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	faults := 0
	for round := range 5000 {
		n := 2 + r.IntN(12)
		url := func() string {
			host := own
			if r.IntN(8) == 0 {
				host = "https://b.test/"
			}
			return host + fmt.Sprint(r.IntN(n))
		}
		var clusters [][][2]string
		for range 1 + r.IntN(3) {
			var alts [][2]string
			for i := range 1 + r.IntN(5) {
				alts = append(alts, [2]string{fmt.Sprint("l", i), url()})
			}
			clusters = append(clusters, alts)
		}
		var entries []list
		for range r.IntN(3 * n) {
			alts := slices.Clone(clusters[r.IntN(len(clusters))])
			loc := url()
			if r.IntN(2) == 0 {
				loc = alts[r.IntN(len(alts))][1]
			}
			switch r.IntN(12) {
			case 0:
				alts = nil
			case 1:
				alts[0][1] = url()
			case 2:
				alts = append(alts, [2]string{"x-default", "?"})
			case 3:
				r.Shuffle(len(alts), func(i, j int) { alts[i], alts[j] = alts[j], alts[i] })
			}
			entries = append(entries, list{loc, alts})
		}
		s, locs := newSite(), map[uint64]bool{}
		for i, l := range entries {
			s.add(l)
			locs[s.hash(l.loc)] = true
			if i%3 == 0 {
				s.End(Source{URL: fmt.Sprint(i)})
			}
		}
		s.End(Source{URL: "last"})
		got := map[string]int64{}
		counts, links := naive(entries)
		for _, notes := range s.Links(func(h uint64) bool { return locs[h] }) {
			for _, n := range notes {
				got[n.Code] += n.Count
				for _, example := range append(n.More, n.Detail) {
					if n.Code != NoteUnlisted && example != "" && !links[example] {
						t.Errorf("round %d: example %q of %s\n%v", round, example, n.Code, entries)
					}
				}
			}
		}
		if faults += len(counts); !maps.Equal(got, counts) {
			t.Fatalf("round %d: %v, want %v\n%v", round, got, counts, entries)
		}
	}
	if faults < 3000 {
		t.Errorf("only %d faults: the inputs prove little", faults)
	}
}

// TestBound checks pages that list a URL with thousands of entries, of which none lists them: the search ends,
// and says how many entries it left.
func TestBound(t *testing.T) {
	const n = 9000 // n*n > maxPairs
	s := newSite()
	for i := range n {
		s.add(parse(fmt.Sprintf("a%d: en=a%[1]d de=b", i)))
		s.add(parse(fmt.Sprintf("b: de=b en=c%d", i)))
	}
	s.End(Source{})
	found := int64(0)
	for _, notes := range s.Links(nil) {
		for _, note := range notes {
			found += note.Count
		}
	}
	if left, _ := s.Unchecked(); left == 0 || found == 0 || found >= n || s.graph.left > 2*n {
		t.Errorf("%d entries left, %d links without return", left, found)
	}
}

// TestMemory checks pages in four languages whose other versions have no entries: this needs the most
// memory, about 200 bytes a page until maxText is reached.
func TestMemory(t *testing.T) {
	const n = 100_000
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := heap()
	s := newSite()
	langs := [][]byte{[]byte("en"), []byte("de"), []byte("fr"), []byte("x-default")}
	var loc, text []byte
	for i := range n {
		s.Begin()
		loc = fmt.Appendf(loc[:0], "https://a.test/en/shop/some-article-title-%d", i)
		s.SetLoc(URL{maphash.Bytes(s.seed, loc), loc, true})
		s.Add(URL{maphash.Bytes(s.seed, loc), loc, true}, langs[0])
		for j := 1; j < 4; j++ {
			text = fmt.Appendf(text[:0], "https://a.test/%s/shop/some-article-title-%d", langs[j], i)
			s.Add(URL{maphash.Bytes(s.seed, text), text, true}, langs[j])
		}
	}
	if notes := s.End(Source{}); notes != nil {
		t.Fatal(notes)
	}
	if kept := heap() - before; kept > 200*n || s.graph.texts.size > maxText {
		t.Errorf("%d bytes a page are kept, %d of them texts", kept/n, s.graph.texts.size/n)
	}
	found := int64(0)
	for _, notes := range s.Links(func(uint64) bool { return false }) {
		found += notes[0].Count
	}
	if found != 3*n {
		t.Errorf("%d targets in no sitemap, want %d", found, 3*n)
	}
}
