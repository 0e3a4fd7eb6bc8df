package history

import "context"

// AlertFilter selects alerts.
type AlertFilter struct {
	Site  string // its name; "" = all sites
	Open  bool   // only open ones
	Limit int    // maximum number
}

// Alerts returns the open alerts, most severe first, then by most URLs, then oldest first. After
// them it returns the ended ones, latest end first. Acceptances are as in OpenAlerts.
func (db *DB) Alerts(ctx context.Context, filter AlertFilter) ([]Alert, error) {
	return db.alerts(ctx, filter.query(), filter.Site, max(filter.Limit, 0))
}

// alertOrder is the order of Alerts. An open alert has neither a run nor a time of its end.
const alertOrder = ` ORDER BY a.ended_run IS NOT NULL, CASE WHEN a.ended_run IS NULL THEN instr('critical high medium info', a.severity) END,
a.ended_run DESC, a.ended DESC, CASE WHEN a.ended_run IS NULL THEN -a.urls END, a.since, a.site, a.condition, a.id`

// query returns the statement for the alerts, with the name of the site and the limit as arguments.
// It selects them in the table of alerts alone, and joins the rest only for these. Open alerts have
// their own index.
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
