package audit

import (
	"fmt"
	"slices"

	"robots-audit/engine"
	"robots-audit/engine/wording"
)

// opensAll reports whether there is nothing on the site's own origin that one of the
// crawlers asked about may not fetch, whatever its URLs are, and nothing went wrong
// in finding that out.
func (s *site) opensAll(o *origin) bool {
	return o.open && len(s.done.LeftOut) == 0 && (s.done.Links == nil || s.done.Links.Pages == 0 || s.done.Links.Read() > 0)
}

// openWords say so.
func (s *site) openWords(o *origin) string {
	if notFound(o.file.Status) {
		return fmt.Sprintf("There is no robots.txt (%s), so that every crawler asked about may crawl what there is", statusText(o.file.Status))
	}
	return "robots.txt keeps none of the crawlers asked about from anything"
}

// homeWords tell that the home page may be crawled, where nothing else is known.
func (s *site) homeWords() string {
	if slices.ContainsFunc(s.origins[0].reads, func(r Read) bool { return r.BlocksRoot || r.Access == engine.AccessUnknown }) {
		return ""
	}
	return ". The home page may be crawled by every crawler asked about"
}

// noSitemapWords tell that there may be more than what is known.
func (s *site) noSitemapWords() string {
	if s.done.SitemapsRead+s.done.SitemapsUnread > 0 || s.domain.Scheme == "ftp" {
		return ""
	}
	return ". No sitemap of the site is known, so that it may have more URLs"
}

// untested says why no URL was tested though there may be some; "" = there was one,
// or all that there is was looked at.
func (s *site) untested() string {
	d := &s.done
	switch {
	case d.URLs > 0:
		return ""
	case d.SitemapsUnread > 0 && d.SitemapsRead == 0:
		return "no sitemap of the site could be read, so that no URL was tested"
	case d.SitemapsUnread > 0:
		return s.unreadWords() + wording.Verb(d.SitemapsRead, ", and the other names", ", and the others name") + " no URL that could be tested"
	case d.Bound() != "":
		return "the audit of this site " + d.Bound() + ", and no URL was tested"
	}
	return ""
}

// allowedWords says how many URLs may be crawled, where nothing is blocked: all of
// them only where nothing that is known was passed over.
func (s *site) allowedWords() string {
	if len(s.done.LeftOut) > 0 || s.done.Bound() != "" || s.done.SitemapsUnread > 0 {
		return fmt.Sprintf("the %s tested may be crawled", wording.Plural(s.done.URLs, "URL"))
	}
	if s.done.URLs == 1 {
		return "the one known URL may be crawled"
	}
	return fmt.Sprintf("all %s may be crawled", wording.Known(s.done.URLs))
}

// restWords say what was not looked at: URLs that were left out, and what lies beyond limits.
func (s *site) restWords() (parts []string) {
	left := -s.done.LeftOut[LeftBudget] // of which the limit speaks
	for _, n := range s.done.LeftOut {
		left += n
	}
	if left > 0 {
		parts = append(parts, fmt.Sprintf("%s left out", wording.Plural(left, "URL")+wording.Verb(left, " that was named was", " that were named were")))
	}
	for _, l := range s.done.Limits {
		words := "this audit " + l.String()
		if rest := l.Rest(); rest != "" {
			words += ": " + rest
		}
		parts = append(parts, words)
	}
	return parts
}

// unreadWords says how many sitemaps were not read.
func (s *site) unreadWords() string {
	n, of := s.done.SitemapsUnread, s.done.SitemapsRead+s.done.SitemapsUnread
	if slices.ContainsFunc(s.done.Limits, func(l Limit) bool { return !slices.Contains(linkLimits, l.Name) || l.endsAll() }) {
		return fmt.Sprintf("%d of %s %s not read", n, wording.Plural(of, "sitemap"), wording.Verb(n, "was", "were"))
	}
	return fmt.Sprintf("%d of %s could not be read", n, wording.Plural(of, "sitemap"))
}

// noURLs says why there are no known URLs.
func (s *site) noURLs() string {
	if len(s.done.LeftOut) > 0 {
		return "no URL was tested: what the site names was left out"
	}
	why := "no known URLs: the site names none in a sitemap"
	switch l := s.done.Links; {
	case l == nil || l.Pages == 0:
		return why
	case l.Read() == 0:
		return why + ", and no page of it could be read"
	}
	return why + ", and the pages that were read link to none"
}
