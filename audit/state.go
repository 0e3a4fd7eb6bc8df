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

// Reasons for a site's state: Done.Ground. They are stable, like codes.
const (
	GroundBroken   = "broken"   // the audit of the site broke off before robots.txt was read
	GroundUnread   = "unread"   // robots.txt could not be read, so the verdicts are unknown
	GroundAccess   = "access"   // the answer to the request for robots.txt blocks everything for a crawler
	GroundHome     = "home"     // the home page is blocked
	GroundShare    = "share"    // a large share of the known URLs, or of their clicks, is blocked
	GroundBody     = "body"     // robots.txt is an HTML page
	GroundBlocked  = "blocked"  // known URLs are blocked
	GroundUnclear  = "unclear"  // known URLs have no clear verdict
	GroundFinding  = "finding"  // a finding changes the verdict on known URLs
	GroundSitemaps = "sitemaps" // sitemaps are blocked, could not be read, or name no URL of this host
	GroundNoURLs   = "no_urls"  // nothing was tested
	GroundLogs     = "logs"     // the access logs prove that the server refuses a crawler: see Done.NoteLogs
	GroundPage     = "page"     // the home page gives no page: see LinkCount.Home
	GroundProblem  = "problem"  // something else went wrong on the way
	GroundNone     = "none"     // there is nothing to report
)

// conclusion has the results of an audit for its site as a whole. The site fills it while it reads;
// at the end, state puts it into words.
type conclusion struct {
	crawlers        []Crawler
	criticalShare   float64   // Auditor.CriticalShare, with its default
	leading         []int     // see Leading
	origins         []*origin // origins[0] is the site's own
	done            Done
	firstProblem    string                // in words
	grave           int                   // problems that are neither of single pages nor harmless
	wrongBody       bool                  // the site's own robots.txt is an HTML page
	blockedSitemaps int                   // blocked sitemaps, which the audit read anyway
	blocking        []blockingLines       // of all origins
	lineClicks      map[linePlace][]int64 // clicks on the pages that a line blocks, for each crawler; line 0 = an answer blocks them; nil = no blocked page has clicks
	blockedAlike    alike                 // crawlers with the same blocked pages
	linesAlike      alike                 // crawlers with the same blocking lines
	asked           []bool                // for each crawler, whether a page from a sitemap or the user's own list is blocked
	canonicals      []int64               // for each crawler, blocked pages that are only named as a canonical
	homeKnown       bool                  // the home page is one of the blocked known URLs
	wrongBase       *wrongBases           // nil = none
	unrequested     string                // the first sitemap whose host is not public; "" = none
	gravest         *Finding              // that changes the verdict on most known URLs; nil = none does
	gravestOrigin   string                // "" = the site's own
	homeRedirect    *redirect             // of the home page to a URL that is blocked; nil = none
	listedRedirects int64                 // pages of sitemaps that redirect to a URL that is blocked
}

// redirect is a redirect to a URL that crawlers may not fetch.
type redirect struct {
	to       string
	crawlers []int // that lead and for which it is blocked
	line     int   // that blocks it for the last of them
}

func newConclusion(a *Auditor) conclusion {
	n := len(a.Crawlers)
	return conclusion{
		crawlers: a.Crawlers, criticalShare: cmp.Or(a.CriticalShare, 0.5), leading: Leading(a.Crawlers),
		done:         Done{Counts: Counts{Blocked: make([]int64, n)}, LeftOut: map[string]int64{}},
		blockedAlike: newAlike(n), linesAlike: newAlike(n), asked: make([]bool, n), canonicals: make([]int64, n),
	}
}

