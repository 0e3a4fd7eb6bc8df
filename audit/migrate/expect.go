package migrate

import (
	"context"
	"iter"
	"slices"

	"robots-audit/audit"
	"robots-audit/audit/expect"
	"robots-audit/crawl"
)

// Expect checks the new site against the expectations of a team. It uses the proposed robots.txt,
// or else the current one of the targets, and the URLs of the map as known URLs. Paths and their
// patterns are about each host of new URLs. Absolute URLs and patterns may also be about an old
// host. It returns a suite for each host with expectations. An error means that the map could not
// be read again, or that ctx ended.
func (c *Check) Expect(ctx context.Context, set *expect.Set) (list []*expect.Suite, err error) {
	r := c.run
	var proposals []*expect.Proposal
	if r.proposed != nil {
		for _, host := range r.proposedHosts(ctx) {
			proposals = append(proposals, &expect.Proposal{Host: host, File: r.ProposedName, Body: r.Proposed})
		}
	}
	judge, err := expect.NewJudge(set, proposals...)
	if err != nil {
		return nil, err
	}
	for rec, err := range r.records(ctx) {
		if err != nil {
			return nil, err
		}
		if s := judge.Add(rec); s != nil {
			list = append(list, s)
		}
	}
	list = append(list, judge.End()...)
	for _, s := range list {
		if r.isTarget(s.Name) {
			continue
		}
		s.Results = slices.DeleteFunc(s.Results, func(of expect.Result) bool { return of.Origin() == "" })
	}
	return slices.DeleteFunc(list, func(s *expect.Suite) bool { return len(s.Results) == 0 }), nil
}

// proposedHosts returns the new host, and hosts whose robots.txt is redirected to it.
func (r *run) proposedHosts(ctx context.Context) []string {
	hosts := []string{r.newHost}
	for _, name := range slices.Concat(r.m.oldOrigins, r.m.newOrigins) {
		if o := r.origins.get(ctx, name); o != nil && r.ledHere(o) && !slices.Contains(hosts, hostOf(name)) {
			hosts = append(hosts, hostOf(name))
		}
	}
	return hosts
}

// isTarget reports whether an origin's host has new URLs.
func (r *run) isTarget(origin string) bool {
	return slices.ContainsFunc(r.m.newOrigins, func(o string) bool { return hostOf(o) == hostOf(origin) })
}

// place is where the URLs of an origin go in the records.
type place struct {
	site  *hostRecords
	index int // audit.Robots.Index
}

// hostRecords collects the records of a host.
type hostRecords struct {
	name  string // of its first origin
	batch []audit.URL
	known int64
}

// batchLen is the number of URLs in a record.
const batchLen = 256

// records returns records of all hosts of the map as from an audit. Each host is a site with the
// map's URLs; its origins are the schemes and ports in the map.
func (r *run) records(ctx context.Context) iter.Seq2[audit.Record, error] {
	return func(yield func(audit.Record, error) bool) {
		sites, places, begun := r.sites(ctx)
		if ctx.Err() != nil {
			yield(audit.Record{}, context.Cause(ctx))
			return
		}
		for _, rec := range begun {
			if !yield(rec, nil) {
				return
			}
		}
		flush := func(s *hostRecords) bool {
			s.known += int64(len(s.batch))
			ok := len(s.batch) == 0 || yield(audit.Record{Domain: s.name, URLs: &audit.URLs{List: s.batch}}, nil)
			s.batch = s.batch[:0]
			return ok
		}
		seen := audit.NewHashSet()
		for p, err := range r.m.Pairs() {
			if err == nil && ctx.Err() != nil {
				err = context.Cause(ctx)
			}
			if err != nil {
				yield(audit.Record{}, err)
				return
			}
			for _, url := range [...]string{p.Old, p.New} {
				at := places[originOf(url)]
				if at.site == nil || !seen.Add(url) {
					continue
				}
				at.site.batch = append(at.site.batch, audit.URL{Loc: url, Origin: at.index})
				if len(at.site.batch) == batchLen && !flush(at.site) {
					return
				}
			}
		}
		for _, s := range sites {
			if !flush(s) || !yield(audit.Record{Domain: s.name, Done: &audit.Done{Origin: s.name, Counts: audit.Counts{URLs: s.known}}}, nil) {
				return
			}
		}
	}
}

// sites returns the hosts of the map, new ones first, and the first records of each.
func (r *run) sites(ctx context.Context) (sites []*hostRecords, places map[string]place, begun []audit.Record) {
	origins := slices.Clone(r.m.newOrigins)
	for _, o := range r.m.oldOrigins {
		if !slices.Contains(origins, o) {
			origins = append(origins, o)
		}
	}
	places = map[string]place{}
	byHost := map[string][]string{}
	for _, o := range origins {
		byHost[hostOf(o)] = append(byHost[hostOf(o)], o)
	}
	for _, of := range byHost {
		slices.Sort(of)
		slices.Reverse(of) // https comes first
	}
	for _, first := range origins {
		of := byHost[hostOf(first)]
		if places[first].site != nil {
			continue
		}
		s := &hostRecords{name: of[0]}
		begun = append(begun, audit.Record{Domain: s.name, Site: &audit.Site{Name: s.name, Ordinal: len(sites)}})
		sites = append(sites, s)
		for i, o := range of {
			places[o] = place{s, i}
			file := r.counting(ctx, o)
			if file == nil {
				return nil, nil, nil
			}
			begun = append(begun, audit.Record{Domain: s.name, Robots: &audit.Robots{Index: i, Origin: o, File: *file}})
		}
	}
	return sites, places, begun
}

// counting returns the robots.txt that applies to an origin if none is proposed; nil = ctx ended.
func (r *run) counting(ctx context.Context, name string) *crawl.RobotsFile {
	live := r.origins.get(ctx, name)
	switch {
	case live == nil:
		return nil
	case live.robots.Status == 0 && r.staging != nil && r.isNew(name):
		return r.staging.robots
	}
	return live.robots
}
