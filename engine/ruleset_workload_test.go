package engine

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// The workload: one group, 70% literal prefixes and 30% rules with wildcards,
// URLs with a mean path of 40 bytes. Rules and URLs are made of the same words,
// so that URLs walk deep into the rules and some of them are decided.

// vocabulary is a deterministic list of n words of 3 to 11 letters.
func vocabulary(r *rand.Rand, n int) []string {
	const consonants, vowels = "bcdfghklmnprstvw", "aeiou"
	list := make([]string, n)
	for i := range list {
		var b strings.Builder
		for range 1 + r.IntN(4) {
			b.WriteByte(consonants[r.IntN(len(consonants))])
			b.WriteByte(vowels[r.IntN(len(vowels))])
		}
		if r.IntN(2) == 0 {
			b.WriteByte(consonants[r.IntN(len(consonants))])
		} else if r.IntN(4) == 0 {
			fmt.Fprintf(&b, "%d", r.IntN(1000))
		}
		list[i] = b.String()
	}
	return list
}

// benchWords draws words, the first ones of the vocabulary more often.
type benchWords struct {
	r    *rand.Rand
	list []string
}

func newBenchWords(seed uint64) *benchWords {
	return &benchWords{rand.New(rand.NewPCG(seed, seed)), vocabulary(rand.New(rand.NewPCG(7, 7)), 3000)}
}

func (w *benchWords) word() string {
	f := w.r.Float64()
	return w.list[int(f*f*float64(len(w.list)))]
}

// path returns a path with query, such as /bade/kumos12/tir-noba/fel.html?wi=dor.
func (w *benchWords) path() string {
	var b strings.Builder
	for range 2 + w.r.IntN(4) {
		b.WriteString("/" + w.word())
		if w.r.IntN(3) == 0 {
			b.WriteString("-" + w.word())
		}
	}
	switch w.r.IntN(4) {
	case 0:
		b.WriteString([]string{".html", ".php", ".pdf", ".jpg"}[w.r.IntN(4)])
	case 1:
		b.WriteString("/")
	}
	if w.r.IntN(10) < 3 {
		b.WriteString("?" + w.word() + "=" + w.word())
		if w.r.IntN(2) == 0 {
			b.WriteString("&" + w.word() + "=" + w.word())
		}
	}
	return b.String()
}

// literal returns a prefix of one to three segments.
func (w *benchWords) literal() string {
	parts := strings.Split(w.path(), "/")
	return strings.Join(parts[:min(len(parts), 2+w.r.IntN(3))], "/")
}

// wildcard returns a rule with a wildcard, of the kinds that real files hold.
func (w *benchWords) wildcard() string {
	switch w.r.IntN(7) {
	case 0:
		return "/*?" + w.word() + "="
	case 1:
		return "/*&" + w.word() + "="
	case 2:
		return "/*/" + w.word() + "/"
	case 3:
		return "/" + w.word() + "/*/" + w.word()
	case 4:
		return "/*" + w.word() + ".html$"
	case 5:
		return "/" + w.word() + "*.pdf$"
	default:
		return "*/" + w.word() + "-*?" + w.word()
	}
}

// benchRules returns n distinct rule lines' values.
func benchRules(n int) []string {
	w, have := newBenchWords(1), map[string]bool{}
	var list []string
	for len(list) < n {
		value := w.literal()
		if len(list)%10 >= 7 {
			value = w.wildcard()
		}
		if !have[value] {
			have[value] = true
			list = append(list, value)
		}
	}
	return list
}

// benchPaths returns n paths of 40 bytes in the mean.
func benchPaths(n int) []string {
	w := newBenchWords(2)
	list := make([]string, n)
	for i := range list {
		list[i] = w.path()
	}
	return list
}

// benchURLs puts an origin before paths: what a sitemap holds.
func benchURLs(paths []string) []string {
	list := make([]string, len(paths))
	for i, path := range paths {
		list[i] = "https://www.example.com" + path
	}
	return list
}

// benchBody is a file with one group; every tenth rule allows.
func benchBody(rules []string) []byte {
	var b strings.Builder
	b.WriteString("User-agent: *\n")
	for i, value := range rules {
		if i%10 == 0 {
			b.WriteString("Allow: " + value + "\n")
		} else {
			b.WriteString("Disallow: " + value + "\n")
		}
	}
	return []byte(b.String())
}
