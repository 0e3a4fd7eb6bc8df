package enforced

import (
	"fmt"
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine"
	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
)

// rule finds one kind of contradictions of a crawler.
type rule struct {
	code     string
	severity engine.Severity
	advice   string // what to do; "" = nothing, or what the firewall needs: adviceEdge
	find     func(*Site, *Crawler) []found
}

// found is what a rule found.
type found struct {
	sentence string
	sources  []string
	code     string           // in place of the rule's; "" = the same
	severity *engine.Severity // nil = that of the rule
}

// adviceEdge stands for audit.EdgeAdvice.
const adviceEdge = "edge"

// Severities in place of a rule's.
var (
	info     = engine.Info
	severe   = engine.Error
	critical = engine.Critical
)

// rules are all kinds of contradictions about one crawler, in the order in which they are listed.
var rules = []rule{
	{"allowed_refused", engine.Warning, adviceEdge, (*Site).denied},
	{"allowed_refused_in_logs", engine.Error, adviceEdge, (*Site).refusedInLogs},
	{"blocked_fetched", engine.Warning, "Block crawlers that ignore robots.txt at the server or its firewall.", (*Site).fetched},
	{"other_robots", engine.Warning, "Serve all clients the same robots.txt.", (*Site).robotsDenied},
	{"parts_refused", engine.Warning, adviceEdge, (*Site).partsDenied},
	{"noindex_by_name", engine.Warning, "Check where the server adds noindex for some User-Agents only.", (*Site).noIndex},
	{"operator_mixed", engine.Warning, "Decide for each operator: training, search and fetches for people are different crawlers.", (*Site).mixed},
	{"said_no_let_in", engine.Warning, "Say the same everywhere: block the crawler in robots.txt, or change the statement.", (*Site).noLetIn},
	{"said_yes_blocked", engine.Warning, "Say the same everywhere: allow the crawler in robots.txt, or change the statement.", (*Site).yesBlocked},
	{"llms_blocked", engine.Warning, "Allow these URLs in robots.txt, or remove them from llms.txt.", (*Site).llmsBlocked},
	{"pay_let_in", engine.Info, "", (*Site).payLetIn},
	{"pay_without_terms", engine.Info, "", (*Site).payWithoutTerms},
}

// disagreeing is the rule about the site as a whole, see disagreements.
var disagreeing = rule{"statements_disagree", engine.Warning, "Say the same in robots.txt, pages and files.", nil}

// denials are the treatments that keep content from a crawler, with the words for it.
var denials = []struct {
	audit.Treatment
	code, did string
}{
	{audit.Refused, "allowed_refused", "refused"},
	{audit.Challenged, "allowed_challenged", "challenged requests for"},
	{audit.AskedToPay, "allowed_asked_to_pay", "asked to pay for"},
	{audit.Otherwise, "allowed_something_else", "served something else for"},
}

// did says what the server did with something that it denies; "" = it does not deny it.
func did(t audit.Treatment) string {
	for _, d := range denials {
		if d.Treatment == t {
			return d.did
		}
	}
	return ""
}

func isDenied(r *audit.Reply) bool { return did(r.Treatment) != "" }

// isSearch reports whether a crawler fetches for search results.
func (c *Crawler) isSearch() bool {
	return c.Purpose == "search" || strings.HasSuffix(c.Purpose, " search")
}

// with returns the URLs for which robots.txt has a verdict and the answer is wanted.
func (c *Crawler) with(urls []int, v engine.Verdict, wanted func(*audit.Reply) bool) []int {
	return filter(urls, func(u int) bool { return c.verdicts[u] == v && wanted(c.reply(u)) })
}

func (c *Crawler) letIn(urls []int) []int {
	return c.with(urls, engine.Allow, func(r *audit.Reply) bool { return r.Treatment == audit.LetIn })
}

