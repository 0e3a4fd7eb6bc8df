package urlindex

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"robots-audit/audit"
)

// smallSizes make many runs and blocks of few URLs.
func smallSizes(r *rand.Rand) sizes {
	return sizes{4<<10 + r.IntN(100<<10), 64 + r.IntN(2000)}
}

// someURLs are unsorted URLs of few words, with many repetitions and shared beginnings.
func someURLs(r *rand.Rand, n int) []URL {
	words := strings.Split("a,ab,abc,Shop,shop,SHOP,de,en,produkte,page-,p,%C3%BC,x\x00y,x\x00,\xff\xfe,1,22,index.html,ZZ,:,//,", ",")
	word := func() string { return words[r.IntN(len(words))] }
	hosts := []string{"www.example.com", "example.com", "a.test", "a.test:8080", "shop.example", "xn--mller-kva.de", "localhost", "a.tes"}
	var urls []URL
	for range n {
		var b strings.Builder
		b.WriteString([]string{"http://", "https://"}[r.IntN(2)] + hosts[r.IntN(len(hosts))])
		for i := range r.IntN(5) {
			b.WriteString([]string{"/", "/", "/", "?", "&", "="}[r.IntN(4+2*min(i, 1))] + word())
		}
		switch r.IntN(200) {
		case 0:
			b.Reset() // a URL that no crawler requests is no reason to fail
		case 1:
			b.WriteString("/" + strings.Repeat(word(), 1+r.IntN(300)))
		}
		urls = append(urls, URL{Loc: b.String(), Site: int32(r.IntN(3) * r.IntN(40)), Kind: audit.Kind(r.IntN(2) * r.IntN(3)), Listed: r.IntN(5) == 0})
	}
	return urls
}

func compareURLs(a, b URL) int {
	return cmp.Or(cmp.Compare(a.Loc, b.Loc), cmp.Compare(a.Site, b.Site), cmp.Compare(a.Kind, b.Kind))
}

// plainly is the expected content of an index of URLs, as a plain slice.
func plainly(urls []URL) []URL {
	sorted := slices.Clone(urls)
	slices.SortFunc(sorted, compareURLs)
	var plain []URL
	for _, u := range sorted {
		if n := len(plain); n > 0 && compareURLs(plain[n-1], u) == 0 {
			plain[n-1].Listed = plain[n-1].Listed || u.Listed
			continue
		}
		plain = append(plain, u)
	}
	return plain
}

// each yields URLs without verdicts, of sites without crawlers.
func each(d *Dictionary, urls []URL) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		sites := map[int32]*Site{}
		for _, u := range urls {
			if sites[u.Site] == nil {
				sites[u.Site] = d.Site(int(u.Site), nil)
			}
			if !yield(sites[u.Site].URL(&audit.URL{Loc: u.Loc, Kind: u.Kind, Sitemap: -1, Weight: audit.Weight{Listed: u.Listed}}, ""), nil) {
				return
			}
		}
		for _, s := range sites {
			s.End()
		}
	}
}

// sameURLs reports whether URLs are equal, without the values that most tests do not set.
func sameURLs(a, b []URL) bool {
	return slices.EqualFunc(a, b, func(a, b URL) bool { return compareURLs(a, b) == 0 && a.Listed == b.Listed })
}

// built builds and opens an index.
func built(t testing.TB, urls []URL, o sizes) *Index {
	t.Helper()
	path := filepath.Join(t.TempDir(), "urls.index")
	d := NewDictionary()
	if err := build(context.Background(), path, "key", d, each(d, urls), o); err != nil {
		t.Fatal(err)
	}
	x, err := Open(path, "key", nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { x.Close() })
	return x
}

// asked is a query, with the URLs that it means if text without a match is not searched anywhere.
type asked struct {
	text   string
	begins func(loc string) bool // nil = text anywhere
}

