package enforced

import (
	"fmt"
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine"
	"robots-audit/engine/wording"
	"robots-audit/reports/internal/crawls"
)

// reasons names the reasons of answers: "HTTP 403 and no answer".
func (c *Crawler) reasons(urls []int) string {
	var list []string
	for _, u := range urls {
		if words := c.reply(u).Reason(); words != "" && !slices.Contains(list, words) {
			list = append(list, words)
		}
	}
	return wording.Some(list)
}

// answers says how the crawler's name was treated: "refused: HTTP 403 for 8 of 8 URLs".
func (s *Site) answers(c *Crawler) string {
	if c.Treatment == "" {
		return ""
	}
	var urls []int
	for u := range s.URLs {
		if c.reply(u).Treatment == c.Treatment {
			urls = append(urls, u)
		}
	}
	words := fmt.Sprintf("%d of %s", len(urls), wording.Plural(len(s.URLs), "URL"))
	switch why := c.reasons(urls); {
	case c.Treatment == audit.Unclear:
		return "unclear for " + words + ": " + why
	case why != "":
		words = why + " for " + words
	}
	return c.Treatment.Words() + ": " + words
}

// part names some of the pages that were asked for: "3 of 8 pages".
func part(n, all int) string {
	switch {
	case n == all && n == 2:
		return "both pages"
	case n == all && n > 2:
		return fmt.Sprintf("all %d pages", n)
	}
	return fmt.Sprintf("%d of %s", n, wording.Plural(all, "page"))
}

// Headline is the answer in a few sentences.
func (s *Site) Headline() string {
	var list []string
	for _, t := range audit.Treatments {
		denied := having(func(of *Contradiction) bool { return of.Code == "allowed_"+string(t) })
		for i, where := range []string{"", " for some pages"} {
			words := subject + " " + isOrAre + " " + t.Words() + where + " when asked from here, though robots.txt allows " + itOrThem + "."
			list = append(list, s.about(words, func(c *Crawler) bool {
				return denied(c) && len(c.with(s.pages, engine.Allow, isLetIn)) > 0 == (i > 0)
			})...)
		}
	}
	proved := having(func(of *Contradiction) bool { return of.Severity >= engine.Error })
	words := "By the logs, the server refused at least half of the requests of the genuine " + subject + "."
	if crawlers := filter(s.Crawlers, proved); len(crawlers) == 1 {
		words = "In the logs, the genuine " + subject + " got " + crawlers[0].Logs + "."
	}
	var others []*Group // what is refused says enough
	if list == nil {
		others = Grouped(filter(s.Contradictions, func(of *Contradiction) bool { return of.Severity < engine.Error && of.Code != "blocked_fetched" }))
	}
	list = slices.Insert(list, min(1, len(list)), s.about(words, proved)...)
	fetched := having(func(of *Contradiction) bool { return of.Code == "blocked_fetched" })
	list = append(list, s.about("In the logs, "+subject+" requested URLs that robots.txt blocks.", fetched)...)
	if len(others) > 0 {
		list = append(list, others[0].Sentence)
	}
	switch all := len(s.unclear) == len(s.Asked.Crawlers); {
	case all && s.refusal != "":
		return "The server refuses us under our own name (" + s.refusal + "). How it treats crawlers is not known."
	case all && s.Unstable && list == nil:
		return "The server answers the same request differently. How it treats crawlers is not known."
	case list == nil && !all:
		list = append(list, s.treated())
	}
	if len(s.unclear) > 0 {
		list = append(list, fill("How the server treats "+subject+", or what robots.txt says to "+itOrThem+", is unclear.", s.unclear...))
	}
	return strings.Join(list[:min(2, len(list))], " ")
}

// having finds the crawlers with such a contradiction.
func having(is func(*Contradiction) bool) func(*Crawler) bool {
	return func(c *Crawler) bool { return slices.ContainsFunc(c.Contradictions, is) }
}