// state returns a site's state, the reason for it, and the sentence with which all reports begin.
// The checks are in order of severity, except the first: a file that could not be read is neither
// OK nor bad. Then the effect decides. Blocking everything, or a large share of the known URLs, for
// a crawler that leads (see Crawler.Leads) is critical. A site needs a look if a URL from a sitemap
// or the user's own list is blocked, or if a finding changes the verdict on a known URL. Findings
// that change no verdict are only listed.
func (c *conclusion) state() (state State, ground, lead string) {
	own := c.origins
	if len(own) == 0 || len(own[0].reads) == 0 {
		return Undetermined, GroundBroken, "The audit of this site stopped before robots.txt was read."
	}
	o := own[0]
	if ground := c.critical(o); ground != "" && !(ground == GroundShare && c.allElsewhere()) {
		return Critical, ground, c.sentence(c.criticalWords(o, ground))
	}
	if !answered[o.file.Code] {
		return Undetermined, GroundUnread, paragraph([]string{"robots.txt could not be read: " + Meaning(o.file.Code), c.noAnswerWords(o)})
	}
	if c.done.URLs == 0 && c.wrongBase != nil {
		return Warn, GroundSitemaps, c.sentence(c.wrongBaseWords() + c.homeWords())
	}
	if why := c.untested(); why != "" {
		return Undetermined, GroundNoURLs, c.sentence(why + c.homeWords())
	}
	if c.done.Unknown > 0 && c.done.Unknown == c.done.URLs {
		return Undetermined, GroundUnclear, c.sentence("no URL has a clear verdict for every crawler tested")
	}
	ground, words := c.toLookAt(o)
	switch {
	case ground != "":
		return Warn, ground, c.sentence(words)
	case c.homeFailure() != nil && c.done.URLs == 0:
		return Warn, GroundPage, c.sentence(c.noURLs() + c.homeWords())
	case c.homeFailure() != nil:
		return Warn, GroundPage, c.sentence(words)
	case c.done.URLs > 0:
		return OK, GroundNone, c.sentence(words + c.noSitemapWords())
	case c.opensAll(o):
		return OK, GroundNone, c.sentence(paragraph([]string{c.openWords(o), c.noURLs()}))
	}
	return Undetermined, GroundNoURLs, c.sentence(c.noURLs() + c.homeWords())
}

// noAnswerWords say what a robots.txt that could not be read means to crawlers. It is unknown
// whether they can read it: the fault may be in the network between us and the site.
func (c *conclusion) noAnswerWords(o *origin) string {
	var parts []string
	for _, means := range []struct {
		access engine.Access
		words  string
	}{{engine.DisallowAll, "blocked for now for "}, {engine.AllowAll, "allowed for "}} {
		list := slices.DeleteFunc(c.indices(), func(i int) bool { return o.reads[i].Access != means.access })
		if len(list) > 0 {
			parts = append(parts, means.words+c.names(list))
		}
	}
	if len(parts) == 0 {
		return "What crawlers may fetch is unknown"
	}
	return "If crawlers cannot read it either, everything is " + strings.Join(parts, ", and ")
}

// homeFailure is the failure of the request for the home page; nil = there was a page, or no
// request.
func (c *conclusion) homeFailure() *HomeFailure {
	if c.done.Links == nil {
		return nil
	}
	return c.done.Links.Home
}

// sentence makes a full sentence of words, and adds what was not checked. A failed home page comes
// first.
func (c *conclusion) sentence(words string) string {
	parts := []string{words}
	if home := c.homeFailure(); home != nil {
		parts = []string{home.String(), words}
	}
	return paragraph(append(parts, c.restWords()...))
}

// paragraph makes sentences of parts.
func paragraph(parts []string) string {
	for i, part := range parts {
		parts[i] = capitalised(part)
		if !strings.HasSuffix(part, ".") && !strings.HasSuffix(part, "?") {
			parts[i] += "."
		}
	}
	return strings.Join(parts, " ")
}

// capitalised makes the first letter a capital, unless the text begins with a file's name.
func capitalised(words string) string {
	if words == "" || strings.HasPrefix(words, "robots.txt") {
		return words
	}
	return strings.ToUpper(words[:1]) + words[1:]
}

// critical is the reason why a site is critical; "" = it is not.
func (c *conclusion) critical(o *origin) string {
	if !answered[o.file.Code] && (len(o.file.Hops) == 0 || o.file.Hops[0].Status == 0) {
		return "" // the network between us and the site may be at fault
	}
	leading := func(test func(int) bool) bool {
		return slices.ContainsFunc(c.indices(), func(i int) bool { return c.leads(i) && test(i) })
	}
	switch {
	case len(c.closed(o)) > 0:
		return GroundAccess
	case leading(c.blocksHome):
		return GroundHome
	case leading(c.blocksMuch):
		return GroundShare
	case c.wrongBody:
		return GroundBody
	}
	return ""
}

