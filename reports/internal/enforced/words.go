package enforced

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"robots-audit/audit"
	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
	"robots-audit/reports/internal/crawls"
)

// because names the reason of an answer.
func because(r *audit.Reply) string {
	if words := r.Why.Words(); words != "" && (r.Status < 400 || r.Treatment == audit.Unclear) {
		return words
	}
	switch {
	case r.Status == 0 && r.Why == audit.WhyRateLimited: // after an HTTP 429 for another URL
		return audit.WhyNotAsked.Words()
	case r.Status == 0:
		return ""
	}
	return fmt.Sprintf("HTTP %d", r.Status)
}

// reasons names the reasons of answers: "HTTP 403 and no answer".
func (c *Crawler) reasons(urls []int) string {
	var list []string
	for _, u := range urls {
		if words := because(c.reply(u)); words != "" && !slices.Contains(list, words) {
			list = append(list, words)
		}
	}
	return wording.Some(list)
}

// statuses are the reasons in brackets.
func (c *Crawler) statuses(urls []int) string {
	if words := c.reasons(urls); words != "" {
		return " (" + words + ")"
	}
	return ""
}

// answers says how the crawler's name was treated: "refused: HTTP 403 for 8 of 8 URLs".
func (s *Site) answers(c *Crawler) string {
	if c.AskedCrawler == nil {
		return ""
	}
	var urls []int
	for u := range s.asked.URLs {
		if c.reply(u).Treatment == c.Treatment {
			urls = append(urls, u)
		}
	}
	if c.Treatment == audit.Unclear {
		return fmt.Sprintf("unclear for %d of %s: %s", len(urls), wording.Plural(len(s.asked.URLs), "URL"), c.reasons(urls))
	}
	words := c.Treatment.Words() + ": "
	if why := c.reasons(urls); why != "" && c.Treatment != audit.LetIn {
		words += why + " for "
	}
	return words + fmt.Sprintf("%d of %s", len(urls), wording.Plural(len(s.asked.URLs), "URL"))
}

// label is the crawler's name in a sentence.
func (c *Crawler) label() string { return label(c.Name) }

func label(name string) string {
	return escape.Cut(strings.ReplaceAll(escape.Show(name), "`", `\x60`), longest)
}

// part names some of the pages that were asked for: "3 of 8 pages".
func part(n, all int) string {
	if n == all && n > 1 {
		return fmt.Sprintf("all %d pages", n)
	}
	return fmt.Sprintf("%d of %s", n, wording.Plural(all, "page"))
}

func upperFirst(s string) string { return strings.ToUpper(s[:min(1, len(s))]) + s[min(1, len(s)):] }

// lowerFirst is a source within a sentence. Names of files have no upper case.
func lowerFirst(s string) string { return strings.ToLower(s[:min(1, len(s))]) + s[min(1, len(s)):] }

// Headline is the answer in one or two sentences.
func (s *Site) Headline() string {
	var list []string
	for _, d := range denials {
		if named := s.named(func(c *Contradiction) bool { return c.Code == d.code }); named != nil {
			list = append(list, fmt.Sprintf("%s %s when asked from here, though robots.txt allows %s.", names(named), isTreated(named, d.Treatment), wording.Verb(len(named), "it", "them")))
		}
	}
	if words := s.proved(); words != "" {
		list = slices.Insert(list, min(1, len(list)), words)
	}
	if named := s.named(func(c *Contradiction) bool { return c.Code == "blocked_fetched" }); named != nil {
		list = append(list, fmt.Sprintf("By the logs, %s %s URLs that robots.txt blocks.", names(named), wording.Verb(len(named), "requests", "request")))
	}
	if groups := Grouped(s.Contradictions); list == nil && groups != nil {
		first := groups[0]
		list = append(list, cmp.Or(strings.ReplaceAll(headlines[first.Code], subject, names(first.labels)), first.Sentence))
	}
	unclear := s.unclear()
	switch all := s.allUnclear(); {
	case all && s.refusesUs():
		return "The server refuses us under our own name" + s.ourStatus() + ". How it treats crawlers is not known."
	case all && s.asked.Unstable && list == nil:
		return "The server answers the same request differently. How it treats crawlers is not known."
	case list == nil && !all:
		list = append(list, cmp.Or(s.treated(), fmt.Sprintf("No contradiction was found for %s of %s.", wording.Thousands(len(s.asked.Crawlers)-len(unclear)), wording.Plural(len(s.asked.Crawlers), "crawler"))))
	}
	if n := len(unclear); n > 0 {
		list = append(list, fmt.Sprintf("How the server treats %s, or what robots.txt says to %s, is unclear.", names(unclear), wording.Verb(n, "it", "them")))
	}
	return strings.Join(list[:min(2, len(list))], " ")
}

