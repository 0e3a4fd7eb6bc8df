package compare

import (
	"cmp"
	"slices"

	"robots-audit/audit"
	"robots-audit/engine"
	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
)

// Kinds of changes. They are stable, like codes.
const (
	KindStatus         = "status"          // the answer to the request for robots.txt: AL03, AL04
	KindBody           = "body"            // text, HTML, empty or binary: AL05
	KindSize           = "size"            // near a limit, or beyond it: AL08
	KindRedirect       = "redirect"        // the URL that robots.txt finally comes from
	KindType           = "content_type"    // of robots.txt
	KindEncoding       = "encoding"        // byte order mark, UTF-8
	KindLineEnds       = "line_ends"       // of robots.txt
	KindAsker          = "asker"           // robots.txt differs for other User-Agents or addresses: AL06
	KindRules          = "rules"           // lines that allow or disallow
	KindGroups         = "groups"          // user-agent lines
	KindLines          = "lines"           // other lines with a field, such as Crawl-delay, Host and Clean-param
	KindComments       = "comments"        // comments and blank lines
	KindRoot           = "root"            // whether a crawler may fetch "/": AL01
	KindImportant      = "important"       // newly blocked URLs of the user's own list: AL02
	KindStaging        = "staging"         // the file looks like that of a test system: AL09
	KindPolicy         = "ai_policy"       // what AI crawlers may fetch, and what robots.txt says about them: AL10
	KindShare          = "share_blocked"   // the share of pages that is blocked: AL11
	KindLint           = "lint"            // findings: AL12
	KindSitemapLine    = "sitemap_line"    // of robots.txt: AL07
	KindSitemap        = "sitemap"         // the answer to the request for one: AL07
	KindSitemapBlocked = "sitemap_blocked" // by robots.txt: AL07
	KindSitemapURLs    = "sitemap_urls"    // their number: AL07
	KindSitemaps       = "sitemaps"        // the list of sitemaps
	KindSitemapNote    = "sitemap_problem" // something unusual in one
	KindDisobeyed      = "disobeyed"       // of genuine crawlers, by access logs: AL15
	KindWaiting        = "robots_unread"   // by a search crawler, by access logs: AL16
	KindErrors         = "robots_errors"   // that crawlers got for robots.txt, by access logs: AL17
	KindTreatment      = "treatment"       // of requests in the name of a crawler: AL18
	KindOrigin         = "origin"          // a scheme, host and port with its own robots.txt
	KindCrawlers       = "crawlers"        // the crawlers that were tested: no change of the site
	KindReader         = "reader"          // tokens or profile of a crawler: no change of the site
)

// ended is the condition of a change that resolves another one.
const ended = "AL14"

// finishChanges adds the differences other than verdicts, and the notes.
func (c *comparison) finishChanges() {
	c.finishOrigins()
	c.addNotes()
	c.addAhead()
	switch {
	case c.old.site != nil && c.new.site != nil:
		c.addChanges()
	case c.options.Initial && c.new.site != nil:
		c.addInitial()
	}
	slices.SortStableFunc(c.site.Changes, func(a, b Change) int {
		return cmp.Compare(slices.Index(severities, a.Severity), slices.Index(severities, b.Severity))
	})
}

// addChanges adds the differences of a site that both sides know.
func (c *comparison) addChanges() {
	c.showPages()
	c.addCrawlers()
	c.addOrigins()
	for i := range c.site.Origins {
		if o := &c.site.Origins[i]; o.Old != nil && o.New != nil && o.SameAs == "" {
			c.addAnswer(o)
			c.addLines(o)
			c.addLint(o)
		}
	}
	c.addAskers()
	c.addRoot()
	c.addImportant()
	c.addStaging()
	c.addPolicy()
	c.addShare()
	c.addSitemapLines()
	c.addSitemaps()
	c.addSitemapsBlocked()
	c.addLogs()
	c.addAsked()
}

// severities are the severities, the most severe first.
var severities = []Severity{Critical, High, Medium, Info}

// add adds a change. Text quoted from a site is made UTF-8 and shortened.
func (c *comparison) add(ch Change) {
	for _, text := range []*string{&ch.What, &ch.Before, &ch.After, &ch.Short} {
		*text = escape.Cut(escape.ShowInvalid(*text), maxText)
	}
	ch.Subjects = boundSubjects(ch.Subjects)
	c.site.Changes = append(c.site.Changes, ch)
}

// boundSubjects sorts subjects, and drops those past MaxSubjects.
func boundSubjects(list []string) []string {
	for i, s := range list {
		list[i] = escape.Cut(escape.ShowInvalid(s), maxText)
	}
	slices.Sort(list)
	list = slices.Compact(list)
	more := slices.Contains(list, MoreSubjects)
	list = slices.DeleteFunc(list, func(s string) bool { return s == MoreSubjects })
	if len(list) > MaxSubjects {
		list, more = list[:MaxSubjects], true
	}
	if more {
		list = append(list, MoreSubjects)
	}
	return list
}

// maxText bounds the texts of a change, in bytes.
const maxText = 1000

// has reports whether there is a change of a kind yet.
func (c *comparison) has(kinds ...string) bool {
	return slices.ContainsFunc(c.site.Changes, func(ch Change) bool { return slices.Contains(kinds, ch.Kind) })
}

// own returns the robots.txt of the site's own origin; nil = the side has none.
func (s *judged) own() *governed {
	if g := s.origins[0]; g != nil && g.record.Origin != "" {
		return s.judge(0, s.readers)
	}
	return nil
}

// isText reports whether an answer is a text robots.txt that the record has.
func (g *governed) isText() bool { return g != nil && !g.recorded && g.kind == BodyText }

// rfc9309 is the profile for crawlers without a group of their own.
var rfc9309, _ = engine.ProfileByName("rfc9309")

// standard returns the answer as RFC 9309 reads it.
func (s *side) standard(g *governed) *engine.Robots {
	return s.answers.Read(g.record.Index, rfc9309, engine.Crawler{})
}

// most bounds the items of a list in a sentence.
const most = 5

// names joins names for a sentence.
func names(list []string) string {
	if len(list) > most {
		list = append(slices.Clone(list[:most-1]), wording.Thousands(len(list)-most+1)+" more")
	}
	return wording.And(list)
}

// labels returns the labels of compared crawlers, given by index.
func (c *comparison) labels(crawlers []int) string {
	var list []string
	for _, i := range crawlers {
		list = append(list, c.site.Crawlers[i].Label)
	}
	return names(list)
}

// such names one item and counts the others: "sitemap A", "3 sitemaps, such as A".
func such(noun string, list []string) string {
	if len(list) == 1 {
		return noun + " " + list[0]
	}
	return wording.Plural(len(list), noun) + ", such as " + list[0]
}

// live reports whether a crawler's profile is current.
func live(c *audit.Crawler) bool {
	p, ok := engine.ProfileByName(c.Profile)
	return ok && !p.Superseded
}
