package audit

import (
	"fmt"
	"slices"
	"strings"

	"robots-audit/crawl"
	"robots-audit/engine"
	"robots-audit/engine/wording"
)

// state sums a site up in one word and one sentence. The order of the
// questions is the order of gravity, but for the first: what could not be
// read is never counted as fine, nor as bad. Findings count by their severity:
// critical ones make the site critical, errors and warnings are worth a look,
// and of them all the gravest is named.
func (s *site) state() (State, string) {
	own := s.origins
	if len(own) == 0 || !own[0].asked {
		return Undetermined, "the audit of this site broke off before its robots.txt was read"
	}
	o := own[0]
	if !answered[o.file.Code] {
		return Undetermined, fmt.Sprintf("robots.txt could not be read (%s)", o.file.Code)
	}
	if o.file.Status == 429 || o.file.Status < 200 || o.file.Status >= 500 { // what is no status counts as 5xx (RFC 9110 15)
		why := "robots.txt answers with " + statusText(o.file.Status)
		if out := s.shutOut(o, false); out != "" {
			why += " and keeps out " + out
		}
		return Critical, why
	}
	if out := s.shutOut(o, false); out != "" {
		return Critical, "the home page is blocked from crawling for " + out
	}
	if s.gravest.Severity == engine.Critical {
		return Critical, s.gravestWords()
	}
	if why := s.untested(); why != "" {
		return Undetermined, why
	}
	if s.done.Unknown > 0 && s.done.Unknown == s.done.URLs {
		return Undetermined, "none of the known URLs could be given a clear verdict for every crawler asked about"
	}
	if parts := s.toLookAt(o); len(parts) > 0 {
		return Warn, strings.Join(append(parts, s.restWords()...), "; ")
	}
	return OK, strings.Join(append([]string{s.allowedWords() + " by every crawler asked about"}, s.restWords()...), "; ")
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
		return s.unreadWords() + ", and the others name no URL that could be tested"
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
	return fmt.Sprintf("all %d known URLs may be crawled", s.done.URLs)
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
		return fmt.Sprintf("%d of %d sitemaps %s not read", n, of, wording.Verb(n, "was", "were"))
	}
	return fmt.Sprintf("%d of %d sitemaps could not be read", n, of)
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

// toLookAt says what of a site is worth a look where nothing is critical.
func (s *site) toLookAt(o *origin) []string {
	var parts []string
	note := func(format string, args ...any) { parts = append(parts, fmt.Sprintf(format, args...)) }
	if out := s.shutOut(o, true); out != "" {
		what := "the home page"
		if s.shutOutOfAll(o) {
			what = "the whole site"
		}
		note("%s is blocked from crawling for %s", what, out)
	}
	if n := s.done.BlockedAny; n > 0 {
		note("%d of %d known URLs %s blocked from crawling for at least one crawler", n, s.done.URLs, wording.Verb(n, "is", "are"))
	}
	if l := s.done.Links; l != nil && l.Blocked > 0 {
		note("%s %s linked from the site's pages", wording.Plural(l.Blocked, "blocked URL"), wording.Verb(l.Blocked, "is", "are"))
	}
	if l := s.done.Links; l != nil && l.Pages > 0 && l.Read() == 0 && s.done.URLs > 0 {
		note("no page of the site could be read to follow its links")
	}
	if n := s.done.Unknown; n > 0 {
		note("%d known URLs without a clear verdict for at least one crawler", n)
	}
	if n := s.blockedSitemaps; n > 0 {
		note("%d of %d sitemaps are themselves blocked from crawling", n, s.done.SitemapsRead+s.done.SitemapsUnread)
	}
	if s.done.SitemapsUnread > 0 {
		note("%s", s.unreadWords())
	}
	if s.done.URLs == 0 {
		note("%s", s.noURLs())
	}
	if len(parts) == 0 && s.done.Problems > 0 {
		note("%s, but %s", s.allowedWords(), s.firstProblem)
		if more := s.done.Problems - 1; more > 0 {
			note("%s", wording.Plural(more, "more problem"))
		}
	}
	if s.gravest.Severity >= engine.Warning {
		parts = append(parts, s.gravestWords())
	}
	return parts
}

// answered are the codes under which a server gave an answer that crawlers
// know what to do with.
var answered = map[string]bool{
	"": true, crawl.CodeHTTPStatus: true, crawl.CodeTooManyRedirects: true, crawl.CodeRedirectLoop: true,
	crawl.CodeBadRedirect: true, crawl.CodeBodyTooLarge: true,
}

// shutOut names the crawlers that may not fetch the home page. Those that
// gather for AI are named apart: to shut them out is a policy that many sites
// choose, to shut out a search engine hardly ever is.
func (s *site) shutOut(o *origin, ai bool) string {
	var names []string
	for i, r := range o.reads {
		c := s.auditor.Crawlers[i]
		if r.BlocksRoot && c.forAI() == ai {
			names = append(names, c.Label)
		}
	}
	return strings.Join(names, ", ")
}

// shutOutOfAll reports whether all the crawlers for AI that may not fetch the home
// page may fetch nothing.
func (s *site) shutOutOfAll(o *origin) bool {
	for i, r := range o.reads {
		if r.BlocksRoot && !r.BlocksAll && s.auditor.Crawlers[i].forAI() {
			return false
		}
	}
	return true
}

// caller picks the first line of a stack trace that is ours and not the runtime's.
func caller(stack []byte) string {
	for _, line := range strings.Split(string(stack), "\n") {
		if i := strings.Index(line, "robots-audit/"); i >= 0 && strings.HasPrefix(line, "\t") && !strings.Contains(line, "auditor.go") {
			line, _, _ = strings.Cut(line[i:], " ")
			return line
		}
	}
	return "an unknown place"
}
