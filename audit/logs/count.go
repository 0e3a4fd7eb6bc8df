package logs

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"iter"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"robots-audit/audit"
	"robots-audit/audit/logs/agent"
	"robots-audit/crawl"
	"robots-audit/engine"
)

// Bounds of what is counted for one site.
const (
	maxCrawlers = 150  // crawlers that are counted separately
	maxParts    = 1000 // directories, and so on, of one crawler
	maxListed   = 100  // of them, in the result
	maxDays     = 4000
	maxRules    = 500 // of one crawler
	maxSamples  = 20
	maxAnswers  = 50 // for robots.txt, of one crawler
)

// Judge counts the requests to a site, and judges them. Several goroutines may call it at once.
func (r *Requests) Judge(set *agent.Set, of *Site) (audit.Logs, error) {
	s := siteCount{
		of: of, set: set, crawlers: r.crawlers, dns: r.newLogDNS(), room: &room{left: maxDistinct}, lost: r.lost, known: of.Known, ids: audit.NewHashSet(),
		by: map[int]*crawlerCount{}, from: math.MaxInt64, to: math.MinInt64,
	}
	hosts := of.hosts()
	if !slices.ContainsFunc(hosts, func(host string) bool { return r.hosts[host] > 0 }) { // a judge costs milliseconds
		for _, o := range of.Origins {
			s.lines = append(s.lines, NewTimeline(of.Source, o.Seen))
		}
		return s.logs()
	}
	var engines []engine.Crawler
	var userTriggered []bool
	for i := range s.crawlers {
		engines, userTriggered = append(engines, s.crawlers[i].Crawler), append(userTriggered, s.crawlers[i].UserTriggered)
	}
	for _, o := range of.Origins {
		t := NewTimeline(of.Source, o.Seen)
		s.lines, s.judges = append(s.lines, t), append(s.judges, NewJudge(t, engines, userTriggered))
		if of.Source == audit.LogRun {
			t = NewTimeline(audit.LogFile, slices.DeleteFunc(slices.Clone(o.Seen), func(of Observation) bool { return !of.Told }))
		}
		s.assumed = append(s.assumed, NewJudge(t, engines, userTriggered))
		s.reads, s.own = append(s.reads, &Reads{}), append(s.own, map[int][]read{})
	}
	for _, host := range hosts {
		s.addReads(host, r.reads[host], r.counts)
	}
	for _, host := range hosts {
		for req, err := range r.requests(host) {
			if err == nil {
				err = s.add(host, req)
			}
			if err != nil {
				return audit.Logs{}, err
			}
		}
	}
	return s.logs()
}

// maxIDs bounds the ids of requests that are compared.
const maxIDs = 8_000_000

// siteCount are the counts of one site.
type siteCount struct {
	of       *Site
	set      *agent.Set
	crawlers []agent.Crawler
	room     *room
	lines    []*Timeline // by origin
	judges   []*Judge
	assumed  []*Judge // for a single run: by its robots.txt as if it had always been in force; else judges
	reads    []*Reads
	own      []map[int][]read // by origin and crawler, of addresses that may be its own
	lost     bool             // reads are not complete
	dns      *audit.LogDNS    // nil = DNS was not asked
	known    *Known           // nil = not read yet
	by       map[int]*crawlerCount
	ids      *audit.HashSet // of requests
	idCount  int
	repeated int64
	others   int64
	from, to int64
	scaled   float64
	resolver crawl.Resolver
	raw      []byte
}

// addReads gives each origin the requests for its robots.txt.
func (s *siteCount) addReads(host string, reads []read, counts func(file int) bool) {
	ids := map[uint64]bool{}
	for _, of := range reads {
		origin, exact := s.of.place(host, of.scheme)
		if !exact || !counts(int(of.file)) || ids[of.id] {
			continue
		}
		if of.id != 0 { // the logs may have it twice
			ids[of.id] = true
		}
		crawler, reader := int(of.crawler), int(of.crawler)
		if of.who == agent.Claimed || crawler >= 0 && of.who == agent.Unknown && s.crawlers[crawler].RangesDated != "" {
			reader = Visitor // perhaps an impostor, whose knowledge must not be held against the crawler
		}
		s.reads[origin].Add(reader, of.at, int(of.status))
		if crawler >= 0 && !of.outside && of.who != agent.Claimed {
			s.own[origin][crawler] = append(s.own[origin][crawler], of)
		}
	}
}

