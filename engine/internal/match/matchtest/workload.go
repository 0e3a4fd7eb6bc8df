package matchtest

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// The workload: one group, 70% literal prefixes and 30% rules with wildcards,
// URLs with a mean path of 40 bytes. Rules and URLs are made of the same words,
// so that URLs walk deep into the rules and some of them are decided.

// makeWords makes a deterministic list of n words of 3 to 11 letters.
func makeWords(r *rand.Rand, n int) []string {
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

// vocabulary draws words, the first ones of the vocabulary more often.
type vocabulary struct {
	r    *rand.Rand
	list []string
}

func newVocabulary(seed uint64) *vocabulary {
	return &vocabulary{rand.New(rand.NewPCG(seed, seed)), makeWords(rand.New(rand.NewPCG(7, 7)), 3000)}
}

func (w *vocabulary) word() string {
	f := w.r.Float64()
	return w.list[int(f*f*float64(len(w.list)))]
}

// path returns a path with query, such as /bade/kumos12/tir-noba/fel.html?wi=dor.
func (w *vocabulary) path() string {
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
func (w *vocabulary) literal() string {
	parts := strings.Split(w.path(), "/")
	return strings.Join(parts[:min(len(parts), 2+w.r.IntN(3))], "/")
}

// wildcard returns a rule with a wildcard, of the kinds that real files hold.
func (w *vocabulary) wildcard() string {
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

// Rules returns n distinct rule lines' values.
func Rules(n int) []string {
	w, have := newVocabulary(1), map[string]bool{}
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

// Paths returns n paths of 40 bytes in the mean.
func Paths(n int) []string {
	w := newVocabulary(2)
	list := make([]string, n)
	for i := range list {
		list[i] = w.path()
	}
	return list
}
