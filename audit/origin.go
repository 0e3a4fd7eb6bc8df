package audit

import (
	"bytes"
	"slices"
	"strings"
	"time"

	"robots-audit/crawl"
	"robots-audit/engine"
)

// origin is one scheme, host and port on which URLs of a site lie, with the
// robots.txt that governs them (RFC 9309 section 2.3; Google: rules apply to
// the host, protocol and port where the file is hosted).
type origin struct {
	index    int    // Robots.Index
	name     string // "https://example.com"
	asked    bool   // its robots.txt has been asked for
	file     crawl.Outcome
	reads    []Read
	groups   []*engine.Group
	matrix   *engine.Matrix
	evidence *evidence     // nil until robots.txt was read
	self     *engine.Group // what this program obeys, of pages and of other hosts' sitemaps; nil until robots.txt was read
	fails    int           // sitemaps of it that failed one after the other
	sitemaps []SitemapLine // that its robots.txt names
	waiting  buffer        // URLs not judged yet
}

// Reasons why a URL that a site names is not tested. They are keys of LeftOut.
const (
	LeftEmpty    = "empty"        // no text at all
	LeftRelative = "relative"     // not an absolute URL, as the sitemap protocol demands
	LeftScheme   = "other_scheme" // neither http nor https
	LeftInvalid  = "invalid"      // no readable host
	LeftOrigins  = "other_origin" // on an origin past the limit of origins for one site
	LeftTooLong  = "too_long"     // longer than the reader's limit of a URL
	LeftBudget   = "over_budget"  // past the limit of URLs for one site
)

// split cuts an absolute http or https URL into the bytes of its scheme and
// authority and those of its path and query; the fragment is dropped. Where
// it is not one, reason says why.
func split(loc []byte) (head, path []byte, reason string) {
	if i := bytes.IndexByte(loc, '#'); i >= 0 {
		loc = loc[:i]
	}
	if len(loc) == 0 {
		return nil, nil, LeftEmpty
	}
	colon := bytes.IndexByte(loc, ':')
	if stop := bytes.IndexAny(loc, "/?"); colon < 1 || stop >= 0 && stop < colon {
		return nil, nil, LeftRelative
	}
	if scheme := loc[:colon]; !bytes.EqualFold(scheme, []byte("http")) && !bytes.EqualFold(scheme, []byte("https")) {
		for _, c := range scheme {
			if !('a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || c == '+' || c == '-' || c == '.') {
				return nil, nil, LeftRelative
			}
		}
		return nil, nil, LeftScheme
	}
	if !bytes.HasPrefix(loc[colon:], []byte("://")) {
		return nil, nil, LeftInvalid
	}
	end := colon + 3
	for end < len(loc) && loc[end] != '/' && loc[end] != '?' && loc[end] != '\\' {
		end++
	}
	if end == colon+3 {
		return nil, nil, LeftInvalid
	}
	return loc[:end], loc[end:], ""
}

// origin finds the origin of a URL's scheme and authority; nil = left out.
func (s *site) origin(head []byte) (*origin, string) {
	if bytes.Equal(head, s.lastHead) {
		return s.lastOrigin, ""
	}
	o, ok := s.heads[string(head)]
	if !ok {
		d, why := ParseDomain(withoutUser(string(head)))
		if why != "" {
			return nil, LeftInvalid
		}
		name := d.Origin(firstScheme(d))
		for _, known := range s.origins {
			if known.name == name {
				o = known
			}
		}
		if o == nil {
			if len(s.origins) >= orDefault(s.auditor.Origins, 16) {
				return nil, LeftOrigins
			}
			o = &origin{index: len(s.origins), name: name}
			s.origins = append(s.origins, o)
		}
		if len(s.heads) < 1024 { // spellings of a few origins
			s.heads[string(head)] = o
		}
	}
	s.lastHead = append(s.lastHead[:0], head...)
	s.lastOrigin = o
	return o, ""
}

// withoutUser drops "user:password@": the crawlers' verdict does not depend on it.
func withoutUser(head string) string {
	scheme, rest, _ := strings.Cut(head, "://")
	if i := strings.LastIndexByte(rest, '@'); i >= 0 {
		rest = rest[i+1:]
	}
	return scheme + "://" + rest
}

// ask fetches the origin's robots.txt, once, and has each crawler's profile read it.
func (s *site) ask(o *origin) {
	if o.asked {
		return
	}
	o.asked = true
	s.read(o, s.fetch.Robots(s.ctx, o.name))
}

