package expect

import (
	"fmt"
	"slices"
	"strings"

	"robots-audit/audit"
)

// Judge judges the records of sites by a set of expectations. The records of one site
// come in order; those of several may be interleaved. One goroutine uses it at a time.
type Judge struct {
	set       *Set
	proposals []*Proposal
	proposed  []string             // names of sites with a proposal
	sites     map[string]*site     // unfinished sites, by name
	owned     map[string]bool      // origins of the set that are a site's own
	elsewhere map[string]*borrowed // results of origins that are no site's own so far, from the first site that knows them
	origins   map[string][]string  // tested origins that are similar to those of the set, by bareHost
	ended     int                  // number of sites
	first     string               // the own origin of the first one

	onlyProposed bool
	others       Others
}

// Others is what was not judged because no proposal is for it.
type Others struct {
	Sites        int
	Expectations int      // lines of the file, for other hosts
	Hosts        []string // of these lines
}

// borrowed is the result for an origin at a site that is not its own.
type borrowed struct {
	ordinal int // of the site
	suite   Suite
}

// NewJudge makes a Judge. Each proposal is for another host. It returns an error if the set compares two
// sides but there is only one.
func NewJudge(set *Set, proposals ...*Proposal) (*Judge, error) {
	if e := set.Compares(); e != nil && len(proposals) == 0 {
		return nil, fmt.Errorf("%s:%d: \"same\" compares a proposed robots.txt with the current one. Name the proposed file with -robots HOST=FILE, and use -run or -domains", e.File, e.Line)
	}
	j := &Judge{set: set, proposals: proposals, sites: map[string]*site{}, owned: map[string]bool{}, elsewhere: map[string]*borrowed{}, origins: map[string][]string{}}
	for _, origin := range set.origins {
		j.origins[bareHost(origin)] = nil
	}
	return j, nil
}

// OnlyProposed limits the judge to the hosts of the proposals: to their URLs, and to expectations for
// these hosts or for paths. Call it before the first record.
func (j *Judge) OnlyProposed() { j.onlyProposed = true }

// Others returns what was not judged, after End.
func (j *Judge) Others() Others { return j.others }

// Concerns reports whether a site is judged, after the records of its robots.txt.
func (j *Judge) Concerns(site string) bool {
	return !j.onlyProposed || slices.Contains(j.proposed, site)
}

// skips reports whether an origin is not judged.
func (j *Judge) skips(origin string) bool {
	return j.onlyProposed && !slices.ContainsFunc(j.proposals, func(p *Proposal) bool { return p.Host == hostOf(origin) })
}

// hostOf returns an origin without its scheme.
func hostOf(origin string) string {
	_, host, _ := strings.Cut(origin, "://")
	return host
}

// Add processes the next record. For the last one of a site, Done, it returns the results for the
// site; nil = no expectation is about it, or more records follow.
func (j *Judge) Add(rec audit.Record) *Suite {
	switch {
	case rec.Site != nil:
		j.sites[rec.Domain] = newSite(j.set, rec.Domain, rec.Site.Ordinal)
	case rec.Robots != nil:
		if s := j.sites[rec.Domain]; s != nil {
			s.addRobots(rec.Robots, j.proposal(rec), j.skips(rec.Robots.Origin))
		}
	case rec.URLs != nil:
		if s := j.sites[rec.Domain]; s != nil {
			s.addURLs(rec.URLs.List)
		}
	case rec.Done != nil:
		cut := ""
		if rec.Done.State == audit.Undetermined {
			cut = "the site could not be read: " + rec.Done.Why
		}
		return j.finish(rec.Domain, cut)
	}
	return nil
}

// Cut ends a site whose records end without Done.
func (j *Judge) Cut(name string) *Suite {
	return j.finish(name, "the audit of the site stopped early")
}

// proposal returns the proposal for the origin of a robots.txt; nil = none.
func (j *Judge) proposal(rec audit.Record) *Proposal {
	at := slices.IndexFunc(j.proposals, func(p *Proposal) bool { return p.Host == hostOf(rec.Robots.Origin) })
	if at < 0 {
		return nil
	}
	if j.proposals[at].used = true; !slices.Contains(j.proposed, rec.Domain) {
		j.proposed = append(j.proposed, rec.Domain)
	}
	return j.proposals[at]
}

