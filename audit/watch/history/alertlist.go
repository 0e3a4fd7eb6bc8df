package history

import (
	"context"
	"time"
)

// AlertFilter selects alerts. The alerts that one run raised on one site are a change. Those of a
// change that are open belong together, and so do those that one run ended.
type AlertFilter struct {
	Site     string    // its name; "" = all sites
	Raised   string    // ID of the run that raised them; "" = any
	Schedule string    // schedule of that run; "" = any
	Least    string    // lowest severity of the most severe alert that belongs together with one: "high"; "" = any
	After    time.Time // raised then or later; zero = any
	Before   time.Time // raised earlier; zero = any
	Open     bool      // only open ones
	Limit    int       // maximum number

	Condition string
	Owner     string // who works on them; "" = anybody
	Unowned   bool   // nobody works on them
	State     AlertState
	Now       time.Time // for State
}

// AlertState says how far people are with an alert.
type AlertState string

// The states of alerts. A pause that is over leaves an alert unanswered.
const (
	Unanswered   AlertState = "open"
	Acknowledged AlertState = "acknowledged"
	Accepted     AlertState = "accepted"
	Resolved     AlertState = "resolved"
)

// inState are the SQL conditions of the states, for an alert a.
var inState = map[AlertState]string{
	Unanswered:   "a.ended_run IS NULL AND NOT " + lastAnswer("accepted") + " AND " + lastAnswer("until") + " <= ?9",
	Acknowledged: "a.ended_run IS NULL AND NOT " + lastAnswer("accepted") + " AND " + lastAnswer("until") + " > ?9",
	Accepted:     "a.ended_run IS NULL AND " + lastAnswer("accepted"),
	Resolved:     "a.ended_run IS NOT NULL",
}

// lastAnswer is the SQL for a column of an alert's last acknowledgement.
func lastAnswer(column string) string {
	return "coalesce((SELECT " + column + " FROM acknowledgement WHERE alert = a.id ORDER BY at DESC LIMIT 1), 0)"
}

// Alerts returns the open alerts, most severe first, then by most URLs, then oldest first. After
// them it returns the ended ones, latest end first. Acceptances are as in OpenAlerts.
func (db *DB) Alerts(ctx context.Context, filter AlertFilter) ([]Alert, error) {
	return db.alerts(ctx, filter.query(), filter.args()...)
}

// severityOrder is the SQL for the order of a severity, most severe first.
func severityOrder(of string) string { return "instr('critical high medium info', " + of + ")" }

// alertOrder is the order of Alerts. An open alert has neither a run nor a time of its end.
var alertOrder = ` ORDER BY a.ended_run IS NOT NULL, CASE WHEN a.ended_run IS NULL THEN ` + severityOrder("a.severity") + ` END,
a.ended_run DESC, a.ended DESC, CASE WHEN a.ended_run IS NULL THEN -a.urls END, a.since, a.site, a.condition, a.id`

// query returns the statement for the alerts, with args as its arguments. It selects them in the
// table of alerts alone, and joins the rest only for these. Open alerts have their own index.
func (f AlertFilter) query() string {
	ids := "SELECT a.id FROM alert a WHERE true"
	if f.Site != "" {
		ids += " AND a.site = (SELECT site FROM site WHERE name = ?1)"
	}
	if f.Raised != "" {
		ids += " AND a.raised_run = (SELECT run FROM run WHERE id = ?3)"
	}
	if f.Schedule != "" {
		ids += " AND a.raised_run IN (SELECT run FROM run WHERE schedule = ?10)"
	}
	if f.Least != "" {
		ids += " AND (a.site, a.raised_run, coalesce(a.ended_run, 0)) IN (SELECT m.site, m.raised_run, coalesce(m.ended_run, 0) FROM alert m WHERE " + severityOrder("m.severity") + " <= " + severityOrder("?4") + ")"
	}
	if !f.After.IsZero() {
		ids += " AND a.since >= ?5"
	}
	if !f.Before.IsZero() {
		ids += " AND a.since < ?6"
	}
	if f.Open {
		ids += " AND a.ended_run IS NULL"
	}
	if f.Condition != "" {
		ids += " AND a.condition = ?7"
	}
	switch owner := "coalesce((SELECT owner FROM alert_owner WHERE alert = a.id), '')"; {
	case f.Unowned:
		ids += " AND " + owner + " = ''"
	case f.Owner != "":
		ids += " AND " + owner + " = ?8"
	}
	if in := inState[f.State]; in != "" {
		ids += " AND " + in
	}
	return alertColumns + "WHERE a.id IN (" + ids + alertOrder + " LIMIT ?2)" + alertOrder
}

// args returns the arguments of the query.
func (f AlertFilter) args() []any {
	return []any{f.Site, max(f.Limit, 0), f.Raised, f.Least, timeText(f.After), timeText(f.Before), f.Condition, f.Owner, timeText(f.Now), f.Schedule}
}

// AlertSites returns the names of sites that have or had an alert, at most limit.
func (db *DB) AlertSites(ctx context.Context, limit int) ([]string, error) {
	return list(ctx, db, textField, "SELECT name FROM site WHERE site IN (SELECT site FROM alert) ORDER BY name LIMIT ?", max(limit, 0))
}

// AlertConditions returns the conditions of open alerts.
func (db *DB) AlertConditions(ctx context.Context) ([]string, error) {
	return list(ctx, db, textField, "SELECT DISTINCT condition FROM alert WHERE ended_run IS NULL ORDER BY condition")
}

// AlertOwners returns those who work on open alerts, at most limit.
func (db *DB) AlertOwners(ctx context.Context, limit int) ([]string, error) {
	return listAlerts(ctx, db, textField, "SELECT DISTINCT owner FROM alert_owner WHERE owner <> '' AND alert IN (SELECT id FROM alert WHERE ended_run IS NULL) ORDER BY owner LIMIT ?", max(limit, 0))
}

// Edit is a change of a robots.txt that raised an alert: the SHA-256 of its versions in the alert's
// base run and in the run that raised it.
type Edit struct{ Old, New string }

// Edits returns, by the ids of open alerts, the edits of the robots.txt of the site's own origin.
// There is none if the file is the same, or if no run kept the text of one version.
func (db *DB) Edits(ctx context.Context) (map[string]Edit, error) {
	type row struct {
		id string
		Edit
	}
	rows, err := list(ctx, db, func(r *row) []any { return []any{&r.id, &r.Old, &r.New} }, editsQuery)
	edits := make(map[string]Edit, len(rows))
	for _, r := range rows {
		edits[r.id] = r.Edit
	}
	return edits, err
}

// editsQuery goes from the open alerts to the rest. An empty file has a text even if none is stored.
const editsQuery = `SELECT a.id, o.sha256, n.sha256 FROM alert a
CROSS JOIN site_run x ON x.site = a.site AND x.run = a.base_run JOIN robots_version o ON o.version = x.version
CROSS JOIN site_run y ON y.site = a.site AND y.run = a.raised_run JOIN robots_version n ON n.version = y.version
WHERE a.ended_run IS NULL AND o.version <> n.version AND (o.body IS NOT NULL OR o.bytes = 0) AND (n.body IS NOT NULL OR n.bytes = 0)`
