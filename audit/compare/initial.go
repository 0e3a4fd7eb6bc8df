package compare

import (
	"maps"
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/crawl"
	"robots-audit/engine"
)

// addInitial reports what is wrong with a site that has no older side, for the first message about
// it: see Options.Initial. These are changes without a Before. Settings that may be a decision of
// the owner are no change: what crawlers may fetch that find no pages for a search engine, and
// what robots.txt says to AI crawlers.
func (c *comparison) addInitial() {
	for i := range c.site.Origins {
		if o := &c.site.Origins[i]; o.New != nil && c.new.originNamed(o.Name).record.SameAs == "" {
			c.addInitialAnswer(o)
		}
	}
	c.addAskers()
	c.addInitialRoot()
	c.addInitialImportant()
	c.addInitialStaging()
	c.addInitialSitemaps()
	c.addLogs()
	c.addAsked()
}

// addInitialAnswer reports a robots.txt that is missing, unreachable, not a text file, or near a limit.
// An origin other than the site's own is reported only if its pages cannot be crawled.
func (c *comparison) addInitialAnswer(o *Origin) {
	ch := Change{Kind: KindStatus, What: o.Name + "/robots.txt", After: o.New.Words(), Short: o.New.Words(), Severity: Medium, Condition: "AL04", Subjects: []string{o.Name}}
	switch class := o.New.class(); {
	case o.New.Given || class == AnswerOurs || !c.isOwn(o) && (class != AnswerUnreachable || o.Pages == 0):
		return
	case class == AnswerUnreachable:
		ch.Severity, ch.Condition = Critical, "AL03"
		ch.After += ": " + c.meanings(o)
	case class != AnswerRead:
		if o.New.Status == 404 || o.New.Status == 410 { // there is no file, which is allowed
			ch.Severity = Info
		}
		ch.After += ": everything is allowed"
	case o.New.Kind == BodyText:
		if o.New.HasAnswer {
			c.addInitialSize(ch.What, o.New)
		}
		return
	default:
		ch.Kind, ch.Condition, ch.Severity, ch.After, ch.Short = KindBody, "AL05", High, bodyWords[o.New.Kind], ""
		if o.New.Kind == BodyEmpty {
			ch.Severity = Info
		}
	}
	c.add(ch)
}

// addInitialSize reports a file that is near a limit or beyond it. Near one nothing is lost yet.
func (c *comparison) addInitialSize(what string, a *Answer) {
	before := len(c.site.Changes)
	c.addSize(what, &Answer{}, a)
	for i := range c.site.Changes[before:] {
		ch := &c.site.Changes[before+i]
		if ch.Before = ""; !slices.ContainsFunc(ch.Subjects, func(s string) bool { return strings.Contains(s, levels[2]) }) {
			ch.Severity = Medium
		}
	}
}

// addInitialRoot reports the watched crawlers for which rules block "/"; without a list those that
// lead.
func (c *comparison) addInitialRoot() {
	own := c.new.own()
	if own == nil {
		return
	}
	crawlers := map[string][]int{} // by the words for "/"
	var order []Change
	for i := range c.site.Crawlers {
		crawler := &c.site.Crawlers[i].New
		watched := c.options.Watch != nil && c.options.watches(crawler) || c.options.Watch == nil && crawler.Leads()
		is, after, rule := c.new.root(own, i)
		if !watched || is != engine.Disallow || !c.new.reads(i, own) {
			continue
		}
		if crawlers[after] == nil {
			order = append(order, Change{Kind: KindRoot, After: after, Rule: rule, Severity: Critical, Condition: "AL01"})
		}
		crawlers[after] = append(crawlers[after], i)
	}
	for _, ch := range order {
		ch.Crawlers = crawlers[ch.After]
		ch.What = c.labels(ch.Crawlers)
		for _, i := range ch.Crawlers {
			ch.Subjects = append(ch.Subjects, c.site.Crawlers[i].Label)
			if c.facts.newBlocked != nil {
				ch.URLs = max(ch.URLs, c.facts.newBlocked[i])
			}
		}
		c.add(ch)
	}
}

// addInitialImportant reports blocked URLs of the list.
func (c *comparison) addInitialImportant() {
	before := len(c.site.Changes)
	c.addImportant()
	for i := range c.site.Changes[before:] {
		c.site.Changes[before+i].Before = ""
	}
}

// addInitialStaging reports a file that names a test system. A file that only blocks everything is
// reported by addInitialRoot, or is for crawlers that it names.
func (c *comparison) addInitialStaging() {
	own := c.new.own()
	if !own.isText() {
		return
	}
	signs := c.new.staging(own)
	blocks := sign{kind: "blocked"}
	named := slices.DeleteFunc(slices.Clone(signs), blocks.like)
	if len(named) == 0 {
		return
	}
	severity := Medium
	if len(named) < len(signs) {
		severity = Critical
	}
	c.add(Change{Kind: KindStaging, What: own.record.Origin + "/robots.txt", After: signWords(signs), Short: signWords(named), Severity: severity, Condition: "AL09", Subjects: signKinds(signs)})
}

// addInitialSitemaps reports sitemaps that robots.txt or an index names, and that cannot be read or
// are blocked. A sitemap that was only looked for at a usual place need not exist.
func (c *comparison) addInitialSitemaps() {
	failed := map[string]string{}
	for _, s := range c.new.sitemaps {
		if isFailed(s) && (s.Line > 0 || s.Parent >= 0) {
			failed[s.URL] = sitemapWords(s)
		}
	}
	c.addEach(slices.Sorted(maps.Keys(failed)), func(url, what string) Change {
		return Change{Kind: KindSitemap, What: what, After: failed[url], Severity: High, Condition: "AL07"}
	})
	for _, p := range c.new.problems {
		unread := p.Code == audit.CodeSitemapUnread
		if p.Code != crawl.CodeSitemapNotFound && !unread || len(failed) > 0 || !c.new.own().isText() { // no file names none
			continue
		}
		if !unread && len(c.new.standard(c.new.own()).Sitemaps()) > 0 { // it names some, whose failure is none of the site
			continue
		}
		ch := Change{Kind: KindSitemaps, What: "sitemaps", After: audit.Meaning(p.Code), Severity: Info, Condition: "AL07", Subjects: []string{"no sitemap"}}
		if unread {
			ch.Severity = Medium
		}
		c.add(ch)
		break
	}
	blocked := map[string][]string{}
	for _, url := range c.sitemapURLs() {
		g := c.new.originNamed(originOf(url))
		if g == nil || g.recorded {
			continue
		}
		g = c.new.judge(g.record.Index, c.new.readers)
		var lost []int
		for i := range c.site.Crawlers {
			if c.site.Crawlers[i].New.Leads() && g.readings[i].Access == engine.Parsed && g.groups[i].Verdict(url).Verdict == engine.Disallow && !c.new.blocksHome(i) {
				lost = append(lost, i)
			}
		}
		if lost != nil {
			blocked[c.labels(lost)] = append(blocked[c.labels(lost)], url)
		}
	}
	c.addBlockedSitemaps(blocked, "")
}

// initialCrawlers are the crawlers of a site without an older side, for Options.Initial.
func (c *comparison) initialCrawlers() []audit.Crawler {
	if c.options.Initial && c.old.site == nil {
		return c.new.site.Crawlers
	}
	return nil
}
