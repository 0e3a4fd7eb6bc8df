package enforced

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine"
	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
	"robots-audit/reports/internal/site"
)

// statement is a statement of one source, with the pages that were asked for and that it is about.
type statement struct {
	audit.PolicyStatement
	source string        // SourceSignal, SourcePage or SourceFile
	kind   string        // of the source, as texts name it: "tdmrep.json"
	signal *audit.Signal // nil = not of a signal
	urls   []int         // pages, of Asked.URLs
}

// maxStatements bounds the statements of each source.
const maxStatements = 200

// Kinds of sources of statements, beside audit.PolicyFiles.
const (
	kindSignal = "signal"
	kindPage   = "page"
)

// kinds are all of them, in order.
var kinds = append([]string{kindSignal, kindPage}, audit.PolicyFiles...)

// purposesOf are the purposes of statements that are about a crawler's purpose. A search for answers may use content
// that a site only gives for search: "input" is not about it.
var purposesOf = map[string][]string{
	"AI training": {"training", "mining", "all"}, "archive": {"mining", "all"}, "AI search": {"search", "all"}, "user fetch": {"input", "all"}, "search": {"search", "all"},
}

// purposeWords are purposes of statements in a sentence.
var purposeWords = map[string]string{
	"training": "AI training", "images": "AI training on images", "input": "AI answers", "search": "search", "mining": "text and data mining", "all": "all use",
}

// addStatements collects the statements of the three kinds of sources.
func (s *Site) addStatements() {
	add := func(of audit.PolicyStatement, source, kind string, signal *audit.Signal, urls []int) {
		if len(urls) > 0 {
			s.statements = append(s.statements, &statement{of, source, kind, signal, urls})
		}
	}
	signals := s.site.Policy(s.done).Signals()
	for i := range signals[:min(len(signals), maxStatements)] {
		for _, of := range site.Statements(&signals[i]) {
			add(of, SourceSignal, kindSignal, &signals[i], s.under(of.Path))
		}
	}
	for _, u := range s.pages {
		list := s.asked.URLs[u].Statements
		for _, of := range list[:min(len(list), maxStatements)] {
			add(of, SourcePage, kindPage, nil, []int{u})
		}
	}
	for i := range s.asked.Files {
		f := &s.asked.Files[i]
		for _, of := range f.Statements[:min(len(f.Statements), maxStatements)] {
			add(of, SourceFile, f.Kind, nil, s.under(of.Path))
		}
	}
}

// under returns the pages of the site's own origin with a path that a pattern matches. All formats take the pattern of
// robots.txt.
func (s *Site) under(pattern string) []int {
	own := func(u int) bool { return s.origins[u] == 0 }
	if pattern == "" {
		return filter(s.pages, own)
	}
	if strings.ContainsFunc(pattern, func(r rune) bool { return r < ' ' || r == '#' }) {
		return nil // it would be more than a pattern
	}
	p, _ := engine.ProfileByName("rfc9309")
	g := p.Parse([]byte("user-agent: *\ndisallow: " + pattern)).Group(engine.Crawler{})
	return filter(s.pages, func(u int) bool { return own(u) && g.Verdict(s.asked.URLs[u].URL).Verdict == engine.Disallow })
}

// filter returns the elements that are wanted.
func filter(list []int, wanted func(int) bool) []int {
	return slices.DeleteFunc(slices.Clone(list), func(u int) bool { return !wanted(u) })
}

// concerns reports whether a statement is about a crawler, and whether it names it. Signals are not about a crawler that
// is not known here, as one in records of a later version.
func (c *Crawler) concerns(of *statement) (concerns, named bool) {
	if !slices.Contains(purposesOf[c.Purpose], of.Purpose) || of.signal != nil && (c.group.Read == nil || !c.group.SeesSignal(of.signal)) {
		return false, false
	}
	named = of.Token != "" && slices.ContainsFunc(c.robot.Tokens, func(t string) bool { return strings.EqualFold(t, of.Token) })
	return named || of.Token == "", named
}

// about returns the statements of a kind about a crawler. If some name it, the others are not about it.
func (s *Site) about(c *Crawler, kind string) (list []*statement) {
	byName := false
	for _, of := range s.statements {
		concerns, named := c.concerns(of)
		if of.kind != kind || !concerns || byName && !named {
			continue
		}
		if named && !byName {
			byName, list = true, nil
		}
		list = append(list, of)
	}
	return list
}

// says returns what the statements of a kind say about a crawler: for each word, the pages. Pages for which they say
// different things are left out, because each format has another rule for this. first is the first statement.
func (s *Site) says(c *Crawler, kind string) (pages map[string][]int, first map[string]*statement) {
	word, both := map[int]string{}, map[int]bool{}
	pages, first = map[string][]int{}, map[string]*statement{}
	for _, of := range s.about(c, kind) {
		if first[of.Says] == nil {
			first[of.Says] = of
		}
		for _, u := range of.urls {
			both[u] = both[u] || word[u] != "" && word[u] != of.Says
			word[u] = of.Says
		}
	}
	for _, u := range s.pages {
		if word[u] != "" && !both[u] {
			pages[word[u]] = append(pages[word[u]], u)
		}
	}
	return pages, first
}

