package crawl

import (
	"fmt"
	"hash/maphash"
	"strings"

	"robots-audit/crawl/internal/truncate"
)

// Bounds of what is kept of the hosts that are not asked.
const (
	maxForeignHosts   = 1 << 16 // told apart
	namedForeignHosts = 5       // named
)

// toldTogether are the codes of SitemapBudget.Allowed that are not reported one by one.
var toldTogether = [...]string{CodeSitemapOrigins, CodeSitemapFails}

// count counts a sitemap that is refused.
func (w *traversal) count(refused *Error, p place) {
	if w.foreign == nil {
		w.foreign = map[string]*foreign{}
	}
	if w.foreign[refused.Code] == nil {
		w.foreign[refused.Code] = new(foreign)
	}
	w.foreign[refused.Code].add(p, refused.Err)
}

// foreign counts sitemaps of other hosts that are refused for one reason. They
// may be as many as sitemaps name.
type foreign struct {
	n     int
	first place
	why   error
	hosts map[uint64]struct{}
	named []string // the first of them
	seed  maphash.Seed
}

func (f *foreign) add(p place, why error) {
	if f.n == 0 {
		f.first, f.why = p, why
		f.hosts, f.seed = map[uint64]struct{}{}, maphash.MakeSeed()
	}
	f.n++
	_, host := schemeHost(originOf(p.url))
	key := maphash.String(f.seed, host)
	if _, known := f.hosts[key]; known || len(f.hosts) == maxForeignHosts {
		return
	}
	f.hosts[key] = struct{}{}
	if len(f.named) < namedForeignHosts {
		f.named = append(f.named, truncate.String(host, 40))
	}
}

// words says how many there are, and where.
func (f *foreign) words() string {
	more := ""
	if len(f.hosts) > len(f.named) {
		more = ", …"
	}
	if len(f.hosts) == maxForeignHosts {
		more += " and more"
	}
	hosts := "hosts"
	if len(f.hosts) == 1 {
		hosts = "host"
	}
	return fmt.Sprintf("%d sitemaps on %d other %s not read: %v; the hosts: %s%s", f.n, len(f.hosts), hosts, f.why, strings.Join(f.named, ", "), more)
}
