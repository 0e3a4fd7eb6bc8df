package logs

import (
	"cmp"
	"hash/maphash"
	"maps"
	"slices"
	"strings"

	"robots-audit/audit/logs/agent"
)

// Bounds of crawlers that are not listed: those with most requests are counted by name.
const (
	maxNames = 10_000 // names that are compared
	maxNamed = 100
)

// named is a crawler that is not listed.
type named struct {
	name     string // of its spellings, the first in the order of bytes
	hash     uint64
	requests int64
}

// nameHash is the hash of a name, in any spelling.
func nameHash(name string) uint64 { return maphash.String(idSeed, strings.ToLower(name)) }

// names are crawlers by their name as it is spelled.
type names map[string]*named

// count counts a request of a crawler, and returns the hash of its name; 0 = it has none.
func (all *names) count(name string) uint64 {
	if name == "" {
		return 0
	}
	of := (*all)[name]
	if of == nil {
		if *all == nil {
			*all = names{}
		}
		of = &named{name: name, hash: nameHash(name)}
		(*all)[name] = of
	}
	of.requests++
	return of.hash
}

// addNames adds the crawlers of a batch. The order of goroutines does not matter.
func (r *Requests) addNames(all names) {
	list := maps.Keys(all)
	if len(r.names) < maxNames { // the order says which ones still have space
		list = slices.Values(slices.Sorted(list))
	}
	for name := range list {
		of := all[name]
		if into := r.names[of.hash]; into != nil {
			into.requests += of.requests
			into.name = min(into.name, name)
		} else if len(r.names) < maxNames {
			r.names[of.hash] = of
		}
	}
}

// rank gives ids to the crawlers that are not listed and have most requests, after the listed ones and
// agent.OtherCrawlers.
func (r *Requests) rank(set *agent.Set) {
	list := slices.SortedFunc(maps.Values(r.names), func(a, b *named) int {
		return cmp.Or(cmp.Compare(b.requests, a.requests), strings.Compare(a.name, b.name))
	})
	r.names, r.ids, r.crawlers = nil, map[uint64]int{}, set.Crawlers()
	for _, of := range list[:min(len(list), maxNamed)] {
		r.ids[of.hash] = len(r.crawlers)
		r.crawlers = append(r.crawlers, agent.Unlisted(of.name))
	}
}

// crawler is the id of a crawler by the hash of its name; 0 = it has none.
func (r *Requests) crawler(id int, name uint64) int {
	if name != 0 {
		if own, ok := r.ids[name]; ok {
			return own
		}
	}
	return id
}
