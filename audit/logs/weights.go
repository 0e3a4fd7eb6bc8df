package logs

import (
	"fmt"
	"hash/maphash"
	"math"
	"slices"
	"strings"
	"sync"

	"robots-audit/audit"
	"robots-audit/audit/logs/agent"
	"robots-audit/crawl"
	"robots-audit/engine/wording"
)

// maxWeighed bounds the URLs whose requests weigh them in an audit, at some 50 bytes each.
const maxWeighed = 5_000_000

// Weights are the requests of an audit's crawlers by URL. They are the audit.Hits of an audit.
type Weights struct {
	requests *Requests
	seed     maphash.Seed
	crawlers []int // index among the audit's crawlers, by id; -1 = none
	n        int   // crawlers of the audit

	mutex sync.Mutex
	hosts map[string]*weighed
	left  int
}

// weighed are the URLs of a host.
type weighed struct {
	once     sync.Once
	index    map[uint64]int32
	counts   []uint32 // n for each URL
	schemes  bool     // keys may begin with the scheme that the log has
	from, to int64    // of the requests of all crawlers
	err      error
}

// Weights prepares the requests for an audit with these crawlers.
func (r *Requests) Weights(set *agent.Set, crawlers []audit.Crawler) *Weights {
	w := &Weights{requests: r, seed: maphash.MakeSeed(), n: len(crawlers), hosts: map[string]*weighed{}, left: maxWeighed}
	for _, c := range set.Crawlers() {
		w.crawlers = append(w.crawlers, slices.IndexFunc(crawlers, func(of audit.Crawler) bool { return strings.EqualFold(of.Name, c.Name) }))
	}
	return w
}

// Period implements audit.Hits. A site of example.com may be on www.example.com.
func (w *Weights) Period(d audit.Domain) (p audit.LogPeriod, ok bool) {
	host := audit.HostName(d.Origin("https"))
	other, www := strings.CutPrefix(host, "www.")
	if !www {
		other = "www." + host
	}
	for _, name := range []string{host, other} {
		of := w.of(name)
		if of.from > of.to {
			continue
		}
		from, to := utc(of.from), utc(of.to)
		if !ok || from.Before(p.From) {
			p.From = from
		}
		if !ok || to.After(p.To) {
			p.To = to
		}
		ok = true
	}
	return p, ok
}

// Hits implements audit.Hits.
func (w *Weights) Hits(url string, counts []int64) (found bool) {
	_, rest, ok := strings.Cut(url, "://")
	if !ok {
		return false
	}
	host := rest
	if i := strings.IndexAny(rest, "/?"); i >= 0 {
		host = rest[:i]
	}
	of := w.of(host)
	if len(of.index) == 0 {
		return false
	}
	add := func(key string) {
		if at, ok := of.index[maphash.String(w.seed, key)]; ok {
			found = true
			for i, n := range of.counts[int(at)*w.n:][:min(w.n, len(counts))] {
				counts[i] += int64(n)
			}
		}
	}
	add(rest)
	if of.schemes {
		add(url)
	}
	return found
}

// of returns the URLs of a host, counted when it is first asked for.
func (w *Weights) of(host string) *weighed {
	w.mutex.Lock()
	of := w.hosts[host]
	if of == nil {
		of = &weighed{from: math.MaxInt64, to: math.MinInt64}
		w.hosts[host] = of
	}
	w.mutex.Unlock()
	of.once.Do(func() { w.count(host, of) })
	return of
}

// count counts the requests to a host.
func (w *Weights) count(host string, of *weighed) {
	of.index = map[uint64]int32{}
	var resolver crawl.Resolver
	var raw []byte
	for req, err := range w.requests.requests(host) {
		if err != nil {
			of.err = err
			return
		}
		of.from, of.to = min(of.from, req.at), max(of.to, req.at)
		crawler := -1
		if req.crawler < len(w.crawlers) {
			crawler = w.crawlers[req.crawler]
		}
		if crawler < 0 || req.who == agent.Claimed || len(req.target) == 0 || req.target[0] != '/' {
			continue
		}
		raw = append(append(append(raw[:0], "https://"...), host...), req.target...)
		loc, _, err := resolver.Resolve(raw, "")
		if err != nil {
			continue
		}
		key := loc[len("https://"):]
		if req.scheme != "" {
			raw = append(append(append(raw[:0], req.scheme...), "://"...), key...)
			key, of.schemes = raw, true
		}
		w.add(of, maphash.Bytes(w.seed, key), crawler, req.n)
	}
}

// add counts a request of a crawler of the audit.
func (w *Weights) add(of *weighed, hash uint64, crawler int, n int64) {
	at, ok := of.index[hash]
	if !ok {
		w.mutex.Lock()
		full := w.left == 0
		if !full {
			w.left--
		}
		w.mutex.Unlock()
		if full {
			return
		}
		at = int32(len(of.index))
		of.index[hash] = at
		of.counts = append(of.counts, make([]uint32, w.n)...)
	}
	if count := &of.counts[int(at)*w.n+crawler]; int64(*count) <= math.MaxUint32-n {
		*count += uint32(n)
	}
}

// Check returns why hits may be missing: the temporary file could not be read, or there were more URLs
// than can weigh an audit. nil = all are there.
func (w *Weights) Check() error {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	for _, of := range w.hosts {
		if of.err != nil {
			return of.err
		}
	}
	if w.left == 0 {
		return fmt.Errorf("only the first %s URLs have hits", wording.Thousands(maxWeighed))
	}
	return nil
}