// denied finds pages that robots.txt allows and that the server denies to the crawler's name. If the logs prove that
// the genuine crawler gets pages, this is no contradiction.
func (s *Site) denied(c *Crawler) (list []found) {
	clear := c.with(s.pages, engine.Allow, func(r *audit.Reply) bool { return r.Treatment != audit.Unclear })
	for _, d := range denials {
		urls := c.with(clear, engine.Allow, func(r *audit.Reply) bool { return r.Treatment == d.Treatment && r.Why != audit.WhyNoIndex })
		if len(urls) == 0 {
			continue
		}
		f := found{code: d.code, sources: []string{SourceRobots, SourceAnswer}}
		did := fmt.Sprintf("the server %s %s "+whenAsked+"%s.", d.did, part(len(urls), len(clear)), c.statuses(urls))
		f.sentence = "robots.txt allows " + subject + ", but " + did
		errors := !slices.ContainsFunc(urls, func(u int) bool { st := c.reply(u).Status; return st > 0 && st < 400 })
		switch l := &c.log; {
		case errors && l.refuse():
			f.severity = c.provedSeverity()
			f.sentence += " In the logs, the genuine " + c.label() + " got " + l.words() + "."
			f.sources = append(f.sources, SourceLogs)
		case errors && l.serve():
			f.code, f.severity = "genuine_served", &info
			f.sentence = fmt.Sprintf("%s The logs show %s by the genuine %s. The server seems to know its addresses.", upperFirst(did), l.words(), c.label())
			f.sources = append(f.sources, SourceLogs)
		case l.requests > 0 && l.recent && !l.proved:
			f.sentence += " The logs show " + l.words() + " in the name of " + c.label() + ", but not whether these were genuine."
		}
		list = append(list, f)
	}
	return list
}

// provedSeverity is the severity if the logs prove that the server refuses the crawler.
func (c *Crawler) provedSeverity() *engine.Severity {
	if c.Purpose == "search" {
		return &critical
	}
	return &severe
}

// refusedInLogs finds crawlers that robots.txt allows, and that the logs prove to be refused, though nothing was
// denied to their names.
func (s *Site) refusedInLogs(c *Crawler) []found {
	denied := c.with(s.pages, engine.Allow, isDenied)
	if !c.log.refuse() || len(denied) > 0 || c.Robots != allowed && c.Robots != partly {
		return nil
	}
	f := found{severity: c.provedSeverity(), sources: []string{SourceRobots, SourceLogs}, sentence: "robots.txt allows " + c.label() + ", but in the logs the genuine " + c.label() + " got " + c.log.words() + "."}
	if n := len(c.letIn(s.pages)); n > 0 {
		f.sources = []string{SourceRobots, SourceAnswer, SourceLogs}
		f.sentence += fmt.Sprintf(" The server served %s "+whenAsked+".", wording.Plural(n, "page"))
	}
	return []found{f}
}

// fetched finds crawlers that the logs prove to request URLs that are still blocked. If no request got anything, the
// server enforces what robots.txt says.
func (s *Site) fetched(c *Crawler) []found {
	l := &c.log
	if l.disobeyed == 0 || l.blocked == 0 || l.served == 0 {
		return nil
	}
	words := fmt.Sprintf("robots.txt blocks URLs for %s, but the logs show %s for them from its own addresses.", c.label(), wording.Plural(l.disobeyed, "request"))
	if n := l.servedBlocked(); n > 0 {
		words += fmt.Sprintf(" At least %s of them got the page.", wording.Thousands(n))
	}
	return []found{{sentence: words, sources: []string{SourceRobots, SourceLogs}}}
}

// robotsDenied finds a robots.txt that is denied to the crawler's name, or is another.
func (s *Site) robotsDenied(c *Crawler) []found {
	for _, u := range s.robots {
		r := c.reply(u)
		switch {
		case !isDenied(r):
		case r.Why == audit.WhyContent:
			return []found{{sentence: "The server served another robots.txt " + whenAsked + ". What it says to " + subject + " is not known.", sources: []string{SourceRobots, SourceAnswer}}}
		case s.pagesLetIn(c):
			return []found{{code: "robots_refused", sentence: fmt.Sprintf("The server served pages, but %s robots.txt "+whenAsked+"%s.", did(r.Treatment), c.statuses([]int{u})), sources: []string{SourceRobots, SourceAnswer}}}
		}
	}
	return nil
}

// pagesLetIn reports whether pages were let in, and none was denied.
func (s *Site) pagesLetIn(c *Crawler) bool {
	return slices.ContainsFunc(s.pages, func(u int) bool { return c.reply(u).Treatment == audit.LetIn }) &&
		!slices.ContainsFunc(s.pages, func(u int) bool { return isDenied(c.reply(u)) })
}