// about is a sentence about some of the crawlers; nil = there is none of them.
func (s *Site) about(sentence string, is func(*Crawler) bool) []string {
	var names []string
	for _, c := range filter(s.Crawlers, is) {
		names = append(names, c.Name)
	}
	if names == nil {
		return nil
	}
	return []string{fill(sentence, names...)}
}

// treated says how the server treats the crawlers, unless in many ways, or pages unlike other URLs.
func (s *Site) treated() string {
	known := func(c *Crawler) bool { return !slices.Contains(s.unclear, c.Name) }
	unlike := func(c *Crawler) bool {
		return known(c) && slices.ContainsFunc(s.pages, func(u int) bool { return c.reply(u).Treatment != c.Treatment })
	}
	var list []string
	for _, t := range audit.Treatments {
		list = append(list, s.about(subject+" "+isOrAre+" "+t.Words(), func(c *Crawler) bool { return known(c) && c.Treatment == t })...)
	}
	if len(list) > 2 || slices.ContainsFunc(s.Crawlers, unlike) {
		asked := len(s.Asked.Crawlers)
		return fmt.Sprintf("No contradiction was found for %d of %s.", asked-len(s.unclear), wording.Plural(asked, "crawler"))
	}
	return wording.And(list) + " when asked from here. No contradiction was found."
}

// limitWords say why not all was asked.
var limitWords = map[audit.AskedLimit]string{
	audit.AskedLimitTime: "Not all URLs were requested, because the time was over.",
	audit.AskedLimitRate: "Some URLs were not requested, because the server asked us to try later.",
	audit.AskedLimitOwn:  "Some URLs were not requested, because robots.txt blocks this audit.",
}

// Basis says how the site was asked, and what that does not prove.
func (s *Site) Basis() []string {
	urls, crawlers := wording.Plural(len(s.URLs), "URL"), wording.Plural(len(s.Asked.Crawlers), "crawler")
	list := []string{"No request was made in the names of crawlers."}
	if s.site.Asked != nil {
		list = []string{
			"We requested " + urls + " under our own name and with the User-Agents of " + crawlers + " on " + crawls.Day(s.done.Finished) + ".",
			"Source of the User-Agents (" + crawls.RangesDay(s.Agents) + "): their operators, or a public list of those seen in logs.",
			"A copied name proves only what we were answered. A firewall may let the genuine crawler in.",
		}
	}
	if logs := s.site.Crawls; logs != nil {
		list = append(list, "Only the access logs show what genuine crawlers got, "+crawls.Period(logs.From, logs.To)+".")
	}
	for _, limit := range s.Limits {
		if words := limitWords[limit]; words != "" {
			list = append(list, words)
		}
	}
	known := len(s.unclear) < len(s.Asked.Crawlers) // otherwise, the headline says this
	if known && s.Unstable {
		list = append(list, "The server answered the same request differently, so some answers are unclear.")
	}
	if known && s.refusal != "" {
		list = append(list, "The server refuses us under our own name for some URLs. These answers are unclear.")
	}
	return list
}

// maxAdvice bounds Advice.
const maxAdvice = 3

// Advice has at most 3 instructions, those for the most severe contradictions first.
func (s *Site) Advice() (list []string) {
	all := len(s.Asked.Crawlers) > 0 && len(s.unclear) == len(s.Asked.Crawlers)
	if all && s.refusal != "" {
		return []string{"Run this audit from an address that the server lets in, or add its access logs."}
	}
	if all && s.Unstable && s.Contradictions == nil {
		return []string{"Look for errors such as HTTP 503 in the logs of the server, and run this audit again."}
	}
	for _, of := range s.Contradictions {
		for _, words := range advice[of.Code] {
			if words == adviceEdge {
				if words = audit.EdgeAdvice(s.Edge); of.forAI && !slices.Contains(list, words) {
					words = "To let AI crawlers in, check the firewall. " + words
				}
			}
			said := func(other string) bool { return strings.HasSuffix(other, words) } // also after the words for AI crawlers
			if len(list) < maxAdvice && !slices.ContainsFunc(list, said) && (words != adviceKeepOut || of.forAI) {
				list = append(list, words)
			}
		}
	}
	return list
}
