package audit

import (
	"fmt"
	"strings"

	"robots-audit/engine"
)

// addRules adds what the counts of each rule show.
func (f *finder) addRules() {
	explained := map[int]bool{} // Lint has said why the rule does nothing
	for _, found := range f.lint {
		if strings.HasPrefix(found.ID, "RUL") && found.ID != "RUL014" && found.ID != "RUL022" && found.ID != "RUL024" {
			explained[found.Line] = true
		}
	}
	for i := range f.rules {
		r := &f.rules[i]
		line := int(r.line)
		if r.blocks != nil {
			f.add("SM005", r.line, r.blocks, engine.Error, urls(r.blocks.n, "of the sitemaps is", "of the sitemaps are")+" blocked by this line")
		}
		if victims := f.hits[hit{"RUL013", r.line, ""}]; victims != nil {
			what := fmt.Sprintf("%s matches more than a directory: %s", r.prefix, urls(victims.n, "only begins so", "only begin so"))
			if found := f.add("RUL013", r.line, victims, engine.Warning, what); found != nil && r.inside {
				found.Fix = fmt.Sprintf("Write %q, and %q as well if the bare path is meant.", r.prefix+"/", r.prefix+"$")
			}
			delete(f.hits, hit{"RUL013", r.line, ""})
		}
		fold := hit{"RUL012", r.line, ""}
		if t := f.hits[fold]; t != nil && f.matched[line] == 0 {
			f.add("RUL012", r.line, t, engine.Warning, urls(t.n, "differs", "differ")+" from this path in case alone, and the rule matches none as it stands")
			explained[line] = true
		}
		delete(f.hits, fold)
		if f.urls > 0 && r.decides == nil && !explained[line] {
			what := fmt.Sprintf("matches none of %d known URLs", f.urls)
			if n := f.matched[line]; n > 0 {
				what = fmt.Sprintf("decides none of %d known URLs: other rules decide the %d that it matches", f.urls, n)
			}
			f.add("RUL008", r.line, &touched{}, engine.Info, what)
		}
	}
}
