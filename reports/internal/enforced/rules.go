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

// rules find the contradictions of a crawler, in the order in which they are listed.
var rules = []func(*Site, *Crawler){
	(*Site).denied, (*Site).fetched, (*Site).partsDenied, (*Site).noIndex, (*Site).mixed, (*Site).unheard, (*Site).llmsBlocked,
}

// did is what a server did to something that it denies, by treatment. Other treatments deny nothing.
var did = map[audit.Treatment]string{
	audit.Refused: "refused", audit.Challenged: "challenged requests for",
	audit.AskedToPay: "asked to pay for", audit.Otherwise: "served something else for",
}

func isDenied(r *audit.Reply) bool { return did[r.Treatment] != "" }
func isLetIn(r *audit.Reply) bool  { return r.Treatment == audit.LetIn }

// denied finds pages that robots.txt allows and that the server denies to the crawler's name or, as the logs prove, to
// the genuine crawler. If the logs prove that this gets pages, it is no contradiction.
func (s *Site) denied(c *Crawler) {
	logs, proved := &c.log, engine.Error
	if c.Purpose == "search" && logs.refusal == audit.Critical {
		proved = engine.Critical
	}
	genuine := "the genuine " + label(c.Name)
	clear := c.with(s.pages, engine.Allow, func(r *audit.Reply) bool { return r.Treatment != audit.Unclear })
	for _, t := range audit.Treatments {
		urls := filter(clear, func(u int) bool { return c.reply(u).Treatment == t && c.reply(u).Why != audit.WhyNoIndex })
		if did[t] == "" || len(urls) == 0 {
			continue
		}
		code, severity, sources := "allowed_"+string(t), engine.Warning, []string{SourceRobots, SourceAnswer}
		answer := fmt.Sprintf("server %s %s "+whenAsked+" (%s).", did[t], part(len(urls), len(clear)), c.reasons(urls))
		words := "robots.txt allows " + subject + ", but the " + answer
		paid := t == audit.AskedToPay && s.namesTerms(c)
		switch errors := !slices.ContainsFunc(urls, func(u int) bool { st := c.reply(u).Status; return st > 0 && st < 400 }); {
		case errors && logs.refuse() && !(paid && logs.answers.Code == "402"):
			severity, sources = proved, append(sources, SourceLogs)
			words += " In the logs, " + genuine + " got " + c.Logs + "."
		case errors && logs.serve():
			code, severity, sources = "genuine_served", engine.Info, append(sources, SourceLogs)
			words = fmt.Sprintf("The %s The logs show %s by %s. The server seems to know its addresses.", answer, c.Logs, genuine)
		case paid:
			code, severity = "asked_to_pay", engine.Info
			words = "The " + answer + " The site names its price or a licence."
		case logs.answers.Requests > 0 && logs.recent && !logs.Proved():
			words += " The logs show " + c.Logs + " in the name of " + label(c.Name) + ", but not whether these were genuine."
		}
		s.add(c, code, severity, words, sources...)
	}
	if logs.refuse() && !(logs.answers.Code == "402" && s.namesTerms(c)) && len(c.with(s.pages, engine.Allow, isDenied)) == 0 && (c.Robots == allowed || c.Robots == partly) {
		words := "robots.txt allows " + label(c.Name) + ", but in the logs " + genuine + " got " + c.Logs + "."
		sources := []string{SourceRobots, SourceLogs}
		if n := len(c.with(s.pages, engine.Allow, isLetIn)); n > 0 {
			words += fmt.Sprintf(" The server served %s "+whenAsked+".", wording.Plural(n, "page"))
			sources = slices.Insert(sources, 1, SourceAnswer)
		}
		s.add(c, "allowed_refused_in_logs", proved, words, sources...)
	}
}

// terms are the header fields with a price, or with where to get a licence.
var terms = []string{"Crawler-Price", "Crawler-Max-Price", "Payment-Required", "Www-Authenticate"}

// namesTerms reports whether the site names a licence, or a price in the answers to the crawler's name.
func (s *Site) namesTerms(c *Crawler) bool {
	return slices.ContainsFunc(s.Files, func(f audit.PolicyFile) bool { return f.Kind == audit.FileRSL && f.URL != "" }) ||
		slices.ContainsFunc(c.Replies, func(r audit.Reply) bool {
			return slices.ContainsFunc(terms, func(field string) bool { return r.Evidence[field] != "" })
		})
}

// fetched finds crawlers that the logs prove to request URLs that are still blocked. If no request got anything, the
// server enforces what robots.txt says.
func (s *Site) fetched(c *Crawler) {
	l, disobeyed := &c.log, c.log.Genuine.Disobeyed
	if l.Waste.Blocked == 0 || l.answers.Served == 0 {
		return
	}
	if disobeyed == 0 {
		if l.Genuine.Unclear+l.Unknown.Unclear > 0 {
			words := "The logs show " + wording.Plural(l.Waste.Blocked, "request") + " of " + label(c.Name) + " to URLs that robots.txt blocks now. Which robots.txt was in force then is not known."
			s.add(c, "blocked_fetched_before", engine.Info, words, SourceRobots, SourceLogs)
		}
		return
	}
	words := "robots.txt blocks URLs for " + label(c.Name) + ", but the logs show " + wording.Plural(disobeyed, "request") + " for them from its own addresses."
	if n := disobeyed - (l.answers.Requests - l.answers.Served); n > 0 {
		words += fmt.Sprintf(" At least %s of them got the page.", wording.Thousands(n))
	}
	s.add(c, "blocked_fetched", engine.Warning, words, SourceRobots, SourceLogs)
}

