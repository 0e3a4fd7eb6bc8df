package history

import "context"

// RunSite has the result of one site in a run.
type RunSite struct {
	Site    string
	State   string // ok, warn, critical, unknown
	Known   int64  // known URLs
	Blocked int64  // known URLs blocked for at least one crawler
}

// runSitesQuery has the states in the order of audit.State.Rank.
const runSitesQuery = `SELECT s.name, l.state, l.known, l.blocked FROM site_run l CROSS JOIN site s ON s.site = l.site
WHERE l.run = (SELECT run FROM run WHERE id = ?) ORDER BY instr('critical warn unknown ok', l.state), l.blocked DESC, s.name LIMIT ?`

// RunSites returns the sites of a run, at most limit: most severe first, then by most blocked URLs,
// then by name.
func (db *DB) RunSites(ctx context.Context, runID string, limit int) ([]RunSite, error) {
	return list(ctx, db, func(s *RunSite) []any { return []any{&s.Site, &s.State, &s.Known, &s.Blocked} }, runSitesQuery, runID, max(limit, 0))
}

// StateTotal has the totals of the sites of a run in one state.
type StateTotal struct {
	State                 string // ok, warn, critical, unknown
	Sites, Known, Blocked int64
}

const stateTotalsQuery = `SELECT state, count(*), sum(known), sum(blocked) FROM site_run
WHERE run = (SELECT run FROM run WHERE id = ?) GROUP BY state ORDER BY instr('critical warn unknown ok', state)`

// StateTotals returns the totals of a run by state, most severe first. States without a site are not
// in the list.
func (db *DB) StateTotals(ctx context.Context, runID string) ([]StateTotal, error) {
	return list(ctx, db, func(t *StateTotal) []any { return []any{&t.State, &t.Sites, &t.Known, &t.Blocked} }, stateTotalsQuery, runID)
}
