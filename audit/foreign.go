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

// maxFails is how many sitemaps of another host may fail one after the other
// before no more are asked for: as many as of one index.
const maxFails = 100

// countFails counts the sitemaps of another host that fail one after the other.
func (s *site) countFails(file *crawl.SitemapFile) {
	n := len(file.Hops)
	if n == 0 {
		return // it was not asked for
	}
	o := s.readOrigin(file.Hops[n-1].URL)
	if o == nil {
		return
	}
	if o.fails++; file.Format != "" {
		o.fails = 0
	}
}

// mayRead says whether a sitemap may be asked for; nil = it may. Those of the
// site itself may, whatever its robots.txt says: they are read for its owner. Those of other
// hosts are asked for like pages: as far as the host's own robots.txt lets this
// program, and on no more origins than one site may have. For a robots.txt is
// free to name any host, and a run must not be what one site sends against others.
func (s *site) mayRead(url string) *crawl.Error {
	head, _, reason := split([]byte(url))
	if reason != "" || s.isOwn(head) {
		return nil // what is no URL is not asked for anyway
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
	case o.self == nil: // its robots.txt redirects to itself by way of this one
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

// isOwn reports whether a URL's host is the site's, by http or https, with
// "www." or without.
func (s *site) isOwn(head []byte) bool {
	d, ok := domainOf(head)
	return ok && strings.TrimPrefix(d.Host, "www.") == strings.TrimPrefix(s.domain.Host, "www.") && (d.Port == "" || d.Port == s.domain.Port)
}

// isForeign reports whether an origin is another site's: its host is not of the site's
// registered domain, nor of one that the site's own robots.txt redirects to. Its
// robots.txt matters, but is not the owner's to fix.
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
