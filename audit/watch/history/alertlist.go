package history

import "context"

// AlertFilter chooses alerts.
type AlertFilter struct {
	Site  string // its name; "" = of all sites
	Open  bool   // those that hold alone
	Limit int    // at most so many
}

// Alerts returns the alerts that hold, the most severe first, of one severity those of most URLs and
// then the oldest; then those that have ended, the latest end first. What was accepted is as OpenAlerts has it.
func (db *DB) Alerts(ctx context.Context, filter AlertFilter) ([]Alert, error) {
	return db.alerts(ctx, filter.query(), filter.Site, max(filter.Limit, 0))
}

// alertOrder is that of Alerts. An alert that holds has neither a run nor a time of its end.
const alertOrder = ` ORDER BY a.ended_run IS NOT NULL, CASE WHEN a.ended_run IS NULL THEN instr('critical high medium info', a.severity) END,
a.ended_run DESC, a.ended DESC, CASE WHEN a.ended_run IS NULL THEN -a.urls END, a.since, a.site, a.condition, a.id`

// query is the statement that finds the alerts, by the name of the site and the limit. It
// chooses them in the table of alerts alone, and looks up the rest for these. Those that hold
// lie in an index of their own.
func (f AlertFilter) query() string {
	ids := "SELECT a.id FROM alert a WHERE true"
	if f.Site != "" {
		ids += " AND a.site = (SELECT site FROM site WHERE name = ?1)"
	}
	if f.Open {
		ids += " AND a.ended_run IS NULL"
	}
	return alertColumns + "WHERE a.id IN (" + ids + alertOrder + " LIMIT ?2)" + alertOrder
}
