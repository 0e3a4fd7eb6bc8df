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
	Flipped FlippedSites       // likewise
	Alerts  int64              // open alerts that the run raised
}

// FlippedSites are the sites with newly blocked URLs, and with newly allowed ones, for at least one crawler. A site can
// be among both.
type FlippedSites struct{ Blocked, Allowed int64 }

// States count the sites of a run by their state. One of a later version is unknown.
type States struct{ Critical, Warn, Unknown, OK int64 }

// runTotalsQuery has a row for each severity of the changes of each run, and one for a run without a change.
const runTotalsQuery = "SELECT " + runFields + `, r.run, r.sites, r.known, r.blocked, coalesce(h.severity, ''), count(h.number)
FROM (SELECT * FROM run ORDER BY run DESC LIMIT ?) r LEFT JOIN change h ON h.run = r.run GROUP BY r.run, h.severity ORDER BY r.run DESC`

// runStatesQuery counts the sites of runs by an index, in one row for each state of a run.
const runStatesQuery = `SELECT run, state, count(*) FROM site_run
WHERE run >= (SELECT min(run) FROM (SELECT run FROM run ORDER BY run DESC LIMIT ?)) GROUP BY run, state`

// runFlipsQuery counts the sites with flips of each run.
const runFlipsQuery = `SELECT run, count(DISTINCT CASE WHEN newly_blocked > 0 THEN site END), count(DISTINCT CASE WHEN newly_allowed > 0 THEN site END) FROM flip_count
WHERE run >= (SELECT min(run) FROM (SELECT run FROM run ORDER BY run DESC LIMIT ?)) GROUP BY run`

// runAlertsQuery counts the open alerts by the run that raised them.
const runAlertsQuery = "SELECT raised_run, count(*) FROM alert WHERE ended_run IS NULL GROUP BY raised_run"

// RunTotals returns the runs of all schedules, at most limit, newest first. It reads all changes of
// these runs.
func (db *DB) RunTotals(ctx context.Context, limit int) (totals []RunTotal, err error) {
	type row struct {
		RunTotal
		number   int64
		severity compare.Severity
		changes  int64
	}
	rows, err := list(ctx, db, func(r *row) []any {
		return append(r.Run.fields(), &r.number, &r.Sites, &r.Known, &r.Blocked, &r.severity, &r.changes)
	}, runTotalsQuery, max(limit, 0))
	if err != nil {
		return nil, err
	}
	place := map[int64]int{}
	for _, r := range rows {
		if _, known := place[r.number]; !known {
			place[r.number] = len(totals)
			totals = append(totals, r.RunTotal)
		}
		*totals[place[r.number]].Changes.Of(r.severity) += r.changes
	}
	type count struct {
		run   int64
		state string
		sites int64
	}
	counts, err := list(ctx, db, func(c *count) []any { return []any{&c.run, &c.state, &c.sites} }, runStatesQuery, max(limit, 0))
	for _, c := range counts {
		at, known := place[c.run]
		if !known { // entered meanwhile
			continue
		}
		switch of := &totals[at].States; c.state {
		case "critical":
			of.Critical = c.sites
		case "warn":
			of.Warn = c.sites
		case "ok":
			of.OK = c.sites
		default:
			of.Unknown += c.sites
		}
	}
	if err != nil {
		return nil, err
	}
	return totals, db.addNews(ctx, totals, place, limit)
}

// addNews adds flips and alerts to the totals of runs, whose places are by their numbers.
func (db *DB) addNews(ctx context.Context, totals []RunTotal, place map[int64]int, limit int) error {
	type row struct {
		run, first, second int64
	}
	flips, err := list(ctx, db, func(r *row) []any { return []any{&r.run, &r.first, &r.second} }, runFlipsQuery, max(limit, 0))
	if err != nil {
		return err
	}
	alerts, err := list(ctx, db, func(r *row) []any { return []any{&r.run, &r.first} }, runAlertsQuery)
	for _, r := range flips {
		if at, known := place[r.run]; known {
			totals[at].Flipped = FlippedSites{r.first, r.second}
		}
	}
	for _, r := range alerts {
		if at, known := place[r.run]; known {
			totals[at].Alerts = r.first
		}
	}
	return err
}
