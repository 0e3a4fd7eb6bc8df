package history

import (
	"strings"
	"testing"
)

// Queries for a waiting user use an index, and never read all sites of all runs. Each query lists
// the tables that it may scan, by their names in the plan.
func TestPlans(t *testing.T) {
	db := smallHistory(t)
	for name, q := range map[string]struct {
		sql   string
		args  []any
		scans []string // tables that it may scan
	}{
		"Versions":       {versionsQuery, []any{"example.com", 5}, []string{"l"}}, // the versions found in the runs of the site
		"Version":        {versionQuery, []any{"example.com", "v1"}, nil},
		"SiteRuns":       {siteRunsQuery, []any{"example.com", 5}, nil},
		"RunTotals":      {runTotalsQuery, []any{5}, []string{"run", "r"}},             // the newest runs, and these once more
		"Alerts":         {AlertFilter{}.query(), AlertFilter{}.args(), []string{"a"}}, // there is no index of those that have ended
		"Alerts of site": {AlertFilter{Site: "example.com"}.query(), AlertFilter{}.args(), []string{"a"}},
		"open Alerts":    {AlertFilter{Open: true}.query(), AlertFilter{}.args(), []string{"a USING INDEX alert_held"}},
		"both":           {AlertFilter{Site: "example.com", Open: true}.query(), AlertFilter{}.args(), nil},
		"severe Alerts":  {AlertFilter{Least: "high"}.query(), AlertFilter{}.args(), []string{"a", "m"}},
		"Edits":          {editsQuery, nil, []string{"a USING INDEX alert_held"}},
		"RunSites":       {runSitesQuery, []any{runID(0), 5}, nil},
		"StateTotals":    {stateTotalsQuery, []any{runID(0)}, nil},
		"states of runs": {runStatesQuery, []any{5}, []string{"run", "(subquery-2)"}},
		"first run":      {runColumns + "ORDER BY started LIMIT 1", nil, []string{"r USING INDEX run_started"}},
		"Period":         {periodRunsQuery, []any{"2026-11-01", "2026-12-01", 5}, nil},
		"sites of days":  {periodSitesQuery + siteOrders[""], []any{1, 6, "", -1, "", false}, []string{"s", "run", "(subquery-2)"}}, // all sites
		"flips of runs":  {runFlipsQuery, []any{5}, []string{"run", "(subquery-2)"}},
		"alerts of runs": {runAlertsQuery, nil, []string{"alert USING INDEX alert_held"}},
		"owned Alerts":   {AlertFilter{Owner: "Ann", State: Unanswered, Open: true}.query(), AlertFilter{}.args(), []string{"a USING INDEX alert_held"}},
		"SiteDays":       {siteDaysQuery, []any{1, 6, "[1]"}, []string{"json_each VIRTUAL TABLE INDEX 1:"}},
		"Shares":         {sharesQuery, []any{1, 6}, []string{"s"}}, // all sites
		"FixTimes":       {fixedQuery, []any{"2026-11-01", 5}, nil},
		"open FixTimes":  {openQuery, []any{5}, []string{"a USING INDEX alert_held"}},
		"NewChanges":     {newChangesQuery, []any{5}, []string{"change USING COVERING INDEX change_run", "(subquery-1)", "h"}},
	} {
		var plan []string
		rows, err := db.read.Query("EXPLAIN QUERY PLAN "+q.sql, q.args...)
		noError(t, err)
		for rows.Next() {
			var id, parent, unused int
			var detail string
			noError(t, rows.Scan(&id, &parent, &unused, &detail))
			plan = append(plan, detail)
			of, scans := strings.CutPrefix(detail, "SCAN ")
			for _, may := range q.scans {
				scans = scans && of != may
			}
			if scans {
				t.Errorf("%s: SCAN %s", name, of)
			}
		}
		noError(t, rows.Close())
		if len(plan) == 0 {
			t.Errorf("%s has no plan", name)
		}
	}
}
