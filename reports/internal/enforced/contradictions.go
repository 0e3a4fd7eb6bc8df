package enforced

import (
	"slices"
	"strings"

	"robots-audit/engine"
	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
)

// Contradiction is a difference between two or more of the six sources.
type Contradiction struct {
	Code     string // stable, see advice and the rules
	Crawler  string // "" = the site as a whole
	Severity engine.Severity
	Sentence string   // a few sentences
	Sources  []string // of the six, in their order

	pattern string // Sentence with placeholders, see fill
	forAI   bool   // the crawler fetches for AI
}

// Sources of policy, in their order.
const (
	SourceRobots = "robots.txt"
	SourceSignal = "signal"
	SourcePage   = "page"
	SourceFile   = "file"
	SourceAnswer = "answer"
	SourceLogs   = "logs"
)

// Advice that several codes have, or that depends on the crawler.
const (
	adviceEdge    = "edge" // stands for audit.EdgeAdvice
	adviceKeepOut = "To keep AI crawlers out, block them in robots.txt, too."
)

// advice is what to do, by code. Notes need none.
var advice = map[string][]string{
	"allowed_refused":         {adviceEdge, adviceKeepOut},
	"allowed_challenged":      {adviceEdge, adviceKeepOut},
	"allowed_asked_to_pay":    {"If crawlers are to pay, name the price in a header, or a licence in robots.txt.", adviceEdge},
	"allowed_something_else":  {adviceEdge, adviceKeepOut},
	"allowed_refused_in_logs": {adviceEdge, adviceKeepOut},
	"blocked_fetched":         {"Block crawlers that ignore robots.txt at the server or its firewall."},
	"other_robots":            {"Serve all clients the same robots.txt."},
	"parts_refused":           {adviceEdge},
	"noindex_by_name":         {"Check where the server adds noindex for some User-Agents only."},
	"operator_mixed":          {"Decide for each operator: training, search and fetches for people are different crawlers."},
	"said_no_let_in":          {"Say the same everywhere: block the crawler in robots.txt, or change the statement."},
	"said_yes_blocked":        {"Say the same everywhere: allow the crawler in robots.txt, or change the statement."},
	"llms_blocked":            {"Allow these URLs in robots.txt, or remove them from llms.txt."},
	"statements_disagree":     {"Say the same in robots.txt, pages and files."},
}

// add adds a contradiction or, with Info, a note. A crawler without a name stands for the site.
func (s *Site) add(c *Crawler, code string, severity engine.Severity, pattern string, sources ...string) {
	forAI := strings.HasPrefix(c.Purpose, "AI ") || c.Purpose == "user fetch"
	of := &Contradiction{code, c.Name, severity, fill(pattern, c.Name), sources, pattern, forAI}
	all, own := &s.Contradictions, &c.Contradictions
	if severity == engine.Info {
		all, own = &s.Notes, &c.Notes
	}
	if slices.ContainsFunc(*own, func(known *Contradiction) bool { return known.pattern == pattern }) {
		return
	}
	*all, *own = append(*all, of), append(*own, of)
}

// Group is a contradiction, or note, that several crawlers have.
type Group struct {
	*Contradiction          // of the first of them
	Crawlers       []string // nil = the site as a whole
	Sentence       string   // about all of them
}

// Grouped joins those that differ only in the crawler, in the order of the list.
func Grouped(list []*Contradiction) (groups []*Group) {
	for _, c := range list {
		i := slices.IndexFunc(groups, func(g *Group) bool { return g.Severity == c.Severity && g.pattern == c.pattern })
		if i < 0 {
			i = len(groups)
			groups = append(groups, &Group{Contradiction: c})
		}
		g := groups[i]
		if c.Crawler != "" {
			g.Crawlers = append(g.Crawlers, c.Crawler)
		}
		g.Sentence = fill(c.pattern, g.Crawlers...)
	}
	return groups
}

// Placeholders in sentences about crawlers. No text of a site has control characters, see escape.Show.
const (
	subject   = "\x00" // "GPTBot"
	whenAsked = "\x01" // "when asked as GPTBot from here"
	isOrAre   = "\x02"
	itOrThem  = "\x03"
)

// longest bounds a text of a site.
const longest = 80

// label is a text of a site in a sentence.
func label(text string) string {
	return escape.Cut(strings.ReplaceAll(escape.Show(text), "`", `\x60`), longest)
}

// fill puts the names of crawlers into a sentence: up to three, or two and how many there are besides.
func fill(sentence string, names ...string) string {
	is, it, asked := "are", "them", "them"
	labels := make([]string, len(names))
	for i, name := range names {
		labels[i] = label(name)
	}
	switch n := len(names); {
	case n == 1:
		is, it = "is", "it"
	case n > 3:
		labels = append(labels[:2], wording.Thousands(n-2)+" more")
	}
	if len(names) == 1 || !strings.Contains(sentence, subject) { // "them" are named before
		asked = wording.And(labels)
	}
	return strings.NewReplacer(subject, wording.And(labels), whenAsked, "when asked as "+asked+" from here",
		isOrAre, is, itOrThem, it).Replace(sentence)
}