// Proposed returns the names of the sites so far that have a proposal.
func (j *Judge) Proposed() []string { return j.proposed }

// finish ends a site.
func (j *Judge) finish(name, cut string) *Suite {
	s := j.sites[name]
	if s == nil {
		return nil
	}
	delete(j.sites, name)
	s.cut = cut
	own := s.own()
	if j.ended++; j.ended == 1 {
		j.first = own
	}
	if !j.Concerns(name) {
		j.others.Sites++
		for _, o := range s.origins {
			if o != nil {
				j.note(o.name)
			}
		}
		return nil
	}
	suite := &Suite{Name: name, Known: s.known, Cut: cut}
	mine := j.set.paths.all
	if j.skips(own) { // of paths, only URLs of another host of the site are judged
		mine = slices.DeleteFunc(slices.Clone(mine), func(i int) bool { return s.tallies[i] == nil })
	} else if of, ok := j.set.byOrigin[own]; ok {
		mine = append(slices.Clone(mine), of.all...)
		slices.Sort(mine)
		j.owned[own] = true
		delete(j.elsewhere, own)
	}
	for _, i := range mine {
		suite.Results = append(suite.Results, s.result(i, name))
	}
	for _, o := range s.origins {
		if o != nil {
			j.addOrigin(s, o.name)
		}
	}
	if suite.Results == nil {
		return nil
	}
	return suite
}

// addOrigin notes an origin in a site's records. It judges the expectations for it, as long as no
// site has it as its own.
func (j *Judge) addOrigin(s *site, origin string) {
	j.note(origin)
	of, ok := j.set.byOrigin[origin]
	if before := j.elsewhere[origin]; !ok || j.skips(origin) || j.owned[origin] || before != nil && before.ordinal <= s.ordinal {
		return
	}
	suite := Suite{Name: origin, Known: s.known, Cut: s.cut}
	for _, i := range of.all {
		suite.Results = append(suite.Results, s.result(i, origin))
	}
	j.elsewhere[origin] = &borrowed{s.ordinal, suite}
}

// note remembers an origin that is similar to one of the set.
func (j *Judge) note(origin string) {
	if known, similar := j.origins[bareHost(origin)]; similar && !slices.Contains(known, origin) {
		j.origins[bareHost(origin)] = append(known, origin)
	}
}

// End returns a suite for each origin with expectations that is no site's own. Each is judged by
// the first site with URLs or sitemaps there, or not at all.
func (j *Judge) End() (list []*Suite) {
	for _, origin := range j.set.origins {
		switch of := j.elsewhere[origin]; {
		case j.skips(origin) && !j.mistaken(origin):
			j.others.Expectations += len(j.set.byOrigin[origin].all)
			if host := hostOf(origin); !slices.Contains(j.others.Hosts, host) {
				j.others.Hosts = append(j.others.Hosts, host)
			}
		case j.owned[origin]:
		case of != nil:
			list = append(list, &of.suite)
		default:
			suite := &Suite{Name: origin}
			why := j.noSite(origin)
			for _, i := range j.set.byOrigin[origin].all {
				suite.Results = append(suite.Results, Result{Expectation: &j.set.List[i], Site: origin, Outcome: NoSite, Why: why})
			}
			list = append(list, suite)
		}
	}
	return list
}

// mistaken reports whether an origin is probably meant to be one with a proposal: no tested one has its
// host, but one with a proposal has it with another port, or with or without "www.".
func (j *Judge) mistaken(origin string) bool {
	similar := j.origins[bareHost(origin)]
	return !slices.ContainsFunc(similar, func(of string) bool { return hostOf(of) == hostOf(origin) }) &&
		slices.ContainsFunc(similar, func(of string) bool { return !j.skips(of) })
}

// Unused returns the proposals for hosts that are not in the records.
func (j *Judge) Unused() []*Proposal {
	return slices.DeleteFunc(slices.Clone(j.proposals), func(p *Proposal) bool { return p.used })
}
