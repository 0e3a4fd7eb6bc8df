package audit

import (
	"bytes"
	"slices"
	"strings"
	"time"

	"robots-audit/audit/internal/findings"
	"robots-audit/crawl"
	"robots-audit/engine"
)

// origin is one scheme, host and port with URLs of a site, and the robots.txt that applies to them
// (RFC 9309 section 2.3; Google: rules apply to the host, protocol and port where the file is
// hosted).
type origin struct {
	index     int    // Robots.Index
	name      string // "https://example.com"
	own       bool   // on the site's own host, with or without "www."
	asked     bool   // its robots.txt was requested
	file      crawl.Outcome
	reads     []Read
	groups    []*engine.Group
	open      bool                // its robots.txt blocks nothing for any of the crawlers
	rootRules []engine.Rule       // for each crawler, the rule that decides the home page; Line 0 = none
	matrix    *engine.Matrix      // nil until makeMatrix
	findings  *findings.Collector // nil until robots.txt was read
	twin      *origin             // an earlier origin with the same file, which judges the URLs of both; nil = none
	media     []*engine.Group     // those of mediaCrawlers; nil until the first image or video of a sitemap
	self      *engine.Group       // the group that this program obeys for pages and other hosts' sitemaps; nil until robots.txt was read
	pages     int64               // tested pages of this origin
	left      bool                // only a wrong base address names it, so that its robots.txt has no findings
	fails     int                 // consecutive failed sitemaps of this origin
	sitemaps  []SitemapLine       // named by its robots.txt
	waiting   buffer              // URLs not judged yet
}

// Reasons why a URL of a site is not tested. They are keys of LeftOut.
const (
	LeftEmpty    = "empty"        // no text at all
	LeftRelative = "relative"     // text that is not a URL; relative URLs are resolved
	LeftScheme   = "other_scheme" // neither http nor https
	LeftInvalid  = "invalid"      // no readable host
	LeftOrigins  = "other_origin" // on an origin past the limit of origins for one site
	LeftTooLong  = "too_long"     // longer than the reader's limit of a URL
	LeftBudget   = "over_budget"  // past the limit of URLs for one site; counts only the URL at which reading stopped
)

// split cuts an absolute http or https URL into scheme and authority, and path and query. The
// fragment is dropped. For other texts, reason says why not.
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

// split is the function split, faster for URLs that begin like the one before.
func (s *site) split(loc []byte) (head, path []byte, reason string) {
	if n := len(s.lastHead); n == 0 || len(loc) <= n || loc[n] != '/' || !bytes.Equal(loc[:n], s.lastHead) {
		return split(loc)
	}
	n := len(s.lastHead)
	return loc[:n], pathOf(loc, loc[:n]), ""
}

// origin returns the origin for a URL's scheme and authority; nil = skipped, for the returned
// reason.
func (s *site) origin(head []byte) (*origin, string) {
	if bytes.Equal(head, s.lastHead) {
		return s.lastOrigin, ""
	}
	o, ok := s.heads[string(head)]
	if !ok {
		name := originName(head)
		if name == "" {
			return nil, LeftInvalid
		}
		for _, known := range s.origins {
			if known.name == name {
				o = known
			}
		}
		if o == nil {
			if s.isUnreachable(head) {
				return nil, LeftWrongHost
			}
			if len(s.origins) >= orDefault(s.auditor.Origins, 16) {
				return nil, LeftOrigins
			}
			o = &origin{index: len(s.origins), name: name, own: sameSite(s.origins[0].name, name)}
			s.origins = append(s.origins, o)
		}
		if len(s.heads) < 1024 { // different spellings of a few origins
			s.heads[string(head)] = o
		}
	}
	s.lastHead = append(s.lastHead[:0], head...)
	s.lastOrigin = o
	return o, ""
}

// originName returns the standard name of the origin of a URL's scheme and authority,
// "https://example.com"; "" = no readable host.
func originName(head []byte) string {
	d, ok := domainOf(head)
	if !ok {
		return ""
	}
	return d.Origin(firstScheme(d))
}

// domainOf returns the host and port of a URL's scheme and authority, without name and password;
// false = no readable host.
func domainOf(head []byte) (Domain, bool) {
	d, why := ParseDomain(withoutUser(string(head)))
	return d, why == ""
}

// withoutUser drops "user:password@", which does not affect verdicts.
func withoutUser(head string) string {
	scheme, rest, _ := strings.Cut(head, "://")
	if i := strings.LastIndexByte(rest, '@'); i >= 0 {
		rest = rest[i+1:]
	}
	return scheme + "://" + rest
}

// blocksAll reports whether an answer, or the rules alone, block every URL, known or not.
func blocksAll(access engine.Access, g *engine.Group) bool {
	if access != engine.Parsed {
		return access == engine.DisallowAll
	}
	d := g.Verdict("/")
	return d.Verdict == engine.Disallow && d.Rule != nil && strings.Trim(d.Rule.Value, "*") == "/" &&
		!slices.ContainsFunc(g.Rules, func(r engine.Rule) bool { return r.Allow && r.Value != "" })
}