// partsDenied finds a sitemap, style sheet or script that the server denies to a search crawler's name, while it lets
// in pages.
func (s *Site) partsDenied(c *Crawler) (list []found) {
	if !c.isSearch() || !s.pagesLetIn(c) {
		return nil
	}
	for _, d := range denials {
		var urls []int
		var names []string
		for u := range s.asked.URLs {
			switch kind := s.asked.URLs[u].Kind; kind {
			case audit.AskedSitemap, audit.AskedStyleSheet, audit.AskedScript:
				if c.reply(u).Treatment == d.Treatment && c.verdicts[u] == engine.Allow {
					urls, names = append(urls, u), append(names, string(kind))
				}
			}
		}
		if len(urls) > 0 {
			words := fmt.Sprintf("The server served pages, but %s the %s "+whenAsked+"%s.", d.did, wording.And(slices.Compact(names)), c.statuses(urls))
			list = append(list, found{sentence: words, sources: []string{SourceRobots, SourceAnswer}})
		}
	}
	return list
}

// noIndex finds pages with a noindex that only the crawler's name gets.
func (s *Site) noIndex(c *Crawler) []found {
	urls := c.with(s.pages, engine.Allow, func(r *audit.Reply) bool { return r.Why == audit.WhyNoIndex })
	if len(urls) == 0 {
		return nil
	}
	words := fmt.Sprintf("robots.txt allows "+subject+", but %s %s noindex only "+whenAsked+".", part(len(urls), len(s.pages)), wording.Verb(len(urls), "has", "have"))
	return []found{{sentence: words, sources: []string{SourceRobots, SourcePage, SourceAnswer}}}
}

// pairs are purposes of crawlers of one operator of which one should not be open while the other is closed.
var pairs = []struct {
	open, closed string
	severity     *engine.Severity // nil = that of the rule
}{{"AI search", "user fetch", nil}, {"AI training", "AI search", nil}, {"user fetch", "AI search", &info}}

// mixed finds crawlers that are closed while another crawler of the same operator is open, both by robots.txt or both
// by the answers.
func (s *Site) mixed(c *Crawler) (list []found) {
	for _, pair := range pairs {
		for _, o := range s.Crawlers {
			if c.Purpose != pair.closed || o.Purpose != pair.open || o.Operator != c.Operator || o.AskedCrawler == nil && c.AskedCrawler == nil {
				continue
			}
			f := found{severity: pair.severity}
			who := fmt.Sprintf("%s (%s), but not %s (%s) of %s", o.label(), o.Purpose, c.label(), c.Purpose, escape.Cut(escape.Show(c.Operator), longest))
			open := len(o.letIn(s.pages)) > 0
			closed := c.with(s.pages, engine.Allow, isDenied)
			switch {
			case o.Robots == allowed && c.Robots == blocked:
				f.sentence, f.sources = "robots.txt allows "+who+".", []string{SourceRobots}
			case open && len(closed) > 0 && !s.pagesLetIn(c):
				f.sentence, f.sources = "When asked from here, the server lets in "+who+".", []string{SourceAnswer}
			default:
				continue
			}
			list = append(list, f)
		}
	}
	return list
}

// saying makes what was found of each kind of sources that says a word to a crawler that was asked. wanted are those
// of the pages that count.
func (s *Site) saying(c *Crawler, word string, wanted func(pages []int) []int, words func(of *statement, n int) found) (list []found) {
	if c.AskedCrawler == nil {
		return nil
	}
	for _, kind := range kinds {
		pages, first := s.says(c, kind)
		if n := len(wanted(pages[word])); n > 0 {
			list = append(list, words(first[word], n))
		}
	}
	return list
}

// noLetIn finds pages that a source forbids to use, while robots.txt allows them and the server lets the crawler's
// name in. What single pages say is weak.
func (s *Site) noLetIn(c *Crawler) []found {
	return s.saying(c, "no", c.letIn, func(of *statement, n int) found {
		f := found{sources: []string{SourceRobots, of.source, SourceAnswer}}
		if of.kind == kindPage {
			f.severity = &info
		}
		f.sentence = fmt.Sprintf("%s says no to %s. robots.txt allows "+subject+", and the server served %s "+whenAsked+".", of.where(), of.about(), wording.Plural(n, "page"))
		return f
	})
}

