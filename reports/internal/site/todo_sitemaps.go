package site

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine"
	"robots-audit/engine/wording"
)

// sitemapTroubles are the sitemaps that could not be read, or are blocked themselves.
type sitemapTroubles struct {
	unread  map[sitemapFault]*sitemapGroup
	blocked map[originLine]*sitemapGroup
}

// sitemapFault is why sitemaps could not be read.
type sitemapFault struct {
	code   string
	status int
}

// sitemapGroup are sitemaps of the same trouble.
type sitemapGroup struct {
	count    int64
	examples []string
	named    []sitemapPlace // where the first of them are named
	crawlers []int          // that may not fetch them
	parts    bool           // something of them could be read
	onlyUs   string         // why crawlers may get another answer; "" = they get it, too
	redirect bool           // the site names a URL that redirects to one of them
}

// sitemapPlace is where a sitemap is named: in another, by index, or by a line of robots.txt.
type sitemapPlace struct{ parent, line int }

// Bounds of what is kept of the troubles of sitemaps.
const (
	maxSitemapGroups = 50
	maxNamedPlaces   = 3
)

// limitCodes are those of sitemaps that this audit passed over by its own limits, which nobody needs to
// fix, and of those on hosts that are not public, which are findings.
var limitCodes = []string{
	audit.CodeSitemapDepth, audit.CodeSitemapBudget, audit.CodeSitemapOrigins, audit.CodeURLBudget, audit.CodeSitemapFails, audit.CodeBodyTooLarge,
	audit.CodeCancelled, audit.CodeInternal, audit.CodeSitemapLoop, audit.CodeSiteTimeout, audit.CodeWrongHost,
}

// addSitemap notes what is wrong with a sitemap.
func (t *sitemapTroubles) addSitemap(s *Site, file *audit.Sitemap) {
	looked := file.Parent < 0 && file.Line == 0 // at the usual places, where there need not be one
	if file.Code != "" && !slices.Contains(limitCodes, file.Code) && !audit.NotesSay(&file.SitemapFile) && !(looked && !SitemapWasRead(file)) {
		g := groupOf(&t.unread, sitemapFault{file.Code, file.Status})
		g.add(file, file.URL)
		g.parts, g.onlyUs = g.parts || SitemapWasRead(file), onlyUs(file.Status, file.Passes())
	}
	for i, v := range file.Self {
		if v != engine.Disallow || i >= len(s.Crawlers) || i >= len(file.SelfLines) || file.SelfLines[i] == 0 || Read(s.Robots(0), i).BlocksRoot {
			continue
		}
		at := originLine{s.FileOf(max(0, s.OriginOf(file.URL))).Index, int(file.SelfLines[i])}
		g := groupOf(&t.blocked, at)
		if url := cmp.Or(file.BlockedTarget, file.URL); len(g.examples) == 0 || g.examples[len(g.examples)-1] != url {
			g.add(file, url)
			g.redirect = g.redirect || url != file.URL
		}
		if !slices.Contains(g.crawlers, i) {
			g.crawlers = append(g.crawlers, i)
		}
	}
}

// groupOf returns the group of a key, which it makes if there is none; of too many
// groups one that nobody keeps.
func groupOf[K comparable](groups *map[K]*sitemapGroup, key K) *sitemapGroup {
	g := (*groups)[key]
	if g != nil {
		return g
	}
	g = &sitemapGroup{}
	if *groups == nil {
		*groups = map[K]*sitemapGroup{}
	}
	if len(*groups) < maxSitemapGroups {
		(*groups)[key] = g
	}
	return g
}

// add adds a sitemap; url is the one to fix.
func (g *sitemapGroup) add(file *audit.Sitemap, url string) {
	g.count++
	if len(g.examples) < maxExamples {
		g.examples = append(g.examples, url)
	}
	if place := (sitemapPlace{file.Parent, file.Line}); len(g.named) < maxNamedPlaces && !slices.Contains(g.named, place) {
		g.named = append(g.named, place)
	}
}

