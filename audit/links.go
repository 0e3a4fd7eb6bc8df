package audit

import (
	"slices"

	"robots-audit/crawl"
	"robots-audit/engine"
)

// self is this program as a crawler. It obeys robots.txt, read by RFC 9309, when it follows links
// and when it reads sitemaps of other hosts. It always obeys the Crawl-delay of its group.
var self = engine.Crawler{Name: "robots-audit", Tokens: []string{"robots-audit"}, Profile: "rfc9309", CrawlDelay: "inherit"}

var rfc9309, _ = engine.ProfileByName(self.Profile)

// followLinks reads pages, starting at the home page, as far as robots.txt allows this program. It
// judges the links like the URLs of sitemaps. Language versions of a page, and the style sheets,
// scripts, images and fonts for rendering it, are judged and counted separately.
func (s *site) followLinks() {
	hosts := map[string]bool{s.domain.Host: true}
	count := s.done.Links
	linked := false               // whether some page has links
	listed := map[*origin]int64{} // tested pages of each origin
	for _, o := range s.origins {
		if o.findings != nil {
			listed[o] = o.findings.Tested()
		}
	}
	budget := s.auditor.Links.WithDefaults()
	budget.Left = new(crawl.LinksLeft)
	pages := pageTeller{site: s, told: NewHashSet()}
	budget.Refused = pages.noteRefused
	for p := range s.fetch.Links(s.ctx, []string{s.origins[0].name + "/"}, budget, s.mayFetch) {
		if p.Depth == 0 && p.Code == "" && p.Location != "" {
			hosts[hostOf(p.Location)] = true // the same site with or without "www.", or by another scheme
		}
		count.Pages++
		linked = linked || p.Code == "" && len(p.Links) > 0
		if !p.Parsed || p.Code != "" {
			count.Unread++
		}
		if p.Depth == 0 {
			s.second.noteHome(&p)
		}
		s.limitPage(&budget, &p)
		s.checkPageHreflang(&p)
		pages.tell(&p)
		s.checkPage(&p)
		if p.Code != "" {
			detail := p.Detail
			if p.Code == crawl.CodeHTTPStatus {
				detail = statusText(p.Status)
			}
			s.problem(StageCrawl, p.Code, p.URL, detail)
		}
		for _, link := range p.Links {
			s.addLink(hosts, link)
		}
		s.addCanonical(hosts, p.Canonical)
		for _, a := range p.Alternates {
			s.addURL(nil, -1, &crawl.SitemapURL{Loc: []byte(a.URL), Kind: crawl.KindHreflang})
		}
		for _, r := range p.Resources {
			s.addURL(nil, -1, &crawl.SitemapURL{Loc: []byte(r.URL), Kind: r.Kind})
		}
	}
	s.limitLinks(&budget)
	if !linked {
		return
	}
	for o, n := range listed {
		if hosts[hostOf(o.name)] {
			count.Orphans += n
		}
	}
	count.Orphans = max(0, count.Orphans-s.linkedListed)
}

// addCanonical queues the canonical URL of a page if it is on the site itself. It does not count as
// a link.
func (s *site) addCanonical(hosts map[string]bool, url string) {
	if host := hostOf(url); host != "" && hosts[host] && s.addURL(nil, -1, &crawl.SitemapURL{Loc: []byte(url), Kind: crawl.KindCanonical}) {
		s.noteUnlisted(url)
	}
}

// addLink queues a link if it leads to the site itself. Other sites are not part of the audit.
func (s *site) addLink(hosts map[string]bool, link string) {
	if host := hostOf(link); host == "" || !hosts[host] {
		return
	}
	fresh := s.addURL(nil, -1, &crawl.SitemapURL{Loc: []byte(link), Kind: crawl.KindLink})
	if fresh {
		s.noteUnlisted(link)
	}
	if !s.firstSeen(roleLink, link) {
		return
	}
	s.done.Links.URLs++
	if fresh {
		return // decide sees whether it is blocked
	}
	if s.listed(link) { // and was not skipped
		s.linkedListed++
	}
	if o := s.readOrigin(link); o != nil && slices.ContainsFunc(o.groups, func(g *engine.Group) bool { return g.Verdict(link).Verdict == engine.Disallow }) {
		s.done.Links.Blocked++
	}
}

// hostOf returns the host of a URL, "" where there is none.
func hostOf(url string) string {
	head, _, reason := split([]byte(url))
	if reason != "" {
		return ""
	}
	d, _ := domainOf(head)
	return d.Host
}

// mayFetch reports whether robots.txt lets this program fetch a page.
func (s *site) mayFetch(url string) bool {
	head, _, reason := split([]byte(url))
	if reason != "" {
		return false
	}
	o, why := s.origin(head)
	if why != "" {
		return false
	}
	s.ask(o)
	return o.self.Verdict(url).Verdict == engine.Allow
}
