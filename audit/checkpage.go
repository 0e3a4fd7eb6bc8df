package audit

import (
	"robots-audit/audit/internal/findings"
	"robots-audit/crawl"
	"robots-audit/engine/wording"
)

// checkTarget judges a URL that was not counted among the site's, and notes it
// where the rules block it. what is one of the words of AddTarget.
func (s *site) checkTarget(o *origin, url, what string) {
	for i, g := range o.groups {
		s.decisions[i] = g.Verdict(url)
	}
	o.findings.AddTarget(url, s.decisions, what)
}

// checkPage looks at where a page leads: its redirect and its canonical.
func (s *site) checkPage(p *crawl.Page) {
	if p.Code == crawl.CodeDisallowed && p.Location != "" && p.Location != p.URL {
		s.checkPointedAt(p.Location, findings.RedirectTarget)
	}
	if p.Status/100 != 2 {
		return
	}
	if p.Canonical != p.URL {
		s.checkPointedAt(p.Canonical, findings.CanonicalPage)
	}
}

// checkPointedAt notes a URL that pages point to and the rules block.
func (s *site) checkPointedAt(url, what string) {
	if !s.firstSeen(what, url) {
		return
	}
	if o := s.readOrigin(url); o != nil {
		s.checkTarget(o, url, what)
	}
}

// checkNoIndex notes a page whose noindex a search engine may not see. We
// have seen it, since our own group let us.
func (s *site) checkNoIndex(p *Page) {
	o := s.readOrigin(p.URL)
	if o == nil {
		return
	}
	var lines []int32
	for _, i := range p.NoIndexUnseen() {
		if p.Lines[i] > 0 {
			lines = append(lines, p.Lines[i])
		}
	}
	o.findings.AddBlocked(findings.NoIndexUnseen, lines, p.URL)
}

// roleLink is the role of what pages link to.
const roleLink = "link"

// maxSeen bounds the different URLs that firstSeen tells apart; those beyond it
// are not checked.
const maxSeen = 50_000

// firstSeen reports whether a URL has not been met in a role before.
func (s *site) firstSeen(role, url string) bool {
	if url == "" {
		return false
	}
	hash := s.distinct.Hash(0, []byte(role+" "+url))
	if s.seen[hash] {
		return false
	}
	if len(s.seen) >= maxSeen {
		if role == roleLink {
			s.addLimit(LimitLinks, wording.Thousands(maxSeen)+" links", 0)
		}
		return false
	}
	if s.seen == nil {
		s.seen = map[uint64]bool{}
	}
	s.seen[hash] = true
	return true
}

// readOrigin returns the origin that judges a URL if its robots.txt was read; what has
// not been needed until now is not fetched for a remark.
func (s *site) readOrigin(url string) *origin {
	head, _, reason := split([]byte(url))
	if reason != "" {
		return nil
	}
	name := originName(head)
	for _, o := range s.origins {
		if by := o.judge(); by.findings != nil && o.name == name {
			return by
		}
	}
	return nil
}
