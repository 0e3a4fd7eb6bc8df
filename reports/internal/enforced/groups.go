package enforced

import (
	"fmt"
	"slices"
	"strings"

	"robots-audit/engine"
	"robots-audit/engine/wording"
)

// Parts of a sentence that name the crawlers, of which there may be several. No text of a site has control characters,
// see escape.Show.
const (
	subject   = "\x00" // "GPTBot"
	whenAsked = "\x01" // "when asked as GPTBot from here"
)

// fill puts crawlers into a sentence.
func fill(sentence string, labels ...string) string {
	asked := "when asked as them from here"
	if len(labels) == 1 {
		asked = "when asked as " + labels[0] + " from here"
	}
	return strings.NewReplacer(subject, names(labels), whenAsked, asked).Replace(sentence)
}

// names lists up to three names, or two and how many there are besides.
func names(list []string) string {
	if n := len(list); n > 3 {
		return fmt.Sprintf("%s, %s and %s more", list[0], list[1], wording.Thousands(n-2))
	}
	return wording.And(list)
}

// Group is a contradiction, or note, that several crawlers have.
type Group struct {
	Code     string
	Crawlers []string // nil = the site as a whole
	Severity engine.Severity
	Sentence string

	labels  []string
	pattern string
}

// Grouped joins those that differ only in the crawler, in the order of the list.
func Grouped(list []*Contradiction) (groups []*Group) {
	for _, c := range list {
		i := slices.IndexFunc(groups, func(g *Group) bool {
			return g.Code == c.Code && g.Severity == c.Severity && g.pattern == c.pattern
		})
		if i < 0 {
			i = len(groups)
			groups = append(groups, &Group{Code: c.Code, Severity: c.Severity, pattern: c.pattern})
		}
		g := groups[i]
		if c.Crawler != "" {
			g.Crawlers, g.labels = append(g.Crawlers, c.Crawler), append(g.labels, label(c.Crawler))
		}
		g.Sentence = fill(g.pattern, g.labels...)
	}
	return groups
}