// read takes the outcome of asking for o's robots.txt, and emits its record.
func (s *site) read(o *origin, file *crawl.RobotsFile) {
	o.asked = true
	rec := &Robots{Index: o.index, Origin: o.name, File: *file}
	if file.Code != "" && file.Status != 404 && file.Status != 410 {
		s.problem(StageRobots, file.Code, file.URL, file.Detail)
	}
	if code, detail := oddBody(*file); code != "" {
		s.problem(StageRobots, code, file.URL, detail)
	}
	answer := Answer(*file)
	type reader struct {
		profile    *engine.Profile
		hopBlocked bool
	}
	by := map[reader]*engine.Robots{}
	hops := s.foreignHops(o, file)
	var readings []*engine.Robots // one for each crawler
	for i, c := range s.auditor.Crawlers {
		answer.HopBlocked = hopBlocked(hops, i)
		r := by[reader{c.profile, answer.HopBlocked}]
		if r == nil {
			r = c.profile.Read(answer)
			by[reader{c.profile, answer.HopBlocked}] = r
			rec.Rules = mergeRules(rec.Rules, r.Rules())
			rec.Sitemaps = mergeSitemaps(rec.Sitemaps, r.SitemapLines())
		}
		readings = append(readings, r)
	}
	answer.HopBlocked = false // RFC 9309 knows of no such thing
	reading := by[reader{rfc9309, false}]
	if reading == nil {
		reading = rfc9309.Read(answer)
	}
	engine.Share(append(slices.Clone(readings), reading)...)
	for i, c := range s.auditor.Crawlers {
		r := readings[i]
		g := r.Group(c.robot)
		tokens := strings.Clone(strings.Join(g.Tokens, ", ")) // not the whole file
		rec.Reads = append(rec.Reads, Read{
			Access: r.Access.String(), Why: r.Why, GroupLine: g.Line, GroupTokens: tokens,
			GroupReason: string(g.Reason), CrawlDelay: g.CrawlDelay, Rules: len(g.Rules),
			BlocksRoot: g.Verdict("/").Verdict == engine.Disallow,
		})
		o.groups = append(o.groups, g)
	}
	o.matrix = engine.NewMatrix(o.groups...)
	own := reading.Group(self)
	if d := own.CrawlDelay; d > 0 {
		s.fetch.SetDelay(o.name, time.Duration(d*float64(time.Second)))
	}
	o.self = own
	o.file, o.reads = file.Outcome, rec.Reads
	o.evidence = s.newEvidence(o, *file, answer, readings, rec.Rules)
	if n := len(s.auditor.Crawlers) + len(o.evidence.owns); n > len(s.decisions) {
		s.decisions = make([]engine.Decision, n)
	}
	o.sitemaps = rec.Sitemaps
	s.emit(Record{Robots: rec})
}

// foreignHop is a URL of a redirect chain that lies on another origin, whose
// own robots.txt may disallow it.
type foreignHop struct {
	origin *origin
	url    string
}

// foreignHops returns the URLs of a redirect chain that lie on other origins,
// each with the robots.txt of its own. The URLs on o itself cannot be judged:
// their rules are what is being fetched.
func (s *site) foreignHops(o *origin, file *crawl.RobotsFile) []foreignHop {
	var hops []foreignHop
	for _, hop := range file.Hops {
		head, path, reason := split([]byte(hop.URL))
		if reason != "" || string(path) == "/robots.txt" { // always allowed
			continue
		}
		other, why := s.origin(head)
		if why != "" || other == o {
			continue
		}
		s.ask(other)
		if other.groups != nil { // nil: its own chain leads through here
			hops = append(hops, foreignHop{other, hop.URL})
		}
	}
	return hops
}

// hopBlocked reports whether the i-th crawler may not fetch one of the hops.
func hopBlocked(hops []foreignHop, i int) bool {
	for _, hop := range hops {
		if hop.origin.groups[i].Verdict(hop.url).Verdict == engine.Disallow {
			return true
		}
	}
	return false
}

// Answer is what came of asking for a robots.txt in the engine's terms. It
// cannot tell whether a redirect led through a URL that is disallowed.
func Answer(file crawl.RobotsFile) engine.File {
	return engine.File{
		Status: file.Status, Error: file.Code, Hops: file.Redirects(), ContentType: file.Type,
		Body: file.Body, Truncated: file.Truncated, CrossHost: crossHost(file),
		UnreachableHours: file.UnreachableHours, Cached: file.Cached,
	}
}

// crossHost reports whether the chain ended on another host than it began on.
func crossHost(file crawl.RobotsFile) bool {
	if len(file.Hops) < 2 {
		return false
	}
	first, _, _ := split([]byte(file.Hops[0].URL))
	last, _, _ := split([]byte(file.Hops[len(file.Hops)-1].URL))
	_, from, _ := bytes.Cut(first, []byte("://"))
	_, to, _ := bytes.Cut(last, []byte("://"))
	return !bytes.EqualFold(from, to)
}