// otherRobots reports whether the server serves another robots.txt to the crawler's name: what it says is not known.
func (s *Site) otherRobots(c *Crawler) bool {
	return slices.ContainsFunc(s.urls(audit.AskedRobots), func(u int) bool { return c.reply(u).Why == audit.WhyContent })
}

// partsDenied finds another robots.txt for the crawler's name, and parts of the site that the server denies to it while
// it lets in pages: robots.txt, and what crawlers for search need.
func (s *Site) partsDenied(c *Crawler) {
	if s.otherRobots(c) {
		words := "The server served another robots.txt " + whenAsked + ". What it says to " + subject + " is not known."
		s.add(c, "other_robots", engine.Warning, words, SourceRobots, SourceAnswer)
	}
	kinds := []audit.AskedKind{audit.AskedRobots}
	if c.Purpose == "search" || c.Purpose == "AI search" {
		kinds = append(kinds, audit.AskedSitemap, audit.AskedStyleSheet, audit.AskedScript)
	}
	pages := func(are func(*audit.Reply) bool) bool {
		return slices.ContainsFunc(s.pages, func(u int) bool { return are(c.reply(u)) })
	}
	for _, t := range audit.Treatments {
		urls := filter(s.urls(kinds...), func(u int) bool {
			r, isRobots := c.reply(u), s.URLs[u].Kind == audit.AskedRobots // which a crawler may always request
			return r.Treatment == t && (c.verdicts[u] == engine.Allow || isRobots && r.Why != audit.WhyContent)
		})
		if did[t] == "" || len(urls) == 0 || !pages(isLetIn) || pages(isDenied) {
			continue
		}
		var names []string
		for _, u := range urls {
			names = append(names, string(s.URLs[u].Kind))
		}
		what := strings.Replace("the "+wording.And(slices.Compact(names)), "the robots.txt", "robots.txt", 1)
		words := fmt.Sprintf("The server served pages, but %s %s "+whenAsked+" (%s).", did[t], what, c.reasons(urls))
		s.add(c, "parts_refused", engine.Warning, words, SourceRobots, SourceAnswer)
	}
}

// noIndex finds pages with a noindex that only the crawler's name gets.
func (s *Site) noIndex(c *Crawler) {
	urls := c.with(s.pages, engine.Allow, func(r *audit.Reply) bool { return r.Why == audit.WhyNoIndex })
	if n := len(urls); n > 0 {
		pages := part(n, len(s.pages)) + " " + wording.Verb(n, "has", "have")
		words := "robots.txt allows " + subject + ", but " + pages + " noindex only " + whenAsked + "."
		s.add(c, "noindex_by_name", engine.Warning, words, SourceRobots, SourcePage, SourceAnswer)
	}
}

// opens are purposes of crawlers, with that of another one of the operator that should not be open while they are closed.
var opens = map[string]string{"user fetch": "AI search", "AI search": "AI training"}

// mixed finds crawlers that are closed while another crawler of the same operator is open, both by robots.txt or both
// by the answers.
func (s *Site) mixed(c *Crawler) {
	for _, o := range s.Crawlers {
		if o.Purpose == "" || o.Purpose != opens[c.Purpose] || o.Operator != c.Operator || o.Treatment == "" && c.Treatment == "" {
			continue
		}
		who := fmt.Sprintf("%s (%s), but not %s (%s) of %s.", label(o.Name), o.Purpose, label(c.Name), c.Purpose, label(c.Operator))
		switch {
		case o.Robots == allowed && c.Robots == blocked:
			s.add(c, "operator_mixed", engine.Warning, "robots.txt allows "+who, SourceRobots)
		case len(o.with(s.pages, engine.Allow, isLetIn)) > 0 && len(c.with(s.pages, engine.Allow, isDenied)) > 0:
			s.add(c, "operator_mixed", engine.Warning, "When asked from here, the server lets in "+who, SourceAnswer)
		}
	}
}

// llmsBlocked finds URLs in llms.txt that robots.txt blocks for a crawler that fetches for answers or people.
func (s *Site) llmsBlocked(c *Crawler) {
	if c.Treatment == "" || c.Purpose != "AI search" && c.Purpose != "user fetch" || c.robot.Obeys == "no" || s.otherRobots(c) {
		return
	}
	for _, f := range s.Files {
		shut := filter(f.Links, func(url string) bool {
			r, ok := s.site.Reader(s.site.OriginOf(url), c.robot)
			return ok && r.Verdict(url).Verdict == engine.Disallow
		})
		if f.Kind == audit.FileLLMs && len(shut) > 0 {
			urls, first := wording.URLs(int64(len(shut))), escape.Quoted(shut[0], longest)
			words := "llms.txt links to " + urls + " that robots.txt blocks for " + subject + ", such as " + first + "."
			s.add(c, "llms_blocked", engine.Warning, words, SourceRobots, SourceFile)
		}
	}
}
