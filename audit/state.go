package audit

import (
	"fmt"
	"slices"
	"strings"

	"robots-audit/crawl"
	"robots-audit/engine"
	"robots-audit/engine/wording"
)

// What gives a site its state: Done.Ground. They are stable, like codes.
const (
	GroundBroken   = "broken"   // the audit of the site broke off before robots.txt was read
	GroundUnread   = "unread"   // robots.txt could not be read, and nobody knows what crawlers make of that
	GroundAccess   = "access"   // the answer to robots.txt shuts a crawler out
	GroundHome     = "home"     // the home page is blocked
	GroundShare    = "share"    // so many of the known URLs are blocked, or of their clicks
	GroundBody     = "body"     // robots.txt is something else
	GroundBlocked  = "blocked"  // known URLs are blocked
	GroundUnclear  = "unclear"  // known URLs have no clear verdict
	GroundFinding  = "finding"  // a finding changes the verdict on known URLs
	GroundSitemaps = "sitemaps" // sitemaps are blocked, or could not be read
	GroundNoURLs   = "no_urls"  // nothing was tested
	GroundProblem  = "problem"  // something else went wrong on the way
	GroundNone     = "none"     // there is nothing to report
)

// state sums a site up: its state, what gives it that, and the sentence with which
// all reports begin. The order of the questions is the order of gravity, but for the
// first: what could not be read is never counted as fine, nor as bad. Then the effect
// decides. What shuts out a crawler that leads (see Crawler.Leads), or blocks a large
// part of what is known for it, is critical; what blocks or changes the verdict on any
// known URL is worth a look; and what changes none is told among the findings alone.
func (s *site) state() (state State, ground, lead string) {
	own := s.origins
	if len(own) == 0 || !own[0].asked {
		return Undetermined, GroundBroken, "The audit of this site broke off before its robots.txt was read."
	}
	o := own[0]
	if ground := s.critical(o); ground != "" {
		return Critical, ground, s.sentence(s.criticalWords(o, ground))
	}
	if !answered[o.file.Code] {
		return Undetermined, GroundUnread, fmt.Sprintf("robots.txt could not be read: %s. Nothing is known of what may be crawled.", Meaning(o.file.Code))
	}
	if why := s.untested(); why != "" {
		return Undetermined, GroundNoURLs, s.sentence(why)
	}
	if s.done.Unknown > 0 && s.done.Unknown == s.done.URLs {
		return Undetermined, GroundUnclear, s.sentence("none of the known URLs could be given a clear verdict for every crawler asked about")
	}
	if ground, words := s.toLookAt(o); ground != "" {
		return Warn, ground, s.sentence(words)
	}
	return OK, GroundNone, s.sentence(s.allowedWords() + " by every crawler asked about")
}

// sentence begins with a capital letter and ends with a full stop, and what was not
// looked at follows.
func (s *site) sentence(words string) string {
	for _, rest := range s.restWords() {
		words += ". " + capitalised(rest)
	}
	words = capitalised(words)
	if !strings.HasSuffix(words, ".") && !strings.HasSuffix(words, "?") {
		words += "."
	}
	return strings.ReplaceAll(words, "?. ", "? ")
}

// capitalised begins with a capital letter, unless it begins with a file's name.
func capitalised(words string) string {
	if words == "" || strings.HasPrefix(words, "robots.txt") {
		return words
	}
	return strings.ToUpper(words[:1]) + words[1:]
}

// critical is the ground on which a site is critical; "" = there is none.
func (s *site) critical(o *origin) string {
	if !answered[o.file.Code] && (len(o.file.Hops) == 0 || o.file.Hops[0].Status == 0) {
		return "" // perhaps it is the network between us that is broken
	}
	closed, home := false, false
	for i := range o.reads {
		if r := &o.reads[i]; s.leads(i) {
			closed = closed || r.Access == engine.DisallowAll
			home = home || r.BlocksRoot
		}
	}
	share := s.auditor.CriticalShare
	if share == 0 {
		share = 0.5
	}
	part := func(n, of int64) bool { return n > 0 && float64(n) >= share*float64(of) }
	large := false
	for i := range s.auditor.Crawlers {
		large = large || s.leads(i) && (part(s.done.Blocked[i], s.done.URLs) || part(s.blockedClicks(i), s.done.Clicks))
	}
	switch {
	case closed:
		return GroundAccess
	case home:
		return GroundHome
	case large:
		return GroundShare
	case s.wrongBody:
		return GroundBody
	}
	return ""
}

// criticalWords tell the ground.
func (s *site) criticalWords(o *origin, ground string) string {
	blocked := s.blockedWords(s.leads)
	switch {
	case ground == GroundAccess:
		return s.closedWords(o)
	case ground == GroundBody && blocked == "":
		return "robots.txt answers with an HTML page: hardly any rule counts, and nearly everything may be crawled"
	case blocked != "":
		return blocked
	}
	var names []string
	for i := range o.reads {
		if s.leads(i) && o.reads[i].BlocksRoot {
			names = append(names, s.auditor.Crawlers[i].Label)
		}
	}
	words := wording.And(names) + " may not crawl the home page"
	if d := s.groupLine(o); d != "" {
		words += ". " + d
	}
	if s.done.URLs > 0 {
		return words + fmt.Sprintf(". %s blocked for %s", wording.NoneKnown(s.done.URLs), wording.Verb(len(names), "it", "them"))
	}
	return words + "; no other URL is known"
}

