package history

import (
	"context"

	"robots-audit/audit/compare"
)

// RunTotal has the totals of a run over all of its sites. It does not change after the run is
// entered, except for the folder, which retention removes.
type RunTotal struct {
	Run     Run
	Sites   int64
	Known   int64 // known URLs
	Blocked int64 // known URLs blocked for at least one crawler
	States  States
	Changes compare.Severities // since the runs before; a change may flip many URLs or none
}

// States count the sites of a run by their state; the others are ok.
type States struct{ Critical, Warn, Unknown int64 }

// runTotalsQuery has a row for each severity of each run, and one for a run without a change.
const runTotalsQuery = "SELECT " + runFields + `, r.sites, r.known, r.blocked,
(SELECT count(*) FROM site_run s WHERE s.run = r.run AND s.state = 'critical'), (SELECT count(*) FROM site_run s WHERE s.run = r.run AND s.state = 'warn'), (SELECT count(*) FROM site_run s WHERE s.run = r.run AND s.state = 'unknown'),
coalesce(h.severity, ''), count(h.number)
FROM (SELECT * FROM run ORDER BY run DESC LIMIT ?) r LEFT JOIN change h ON h.run = r.run GROUP BY r.run, h.severity ORDER BY r.run DESC`

// RunTotals returns the runs of all schedules, at most limit, newest first. It reads all changes of
// these runs.
func (db *DB) RunTotals(ctx context.Context, limit int) (totals []RunTotal, err error) {
	type row struct {
		RunTotal
		severity compare.Severity
		changes  int64
	}
	rows, err := list(ctx, db, func(r *row) []any {
		return append(r.Run.fields(), &r.Sites, &r.Known, &r.Blocked, &r.States.Critical, &r.States.Warn, &r.States.Unknown, &r.severity, &r.changes)
	}, runTotalsQuery, max(limit, 0))
	for _, r := range rows {
		if n := len(totals); n == 0 || totals[n-1].Run.ID != r.Run.ID {
			totals = append(totals, r.RunTotal)
		}
		*totals[len(totals)-1].Changes.Of(r.severity) += r.changes
	}
	return totals, err
}
