package history

import "context"

// RunSite is what a run says of one of its sites.
type RunSite struct {
	Site    string // its name
	State   string // ok, warn, critical, unknown
	Answer  Answer
	Known   int64 // known URLs
	Blocked int64 // known URLs blocked for at least one crawler
}

// runSitesQuery goes along the names, which lie in order, and stops after the last row that
// is asked for.
const runSitesQuery = `SELECT s.name, l.state, l.answer, l.known, l.blocked
FROM site s CROSS JOIN site_run l ON l.site = s.site AND l.run = (SELECT run FROM run WHERE id = ?)
WHERE s.name > ? ORDER BY s.name LIMIT ?`

// RunSites returns the sites of a run, at most limit, by their names: those that come after
// a name; "" = from the first one. None for a run that the history does not know.
func (db *DB) RunSites(ctx context.Context, run, after string, limit int) ([]RunSite, error) {
	return list(ctx, db, func(row interface{ Scan(...any) error }) (s RunSite, err error) {
		err = row.Scan(&s.Site, &s.State, &s.Answer, &s.Known, &s.Blocked)
		return s, err
	}, runSitesQuery, run, after, max(limit, 0))
}