// readRobots sets what robots.txt says to a crawler.
func (s *Site) readRobots(c *Crawler, listed bool) {
	c.verdicts = make([]engine.Verdict, len(s.asked.URLs))
	c.Robots = unknown
	readers := map[int]*audit.Reader{}
	reader := func(origin int) *audit.Reader {
		if _, ok := readers[origin]; !ok {
			readers[origin] = nil
			if r, ok := s.site.Reader(origin, c.robot); ok && listed && origin >= 0 {
				readers[origin] = &r
			}
		}
		return readers[origin]
	}
	own := reader(0)
	if own == nil {
		return
	}
	g := own.Group
	c.group = site.PolicyCrawler{Crawler: &c.robot, Read: &audit.PolicyRead{GroupReason: g.Reason, GroupTokens: shown(g.Tokens)}}
	blocks := false
	for u := range s.asked.URLs {
		r := reader(s.origins[u])
		if r == nil {
			continue
		}
		v := r.Verdict(s.asked.URLs[u].URL)
		c.verdicts[u] = v.Verdict
		if first := v.Verdict == engine.Disallow && !blocks; first || c.Line == 0 && !blocks {
			c.Line, c.Rule = v.Rule.Line, ruleText(&v)
			blocks = first
		}
	}
	if c.Robots = s.access(c); !blocks && (c.Robots == partly || c.Robots == blocked) {
		c.Line, c.Rule = 0, "by rules for other URLs"
	}
	if s.otherRobots(c) {
		c.Robots, c.Line, c.Rule = unknown, 0, ""
		clear(c.verdicts)
	}
}

// ruleText is the rule, or the reason why there is none.
func ruleText(v *audit.Verdict) string {
	if v.Rule.Line == 0 {
		return v.Why
	}
	return escape.Cut(escape.Show(v.Rule.String()), longest)
}

// otherRobots reports whether the server serves another robots.txt to the crawler's name: what it says is not known.
func (s *Site) otherRobots(c *Crawler) bool {
	return slices.ContainsFunc(s.robots, func(u int) bool { return c.reply(u).Why == audit.WhyContent })
}

// access is a crawler's access to all pages of the run or, if the run does not have it, to those that were asked for.
func (s *Site) access(c *Crawler) string {
	for i := range s.site.Crawlers {
		if s.site.Crawlers[i].Name != c.Name {
			continue
		}
		read := site.Read(s.site.Robots(0), i)
		n, all := site.BlockedFor(s.done, i), s.done.URLs
		switch {
		case read.Access == engine.AccessUnknown || all > 0 && i < len(s.site.Unclear) && s.site.Unclear[i] == all:
			return unknown
		case read.BlocksAll || all > 0 && n == all:
			return blocked
		case n > 0 || read.BlocksRoot:
			return partly
		}
		return allowed
	}
	p := s.site.Policy(s.done)
	for i := range p.Crawlers {
		if access := p.Access(&p.Crawlers[i]); p.Crawlers[i].Name == c.Name && access != site.HomeAllowed {
			return map[string]string{site.ReachAll: allowed, site.ReachPart: partly, site.ReachNone: blocked, site.HomeBlocked: partly}[access]
		}
	}
	count := map[engine.Verdict]int{}
	for _, u := range s.pages {
		count[c.verdicts[u]]++
	}
	switch n := len(s.pages); {
	case n == 0 || count[engine.Allow]+count[engine.Disallow] < n:
		return unknown
	case count[engine.Disallow] == n:
		return blocked
	case count[engine.Disallow] > 0:
		return partly
	}
	return allowed
}

// longest and most bound a text of a site, and a list of them.
const (
	longest = 80
	most    = 5
)

// list writes the statements of some kinds about a crawler, each text once.
func (s *Site) list(c *Crawler, kinds []string) string {
	var statements []*statement
	for _, kind := range kinds {
		statements = append(statements, s.about(c, kind)...)
	}
	var list []string
	for _, of := range statements {
		where := of.Source
		switch {
		case of.source == SourceSignal:
			where = fmt.Sprintf("line %d", of.Line)
		case of.Line > 0:
			where += fmt.Sprintf(" line %d", of.Line)
		}
		if text := escape.Cut(escape.Show(where+": "+of.Text), longest); !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	if more := len(list) - most; more > 0 {
		list = append(list[:most], wording.Thousands(more)+" more")
	}
	return strings.Join(list, "; ")
}

// shown are texts of a file as audit.PolicyRead has them.
func shown(list []string) (texts []string) {
	for _, text := range list {
		texts = append(texts, escape.ShowInvalid(text))
	}
	return texts
}

// where names the source of a statement in a sentence, at its begin.
func (of *statement) where() string {
	switch {
	case of.source == SourceSignal:
		return fmt.Sprintf("Line %d of robots.txt", of.Line)
	case of.source == SourcePage:
		if of.Source == "header" {
			return "A response header"
		}
		return "A meta element"
	case of.kind == audit.FileRSL:
		return "The RSL licence"
	}
	return of.kind
}

// about is what a statement is about, in a sentence.
func (of *statement) about() string { return cmp.Or(purposeWords[of.Purpose], "AI") }