// closed are the leading crawlers for which the answer to robots.txt blocks everything.
func (c *conclusion) closed(o *origin) []int {
	return slices.DeleteFunc(c.indices(), func(i int) bool { return !c.leads(i) || o.reads[i].Access != engine.DisallowAll })
}

// criticalWords describe the reason for a critical state.
func (c *conclusion) criticalWords(o *origin, ground string) string {
	blocked := c.blockedWords(c.leads, c.leads)
	switch ground {
	case GroundAccess:
		return c.closedWords(o)
	case GroundBody:
		if blocked == "" {
			blocked = c.allowedWords()
			if c.done.URLs == 0 {
				blocked = c.noURLs()
			}
		}
		return paragraph([]string{c.bodyWords(o), blocked})
	}
	return blocked
}

// bodyWords say how crawlers read a robots.txt that is an HTML page.
func (c *conclusion) bodyWords(o *origin) string {
	words := "robots.txt is an HTML page, and crawlers find no rule in it"
	if slices.ContainsFunc(o.reads, func(r Read) bool { return r.Rules > 0 }) {
		words = "robots.txt is an HTML page, and crawlers follow only the lines that look like rules"
	}
	return words
}

// closedWords say for which crawlers the answer to robots.txt blocks everything.
func (c *conclusion) closedWords(o *origin) string {
	closed, n := c.closed(o), c.done.URLs
	what, found := "everything on this site", ""
	switch blocked := c.done.Blocked[closed[0]]; {
	case n == 0:
	case blocked < n:
		what, found = "everything on "+o.name, fmt.Sprintf(" (%s of %s)", wording.Thousands(o.pages), wording.Plural(n, "URL"))
	default:
		found = " (" + wording.Plural(n, "URL") + " found)"
	}
	answer := "answers with " + statusText(o.file.Status)
	if o.file.Status == 0 || !answered[o.file.Code] {
		answer = "could not be fetched: " + Meaning(o.file.Code)
		if to := originName([]byte(o.file.Hops[len(o.file.Hops)-1].URL)); len(o.file.Hops) > 1 && to != "" && to != o.name {
			answer = "redirects to " + to + " and could not be fetched: " + Meaning(o.file.Code)
		}
	}
	words := fmt.Sprintf("robots.txt %s. Until this is fixed, %s is blocked for %s%s", answer, what, c.names(closed), found)
	open := slices.DeleteFunc(c.indices(), func(i int) bool {
		return !c.leads(i) || slices.Contains(closed, i) || c.blocksHome(i) || c.done.Blocked[i] > 0
	})
	if len(open) > 0 {
		words += ". Nothing is blocked for " + c.names(open)
	}
	return words
}

