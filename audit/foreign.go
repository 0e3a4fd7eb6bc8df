package audit

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"robots-audit/audit/internal/hosts"
	"robots-audit/crawl"
	"robots-audit/engine"
	"robots-audit/engine/wording"
)

// Codes for entries of sitemaps on hosts that are not public, see package hosts.
const (
	NoteWrongBase = "wrong_base" // all entries of a sitemap are on such hosts
	NoteWrongHost = "wrong_host" // some entries are
	LeftWrongHost = "wrong_host" // the key of LeftOut for their URLs, which are not tested
	CodeWrongHost = "wrong_host" // the code of a sitemap on such a host, which is not requested
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
	if why == LeftWrongHost {
		return &crawl.Error{Code: CodeWrongHost, Err: fmt.Errorf("%s is not requested", originName(head))}
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

// kindHere is kindOf for a host that a sitemap of this site names. The site may be no public one
// itself: then hosts like its own are as public as it is.
func (s *site) kindHere(head []byte) hosts.Kind {
	d, ok := domainOf(head)
	if !ok || s.isOwn(head) {
		return hosts.Public
	}
	own, kind := hosts.KindOf(s.domain.Host), hosts.KindOf(d.Host)
	switch {
	case own == hosts.Local, own == hosts.Private, kind == own && own != hosts.Public:
		return hosts.Public
	case kind == hosts.Test, kind == hosts.Maybe:
		if !crawl.SameSite(d.Host, s.domain.Host) || own == hosts.Test || own == hosts.Maybe {
			return hosts.Public
		}
	case kind == hosts.Private && s.auditor.Client.AllowPrivate:
		return hosts.Public
	case kind == hosts.Public && d.Port != "" && s.domain.Port == "" && sameSite(d.Host, s.domain.Host) && !s.auditor.Client.AllowPrivate:
		return hosts.Local // the port of a server behind the public one
	}
	return kind
}

// isUnreachable reports whether the public cannot reach a host, so that nothing on it is requested.
func (s *site) isUnreachable(head []byte) bool {
	return s.kindHere(head).Unreachable()
}

// isWrongHost reports whether a page of a sitemap is on a host that only a wrong base address
// explains. For a test host, its robots.txt decides. An image or a video is no page: it is on such a host if
// the page before is.
func (s *site) isWrongHost(head []byte, page bool) bool {
	switch {
	case s.lastRight != "" && string(head) == s.lastRight:
		return false
	case s.lastWrong != "" && string(head) == s.lastWrong:
		return true
	case !page:
		return false
	}
	name := originName(head)
	wrong, known := s.wrongHosts[name]
	if !known && name != "" {
		kind := s.kindHere(head)
		wrong = kind.Unreachable() || kind != hosts.Public && !s.isPublished(head, name, kind)
		if s.wrongHosts == nil {
			s.wrongHosts = map[string]bool{}
		}
		if len(s.wrongHosts) < 1024 {
			s.wrongHosts[name] = wrong
		}
	}
	if wrong {
		s.lastWrong = string(head)
	} else {
		s.lastRight = string(head)
	}
	return wrong
}

// isPublished reports whether a host that looks like one for tests is part of the site: its
// robots.txt names a sitemap of the site. The same robots.txt as the site's proves nothing, because it
// is a copy of the site. A name that may mean something else needs proof of a test host: its robots.txt
// blocks everything, or needs a login, or nothing answers there.
func (s *site) isPublished(head []byte, name string, kind hosts.Kind) bool {
	if slices.ContainsFunc(s.origins, func(o *origin) bool { return o.name == name }) {
		return true // its robots.txt was requested for another reason
	}
	if s.testHosts++; s.testHosts > maxTestHosts {
		return kind == hosts.Maybe
	}
	file := s.fetch.Robots(s.ctx, name)
	shut := slices.Contains([]string{crawl.CodeDNSNotFound, crawl.CodeConnectRefused, crawl.CodeBlockedAddress}, file.Code)
	published := kind == hosts.Maybe && !shut && file.Status != http.StatusUnauthorized && file.Status != http.StatusForbidden
	if file.Code == "" {
		reading := rfc9309.Read(engine.File{Status: file.Status, Body: file.Body, ContentType: file.Type})
		names := slices.ContainsFunc(reading.SitemapLines(), func(l engine.Line) bool {
			head, _, reason := split([]byte(l.Value))
			return reason == "" && s.isOwn(head)
		})
		published = published && reading.Group(self).Verdict(name+"/").Verdict == engine.Allow || names && file.SHA256 != s.origins[0].file.SHA256
	}
	if !published {
		return false
	}
	if o, why := s.origin(head); why == "" {
		s.read(o, file)
	}
	return true
}

// maxTestHosts limits the test hosts of one site that are asked for their robots.txt.
const maxTestHosts = 16

// leaveUnreachable drops the URLs that wait for an origin if its host does not exist, or has a
// private address, and only sitemaps name it.
func (s *site) leaveUnreachable(o *origin) bool {
	if o.left = false; !o.unreachable(s.origins[0]) || slices.ContainsFunc(o.waiting.list, func(p pending) bool { return p.sitemap < 0 }) {
		return false
	}
	for _, p := range o.waiting.list {
		s.leaveOut(s.tally(int(p.sitemap)), LeftWrongHost, 1)
	}
	o.waiting, o.left = buffer{}, true
	return true
}

// unreachable reports whether an origin's host does not exist, or has a private address. In the registered
// domain of the site itself, a private address may be what only our own name server says.
func (o *origin) unreachable(own *origin) bool {
	private := o.file.Code == crawl.CodeBlockedAddress && !crawl.SameSite(hostOf(o.name), hostOf(own.name))
	return o.index > 0 && (private || o.file.Code == crawl.CodeDNSNotFound) && silent(&o.file) && !sameSite(own.name, o.name)
}
