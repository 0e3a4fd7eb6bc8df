package enforced

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine"
	"robots-audit/engine/wording"
	"robots-audit/reports/internal/site"
)

// statement is a statement of one source, with the pages that were asked for and that it is about.
type statement struct {
	audit.PolicyStatement
	source string        // SourceSignal, SourcePage or SourceFile
	kind   string        // one of statementKinds
	signal *audit.Signal // line of robots.txt, for the crawlers of whose group it is; nil = none
	pages  []int         // of Asked.URLs
}

// statementKinds are the kinds of sources of statements.
var statementKinds = append([]string{SourceSignal, SourcePage}, audit.PolicyFiles...)

// purposesOf are the purposes of statements that are about a crawler's purpose. A search for answers may use content
// that a site only gives for search: "input" is not about it.
var purposesOf = map[string][]string{
	"AI training": {"training", "mining", "all"}, "archive": {"mining", "all"},
	"AI search": {"search", "all"}, "user fetch": {"input", "all"}, "search": {"search", "all"},
}

// Words in a sentence for the purposes of statements, and for sources.
var (
	purposeWords = map[string]string{
		"training": "AI training", "images": "AI training on images", "input": "AI answers", "search": "search",
		"mining": "text and data mining", "all": "all use",
	}
	sourceWords = map[string]string{"header": "A response header", "meta": "A meta element", audit.FileRSL: "The RSL licence"}
)

// addStatements collects the statements of the three kinds of sources.
func (s *Site) addStatements() {
	const maxSignals = 200 // lines of robots.txt
	signals := s.site.Policy(s.done).Signals()
	for i := range signals[:min(len(signals), maxSignals)] {
		for _, of := range site.Statements(&signals[i]) {
			s.statements = append(s.statements, &statement{of, SourceSignal, SourceSignal, &signals[i], s.under(of.Path)})
		}
	}
	for _, u := range s.pages {
		for _, of := range s.URLs[u].Statements {
			s.statements = append(s.statements, &statement{of, SourcePage, SourcePage, nil, []int{u}})
		}
	}
	for _, f := range s.Files {
		var line *audit.Signal
		if f.Tokens != nil {
			line = &audit.Signal{Line: f.Line, Tokens: f.Tokens}
		}
		for _, of := range f.Statements {
			s.statements = append(s.statements, &statement{of, SourceFile, f.Kind, line, s.under(of.Path)})
		}
	}
}

// under returns the pages of the site's own origin with a path that a pattern matches. All formats take the pattern of
// robots.txt.
func (s *Site) under(pattern string) []int {
	own := filter(s.pages, func(u int) bool { return s.origins[u] == 0 })
	if pattern == "" {
		return own
	}
	if strings.ContainsFunc(pattern, func(r rune) bool { return r < ' ' || r == '#' }) {
		return nil // it would be more than a pattern
	}
	p, _ := engine.ProfileByName("rfc9309")
	g := p.Parse([]byte("user-agent: *\ndisallow: " + pattern)).Group(engine.Crawler{})
	return filter(own, func(u int) bool { return g.Verdict(s.URLs[u].URL).Verdict == engine.Disallow })
}

// concerns reports whether a statement is about a crawler. Signals are not about one that is not known here, as in
// records of a later version.
func (of *statement) concerns(c *Crawler) bool {
	if !slices.Contains(purposesOf[c.Purpose], of.Purpose) || of.signal != nil && (c.group.Read == nil || !c.group.SeesSignal(of.signal)) {
		return false
	}
	return of.Token == "" || slices.ContainsFunc(c.robot.Tokens, func(t string) bool { return strings.EqualFold(t, of.Token) })
}

// statementsAbout returns the statements of some kinds about a crawler. If some of a kind name it, the others are not about it.
func (s *Site) statementsAbout(c *Crawler, kinds ...string) (list []*statement) {
	for _, kind := range kinds {
		all := filter(s.statements, func(of *statement) bool { return of.kind == kind && len(of.pages) > 0 && of.concerns(c) })
		if named := filter(all, func(of *statement) bool { return of.Token != "" || of.signal != nil }); len(named) > 0 {
			all = named
		}
		list = append(list, all...)
	}
	return list
}

