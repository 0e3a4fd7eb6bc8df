package history

import (
	"context"

	"robots-audit/audit/compare"
)

// SiteChange is a change of a site.
type SiteChange struct {
	Site string
	Run  Run // the newer run
	compare.Change
}

// newChangesQuery finds the runs by the index of changes, newest first, and sorts only the changes of these.
const newChangesQuery = "SELECT s.name, " + runFields + `, h.kind, h.what, h.before, h.after, h.severity, h.condition
FROM (SELECT * FROM change WHERE run >= (SELECT min(run) FROM (SELECT run FROM change ORDER BY run DESC LIMIT ?1)) ORDER BY run DESC, instr('critical high medium info', severity), site, number LIMIT ?1) h
JOIN site s ON s.site = h.site JOIN run r ON r.run = h.run
ORDER BY h.run DESC, instr('critical high medium info', h.severity), h.site, h.number`

// NewChanges returns the newest changes of all sites, at most limit. Those of one run are in order of
// severity, most severe first.
func (db *DB) NewChanges(ctx context.Context, limit int) ([]SiteChange, error) {
	return list(ctx, db, func(c *SiteChange) []any {
		return append(append([]any{&c.Site}, c.Run.fields()...), &c.Kind, &c.What, &c.Before, &c.After, &c.Severity, &c.Condition)
	}, newChangesQuery, max(limit, 0))
}
