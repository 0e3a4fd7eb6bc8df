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
	"robots-audit/audit/pattern"
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
	maxNever    = 1000 // of a crawler that finds pages for a search engine
	maxAnswers  = 50   // for robots.txt, of one crawler
)

// Judge counts the requests to a site, and judges them. Several goroutines may call it at once.
func (r *Requests) Judge(set *agent.Set, of *Site) (audit.Logs, error) {
	s := siteCount{
		of: of, set: set, crawlers: r.crawlers, dns: r.newLogDNS(), room: &room{left: maxDistinct}, lost: r.lost, known: of.Known, ids: audit.NewHashSet(), limits: map[audit.LogLimit]bool{},
		by: map[int]*crawlerCount{}, from: math.MaxInt64, to: math.MinInt64,
	}
	if slices.ContainsFunc(r.Files, func(f File) bool { return f.Early != "" && f.Twice == "" }) {
		s.limit(audit.LogLimitFiles)
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
			t = NewTimeline(audit.LogFile, slices.DeleteFunc(slices.Clone(o.Seen), func(of Observation) bool { return !of.Told || !of.answered() }))
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
	limits   map[audit.LogLimit]bool // what is not complete
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
	switch {
	case req.id == 0:
	case s.idCount == maxIDs:
		s.limit(audit.LogLimitIDs)
	default:
		if !s.ids.AddHash(req.id) {
			s.repeated += req.n
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
	if req.n > 1 {
		s.scaled = max(s.scaled, float64(req.n))
	}
	countDNS(s.dns, req.proof, req.n)
	origin, exact := s.of.place(host, req.scheme)
	s.from, s.to = min(s.from, req.at), max(s.to, req.at)
	at := s.by[req.crawler]
	if at == nil {
		if len(s.by) == maxCrawlers {
			s.others += req.n
			return nil
		}
		at = newCrawlerCount(s, s.of.audited(s.crawlers[req.crawler].Name))
		s.by[req.crawler] = at
	}
	seen := sight{status: req.status, at: req.at, n: req.n, who: req.who, network: req.network, origin: origin, version: -1}
	seen.robots = isRobots(req.target)
	loc := s.url(req, s.of.Origins[origin].Name)
	if loc != nil {
		seen.loc, seen.hash = loc, maphash.Bytes(s.known.seed, loc)
		seen.inRun, seen.listed = s.known.find(seen.hash)
	}
	switch {
	case loc == nil || !exact || req.decoded:
		if req.decoded {
			s.limit(audit.LogLimitDecoded)
		}
		if s.crawlers[req.crawler].UserTriggered || seen.robots {
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
		seen.blocked, seen.blockedNow = judge.Blocks(v, req.at), judge.BlocksNow(v)
		if s.lost && seen.class != Exempt {
			seen.class = Unclear
		}
		switch {
		case seen.class != Unclear:
		case s.reads[seen.origin].Full(req.crawler):
			s.limit(audit.LogLimitReads)
		case v == unjudged && judge.full():
			s.limit(audit.LogLimitVerdicts)
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
	who                 agent.Identity
	network             uint64 // see networkOf
	class               Class
	origin              int
	version             int // of the rule
	line                int
	rule                string // "" = no rule blocks it
	blocked, blockedNow bool   // by the version in force, and by the newest one
	robots              bool
	inRun               bool
	listed              bool
	status              int
	at                  int64
	n                   int64
	loc                 []byte // nil = no URL
	hash                uint64
}

// Known are the URLs of a run, 30 to 45 bytes each. NewKnown makes one.
type Known struct {
	seed        maphash.Seed
	listed      *audit.HashSet // URLs of sitemaps
	others      *audit.HashSet // those that were in none when they came
	found       int64          // all
	inSitemaps  int64
	blocked     []int64        // URLs of sitemaps that are blocked, for each crawler of Site.Audited
	blockedFor  []string       // the different answers to which of these crawlers a URL is blocked for: a state for each
	blockedURLs *audit.HashSet // the URLs, each of the class of its answer
	ignored     []URL          // some URLs of sitemaps that a crawler may request, but did not
	ignoredBy   []int          // number of them, for each crawler
	templates   pattern.Groups[*knownTemplate]
	named       bool // the templates have their names
}

// knownTemplate is a template of the run's URLs.
type knownTemplate struct {
	name string
	urls int64
}

// Bounds of what is kept of the URLs of a run.
const (
	maxIgnored    = 50  // Known.ignoredBy
	maxBlockedFor = 100 // Known.blockedFor
)

// NewKnown returns an empty set.
func NewKnown() *Known {
	return &Known{
		seed: maphash.MakeSeed(), listed: audit.NewHashSet(), others: audit.NewHashSet(), blockedURLs: audit.NewHashSet(),
		templates: pattern.Groups[*knownTemplate]{
			New:   func() *knownTemplate { return &knownTemplate{} },
			Merge: func(into, from *knownTemplate) { into.urls += from.urls },
			Size:  func(t *knownTemplate) int64 { return t.urls },
		},
	}
}

// template returns the run's template of a URL; nil = the run has no URL like it.
func (k *Known) template(loc string) *knownTemplate {
	if k.found == 0 {
		return nil
	}
	if !k.named {
		for name, t := range k.templates.All() {
			t.name = name
		}
		k.named = true
	}
	t, _ := k.templates.Find(loc)
	return t
}

// Add adds a URL of a running audit. It keeps examples of URLs that crawlers ignore, because the URLs cannot be
// read again. hits are the requests of each of Site.Audited; nil = none.
func (k *Known) Add(u URL, hits []int64) {
	if !k.add(&u) {
		return
	}
	keep := false
	for i := range u.Verdicts {
		if len(k.ignoredBy) == i {
			k.ignoredBy = append(k.ignoredBy, 0)
		}
		if u.blocks(i) || i < len(hits) && hits[i] > 0 || k.ignoredBy[i] == maxIgnored {
			continue
		}
		k.ignoredBy[i]++
		keep = true
	}
	if keep {
		k.ignored = append(k.ignored, URL{strings.Clone(u.Loc), true, slices.Clone(u.Verdicts)})
	}
}

// add adds a URL and reports whether it is a new one of a sitemap.
func (k *Known) add(u *URL) bool {
	k.templates.Of(u.Loc).urls++
	h := maphash.String(k.seed, u.Loc)
	isNew := !k.others.HasHash(h)
	switch {
	case u.Listed && !k.listed.AddHash(h), !u.Listed && k.listed.HasHash(h):
		return false
	case !u.Listed:
		isNew = k.others.AddHash(h)
	}
	if isNew {
		k.found++
	}
	if !u.Listed {
		return false
	}
	k.inSitemaps++
	var room [64]byte
	states, any := room[:0], false
	for i := range u.Verdicts {
		states = append(states, allowed)
		if u.blocks(i) {
			states[i], any = blocked, true
		}
	}
	if !any {
		return true
	}
	class := slices.IndexFunc(k.blockedFor, func(of string) bool { return of == string(states) })
	if class < 0 {
		if class = len(k.blockedFor); class == maxBlockedFor { // the URL counts as allowed
			return true
		}
		k.blockedFor = append(k.blockedFor, string(states))
	}
	k.blockedURLs.AddHash(k.blockedURLs.OfClass(h, class))
	k.blocked = append(k.blocked, make([]int64, max(0, len(states)-len(k.blocked)))...)
	for i, state := range states {
		if state == blocked {
			k.blocked[i]++
		}
	}
	return true
}

// blocks reports whether a URL of a sitemap is blocked for the i-th of Site.Audited.
func (k *Known) blocks(hash uint64, i int) bool {
	for class, states := range k.blockedFor {
		if i >= 0 && i < len(states) && states[i] == blocked && k.blockedURLs.HasHash(k.blockedURLs.OfClass(hash, class)) {
			return true
		}
	}
	return false
}

// find reports whether a run has a URL, and whether in a sitemap.
func (k *Known) find(hash uint64) (inRun, listed bool) {
	listed = k.listed.HasHash(hash)
	return listed || k.others.HasHash(hash), listed
}

// readKnown reads the URLs of a stored run.
func (s *siteCount) readKnown() error {
	for u, err := range s.of.urls() {
		if err != nil {
			return fmt.Errorf("%s: %w", s.of.Name, err)
		}
		s.known.add(&u)
	}
	return nil
}

// urls are the URLs of a stored run, or else some of those that crawlers ignore.
func (s *Site) urls() iter.Seq2[URL, error] {
	if s.URLs != nil {
		return s.URLs()
	}
	return func(yield func(URL, error) bool) {
		if s.Known == nil {
			return
		}
		for _, u := range s.Known.ignored {
			if !yield(u, nil) {
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