// headlines are short sentences about contradictions, for those without a sentence in Headline.
var headlines = map[string]string{
	"other_robots":        "When asked from here, the server serves another robots.txt to " + subject + ".",
	"robots_refused":      "When asked from here, the server does not serve robots.txt to " + subject + ", but serves pages.",
	"parts_refused":       "When asked from here, the server serves pages to " + subject + ", but not all sitemaps, style sheets and scripts.",
	"noindex_by_name":     "When asked from here, pages have noindex only for " + subject + ".",
	"said_no_let_in":      "The site says no to the use by " + subject + ", but robots.txt allows it and the server serves pages.",
	"said_yes_blocked":    "The site says yes to the use by " + subject + ", but robots.txt says no.",
	"llms_blocked":        "llms.txt links to URLs that robots.txt blocks for " + subject + ".",
	"statements_disagree": "The site says yes and no to the same use.",
}

// proved says which crawlers the logs prove to be refused; "" = none.
func (s *Site) proved() string {
	named := s.named(func(c *Contradiction) bool {
		return strings.HasPrefix(c.Code, "allowed_") && slices.Contains(c.Sources, SourceLogs)
	})
	if named == nil {
		return ""
	}
	words := "The logs prove that the server refuses the genuine " + names(named)
	for _, c := range s.Crawlers {
		if len(named) == 1 && c.label() == named[0] {
			words += ": " + c.Logs
		}
	}
	return words + "."
}

// treated says how the server treats the crawlers that are clear; "" = in many ways, or pages unlike other URLs.
func (s *Site) treated() string {
	var list []string
	for _, t := range audit.Treatments {
		var named []string
		for _, c := range s.Crawlers {
			if c.AskedCrawler == nil || c.Treatment != t || t == audit.Unclear || c.Robots == unknown {
				continue
			}
			if slices.ContainsFunc(s.pages, func(u int) bool { return c.reply(u).Treatment != t }) {
				return ""
			}
			named = append(named, c.label())
		}
		if named != nil {
			list = append(list, names(named)+" "+isTreated(named, t))
		}
	}
	if len(list) > 2 {
		return ""
	}
	return wording.And(list) + " when asked from here. No contradiction was found."
}

// isTreated says what happens to crawlers: "is let in".
func isTreated(named []string, t audit.Treatment) string {
	return wording.Verb(len(named), "is", "are") + " " + t.Words()
}

// allUnclear reports whether nothing is clear about any crawler.
func (s *Site) allUnclear() bool { return len(s.unclear()) == len(s.asked.Crawlers) }

// ourStatus is the status that we get where we are refused, too, in brackets.
func (s *Site) ourStatus() string {
	for i := range s.asked.URLs {
		if of := &s.asked.URLs[i].Ours; of.Status >= 400 {
			return fmt.Sprintf(" (HTTP %d)", of.Status)
		}
	}
	return ""
}

// named are the crawlers with a contradiction, in the order of Crawlers.
func (s *Site) named(is func(*Contradiction) bool) (names []string) {
	for _, c := range s.Crawlers {
		if slices.ContainsFunc(c.Contradictions, is) {
			names = append(names, c.label())
		}
	}
	return names
}

// unclear are the crawlers that were asked, and of which it is not known what robots.txt says, or what the server does.
func (s *Site) unclear() (names []string) {
	for _, c := range s.Crawlers {
		if c.AskedCrawler != nil && (c.Treatment == audit.Unclear || c.Robots == unknown) {
			names = append(names, c.label())
		}
	}
	return names
}

// refusesUs reports whether the server refuses us under our own name.
func (s *Site) refusesUs() bool {
	for _, c := range s.asked.Crawlers {
		if slices.ContainsFunc(c.Replies, func(r audit.Reply) bool { return r.Why == audit.WhyRefusesUs }) {
			return true
		}
	}
	return false
}

// limitWords say why not all was asked.
var limitWords = map[audit.AskedLimit]string{
	audit.AskedLimitTime: "Not all URLs were requested, because the time was over.",
	audit.AskedLimitOwn:  "Some URLs were not requested, because robots.txt blocks this audit.",
}