// onlyUs says why crawlers may get another answer than this audit, by its status and whether a later one may
// differ; "" = they get it, too.
func onlyUs(status int, passes bool) string {
	switch {
	case passes || status >= 500:
		return "The server may be overloaded, or refuse only this audit."
	case status >= 400 && status != 404 && status != 410:
		return "The server may refuse only this audit."
	}
	return ""
}

// places say where sitemaps are named.
func (s *Site) places(g *sitemapGroup) string {
	var names []string
	var lines []int
	for _, place := range g.named {
		switch {
		case place.parent >= 0:
			names = append(names, s.SitemapName(place.parent))
		case place.line > 0:
			lines = append(lines, place.line)
		default:
			names = append(names, "the usual address")
		}
	}
	if lines != nil {
		names = slices.Insert(names, 0, LineNames(lines)+" of robots.txt")
	}
	if g.count > int64(len(g.named)) && len(g.named) == maxNamedPlaces {
		names = append(names, "others")
	}
	return wording.And(names)
}

// OriginOf is the index of the origin on which a URL lies; -1 where it is not known.
func (s *Site) OriginOf(url string) int {
	for r := range s.AllRobots {
		if strings.HasPrefix(url+"/", r.Origin+"/") {
			return r.Index
		}
	}
	return -1
}

// sitemapCauses are what kept the audit from URLs that the site names.
func (s *Site) sitemapCauses(d *audit.Done) (list []Cause) {
	all := make([]int, len(s.Crawlers))
	for i := range all {
		all[i] = i
	}
	t := &s.troubles
	faults := slices.SortedFunc(maps.Keys(t.unread), func(a, b sitemapFault) int {
		return cmp.Or(cmp.Compare(t.unread[b].count, t.unread[a].count), strings.Compare(a.code, b.code), cmp.Compare(a.status, b.status))
	})
	for _, fault := range faults {
		list = append(list, s.unreadCause(fault, t.unread[fault], all))
	}
	read, unread := s.sitemapCounts(d)
	if d.URLs > 0 || d.LeftOut[audit.LeftWrongHost] > 0 || unread > 0 || len(list) > 0 || d.Bound() != "" || !Answered(s.Robots(0)) {
		return list
	}
	c := s.newCause(CauseSitemaps, d.Origin, "Sitemaps", all)
	c.rank, c.noURL = rankSitemaps, true
	c.What = "No URL was found: robots.txt names no sitemap, and there is none at the usual addresses"
	if read > 0 {
		c.What = "No URL was found: the sitemaps list none that could be tested"
	}
	if s.noSitemapLine {
		c.cover(noSitemapLine)
	}
	c.Meant = "Unknown. A small site may need no sitemap."
	c.Do = "Add a sitemap with the site's URLs. Name it in robots.txt. To test the site without one, give a list of URLs or follow its links."
	c.Proof = "The next audit tests these URLs."
	return append(list, c)
}

// addBlockedSitemaps adds the sitemaps that lines block to the causes: to that of their
// line, or as causes of their own.
func (s *Site) addBlockedSitemaps(list []Cause) []Cause {
	groups := s.troubles.blocked
	for _, at := range slices.SortedFunc(maps.Keys(groups), originLine.compare) {
		g := groups[at]
		i := slices.IndexFunc(list, func(c Cause) bool { return c.Kind == CauseLine && c.Index == at.origin && c.Line == at.line })
		if i < 0 {
			list = append(list, s.blockedSitemapCause(at, g))
			continue
		}
		list[i].What += ", and " + g.words()
		list[i].about = siteBlockedSitemap
		list[i].Meant += " The site itself names " + wording.Verb(g.count, "the blocked sitemap", "the blocked sitemaps") + " in " + s.places(g) + "."
	}
	return list
}

// words say how many sitemaps are blocked.
func (g *sitemapGroup) words() string {
	return wording.Plural(g.count, "sitemap")
}