// add counts a request to a host of the site.
func (s *siteCount) add(host string, req *request) error {
	if req.id != 0 && s.idCount < maxIDs {
		if !s.ids.AddHash(req.id) {
			s.repeated++
			return nil
		}
		s.idCount++
	}
	if s.known == nil {
		s.known = NewKnown()
		if err := s.readKnown(); err != nil {
			return err
		}
	}
	n := int64(1)
	if req.sample > 0 && req.sample < 1 {
		n = int64(math.Round(1 / req.sample))
		s.scaled = max(s.scaled, float64(n))
	}
	countDNS(s.dns, req.proof, n)
	origin, exact := s.of.place(host, req.scheme)
	s.from, s.to = min(s.from, req.at), max(s.to, req.at)
	at := s.by[req.crawler]
	if at == nil {
		if len(s.by) == maxCrawlers {
			s.others += n
			return nil
		}
		at = newCrawlerCount(s)
		s.by[req.crawler] = at
	}
	seen := sight{status: req.status, at: req.at, n: n, who: req.who, origin: origin, version: -1}
	seen.robots = isRobots(req.target)
	loc := s.url(req, s.of.Origins[origin].Name)
	if loc != nil {
		seen.loc, seen.hash = loc, maphash.Bytes(s.known.seed, loc)
		seen.inRun, seen.listed = s.known.find(seen.hash)
	}
	switch {
	case loc == nil || !exact || req.decoded:
		if s.crawlers[req.crawler].UserTriggered {
			seen.class = Exempt
		}
	default:
		s.judge(req, &seen)
	}
	at.add(&seen)
	return nil
}

// judge judges a request. When the timeline of a single run does not know which robots.txt was in
// force, that of the run can still tell which requests nobody blocked, and which it would block.
func (s *siteCount) judge(req *request, seen *sight) {
	ask := func(judge *Judge) {
		v := judge.Vector(req.crawler, string(seen.loc))
		seen.class, seen.version, seen.line, seen.rule = judge.Class(s.reads[seen.origin], req.crawler, v, req.at, req.who == agent.Genuine)
		seen.blocked = judge.Blocks(v, req.at)
		if s.lost && seen.class != Exempt {
			seen.class = Unclear
		}
	}
	ask(s.judges[seen.origin])
	if seen.class != Unclear || s.of.Source != audit.LogRun {
		return
	}
	ask(s.assumed[seen.origin])
	if seen.class == Disobeyed || seen.class == Blocked {
		seen.class = Unclear
	}
}

// url is the URL of a request in the form that the engine and the run have; nil = it is none.
func (s *siteCount) url(req *request, origin string) []byte {
	if len(req.target) == 0 || req.target[0] != '/' {
		return nil
	}
	s.raw = append(append(s.raw[:0], origin...), req.target...)
	loc, _, err := s.resolver.Resolve(s.raw, origin)
	if err != nil {
		return nil
	}
	return loc
}

// sight is a request as it is counted.
type sight struct {
	who     agent.Identity
	class   Class
	origin  int
	version int // of the rule
	line    int
	rule    string // "" = no rule blocks it
	blocked bool   // by the version in force
	robots  bool
	inRun   bool
	listed  bool
	status  int
	at      int64
	n       int64
	loc     []byte // nil = no URL
	hash    uint64
}

// Known are the URLs of a run, 30 bytes each. NewKnown makes one.
type Known struct {
	seed        maphash.Seed
	all, listed *audit.HashSet
	found       int64 // all
	inSitemaps  int64
	ignored     []string // some URLs of sitemaps that the audit's crawlers did not request
}

// maxIgnored bounds Known.ignored.
const maxIgnored = 1000

// NewKnown returns an empty set.
func NewKnown() *Known {
	return &Known{seed: maphash.MakeSeed(), all: audit.NewHashSet(), listed: audit.NewHashSet()}
}

// Add adds a URL. ignored = no crawler of the audit requested it.
func (k *Known) Add(u URL, ignored bool) {
	h := maphash.String(k.seed, u.Loc)
	if k.all.AddHash(h) {
		k.found++
	}
	if u.Listed && k.listed.AddHash(h) {
		k.inSitemaps++
		if ignored && len(k.ignored) < maxIgnored {
			k.ignored = append(k.ignored, strings.Clone(u.Loc))
		}
	}
}

// find reports whether a run has a URL, and whether in a sitemap.
func (k *Known) find(hash uint64) (inRun, listed bool) {
	return k.all.HasHash(hash), k.listed.HasHash(hash)
}

// readKnown reads the URLs of a stored run.
func (s *siteCount) readKnown() error {
	for u, err := range s.of.urls() {
		if err != nil {
			return fmt.Errorf("%s: %w", s.of.Name, err)
		}
		s.known.Add(u, false)
	}
	return nil
}

// urls are the URLs of a stored run, or else some of those that crawlers may never have requested.
func (s *Site) urls() iter.Seq2[URL, error] {
	if s.URLs != nil {
		return s.URLs()
	}
	return func(yield func(URL, error) bool) {
		if s.Known == nil {
			return
		}
		for _, loc := range s.Known.ignored {
			if !yield(URL{loc, true}, nil) {
				return
			}
		}
	}
}

// ranked returns the names with most requests.
func ranked(counts map[string]int64, limit int) []audit.LogCount {
	list := []audit.LogCount{}
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		list = append(list, audit.LogCount{Name: name, Requests: counts[name]})
	}
	slices.SortStableFunc(list, func(a, b audit.LogCount) int { return cmp.Compare(b.Requests, a.Requests) })
	return list[:min(len(list), limit)]
}

// utc is a time of a log.
func utc(at int64) time.Time { return time.Unix(at, 0).UTC() }