// Basis says how the site was asked, and what that does not prove.
func (s *Site) Basis() []string {
	list := []string{
		fmt.Sprintf("We requested %s under our own name and with the User-Agents of %s%s.", wording.Plural(len(s.asked.URLs), "URL"), wording.Plural(len(s.asked.Crawlers), "crawler"), onDay(s.done.Finished)),
		s.agents(),
		"A copied name proves only what we were answered. A firewall may let the genuine crawler in.",
	}
	if logs := s.site.Crawls; logs != nil {
		list = append(list, "Only the access logs show what genuine crawlers got"+period(logs)+".")
	}
	for _, limit := range s.asked.Limits {
		if words := limitWords[limit]; words != "" {
			list = append(list, words)
		}
	}
	if s.allUnclear() {
		return list // the headline says why
	}
	if s.asked.Unstable {
		list = append(list, "The server answered the same request differently, so some answers are unclear.")
	}
	if s.refusesUs() {
		list = append(list, "The server refuses us under our own name for some URLs. These answers are unclear.")
	}
	return list
}

// seenElsewhere are the sources of User-Agents that their operators do not publish, or not as a whole.
var seenElsewhere = []string{"https://github.com/monperrus/", "https://darkvisitors.com/"}

// agents says where the User-Agents come from.
func (s *Site) agents() string {
	var others []string
	for _, c := range s.Crawlers {
		if c.AskedCrawler != nil && slices.ContainsFunc(seenElsewhere, func(start string) bool { return strings.HasPrefix(c.Source, start) }) {
			others = append(others, c.label())
		}
	}
	source, list := "Source of the User-Agents ("+crawls.RangesDay(s.asked.Agents)+"): ", "a public list of those seen in logs."
	switch len(others) {
	case 0:
		return source + "their operators."
	case len(s.asked.Crawlers):
		return source + list
	}
	return source + "their operators, and for " + names(others) + " " + list
}

func onDay(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return " on " + crawls.Day(t)
}

func period(logs *audit.Logs) string {
	if words := crawls.Period(logs.From, logs.To); words != "" {
		return ", " + words
	}
	return ""
}

// Files says which files with a policy the site has.
func (s *Site) Files() (list []string) {
	var missing []string
	for i := range s.asked.Files {
		f := &s.asked.Files[i]
		name := f.Kind
		if f.Kind == audit.FileRSL {
			name = "The RSL licence"
			if f.Line > 0 {
				name += fmt.Sprintf(" of line %d", f.Line)
			}
		}
		switch {
		case f.Found && f.Fault != "":
			list = append(list, fmt.Sprintf("%s is not well-formed: %s", name, fault(f.Fault)))
		case f.Found:
			list = append(list, fmt.Sprintf("%s is there, with %s.", name, contents(f)))
		case f.URL == "" || f.Status == 404 || f.Status == 410 || f.Code == "" && f.Status >= 200 && f.Status < 300:
			missing = append(missing, f.Kind)
		case f.Status >= 400:
			list = append(list, fmt.Sprintf("%s could not be read: HTTP %d.", name, f.Status))
		default:
			list = append(list, name+" could not be read.")
		}
	}
	if missing != nil {
		list = append(list, "Not found: "+wording.And(missing)+".")
	}
	return list
}

// contents counts what is in a file.
func contents(f *audit.PolicyFile) string {
	words := wording.Plural(len(f.Statements), "statement")
	if f.Kind == audit.FileLLMs {
		words = wording.Plural(len(f.Links), "link") + " to this site"
	}
	if f.More > 0 {
		words += " or more"
	}
	return words
}

// fault is a fault as a sentence.
func fault(text string) string {
	return strings.TrimSuffix(escape.Cut(strings.ReplaceAll(escape.Show(text), "`", `\x60`), 2*longest), ".") + "."
}

// maxAdvice bounds Advice.
const maxAdvice = 3

// Advice has at most 3 instructions, those for the most severe contradictions first.
func (s *Site) Advice() (list []string) {
	if s.allUnclear() && s.refusesUs() {
		return []string{"Run this audit from an address that the server lets in, or add its access logs."}
	}
	add := func(words string) {
		if words != "" && !slices.Contains(list, words) && len(list) < maxAdvice {
			list = append(list, words)
		}
	}
	for _, c := range s.Contradictions {
		switch {
		case c.advice != adviceEdge:
			add(c.advice)
		case c.Code == "allowed_asked_to_pay":
			add(audit.EdgeAdvice(s.asked.Edge))
			add("If crawlers are to pay, change nothing.")
		default:
			add(audit.EdgeAdvice(s.asked.Edge))
			if !c.other && c.Code != "parts_refused" {
				add("To keep AI crawlers out, block them in robots.txt, too.")
			}
		}
	}
	return list
}
