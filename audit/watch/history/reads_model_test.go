package history

import (
	order "cmp"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"robots-audit/audit"
)

// checkReads compares the runs and versions read with all entries, completely and up to a limit.
func (s story) checkReads(t *testing.T, db *DB) {
	t.Helper()
	ctx := t.Context()
	check := func(what string, limit int, got any, err error, want any) {
		t.Helper()
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" || err != nil {
			t.Errorf("%s, limit %d: %v (-want +got):\n%s", what, limit, err, diff)
		}
	}
	for _, limit := range []int{0, 1, 7, 100} {
		for _, site := range append(slices.Clone(storySites), "unknown.com") {
			runs, err := db.SiteRuns(ctx, site, limit)
			check("runs of "+site, limit, runs, err, firstOf(s.siteRuns(site), limit))
			versions, err := db.Versions(ctx, site, limit)
			check("versions of "+site, limit, versions, err, firstOf(s.versions(site), limit))
		}
		totals, err := db.RunTotals(ctx, limit)
		check("totals", limit, totals, err, firstOf(s.totals(), limit))
		for n, run := range s.runs {
			sites, err := db.RunSites(ctx, run.ID, limit)
			check("sites of "+run.ID, limit, sites, err, firstOf(s.runSites(n), limit))
			states, err := db.StateTotals(ctx, run.ID)
			check("states of "+run.ID, limit, states, err, s.stateTotals(n))
		}
	}
	if none, err := db.Versions(ctx, storySites[0], -1); len(none) > 0 || err != nil { // SQLite takes it for no limit
		t.Errorf("a limit of -1: %d versions (%v)", len(none), err)
	}
	for _, site := range storySites {
		for _, want := range s.versions(site) {
			v, ok, err := db.Version(ctx, site, want.SHA256)
			check("version", 0, v, err, want)
			if !ok {
				t.Errorf("%s: no version %s", site, want.SHA256)
			}
		}
	}
	if v, ok, err := db.Version(ctx, storySites[0], "none"); ok || err != nil {
		t.Errorf("a version that was never served: %+v (%v)", v, err)
	}
}

func firstOf[T any](all []T, limit int) []T { return all[:min(len(all), limit)] }

func (s story) siteRuns(site string) (list []SiteRun) {
	for n, entries := range s.entries {
		for _, e := range entries {
			if of := &e.Site; of.Name == site {
				list = append(list, SiteRun{Run: s.runs[n], State: of.State, Answer: of.Answer, Status: of.Status, Code: of.Code, Settled: e.Settled, SHA256: of.SHA256, Known: of.Known, Blocked: of.Blocked})
			}
		}
	}
	slices.Reverse(list)
	return list
}

func (s story) runSites(n int) (list []RunSite) {
	for _, e := range s.entries[n] {
		list = append(list, RunSite{e.Site.Name, e.Site.State, e.Site.Known, e.Site.Blocked})
	}
	slices.SortFunc(list, func(a, b RunSite) int {
		ofState := int(audit.State(a.State).Rank() - audit.State(b.State).Rank())
		return order.Or(ofState, order.Compare(b.Blocked, a.Blocked), order.Compare(a.Site, b.Site))
	})
	return list
}

func (s story) stateTotals(n int) (list []StateTotal) {
	for _, site := range s.runSites(n) {
		if k := len(list); k == 0 || list[k-1].State != site.State {
			list = append(list, StateTotal{State: site.State})
		}
		t := &list[len(list)-1]
		t.Sites, t.Known, t.Blocked = t.Sites+1, t.Known+site.Known, t.Blocked+site.Blocked
	}
	return list
}

func (s story) versions(site string) []Version {
	all := map[string]Version{}
	for n, entries := range s.entries {
		for _, e := range entries {
			of := &e.Site
			if of.Name != site || of.SHA256 == "" {
				continue
			}
			v, ok := all[of.SHA256]
			if !ok {
				v = Version{SHA256: of.SHA256, Bytes: of.Bytes, First: s.runs[n].Started, FirstRun: s.runs[n].ID}
			}
			if v.Last, v.LastRun = s.runs[n].Started, s.runs[n].ID; of.Body != nil {
				v.Body = of.Body
			}
			all[of.SHA256] = v
		}
	}
	return slices.SortedFunc(maps.Values(all), func(a, b Version) int { return b.Last.Compare(a.Last) })
}

func (s story) totals() (list []RunTotal) {
	for n, r := range s.runs {
		total := RunTotal{Run: r}
		for _, e := range s.entries[n] {
			total.Sites++
			total.Known += e.Site.Known
			total.Blocked += e.Site.Blocked
			states := map[string]*int64{"critical": &total.States.Critical, "warn": &total.States.Warn, "unknown": &total.States.Unknown, "ok": &total.States.OK}
			*states[e.Site.State]++
			for _, c := range e.Changes {
				counts := map[string]*int64{"critical": &total.Changes.Critical, "high": &total.Changes.High, "medium": &total.Changes.Medium, "info": &total.Changes.Info}
				*counts[string(c.Severity)]++
			}
			blocked := slices.ContainsFunc(e.Flips, func(f Flips) bool { return f.NewlyBlocked > 0 })
			allowed := slices.ContainsFunc(e.Flips, func(f Flips) bool { return f.NewlyAllowed > 0 })
			if blocked {
				total.Flipped.Blocked++
			}
			if allowed {
				total.Flipped.Allowed++
			}
		}
		list = append(list, total)
	}
	slices.Reverse(list)
	return list
}

// An empty file is known even if no body was kept. A failed run does not show the content of
// robots.txt, whatever was entered.
func TestEmptyVersion(t *testing.T) {
	db := mustOpen(t, t.TempDir())
	for n, body := range [][]byte{nil, {}} {
		enter(t, db, testRun(n, ""), Entry{Settled: true, Site: Site{Name: []string{"a", "b"}[n], Answer: AnswerEmpty, Status: 200, SHA256: emptySHA256, Body: body}})
	}
	for _, site := range []string{"a", "b"} {
		v, err := db.Versions(t.Context(), site, 1)
		if err != nil || len(v) != 1 || v[0].Body == nil || len(v[0].Body) != 0 {
			t.Errorf("%s: %+v (%v)", site, v, err)
		}
	}
}

func TestTells(t *testing.T) {
	for answer, want := range map[Answer]bool{
		AnswerOK: true, AnswerEmpty: true, AnswerHTML: true, AnswerBinary: true, AnswerRedirect: true, AnswerMissing: true,
		AnswerBusy: false, AnswerServerError: false, AnswerNone: false, AnswerNotAsked: false,
	} {
		settled, not := SiteRun{Answer: answer, Settled: true}, SiteRun{Answer: answer}
		if settled.Tells() != want || not.Tells() {
			t.Errorf("%s: %v, %v", answer, settled.Tells(), not.Tells())
		}
	}
}
