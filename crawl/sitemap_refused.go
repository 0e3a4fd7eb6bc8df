package crawl

import (
	"fmt"
	"hash/maphash"
	"strings"

	"robots-audit/crawl/internal/weburl"
	"robots-audit/engine/wording"
)

// Limits for the hosts that are not asked.
const (
	maxRefusedHosts   = 1 << 16 // counted
	namedRefusedHosts = 5       // named in the summary
)

// summarizedCodes are the codes of SitemapBudget.Allowed that are not reported one by one.
var summarizedCodes = [...]string{CodeSitemapOrigins, CodeSitemapFails}

// countRefused counts a sitemap that SitemapBudget.Allowed refuses for one of summarizedCodes.
func (w *traversal) countRefused(refused *Error, p sitemapRef) {
	if w.refused == nil {
		w.refused = map[string]*refusedSitemaps{}
	}
	if w.refused[refused.Code] == nil {
		w.refused[refused.Code] = new(refusedSitemaps)
	}
	w.refused[refused.Code].add(p, refused.Err)
}

// refusedSitemaps counts the sitemaps of other hosts that are refused for one
// reason. Their number is only limited by the sitemaps.
type refusedSitemaps struct {
	n     int
	first sitemapRef
	why   error
	hosts map[uint64]struct{}
	named []string // the first of them
	seed  maphash.Seed
}

func (f *refusedSitemaps) add(p sitemapRef, why error) {
	if f.n == 0 {
		f.first, f.why = p, why
		f.hosts, f.seed = map[uint64]struct{}{}, maphash.MakeSeed()
	}
	f.n++
	_, host := schemeHost(originOf(p.url))
	key := maphash.String(f.seed, host)
	if _, known := f.hosts[key]; known || len(f.hosts) == maxRefusedHosts {
		return
	}
	f.hosts[key] = struct{}{}
	if len(f.named) < namedRefusedHosts {
		f.named = append(f.named, weburl.Truncate(host, 40))
	}
}

// summary says in words how many there are, and on which hosts.
func (f *refusedSitemaps) summary() string {
	more := ""
	if len(f.hosts) > len(f.named) {
		more = ", …"
	}
	if len(f.hosts) == maxRefusedHosts {
		more += " and more"
	}
	return fmt.Sprintf("%s on %s not read: %v (%s%s)", wording.Plural(f.n, "sitemap"), wording.Plural(len(f.hosts), "other host"), f.why, strings.Join(f.named, ", "), more)
}