// someQuery is a query: a part of a URL, or other text.
func someQuery(r *rand.Rand, urls []URL) asked {
	loc := "http://nothing.example/"
	if len(urls) > 0 {
		loc = urls[r.IntN(len(urls))].Loc
	}
	part := func(s string) string {
		if len(s) == 0 {
			return s
		}
		from := r.IntN(len(s))
		return s[from : from+r.IntN(min(len(s)-from, 12)+1)]
	}
	begin := func(s string) string { return s[:r.IntN(len(s)+1)] }
	scheme, rest, found := strings.Cut(loc, "://")
	plain := func(s string) bool { return strings.TrimSpace(s) == s && escaped(s) == s }
	switch r.IntN(6) {
	case 0:
		if text := begin(loc); found && len(text) > len("https://") && plain(text) {
			return asked{text, func(loc string) bool { return strings.HasPrefix(loc, text) }}
		}
	case 1:
		if text := begin(rest); found && scheme != "" && plain(text) {
			return asked{"//" + text, func(loc string) bool {
				return strings.HasPrefix(loc, "http://"+text) || strings.HasPrefix(loc, "https://"+text)
			}}
		}
	case 2:
		text := begin(rest)
		if dot := strings.Index(text, "."); found && dot > 0 && plain(text) && !strings.ContainsAny(text[:dot], "/?:=&") && likeHost(text[:hostEnd(text)]) {
			return asked{text, func(loc string) bool {
				for _, before := range []string{"http://", "https://", "http://www.", "https://www."} {
					if strings.HasPrefix(loc, before+text) && !(strings.HasPrefix(text, "www.") && strings.HasSuffix(before, "www.")) {
						return true
					}
				}
				return false
			}}
		}
	case 3:
		if at := strings.Index(rest, "/"); found && at >= 0 {
			if text := begin(rest[at:]); text != "" && plain(text) && !strings.HasPrefix(text, "//") {
				return asked{text, func(loc string) bool {
					_, rest, found := strings.Cut(loc, "://")
					at := strings.IndexAny(rest, "/?")
					return found && at >= 0 && strings.HasPrefix(rest[at:], text)
				}}
			}
		}
	case 4:
		return asked{text: part("never to be seen, anywhere")}
	}
	text := part(loc)
	if !plain(text) || strings.HasPrefix(text, "/") || strings.HasPrefix(text, "http") || likeHost(text[:hostEnd(text)]) {
		text = []string{"", "s", "AB", "xample", "abc", "Produkte", "zz"}[r.IntN(7)]
	}
	return asked{text: text}
}

// plainResult is the expected result of a search.
func plainResult(plain []URL, a asked, site *int32) (found []URL, prefix bool) {
	pick := func(holds func(string) bool) (found []URL) {
		for _, u := range plain {
			if (site == nil || *site == u.Site) && holds(u.Loc) {
				found = append(found, u)
			}
		}
		return found
	}
	if a.begins != nil {
		if found := pick(a.begins); found != nil {
			return found, true
		}
	}
	small := bytes.ToLower([]byte(escaped(strings.TrimSpace(a.text))))
	return pick(func(loc string) bool {
		b := []byte(loc)
		for i, c := range b { // only ASCII
			if 'A' <= c && c <= 'Z' {
				b[i] = c + 'a' - 'A'
			}
		}
		return bytes.Contains(b, small)
	}), false
}

// check compares a search with the simple way.
func (a asked) check(t testing.TB, x *Index, plain []URL, r *rand.Rand) {
	t.Helper()
	q := Query{Text: a.text, Limit: r.IntN(50), Offset: int64(r.IntN(2) * r.IntN(len(plain)+2))}
	if r.IntN(3) == 0 {
		q.Site = new(int32(r.IntN(80)))
	}
	want, prefix := plainResult(plain, a, q.Site)
	got, err := x.Search(context.Background(), q)
	if err != nil {
		t.Error(err)
	}
	page := want[min(int(q.Offset), len(want)):]
	page = page[:min(q.Limit, len(page))]
	if got.Total != int64(len(want)) || got.More || !sameURLs(got.URLs, page) || got.Prefix != prefix {
		t.Errorf("%+q: %d URLs, prefix %t: %.300s; want %d, %t: %.300s", fmt.Sprint(q), got.Total, got.Prefix, fmt.Sprint(got.URLs), len(want), prefix, fmt.Sprint(page))
	}
}
