package audit

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"robots-audit/crawl"
	"robots-audit/engine"
	"robots-audit/engine/wording"
)

// maxFails is the number of consecutive failed sitemaps of another host after which no more are
// requested. It equals the limit of one index.
const maxFails = 100

// countFails counts consecutive failed sitemaps of another host.
func (s *site) countFails(file *crawl.SitemapFile) {
	n := len(file.Hops)
	if n == 0 {
		return // it was not requested
	}
	o := s.readOrigin(file.Hops[n-1].URL)
	if o == nil {
		return
	}
	if o.fails++; file.Format != "" {
		o.fails = 0
	}
}

// mayRead checks whether a sitemap may be requested; nil = yes. The site's own sitemaps are always
// read, because the audit is for its owner. For other hosts, this program obeys the host's
// robots.txt and the limit of origins for one site. Otherwise a robots.txt, which may name any
// host, could turn a run against other sites.
func (s *site) mayRead(url string) *crawl.Error {
	head, _, reason := split([]byte(url))
	if reason != "" || s.isOwn(head) {
		return nil // an invalid URL is not requested anyway
	}
	o, why := s.origin(head)
	if why == LeftOrigins {
		return &crawl.Error{Code: crawl.CodeSitemapOrigins, Err: fmt.Errorf("the limit is %s for one site", wording.Plural(orDefault(s.auditor.Origins, 16), "origin"))}
	}
	if why != "" {
		return nil
	}
	s.ask(o)
	switch {
	case unreachable(o.file.Code):
		return &crawl.Error{Code: o.file.Code, Err: fmt.Errorf("the robots.txt of %s: %s", o.name, cmp.Or(o.file.Detail, Meaning(o.file.Code)))}
	case o.self == nil: // its robots.txt redirects to itself through this one
		return &crawl.Error{Code: crawl.CodeDisallowed, Err: fmt.Errorf("the robots.txt of %s is not known yet", o.name)}
	}
	if o.fails >= maxFails {
		return &crawl.Error{Code: crawl.CodeSitemapFails, Err: fmt.Errorf("%d of one host failed in a row", o.fails)}
	}
	if d := o.self.Verdict(url); d.Verdict != engine.Allow {
		detail := fmt.Sprintf("by line %d of the robots.txt of %s", d.Line(), o.name)
		if d.Line() == 0 {
			detail = fmt.Sprintf("the robots.txt of %s could not be read: %s", o.name, cmp.Or(o.file.Detail, Meaning(o.file.Code), "no rules"))
		}
		return &crawl.Error{Code: crawl.CodeDisallowed, Err: fmt.Errorf("%s", detail)}
	}
	return nil
}

// isOwn reports whether a URL's host is the site's, by http or https, with or without "www.".
func (s *site) isOwn(head []byte) bool {
	d, ok := domainOf(head)
	return ok && strings.TrimPrefix(d.Host, "www.") == strings.TrimPrefix(s.domain.Host, "www.") && (d.Port == "" || d.Port == s.domain.Port)
}

// isForeign reports whether an origin belongs to another site: its host is neither in the site's
// registered domain, nor in one that the site's own robots.txt redirects to. The owner cannot fix
// its robots.txt.
func (s *site) isForeign(o *origin) bool {
	d, ok := domainOf([]byte(o.name))
	if !ok || o.index == 0 || crawl.SameSite(d.Host, s.domain.Host) {
		return false
	}
	return !slices.ContainsFunc(s.origins[0].file.Hops, func(h crawl.Hop) bool {
		head, _, _ := split([]byte(h.URL))
		led, ok := domainOf(head)
		return ok && crawl.SameSite(d.Host, led.Host)
	})
}