// unreadCause is that sitemaps could not be read, or not to their ends.
func (s *Site) unreadCause(fault sitemapFault, g *sitemapGroup, all []int) Cause {
	c := s.newCause(CauseSitemaps, s.Robots(0).Origin, "Sitemaps", all)
	c.rank, c.about = rankSitemaps, "SM003"
	why := Meaning(fault.code)
	if fault.code == audit.CodeHTTPStatus {
		why = fmt.Sprintf("HTTP %d", fault.status)
	}
	could := "could not be read"
	if g.parts {
		could = "could be read only in part"
	}
	c.What = fmt.Sprintf("%s %s: %s", wording.Plural(g.count, "sitemap"), could, why)
	c.Examples = g.examples
	places, it := s.places(g), wording.Verb(g.count, "it", "them")
	c.Meant = "Probably not. The site itself names " + it + " in " + places + "."
	c.Do = fmt.Sprintf("In %s, correct the URL, or make the web server answer with a sitemap there. If there is no such sitemap any more, remove it.", places)
	if g.count > 1 {
		c.Do = fmt.Sprintf("In %s, correct the URLs, or make the web server answer with sitemaps there. Remove only those that do not exist any more.", places)
	}
	if fault.code == audit.CodeBadURL {
		if c.about = "SM001"; g.named[0].line == 0 {
			c.about = "SM018" // an index has it
		}
		c.Do = fmt.Sprintf("In %s, correct the URL: it needs https://, a valid host name and the path of a sitemap.", places)
	}
	these := wording.Verb(g.count, "this sitemap", "these sitemaps")
	c.Proof = "Crawlers find the URLs of " + these + ", and the next audit tests them."
	if g.onlyUs != "" {
		c.Meant = "Unknown. " + g.onlyUs + " The site itself names " + it + " in " + places + "."
		c.Do = fmt.Sprintf("Test %s in Search Console. If Google can read %s, let this audit in at the firewall. If not, fix the server. Then run the audit again. Keep %[2]s in %[3]s.", these, it, places)
		c.Proof = "The next audit tests the URLs of " + these + "."
	}
	return c
}

// blockedSitemapCause is that a line blocks sitemaps themselves.
func (s *Site) blockedSitemapCause(at originLine, g *sitemapGroup) Cause {
	slices.Sort(g.crawlers)
	c := s.newCause(CauseSitemaps, s.Robots(at.origin).Origin, "Sitemaps", g.crawlers)
	c.Index, c.Line, c.Rule = at.origin, at.line, s.ruleText(at)
	c.rank, c.about = rankSitemaps, siteBlockedSitemap
	if !c.Leads {
		c.rank = rankOthers
	}
	c.What = fmt.Sprintf("Line %d %s blocks %s", at.line, quoteRule(c.Rule), g.words())
	c.Examples = g.examples
	it := wording.Verb(g.count, "it", "them")
	c.Meant = "Contradiction: the site names " + it + " in " + s.places(g) + ", but forbids crawlers to fetch " + it + "."
	if g.redirect {
		c.Meant = "Contradiction: what the site names in " + s.places(g) + " redirects there, but crawlers may not fetch " + it + "."
	}
	c.Do = fmt.Sprintf("Delete line %d of %s/robots.txt, or move %s to a path that is allowed.", at.line, c.Origin, wording.Verb(g.count, "the sitemap", "the sitemaps"))
	fix := &Fix{DeleteLines, []int{at.line}, ""}
	if allow := s.exception(&c, g.crawlers); allow != "" {
		fix = &Fix{InsertBelow, fix.Lines, "Allow: " + allow}
		c.Do = fmt.Sprintf("Below line %d of %s/robots.txt, add `Allow: %s`%s.", at.line, c.Origin, allow, wording.Verb(g.count, "", ", and such a line for each other sitemap"))
	}
	if at.origin == 0 && g.count == 1 {
		c.Fix = fix
	}
	c.Proof = "Crawlers can fetch " + wording.Verb(g.count, "the sitemap", "the sitemaps") + " again. How they use a blocked sitemap is unknown."
	return c
}
