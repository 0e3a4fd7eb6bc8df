package audit

import (
	"slices"
	"strings"

	"robots-audit/crawl"
	"robots-audit/engine"
)

// target notes a URL that pages and sitemaps point to, where the rules block it
// for a crawler that is to find it.
func (e *evidence) target(url string, decisions []engine.Decision, about string) {
	for i := range e.crawlers {
		if d := decisions[i]; e.seeking[i] && d.Verdict == engine.Disallow && d.Rule != nil {
			e.hit("RUL020", int32(d.Rule.Line), about, url)
			return
		}
	}
}

// needed notes a file that Google needs to render a page and may not fetch.
func (e *evidence) needed(u *URL, decisions []engine.Decision) {
	for i, c := range e.crawlers {
		if d := decisions[i]; strings.HasPrefix(c.Profile, "google") && d.Verdict == engine.Disallow && d.Rule != nil {
			e.hit("RUL019", int32(d.Rule.Line), u.Kind.String(), u.Loc)
			return
		}
	}
}

// lookAtHome notes whether the home page is blocked.
func (s *site) lookAtHome(o *origin) {
	s.judgeTarget(o, o.name+"/", homePage)
}

// judgeTarget judges a URL that was not counted among the site's.
func (s *site) judgeTarget(o *origin, url, about string) {
	for i, g := range o.groups {
		s.decisions[i] = g.Verdict(url)
	}
	o.evidence.target(url, s.decisions, about)
}

// lookAtPage looks at where a page leads: its redirect, its canonical, and the
// noindex that a crawler kept away from it never sees.
func (s *site) lookAtPage(p *crawl.Page) {
	if p.Code == crawl.CodeDisallowed && p.Location != "" && p.Location != p.URL {
		s.lookAtTarget(p.Location, redirectTarget)
	}
	if p.Status/100 != 2 {
		return
	}
	if p.Canonical != p.URL {
		s.lookAtTarget(p.Canonical, canonicalPage)
	}
	s.lookAtNoIndex(p)
}

// lookAtTarget notes a URL that pages point to and the rules block.
func (s *site) lookAtTarget(url, about string) {
	if !s.firstLook(about, url) {
		return
	}
	if o := s.readOrigin(url); o != nil {
		s.judgeTarget(o, url, about)
	}
}

// lookAtNoIndex notes a page whose noindex a search engine may not see. We
// have seen it, since our own group let us.
func (s *site) lookAtNoIndex(p *crawl.Page) {
	o := s.readOrigin(p.URL)
	if o == nil {
		return
	}
	for i, g := range o.groups {
		c := s.auditor.Crawlers[i]
		search := strings.HasPrefix(c.Profile, "google") || strings.HasPrefix(c.Profile, "yandex")
		if !search || !slices.ContainsFunc(c.Tokens, p.NoIndexFor) {
			continue
		}
		if d := g.Verdict(p.URL); d.Verdict == engine.Disallow && d.Rule != nil {
			o.evidence.hit("RUL021", int32(d.Rule.Line), "", p.URL)
			return
		}
	}
}

// maxLooks bounds the different URLs that pages point to and that are looked
// at; what is beyond it is not.
const maxLooks = 50_000

// firstLook reports whether a URL has not been looked at as this before.
func (s *site) firstLook(about, url string) bool {
	if url == "" || len(s.looked) >= maxLooks {
		return false
	}
	hash := s.distinct.Hash(0, []byte(about+" "+url))
	if s.looked[hash] {
		return false
	}
	if s.looked == nil {
		s.looked = map[uint64]bool{}
	}
	s.looked[hash] = true
	return true
}

// readOrigin returns the origin of a URL if its robots.txt was read; what has
// not been needed until now is not fetched for a remark.
func (s *site) readOrigin(url string) *origin {
	head, _, reason := split([]byte(url))
	if reason != "" {
		return nil
	}
	d, why := ParseDomain(withoutUser(string(head)))
	if why != "" {
		return nil
	}
	for _, o := range s.origins {
		if o.evidence != nil && o.name == d.Origin(firstScheme(d)) {
			return o
		}
	}
	return nil
}
