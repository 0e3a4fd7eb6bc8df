package findings

import (
	"fmt"
	"strings"

	"robots-audit/engine"
)

// addRules adds what the counts of each rule show.
func (b *builder) addRules() {
	explained := map[int]bool{} // Lint has said why the rule does nothing
	for _, found := range b.lint {
		switch found.ID {
		case pathOtherEncoding, pathTellsWhatToHide, noREP1994: // say nothing of what the rule does
		default:
			explained[found.Line] = explained[found.Line] || strings.HasPrefix(found.ID, aboutRules)
		}
	}
	for i := range b.rules {
		r := &b.rules[i]
		line := int(r.line)
		if r.blocks != nil {
			b.addFinding(sitemapURLsBlocked, r.line, r.blocks, engine.Error, urls(r.blocks.n, "of the sitemaps is", "of the sitemaps are")+" blocked by this line", "named in a sitemap and blocked by this line")
		}
		if beyond := b.counts[subject{prefixTooWide, r.line, ""}]; beyond != nil {
			what := fmt.Sprintf("%s matches more than a directory: %s", r.prefix, urls(beyond.n, "only begins so", "only begin so"))
			if found := b.addFinding(prefixTooWide, r.line, beyond, engine.Warning, what, "decided by this line, and not in the directory"); found != nil && r.inside {
				found.Fix = fmt.Sprintf("Write %q, and %q as well if the bare path is meant.", r.prefix+"/", r.prefix+"$")
			}
			delete(b.counts, subject{prefixTooWide, r.line, ""})
		}
		byCase := subject{caseDiffers, r.line, ""}
		if t := b.counts[byCase]; t != nil && b.matched[i].urls == 0 {
			what, touched := urls(t.n, "differs", "differ")+" from this path in case alone, and the rule matches none as it stands", "matched by this line if case did not count"
			if b.caseURLs > caseAll {
				what, touched = "at least "+what, "at least: "+touched
			}
			b.addFinding(caseDiffers, r.line, t, engine.Warning, what, touched)
			explained[line] = true
		}
		delete(b.counts, byCase)
		if b.tested > 0 && r.decides == nil && !explained[line] {
			what := fmt.Sprintf("matches none of %d known URLs", b.tested)
			if m := b.matched[i]; m.urls > 0 {
				what = fmt.Sprintf("decides none of %d known URLs: other rules decide the %d that it matches", b.tested, m.urls)
				if m.differ {
					what += " for " + m.label
				}
			}
			b.addFinding(unusedRule, r.line, nil, engine.Info, what, decidedByLine)
		}
	}
}
