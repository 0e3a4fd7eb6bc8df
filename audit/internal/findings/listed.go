package findings

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"robots-audit/engine"
	"robots-audit/engine/wording"
)

// ListedFault is what is wrong with a page that a sitemap lists.
type ListedFault int

// The faults of AddListed, in the order of their findings.
const (
	ListedRedirect  ListedFault = iota // how: where it leads
	ListedError                        // how: the status
	ListedNoIndex                      // how: for whom
	ListedCanonical                    // how: how the canonical URL differs
	listedFaults
)

// listedWords are, for each fault, the id of its finding, the words after the number of URLs, and those before
// how they have it: all in the same way, or in several ways.
var listedWords = [listedFaults]struct{ id, one, many, same, several string }{
	{"SM026", "URL in sitemaps redirects", "URLs in sitemaps redirect", " ", ": "},
	{"SM028", "URL in sitemaps answers with", "URLs in sitemaps answer with", " ", " an error: "},
	{"SM029", "URL in sitemaps has noindex", "URLs in sitemaps have noindex", " ", ": "},
	{"SM030", "URL in sitemaps has another URL as canonical", "URLs in sitemaps have another URL as canonical", ": ", ": "},
}

// listedCount counts the pages with a fault, also by how they have it.
type listedCount struct {
	urlCount
	hows map[string]int64
}

// maxHows bounds listedCount.hows, and shownHows those that a finding has.
const (
	maxHows   = 64
	shownHows = 3
)

// AnotherPage is the usual way of ListedCanonical, which goes without saying.
const AnotherPage = "another page"

// AddListed adds a page that a sitemap lists, but that a search engine does not index under this URL. Add a
// URL once.
func (c *Collector) AddListed(fault ListedFault, how, url string) {
	t := &c.listed[fault]
	t.addURL(url)
	if t.hows == nil {
		t.hows = map[string]int64{}
	}
	if t.hows[how] > 0 || len(t.hows) < maxHows {
		t.hows[how]++
	}
}

// addListed adds the findings about pages of sitemaps, with the commonest cases.
func (b *builder) addListed() {
	for i := range b.listed {
		t := &b.listed[i]
		if t.n == 0 {
			continue
		}
		hows := slices.SortedFunc(maps.Keys(t.hows), func(x, y string) int {
			return cmp.Or(cmp.Compare(t.hows[y], t.hows[x]), strings.Compare(x, y))
		})
		words := &listedWords[i]
		what := wording.Thousands(t.n) + " " + wording.Verb(t.n, words.one, words.many)
		switch {
		case len(hows) > 1:
			for k, how := range hows[:min(len(hows), shownHows)] {
				hows[k] = wording.Thousands(t.hows[how]) + " " + how
			}
			what += words.several + strings.Join(hows[:min(len(hows), shownHows)], ", ")
		case hows[0] != AnotherPage:
			what += words.same + hows[0]
		}
		b.addFinding(words.id, 0, &t.urlCount, engine.Warning, what, "affected URLs")
	}
}