// blocksNothing reports whether an answer, or the rules alone, block no URL at all.
func blocksNothing(access engine.Access, g *engine.Group) bool {
	if access != engine.Parsed {
		return access == engine.AllowAll
	}
	return g.Verdict("/").Verdict == engine.Allow &&
		!slices.ContainsFunc(g.Rules, func(r engine.Rule) bool { return !r.Allow && r.Value != "" })
}

// judge returns the origin that judges o's URLs, counts them and collects the findings: o, or its
// twin.
func (o *origin) judge() *origin {
	if o.twin != nil {
		return o.twin
	}
	return o
}

// findTwin returns an earlier origin of the same host whose file is the same and read alike by
// every crawler; nil = none. http and https mostly serve the same file.
func (s *site) findTwin(o *origin) *origin {
	for _, other := range s.origins[:o.index] {
		if other.asked && other.twin == nil && sameFile(other, o) && sameHost(other.name, o.name) && slices.Equal(other.reads, o.reads) {
			return other
		}
	}
	return nil
}

// sameHost reports whether two origins differ only in their scheme.
func sameHost(a, b string) bool {
	_, a, _ = strings.Cut(a, "://")
	_, b, _ = strings.Cut(b, "://")
	return a == b
}

// ask fetches the origin's robots.txt, once, and has each crawler's profile read it.
func (s *site) ask(o *origin) {
	if o.asked {
		return
	}
	o.asked = true
	s.read(o, s.fetch.Robots(s.ctx, o.name))
}

// read processes the answer to the request for o's robots.txt, and emits its record.
func (s *site) read(o *origin, file *crawl.RobotsFile) {
	o.asked = true
	rec := &Robots{Index: o.index, Origin: o.name, File: *file}
	if file.Code != "" && !notFound(file.Status) {
		s.problem(StageRobots, file.Code, file.URL, file.Detail)
	}
	if code, detail := CheckBody(*file); code != "" {
		s.problem(StageRobots, code, file.URL, detail)
		s.wrongBody = s.wrongBody || o.index == 0 && code == CodeRobotsHTML
	}
	for name := range foreignHops(o.name, file) {
		if other, why := s.origin([]byte(name)); why == "" {
			s.ask(other)
		}
	}
	s.answers.Add(o.index, o.name, file)
	apart(func() { s.readLines(o, file, rec) })
	s.emit(Record{Robots: rec})
}

// readLines reads o's robots.txt for each crawler, and fills rec.
func (s *site) readLines(o *origin, file *crawl.RobotsFile, rec *Robots) {
	defer s.answers.Forget()
	var readings, different []*engine.Robots // one for each crawler; without duplicates
	for _, c := range s.auditor.Crawlers {
		r := s.answers.Read(o.index, c.profile, c.robot)
		if !slices.Contains(different, r) {
			different = append(different, r)
			rec.Rules = mergeRules(rec.Rules, r.Rules())
			rec.Sitemaps = mergeSitemaps(rec.Sitemaps, r.SitemapLines())
		}
		readings = append(readings, r)
	}
	reading := s.answers.Read(o.index, rfc9309, self)
	engine.Share(append(slices.Clone(readings), reading)...)
	rec.Groups = recordable(RuleGroups(rec.Rules, different))
	o.open = true
	for i, c := range s.auditor.Crawlers {
		r := readings[i]
		g := r.Group(c.robot)
		o.open = o.open && blocksNothing(r.Access, g)
		tokens := strings.Clone(strings.Join(g.Tokens, ", ")) // a copy, to free the file
		root := g.Verdict("/")
		o.rootRules = append(o.rootRules, engine.Rule{})
		if root.Rule != nil {
			o.rootRules[i] = *root.Rule
		}
		rec.Reads = append(rec.Reads, Read{
			Access: r.Access, Why: ReadWhy(r.Why), GroupLine: g.Line, GroupTokens: tokens,
			GroupReason: g.Reason, CrawlDelay: g.CrawlDelay, Rules: len(g.Rules),
			BlocksRoot: root.Verdict == engine.Disallow, BlocksAll: blocksAll(r.Access, g),
		})
		o.groups = append(o.groups, g)
	}
	rec.obeyed = o.groups
	own := reading.Group(self)
	if d := own.CrawlDelay; d > 0 {
		s.fetch.SetDelay(o.name, time.Duration(d*float64(time.Second)))
	}
	o.self = own
	o.file, o.reads = file.Outcome, rec.Reads
	if o.twin = s.findTwin(o); o.twin != nil {
		rec.SameAs = o.twin.name
	}
	if o.twin == nil {
		s.lint(o, *file, readings)
	}
	if o.index == 0 {
		s.policy = NewPolicySample(&s.answers)
		s.policy.share(s.auditor.Crawlers, rec.Reads, o.groups)
		policy := s.policy.Policy // a record does not include the sample
		rec.Policy = &policy
	}
	o.sitemaps = rec.Sitemaps
}