// yesBlocked finds sources that permit use of pages which robots.txt blocks, all of them.
func (s *Site) yesBlocked(c *Crawler) []found {
	all := func(pages []int) []int {
		if slices.ContainsFunc(pages, func(u int) bool { return c.verdicts[u] != engine.Disallow }) {
			return nil
		}
		return pages
	}
	return s.saying(c, "yes", all, func(of *statement, n int) found {
		words := fmt.Sprintf("%s says yes to %s, but robots.txt blocks %s for "+subject+".", of.where(), of.about(), wording.Plural(n, "page"))
		return found{sentence: words, sources: []string{SourceRobots, of.source}}
	})
}

// payLetIn finds licences that ask for payment while the server lets the crawler's name in.
func (s *Site) payLetIn(c *Crawler) []found {
	return s.saying(c, "pay", c.letIn, func(of *statement, n int) found {
		words := fmt.Sprintf("%s asks for payment or a licence for %s. The server served %s without it "+whenAsked+".", of.where(), of.about(), wording.Plural(n, "page"))
		return found{sentence: words, sources: []string{of.source, SourceAnswer}}
	})
}

// terms are the header fields with a price, or with where to get a licence.
var terms = []string{"Crawler-Price", "Crawler-Max-Price", "Payment-Required", "Www-Authenticate"}

// payWithoutTerms finds requests for payment if no licence or price is named.
func (s *Site) payWithoutTerms(c *Crawler) []found {
	licence := slices.ContainsFunc(s.asked.Files, func(f audit.PolicyFile) bool { return f.Kind == audit.FileRSL && f.URL != "" }) ||
		slices.ContainsFunc(s.statements, func(of *statement) bool { return of.Says == "pay" })
	asks := false
	for u := range s.asked.URLs {
		r := c.reply(u)
		asks = asks || r.Treatment == audit.AskedToPay
		licence = licence || r.Treatment == audit.AskedToPay && slices.ContainsFunc(terms, func(field string) bool { return r.Evidence[field] != "" })
	}
	if !asks || licence {
		return nil
	}
	return []found{{sentence: "The server asked to pay " + whenAsked + ", but names no price and no licence.", sources: []string{SourceAnswer}}}
}

// llmsBlocked finds URLs in llms.txt that robots.txt blocks for a crawler that fetches for answers or people.
func (s *Site) llmsBlocked(c *Crawler) (list []found) {
	if c.AskedCrawler == nil || c.Purpose != "AI search" && c.Purpose != "user fetch" || c.robot.Obeys == "no" || s.otherRobots(c) {
		return nil
	}
	for i := range s.asked.Files {
		f := &s.asked.Files[i]
		shut := slices.DeleteFunc(slices.Clone(f.Links), func(url string) bool {
			r, ok := s.site.Reader(s.originOf(url), c.robot)
			return !ok || r.Verdict(url).Verdict != engine.Disallow
		})
		if f.Kind == audit.FileLLMs && len(shut) > 0 {
			words := fmt.Sprintf("llms.txt links to %s that robots.txt blocks for "+subject+", such as %s.", wording.URLs(int64(len(shut))), escape.Quoted(shut[0], longest))
			list = append(list, found{sentence: words, sources: []string{SourceRobots, SourceFile}})
		}
	}
	return list
}

// disagreements finds pages about which two kinds of sources say opposite things to all crawlers of a purpose.
func (s *Site) disagreements() (list []found) {
	for _, purpose := range []string{"AI training", "search", "user fetch"} {
		all := &Crawler{Purpose: purpose}
		all.group.Read = &audit.PolicyRead{GroupReason: engine.Global}
		for i, kind := range kinds {
			pages, first := s.says(all, kind)
			for _, other := range kinds[i+1:] {
				against, firstAgainst := s.says(all, other)
				for _, of := range [][2]string{{"yes", "no"}, {"no", "yes"}} {
					says, opposite := of[0], of[1]
					n := len(filter(pages[says], func(u int) bool { return slices.Contains(against[opposite], u) }))
					if n == 0 {
						continue
					}
					a, b := first[says], firstAgainst[opposite]
					f := found{sources: slices.Compact([]string{a.source, b.source})}
					if kind == kindPage || other == kindPage {
						f.severity = &info
					}
					f.sentence = fmt.Sprintf("%s says %s to %s, but %s says %s to %s, for %s.", a.where(), says, a.about(), lowerFirst(b.where()), opposite, b.about(), part(n, len(s.pages)))
					if !slices.ContainsFunc(list, func(known found) bool { return known.sentence == f.sentence }) { // of another purpose
						list = append(list, f)
					}
				}
			}
		}
	}
	return list
}