// toLookAt describes what needs a look on a site that is not critical, the greatest effect first.
// If nothing does, ground is "", and words say that the known URLs are allowed, or that the blocked
// ones need no action.
func (c *conclusion) toLookAt(o *origin) (ground string, words string) {
	var parts []string
	note := func(because, format string, args ...any) {
		if ground == "" {
			ground = because
		}
		parts = append(parts, fmt.Sprintf(format, args...))
	}
	followers := func(i int) bool { return !c.leads(i) }
	others := func(i int) bool { return c.leads(i) || c.blocksHome(i) || c.done.Blocked[i] > 0 }
	if to := c.homeRedirect; to != nil {
		note(GroundBlocked, "the home page redirects to %s, which line %d blocks for %s", to.to, to.line, c.names(to.crawlers))
	}
	if n := c.listedRedirects; n > 0 {
		note(GroundBlocked, "%s in sitemaps %s", wording.Plural(n, "page"), wording.Verb(n, "redirects to a blocked URL", "redirect to blocked URLs"))
	}
	blocked := c.blockedWords(c.leads, c.leads)
	if c.allElsewhere() {
		note(GroundSitemaps, "%s", c.wrongBaseWords())
	} else if blocked != "" {
		note(c.blockedGround(c.leads), "%s", blocked)
	}
	if blocked = c.blockedWords(followers, others); blocked != "" && ground == "" {
		note(c.blockedGround(followers), "%s", blocked)
	}
	if len(parts) > 0 && ground == "" {
		parts[0] = strings.TrimSuffix(parts[0], intended)
		by := "pages link to them"
		if c.done.Links != nil && c.done.Links.Blocked == 0 {
			by = "pages name them as canonical"
		}
		parts = append(parts, "no sitemap lists the blocked URLs, but "+by)
	} else if l := c.done.Links; l != nil && l.Blocked > 0 {
		note(GroundBlocked, "%s %s linked from the site's pages", wording.Plural(l.Blocked, "blocked URL"), wording.Verb(l.Blocked, "is", "are"))
	}
	if n := c.done.Unknown; n > 0 && !c.allElsewhere() {
		note(GroundUnclear, "%s %s no clear verdict for at least one crawler", wording.Plural(n, "URL"), wording.Verb(n, "has", "have"))
	}
	if c.gravest != nil && ground == "" {
		note(GroundFinding, "%s", c.gravestWords())
	}
	if len(parts) == 0 && c.done.URLs > 0 {
		parts = append(parts, c.allowedWords())
	}
	told := len(parts)
	if c.wrongBase != nil && !c.allElsewhere() {
		note(GroundSitemaps, "%s", c.wrongBaseWords())
	}
	if n := c.blockedSitemaps; n > 0 {
		what := fmt.Sprintf("%d of %s %s", n, wording.Plural(c.done.SitemapsRead+c.done.SitemapsUnread, "sitemap"), wording.Verb(n, "is", "are"))
		if c.done.SitemapsRead+c.done.SitemapsUnread == 1 {
			what = "the sitemap is"
		}
		note(GroundSitemaps, "%s blocked from crawling", what)
	}
	if c.done.SitemapsUnread > 0 {
		note(GroundSitemaps, "%s", c.unreadWords())
	}
	if l := c.done.Links; l != nil && l.Pages > 0 && l.Read() == 0 && c.done.URLs > 0 && l.Home == nil && c.homeRedirect == nil {
		note(GroundProblem, "no page could be read to follow its links")
	}
	if ground == "" && c.grave > 0 {
		more := ""
		if c.grave > 1 {
			more = fmt.Sprintf(" (and %s)", wording.Plural(c.grave-1, "more problem"))
		}
		note(GroundProblem, "there was a problem: %s%s", c.firstProblem, more)
	}
	if told == 1 && len(parts) > 1 && len(strings.Fields(parts[0]+" "+parts[1])) < maxSentence && c.done.BlockedAny+c.done.Unknown == 0 && ground != GroundFinding && c.done.URLs > 0 {
		parts[0] += ", but " + parts[1] // one sentence, because the two belong together
		parts = slices.Delete(parts, 1, 2)
	}
	if ground == GroundProblem && c.done.URLs == 0 {
		parts = append(parts, c.noURLs()+c.homeWords())
	}
	return ground, strings.TrimSuffix(paragraph(parts), ".")
}

// maxSentence is the number of words of a sentence.
const maxSentence = 25

// blockedGround is the ground for blocked URLs of a kind of crawlers. There is none if sitemaps
// were read and no blocked URL is asked for. Pages link to many URLs that are not for search
// results, such as searches and carts.
func (c *conclusion) blockedGround(kind func(int) bool) string {
	home := false
	for i := range c.asked {
		if !kind(i) {
			continue
		}
		if home = home || c.blocksHome(i); c.asked[i] || c.done.Blocked[i] > 0 && c.done.SitemapsRead == 0 {
			return GroundBlocked
		}
	}
	if home {
		return GroundHome
	}
	return ""
}

// Answered reports whether crawlers can interpret an answer with this code. Without such an answer it
// is unknown what they read.
func Answered(code string) bool { return answered[code] }

// answered are the codes of answers that crawlers can interpret.
var answered = map[string]bool{
	"": true, crawl.CodeHTTPStatus: true, crawl.CodeTooManyRedirects: true, crawl.CodeRedirectLoop: true,
	crawl.CodeBadRedirect: true, crawl.CodeBodyTooLarge: true,
}
