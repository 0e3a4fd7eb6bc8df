package migrate

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"robots-audit/audit"
	"robots-audit/crawl"
)

// Migrator checks the pairs of a map. Its fields are settings; Client and Crawlers
// must be set, the others have useful zero values.
type Migrator struct {
	Client   *crawl.Client
	Crawlers []audit.Crawler

	Workers      int        // pairs at work at a time [16]; a host still gets one request at a time
	MaxFails     int        // consecutive failures of a host after which it gets no more requests [20]
	NewHost      string     // origin of the new site [that of all new URLs]
	Staging      string     // origin that is requested instead of the new host; "" = the new host itself
	Proposed     []byte     // the future robots.txt of the new site; nil = none
	ProposedName string     // name of its file
	Important    *Important // URLs that matter most; nil = none
	Sitemaps     crawl.SitemapBudget
	Hits         *Hits // requests for old URLs; nil = none

	Skip func(line int) bool // lines of the map to skip, such as those that an earlier run has finished; nil = none
}

// Check is a running check of a map. Begin has requested what concerns all pairs.
type Check struct {
	Leaks []Leak // problems of the new site's robots.txt

	run *run
}

// run is the state shared by the workers.
type run struct {
	*Migrator
	m         *Map
	hosts     *hosts
	origins   *origins
	judge     judge
	important *Important
	newOrigin string // "" = there are several, and none was named
	newHost   string
	proposed  *origin // nil = there is none
	staging   *origin // likewise
	listed    *listed

	mu     sync.Mutex
	shared map[string]Hop // targets of several pairs
}

// ErrNewHost says that -proposed or -staging is for one host, but the new host is ambiguous.
var ErrNewHost = errors.New("the new URLs of the map are on several hosts. Name the new one")

// Begin requests what concerns all pairs of a map: the new site's robots.txt and its sitemaps. It
// returns an error for wrong settings, or if ctx ended. Close ends the check.
func (g *Migrator) Begin(ctx context.Context, m *Map) (*Check, error) {
	site, err := g.NewSite(m)
	if err != nil {
		return nil, err
	}
	r := &run{Migrator: g, m: m, important: g.Important, shared: map[string]Hop{}, newOrigin: site, newHost: hostOf(site)}
	r.judge = judge{crawlers: g.Crawlers, leading: audit.Leading(g.Crawlers)}
	var trusted []string
	for _, origin := range append(append([]string{g.Staging, g.NewHost}, m.oldOrigins...), m.newOrigins...) {
		if origin != "" {
			trusted = append(trusted, hostOf(origin))
		}
	}
	r.hosts = &hosts{client: g.Client, trusted: trusted, most: orDefault(g.MaxFails, 20), known: map[string]*host{}}
	r.origins = &origins{crawlers: g.Crawlers, hosts: r.hosts, known: map[string]*origin{}}
	if g.Proposed != nil {
		r.proposed = readText(g.Crawlers, r.newOrigin, g.ProposedName, g.Proposed)
	}
	if g.Staging != "" {
		r.staging = r.origins.get(ctx, g.Staging)
	}
	r.listed = r.readSitemaps(ctx)
	c := &Check{run: r, Leaks: r.findLeaks(ctx)}
	if ctx.Err() != nil {
		c.Close()
		return nil, context.Cause(ctx)
	}
	return c, nil
}

func orDefault(v, def int) int {
	if v == 0 {
		return def
	}
	return v
}

// NewSite returns the origin of the new site, to which Proposed and Staging apply. It is NewHost,
// or the common origin of all new URLs, with https if they use both schemes. If they are on several
// hosts, it returns "", and an error if the origin is needed.
func (g *Migrator) NewSite(m *Map) (origin string, err error) {
	origins := m.NewOrigins()
	if g.NewHost != "" {
		origins = []string{g.NewHost}
	}
	for _, next := range origins {
		switch {
		case origin != "" && hostOf(next) != hostOf(origin):
			if g.Proposed != nil || g.Staging != "" {
				return "", fmt.Errorf("%w (%s, %s)", ErrNewHost, hostOf(origin), hostOf(next))
			}
			return "", nil
		case origin == "" || strings.HasPrefix(next, "https:"):
			origin = next
		}
	}
	return origin, nil
}

// All checks the pairs and yields their results as they come, which is not the order of the map. It
// starts one goroutine that reads the map and one for each pair at work. Leaving the loop, or the
// end of ctx, stops all of them before All returns. A pair that ctx interrupts has no result. An
// error means that the map could not be read again; it ends the results.
func (c *Check) All(ctx context.Context) iter.Seq2[*Result, error] {
	return func(yield func(*Result, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		results := make(chan *Result)
		failed := make(chan error, 1)
		defer func() {
			cancel()
			for range results {
			}
		}()
		go c.feed(ctx, results, failed)
		for res := range results {
			if !yield(res, nil) {
				return
			}
		}
		select {
		case err := <-failed:
			yield(nil, err)
		default:
		}
	}
}

// feed starts a worker for each pair as soon as there is room, and closes results
// when the last has finished.
func (c *Check) feed(ctx context.Context, results chan<- *Result, failed chan<- error) {
	defer close(results)
	var workers errgroup.Group
	workers.SetLimit(orDefault(c.run.Workers, 16))
	defer workers.Wait()
	for p, err := range c.run.m.Pairs() {
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			failed <- err
			return
		}
		if c.run.Skip != nil && c.run.Skip(p.Line) {
			continue
		}
		workers.Go(func() error {
			if res, whole := c.run.guarded(ctx, &p); whole {
				select {
				case results <- res:
				case <-ctx.Done():
				}
			}
			return nil
		})
	}
}

// guarded calls walk, and turns a panic of our code into a result.
func (r *run) guarded(ctx context.Context, p *Pair) (res *Result, whole bool) {
	defer func() {
		if fault := recover(); fault != nil {
			res = &Result{Line: p.Line, Old: p.Old, New: p.New, Clicks: p.Clicks, Hits: r.Hits.of(p.Old), Important: r.important.has(p), Hops: []Hop{{URL: p.Old, Code: crawl.CodeInternal}}}
			res.remark(ClassUnknown, p.Old, "an error in this program: %v", fault)
			res.settle()
			whole = true
		}
	}()
	return r.walk(ctx, p)
}

// Close ends the connections.
func (c *Check) Close() { c.run.hosts.close() }
