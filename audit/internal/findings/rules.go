package findings

import (
	"fmt"
	"strings"

	"robots-audit/engine"
	"robots-audit/engine/wording"
)

// addRules adds the findings from the counts of each rule.
func (b *builder) addRules() {
	explained := map[int]bool{} // Lint says why the rule has no effect
	for _, found := range b.lint {
		switch found.ID {
		case pathOtherEncoding, pathTellsWhatToHide, noREP1994: // these do not explain the rule's effect
		default:
			explained[found.Line] = explained[found.Line] || strings.HasPrefix(found.ID, aboutRules)
		}
	}
	var unused []int
	others := 0 // further rules that decide nothing, for which Lint gives the reason
	for i := range b.rules {
		r := &b.rules[i]
		line := int(r.line)
		if r.blocks != nil {
			b.addFinding(sitemapURLsBlocked, r.line, r.blocks, engine.Error, "this line blocks "+wording.URLs(r.blocks.n)+" of the sitemaps", "in a sitemap and blocked by this line")
		}
		if beyond := b.counts[subject{prefixTooWide, r.line, ""}]; beyond != nil {
			what := fmt.Sprintf("%s matches more than a directory: %s", r.prefix, urls(beyond.n, "only begins with this text", "only begin with this text"))
			if found := b.addFinding(prefixTooWide, r.line, beyond, engine.Warning, what, "decided by this line, and not in the directory"); found != nil && r.inside {
				found.Fix = fmt.Sprintf("Write %q. To include the path without the slash, add a rule with %q.", r.prefix+"/", r.prefix+"$")
			}
			delete(b.counts, subject{prefixTooWide, r.line, ""})
		}
		byCase := subject{caseDiffers, r.line, ""}
		if t := b.counts[byCase]; t != nil && b.matched[i].urls == 0 {
			what, touched := urls(t.n, "differs", "differ")+" from this path only in upper and lower case, so the rule does not match", "matched by this line if case did not count"
			if b.caseURLs > caseAll {
				what, touched = "at least "+what, "at least: "+touched
			}
			if found := b.addFinding(caseDiffers, r.line, t, engine.Warning, what, touched); found != nil {
				found.FlipsKnown = b.caseURLs <= caseAll
			}
			explained[line] = true
		}
		delete(b.counts, byCase)
		switch {
		case b.tested == 0 || r.decides != nil:
		case explained[line]:
			others++
		default:
			unused = append(unused, i)
		}
	}
	b.addUnused(unused, others)
}

// shownLines is the number of lines that a sentence names.
const shownLines = 3

// addUnused adds one finding for all rules that decide no known URL, given by their indices.
// Separate findings would be a long list that no one reads. others counts further rules that decide
// no URL, so that the finding has their total.
func (b *builder) addUnused(unused []int, others int) {
	if len(unused) == 0 || b.foreign {
		return
	}
	first := &b.rules[unused[0]]
	if len(unused) == 1 && others == 0 {
		if found := b.addFinding(unusedRule, first.line, nil, engine.Info, b.whyUnused(&b.matched[unused[0]]), decidedByLine); found != nil {
			found.FlipsKnown = true
		}
		return
	}
	lines, matching := make([]int, 0, min(len(unused), engine.MaxLines)), 0
	for _, i := range unused {
		if len(lines) < engine.MaxLines {
			lines = append(lines, int(b.rules[i].line))
		}
		if b.matched[i].urls > 0 {
			matching++
		}
	}
	what := fmt.Sprintf("%s decide %s: %s", wording.Plural(len(unused)+others, "rule"), noneOf(b.tested), nameLines(lines, len(unused)))
	if others > 0 {
		what += ", and " + wording.Plural(others, "line") + " with another finding"
	}
	if matching > 0 {
		what += fmt.Sprintf("; %s of them %s URLs that other rules decide", wording.Thousands(matching), wording.Verb(matching, "matches", "match"))
	}
	if found := b.addFinding(unusedRule, first.line, nil, engine.Info, what, "decided by one of these lines"); found != nil {
		found.Lines, found.FlipsKnown = lines, true
	}
}

// whyUnused says which URLs a rule matches that decides none.
func (b *builder) whyUnused(m *matched) string {
	if m.urls == 0 {
		return "matches " + noneOf(b.tested)
	}
	what := fmt.Sprintf("decides %s: other rules decide the %s that it matches", noneOf(b.tested), wording.Thousands(m.urls))
	if m.differ {
		what += " for " + m.label
	}
	return what
}

// noneOf says that none of the tested URLs is affected.
func noneOf(tested int64) string {
	if tested == 1 {
		return "no URL (1 was tested)"
	}
	return "none of " + wording.URLs(tested)
}

// nameLines names the first of n lines: "lines 3, 5, 9 and 12 more".
func nameLines(lines []int, n int) string {
	var names []string
	for _, line := range lines[:min(len(lines), shownLines)] {
		names = append(names, fmt.Sprint(line))
	}
	if more := n - len(names); more > 0 {
		return "lines " + strings.Join(names, ", ") + " and " + wording.Thousands(more) + " more"
	}
	return wording.Verb(n, "line ", "lines ") + wording.And(names)
}
