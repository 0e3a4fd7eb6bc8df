package expect

import (
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/crawl"
	"robots-audit/engine"
)

// site is the state of one site while its records arrive.
type site struct {
	set     *Set
	name    string
	ordinal int
	known   int64            // URLs that are judged
	counts  map[string]int64 // of all URLs, by origin
	cut     string           // why the records are incomplete; "" = they are complete

	now, was audit.Answers // robots.txt as judged, and as found
	origins  []*origin     // by Robots.Index; nil = not known
	anywhere bool          // there is one robots.txt for all given URLs: the only origin's name is ""

	tallies map[int]*tally // of patterns that matched, and of URLs, by index into Set.List
	seen    *audit.HashSet // known URLs that a pattern matched, to count each once: an image may also be a page
}

// origin is one origin of a site.
type origin struct {
	name     string
	skipped  bool      // it is not judged, see Judge.OnlyProposed
	proposed *Proposal // nil = none
	now, was side      // was is empty without a proposal: then it equals now
}

// tally has the counts of an expectation so far.
type tally struct {
	matched, failing, unclear int64
	samples                   []Sample // failing ones, or else unclear ones; for a single URL, its own
}

func newSite(set *Set, name string, ordinal int) *site {
	return &site{set: set, name: name, ordinal: ordinal, counts: map[string]int64{}, tallies: map[int]*tally{}, seen: audit.NewHashSet()}
}

// own returns the site's own origin. If its robots.txt was never requested, it is the origin that
// would have been used.
func (s *site) own() string {
	if len(s.origins) > 0 && s.origins[0] != nil {
		return s.origins[0].name
	}
	d, _ := audit.ParseDomain(s.name)
	if d.Scheme == "" {
		d.Scheme = "https"
	}
	return d.Origin(d.Scheme)
}

// addRobots adds the robots.txt of an origin, and judges its expectations for single URLs unless the
// origin is skipped.
func (s *site) addRobots(r *audit.Robots, proposed *Proposal, skipped bool) {
	o := &origin{name: r.Origin, proposed: proposed, skipped: skipped}
	for len(s.origins) <= r.Index {
		s.origins = append(s.origins, nil)
	}
	if s.origins[r.Index] = o; skipped {
		return
	}
	file := &r.File
	if s.was.Add(r.Index, r.Origin, file); proposed != nil {
		file = crawl.ServedRobots(r.Origin, proposed.Body, 0)
	}
	s.now.Add(r.Index, r.Origin, file)
	o.now = newSide(s.set, &s.now, r.Index)
	if proposed != nil && s.set.Compares() != nil {
		o.was = newSide(s.set, &s.was, r.Index)
	}
	exact := s.set.byOrigin[r.Origin].exact
	if r.Index == 0 {
		exact = slices.Concat(exact, s.set.paths.exact)
	}
	for _, i := range exact {
		s.judgeURL(i, o)
	}
	s.now.Forget()
	s.was.Forget()
}

// judgeURL judges the URL of an expectation.
func (s *site) judgeURL(i int, o *origin) {
	e := &s.set.List[i]
	url := e.loc
	if e.origin == "" && strings.HasPrefix(url, "/") { // without an origin, one file judges all given URLs
		url = o.name + url
	}
	sample := o.sample(e, url, o.now.get(e.reader, url))
	if o.was.readers == nil {
		sample.Was = sample.Got
	} else {
		sample.Was = o.was.get(e.reader, url)
	}
	s.tally(i).add(e, &sample)
}

// addURLs adds known URLs, and judges those that a pattern matches.
func (s *site) addURLs(list []audit.URL) {
	for i := range list {
		u := &list[i]
		if u.Origin >= len(s.origins) || s.origins[u.Origin] == nil {
			continue // the records have lost a line
		}
		o := s.origins[u.Origin]
		if s.count(o.name); o.skipped {
			continue
		}
		s.known++
		s.addURL(o, o.name, u.Loc)
	}
}

// addURL judges a known URL by the patterns that match it: paths for every site, and patterns of
// its origin.
func (s *site) addURL(o *origin, of, url string) {
	var now, was []engine.Decision // nil until one matches
	for _, patterns := range [...]*patterns{s.set.paths.patterns, s.set.byOrigin[of].patterns} {
		for i := range patterns.match(url) {
			if now == nil {
				if !s.seen.Add(url) {
					return
				}
				now = o.now.judge(url)
				if was = now; o.was.readers != nil {
					was = o.was.judge(url)
				}
			}
			e := &s.set.List[i]
			t := s.tally(i)
			sample := Sample{Got: audit.Verdict{Verdict: now[e.reader].Verdict}, Was: audit.Verdict{Verdict: was[e.reader].Verdict}}
			if t.wants(e.compare(&sample)) {
				sample = o.sample(e, strings.Clone(url), o.now.readers[e.reader].Explain(now[e.reader]))
				if sample.Was = sample.Got; o.was.readers != nil {
					sample.Was = o.was.readers[e.reader].Explain(was[e.reader])
				}
			}
			t.add(e, &sample)
		}
	}
}

// sample returns the verdict on a URL of the origin.
func (o *origin) sample(e *Expectation, url string, got audit.Verdict) Sample {
	s := Sample{URL: url, Got: got}
	switch {
	case o.proposed != nil:
		s.Robots, s.Local = o.proposed.File, true
	case o.name != "":
		s.Robots = o.name + "/robots.txt"
	}
	return s
}

func (s *site) tally(i int) *tally {
	t := s.tallies[i]
	if t == nil {
		t = &tally{}
		s.tallies[i] = t
	}
	return t
}

// wants reports whether to keep a sample with an outcome.
func (t *tally) wants(outcome Outcome) bool {
	return outcome == Failed && (t.failing < maxSamples) || outcome == Unclear && t.failing == 0 && t.unclear < maxSamples
}

// add counts the verdict on a URL. For a pattern, samples are failing ones, or else unclear ones.
func (t *tally) add(e *Expectation, s *Sample) {
	outcome := e.compare(s)
	if t.wants(outcome) || !e.pattern {
		if outcome == Failed && t.failing == 0 {
			t.samples = nil
		}
		t.samples = append(t.samples, *s)
	}
	t.matched++
	switch outcome {
	case Failed:
		t.failing++
	case Unclear:
		t.unclear++
	}
}

// result returns the result of an expectation.
func (s *site) result(i int, suite string) Result {
	e := &s.set.List[i]
	r := Result{Expectation: e, Site: suite}
	t := s.tallies[i]
	if t != nil {
		r.Matched, r.Failing, r.Unclear, r.Samples = t.matched, t.failing, t.unclear, t.samples
	}
	switch {
	case r.Failing > 0:
		r.Outcome = Failed
	case r.Unclear > 0:
		r.Outcome = Unclear
	case t == nil && !e.pattern:
		r.Outcome, r.Why = Unclear, "its robots.txt was not fetched"
	case e.pattern && s.cut != "":
		r.Outcome, r.Why = Unclear, s.cut
	case r.Matched == 0:
		r.Outcome, r.Why = Vacuous, s.vacuous(e)
	}
	return r
}
