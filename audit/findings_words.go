package audit

import (
	"fmt"
	"strings"

	"robots-audit/crawl"
	"robots-audit/engine"
)

// hitWords says how a count that is not one of a rule's own becomes a finding.
// n is a number of URLs, about what hit.about says.
var hitWords = map[string]struct {
	least    int64 // URLs below which nothing is said
	severity engine.Severity
	words    func(n int64, about string) string
}{
	"FET008": {1, engine.Warning, func(_ int64, about string) string { return "robots.txt depends on who asks: " + about }},
	"FET009": {1, engine.Warning, func(_ int64, about string) string { return "not the same robots.txt: " + about }},
	"FET012": {1, engine.Info, func(int64, string) string {
		return "the site was asked with a name and password; without them it may answer otherwise"
	}},
	"RUL007": {1, engine.Warning, func(n int64, about string) string {
		return urls(n, "gets", "get") + " different verdicts: " + about
	}},
	"RUL017": {1, engine.Warning, func(n int64, _ string) string {
		return urls(n, "has", "have") + " the parameter in its other place, which this rule misses"
	}},
	"RUL020": {1, engine.Error, func(n int64, about string) string {
		if about == homePage {
			return "the home page is blocked"
		}
		return fmt.Sprintf("this line blocks %d %s", n, plural(n, about))
	}},
	"RUL019": {1, engine.Error, func(n int64, about string) string {
		return fmt.Sprintf("this line blocks %d %s that pages need to be rendered", n, plural(n, resourceWords[about]))
	}},
	"RUL021": {1, engine.Warning, func(n int64, _ string) string {
		return fmt.Sprintf("this line blocks %d %s with noindex", n, plural(n, "page"))
	}},
	"SM002": {1, engine.Error, func(n int64, _ string) string {
		return fmt.Sprintf("this line blocks %d %s that an index names", n, plural(n, "sitemap"))
	}},
	"SM003": {1, engine.Warning, func(n int64, about string) string {
		return fmt.Sprintf("%d %s: %s", n, plural(n, "sitemap"), about)
	}},
	"SM008": {1, engine.Error, func(n int64, about string) string {
		words := fmt.Sprintf("%d %s not well-formed XML", n, map[bool]string{true: "sitemap is", false: "sitemaps are"}[n == 1])
		if about == "" {
			return words
		}
		return words + "; strict parsers stop in the first in " + about
	}},
	"SM009": {1, engine.Warning, func(n int64, about string) string {
		return fmt.Sprintf("%d %s: %s", n, plural(n, "sitemap"), about)
	}},
	"YA007": {1, engine.Warning, func(n int64, _ string) string {
		return urls(n, "is", "are") + " blocked by this line that Clean-param would merge with another"
	}},
	"YA008": {10, engine.Warning, func(n int64, about string) string {
		return fmt.Sprintf("%s the parameter %s, which no Clean-param line names", urls(n, "has", "have"), about)
	}},
}

// What hit.about says of the targets of signals (RUL020).
const (
	homePage       = "home page"
	alternate      = "hreflang alternate"
	canonicalPage  = "canonical page"
	redirectTarget = "redirect target"
)

// resourceWords name kinds of files that pages need.
var resourceWords = map[string]string{crawl.KindCSS.String(): "style sheet", crawl.KindJS.String(): "script"}

func plural(n int64, word string) string {
	if n == 1 {
		return word
	}
	return word + "s"
}

// addHits adds what the counts show that are not those of one rule.
func (f *finder) addHits() {
	for _, key := range f.hitKeys() {
		t, say := f.hits[key], hitWords[key.id]
		if say.words == nil || t.n < say.least || key.id == "RUL020" && f.shut(int(key.line)) {
			continue
		}
		found := f.add(key.id, key.line, t, say.severity, say.words(t.n, key.about))
		if found != nil && strings.HasPrefix(key.id, "FET") { // the URLs are those of robots.txt
			found.Counted, found.URLs = false, 0
		}
	}
}

// shut reports whether Lint has said of a line that it blocks the whole site:
// then every part of it is blocked, which need not be said.
func (f *finder) shut(line int) bool {
	for _, found := range f.lint {
		if found.ID == "RUL018" && found.Line == line {
			return true
		}
	}
	return false
}