// groupLine names the line that blocks the home page.
func (s *site) groupLine(o *origin) string {
	for i, g := range o.rootRules {
		if s.leads(i) && o.reads[i].BlocksRoot && g.Line > 0 {
			return fmt.Sprintf("Line %d `%s` does it. Is that meant?", g.Line, ruleWords(g))
		}
	}
	return ""
}

// closedWords say whom the answer to robots.txt shuts out.
func (s *site) closedWords(o *origin) string {
	var names []string
	for i := range o.reads {
		if s.leads(i) && o.reads[i].Access == engine.DisallowAll {
			names = append(names, s.auditor.Crawlers[i].Label)
		}
	}
	what := "anything on this site"
	if n := s.done.URLs; n == 1 {
		what = "the one known URL, nor anything else on this site"
	} else if n > 1 {
		what = "any of the " + wording.Known(n) + ", nor anything else on this site"
	}
	answer := "answers with " + statusText(o.file.Status)
	if o.file.Status == 0 || !answered[o.file.Code] {
		answer = "could not be had: " + Meaning(o.file.Code)
	}
	return fmt.Sprintf("robots.txt %s, and until that is mended %s may not crawl %s", answer, wording.And(names), what)
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

// toLookAt says what of a site is worth a look where nothing is critical, the
// greatest effect first.
func (s *site) toLookAt(o *origin) (ground string, words string) {
	var parts []string
	note := func(because, format string, args ...any) {
		if ground == "" {
			ground = because
		}
		parts = append(parts, fmt.Sprintf(format, args...))
	}
	if blocked := s.blockedWords(s.leads); blocked != "" {
		note(GroundBlocked, "%s", blocked)
	}
	if blocked := s.blockedWords(func(i int) bool { return !s.leads(i) }); blocked != "" && ground == "" {
		note(GroundBlocked, "%s", blocked)
	} else if out := s.shutOut(o); out != "" && ground == "" {
		note(GroundHome, "%s may not crawl the home page", out)
	}
	if l := s.done.Links; l != nil && l.Blocked > 0 {
		note(GroundBlocked, "%s %s linked from the site's pages", wording.Plural(l.Blocked, "blocked URL"), wording.Verb(l.Blocked, "is", "are"))
	}
	if n := s.done.Unknown; n > 0 {
		note(GroundUnclear, "%s %s no clear verdict for at least one crawler", wording.Known(n), wording.Verb(n, "has", "have"))
	}
	if f := &s.gravest; f.Flips > 0 && f.Severity >= engine.Warning && ground == "" {
		note(GroundFinding, "%s", s.gravestWords())
	}
	if n := s.blockedSitemaps; n > 0 {
		note(GroundSitemaps, "%d of %d sitemaps %s blocked from crawling", n, s.done.SitemapsRead+s.done.SitemapsUnread, wording.Verb(n, "is itself", "are themselves"))
	}
	if s.done.SitemapsUnread > 0 {
		note(GroundSitemaps, "%s", s.unreadWords())
	}
	if l := s.done.Links; l != nil && l.Pages > 0 && l.Read() == 0 && s.done.URLs > 0 {
		note(GroundProblem, "no page of the site could be read to follow its links")
	}
	if s.done.URLs == 0 {
		note(GroundNoURLs, "%s", s.noURLs())
	}
	if len(parts) == 0 && s.grave > 0 {
		note(GroundProblem, "%s, but %s", s.allowedWords(), s.firstProblem)
		if more := s.grave - 1; more > 0 {
			note(GroundProblem, "%s", wording.Plural(more, "more problem"))
		}
	}
	for i := range parts[min(1, len(parts)):] {
		parts[i+1] = capitalised(parts[i+1])
	}
	return ground, strings.ReplaceAll(strings.Join(parts, ". "), "?. ", "? ")
}

// answered are the codes under which a server gave an answer that crawlers
// know what to do with.
var answered = map[string]bool{
	"": true, crawl.CodeHTTPStatus: true, crawl.CodeTooManyRedirects: true, crawl.CodeRedirectLoop: true,
	crawl.CodeBadRedirect: true, crawl.CodeBodyTooLarge: true,
}

// shutOut names the crawlers that do not lead and may not fetch the home page. To shut
// out those that gather for AI is a policy that many sites choose.
func (s *site) shutOut(o *origin) string {
	var names []string
	for i := range o.reads {
		if !s.leads(i) && o.reads[i].BlocksRoot {
			names = append(names, s.auditor.Crawlers[i].Label)
		}
	}
	return wording.And(names)
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