// says returns what each kind of source says about a crawler: a statement for each word, with all pages. Pages for
// which a kind says different things are left out, because each format has another rule for this.
func (s *Site) says(c *Crawler) (list []*statement) {
	for _, kind := range statementKinds {
		about := s.statementsAbout(c, kind)
		for _, u := range s.pages {
			on := filter(about, func(of *statement) bool { return slices.Contains(of.pages, u) })
			if len(on) == 0 || slices.ContainsFunc(on, func(of *statement) bool { return of.Says != on[0].Says }) {
				continue
			}
			i := slices.IndexFunc(list, func(of *statement) bool { return of.kind == kind && of.Says == on[0].Says })
			if i < 0 {
				first := *on[0]
				first.pages, i = nil, len(list)
				list = append(list, &first)
			}
			list[i].pages = append(list[i].pages, u)
		}
	}
	return list
}

// sayings are what is found if robots.txt has a verdict that does not heed a word of statements.
var sayings = map[string]struct {
	code     string
	severity engine.Severity
	verdict  engine.Verdict
	sentence string // with the source, the use, and the pages
}{
	"no": {"said_no_let_in", engine.Warning, engine.Allow,
		"%s says no to %s. robots.txt allows " + subject + ", and the server served %s " + whenAsked + "."},
	"yes": {"said_yes_blocked", engine.Warning, engine.Disallow,
		"%s says yes to %s, but robots.txt blocks %s for " + subject + "."},
	"pay": {"pay_let_in", engine.Info, engine.Allow,
		"%s asks for payment or a licence for %s. The server served %s without it " + whenAsked + "."},
}

// unheard finds what sources say to a crawler that was asked, without effect: its name is let in to pages, or all
// pages are blocked. A no of single pages is weak.
func (s *Site) unheard(c *Crawler) {
	if c.Treatment == "" {
		return
	}
	for _, said := range s.says(c) {
		of, ok := sayings[said.Says]
		if !ok {
			continue
		}
		severity, sources, wanted := of.severity, []string{SourceRobots, said.source, SourceAnswer}, isLetIn
		if of.verdict == engine.Disallow {
			sources, wanted = sources[:2], func(*audit.Reply) bool { return true }
		} else if said.kind == SourcePage {
			severity = engine.Info
		}
		n := len(c.with(said.pages, of.verdict, wanted))
		if n > 0 && (of.verdict == engine.Allow || n == len(said.pages)) {
			s.add(c, of.code, severity, fmt.Sprintf(of.sentence, said.where(), said.use(), wording.Plural(n, "page")), sources...)
		}
	}
}

// disagreements finds pages about which two kinds of sources say opposite things to all crawlers of a purpose.
func (s *Site) disagreements() {
	whole := &Crawler{}
	for _, purpose := range []string{"AI training", "search", "user fetch"} {
		all := &Crawler{AskedCrawler: audit.AskedCrawler{Purpose: purpose}}
		all.group.Read = &audit.PolicyRead{GroupReason: engine.Global}
		list := s.says(all)
		for i, a := range list {
			for _, b := range list[i+1:] {
				n := len(filter(a.pages, func(u int) bool { return slices.Contains(b.pages, u) }))
				if words := a.Says + b.Says; n == 0 || words != "yesno" && words != "noyes" {
					continue
				}
				severity := engine.Warning
				if a.kind == SourcePage || b.kind == SourcePage {
					severity = engine.Info
				}
				where := b.where()
				words := fmt.Sprintf("%s says %s to %s, but %s says %s to %s, for %s.", a.where(), a.Says, a.use(),
					strings.ToLower(where[:1])+where[1:], b.Says, b.use(), part(n, len(s.pages)))
				s.add(whole, "statements_disagree", severity, words, slices.Compact([]string{a.source, b.source})...)
			}
		}
	}
}

// where names the source of a statement at the begin of a sentence. Names of files have no upper case.
func (of *statement) where() string {
	if of.source == SourceSignal {
		return fmt.Sprintf("Line %d of robots.txt", of.Line)
	}
	return cmp.Or(sourceWords[of.Source], of.kind)
}

// use is what a statement is about.
func (of *statement) use() string { return cmp.Or(purposeWords[of.Purpose], "AI") }

// list writes the statements of some kinds about a crawler, each text once: the first five, and how many there are besides.
func (s *Site) list(c *Crawler, kinds ...string) string {
	const most = 5
	var list []string
	for _, of := range s.statementsAbout(c, kinds...) {
		where := of.Source
		if of.Line > 0 {
			where = strings.TrimSpace(fmt.Sprintf("%s line %d", where, of.Line))
		}
		if text := label(where + ": " + of.Text); !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	if more := len(list) - most; more > 0 {
		list = append(list[:most], wording.Thousands(more)+" more")
	}
	return strings.Join(list, "; ")
}
