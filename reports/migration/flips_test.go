package migration

import (
	"strings"
	"testing"

	"robots-audit/audit"
	"robots-audit/audit/compare"
	"robots-audit/audit/migrate"
	"robots-audit/engine"
)

// A comparison and a migration classify a change of a verdict in the same way. An unclear verdict
// does not show whether a URL was allowed before: it is never newly blocked.
func TestClass(t *testing.T) {
	const clear, unclear, blocked, allowed = "clear_again", "now_unclear", "newly_blocked", "newly_allowed"
	f := &Folder{Options: Options{Crawlers: []audit.Crawler{{Label: "Googlebot"}}}}
	verdicts := []engine.Verdict{engine.Allow, engine.Disallow, engine.Undefined, engine.Unknown}
	for i, list := range [][]string{
		{"same", blocked, unclear, unclear},
		{allowed, "same", unclear, unclear},
		{clear, clear, "same", unclear},
		{clear, clear, unclear, "same"},
	} {
		for k, want := range list {
			was, is := verdicts[i], verdicts[k]
			if got := compare.ClassOf(was, is).String(); got != want {
				t.Errorf("compare: %s → %s is %s, want %s", was, is, got, want)
			}
			r := &migrate.Result{Target: migrate.Target{Live: []migrate.Verdict{{Verdict: was}}, Proposed: []migrate.Verdict{{Verdict: is}}}}
			got := "same"
			if flips := f.flipsOf(r); flips != nil {
				got = strings.ReplaceAll(flips[0].Class, " ", "_")
			}
			if got != want {
				t.Errorf("migration: %s → %s is %s, want %s", was, is, got, want)
			}
			counts := make([]FlipCount, 1)
			newFlipTotals().add(counts, r, entry{})
			c := &counts[0]
			if n := (map[string]int64{blocked: c.NewlyBlocked, allowed: c.NewlyAllowed, unclear: c.NowUnclear, clear: c.ClearAgain, "same": c.StaysAllowed + c.StaysBlocked + c.StaysUnclear})[want]; n != 1 {
				t.Errorf("migration: %s → %s counts %+v, want %s", was, is, *c, want)
			}
		}
	}
}
