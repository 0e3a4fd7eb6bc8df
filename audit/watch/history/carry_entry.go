package history

import (
	"context"
	"database/sql"
	"time"

	"robots-audit/audit/compare"
)

// entry returns what a run entered of a site, as far as the rows tell it: the stretches
// that a settled run lies in stand for its rules and its blocked URLs. Entered again in
// a new file, in the order of the runs, entries make the same rows.
func (db *DB) entry(ctx context.Context, site, run string) (e Entry, err error) {
	var siteNumber, runNumber, millis int64
	var bytes sql.NullInt64
	s := &e.Site
	s.Name = site
	err = db.read.QueryRowContext(ctx, `SELECT x.site, x.run, x.state, x.answer, x.status, x.code, x.settled, x.known, x.blocked, x.millis, coalesce(v.sha256, ''), v.bytes, v.body
FROM site_run x JOIN site s ON s.site = x.site JOIN run r ON r.run = x.run LEFT JOIN robots_version v ON v.version = x.version
WHERE s.name = ? AND r.id = ?`, site, run).Scan(&siteNumber, &runNumber, &s.State, &s.Answer, &s.Status, &s.Code, &e.Settled, &s.Known, &s.Blocked, &millis, &s.SHA256, &bytes, &s.Body)
	if err != nil {
		return e, db.explain(err)
	}
	s.Bytes, s.Took = bytes.Int64, time.Duration(millis)*time.Millisecond
	get := func(scan func(*sql.Rows) error, query string) {
		if err != nil {
			return
		}
		var rows *sql.Rows
		if rows, err = db.read.QueryContext(ctx, query, siteNumber, runNumber); err == nil {
			err = each(rows, scan)
		}
	}
	get(func(rows *sql.Rows) error {
		return add(&s.Crawlers, func(c *Crawler) error { return rows.Scan(&c.Label, &c.Blocked) })
	},
		"SELECT c.label, b.blocked FROM blocked_count b JOIN crawler c ON c.crawler = b.crawler WHERE b.site = ? AND b.run = ? ORDER BY c.crawler")
	if e.Settled {
		get(func(rows *sql.Rows) error {
			return add(&s.Rules, func(r *Rule) error { return rows.Scan(&r.ID, &r.Tokens, &r.Rule, &r.Line) })
		}, "SELECT rule_id, tokens, rule, line FROM rule_seen WHERE site = ?1 AND first_run <= ?2 AND (gone_run IS NULL OR gone_run > ?2) ORDER BY line, rule_id")
		get(func(rows *sql.Rows) error {
			return add(&s.URLs, func(u *Blocked) error {
				return rows.Scan(&u.ID, &u.URL, &u.Crawler, &u.RuleID, &u.Rule, &u.Line, &u.Own)
			})
		}, `SELECT u.url_id, u.url, c.label, u.rule_id, u.rule, u.line, u.version IS NOT NULL FROM url_blocked u JOIN crawler c ON c.crawler = u.crawler
WHERE u.site = ?1 AND u.since_run <= ?2 AND (u.until_run IS NULL OR u.until_run > ?2)`)
	}
	get(func(rows *sql.Rows) error {
		return add(&e.Confirmations, func(c *Confirmation) error {
			return rows.Scan(&c.Number, storedTime{&c.Asked}, &c.Answer, &c.Status, &c.Code, &c.Same)
		})
	}, "SELECT number, asked, answer, status, code, same FROM confirmation WHERE site = ? AND run = ? ORDER BY number")
	get(func(rows *sql.Rows) error {
		return add(&e.Changes, func(c *compare.Change) error {
			return rows.Scan(&c.Kind, &c.What, &c.Before, &c.After, &c.Severity, &c.Condition)
		})
	}, "SELECT kind, what, before, after, severity, condition FROM change WHERE site = ? AND run = ? ORDER BY number")
	get(func(rows *sql.Rows) error {
		return add(&e.Flips, func(f *Flips) error {
			return rows.Scan(&f.Crawler, &f.NewlyBlocked, &f.NewlyAllowed, &f.NowUnclear, &f.ClearAgain)
		})
	}, "SELECT c.label, f.newly_blocked, f.newly_allowed, f.now_unclear, f.clear_again FROM flip_count f JOIN crawler c ON c.crawler = f.crawler WHERE f.site = ? AND f.run = ? ORDER BY c.crawler")
	get(func(rows *sql.Rows) error {
		return add(&e.Notes, func(n *Note) error {
			return rows.Scan(&n.Kind, &n.ID, &n.Text, &n.Run)
		})
	}, `SELECT n.kind, n.row_id, n.note, r.id FROM note n JOIN run r ON r.run = n.run WHERE n.site = ?1
AND n.run IN (?2, (SELECT max(b.run) FROM run a JOIN run b ON b.schedule = a.schedule AND b.run < a.run WHERE a.run = ?2)) ORDER BY n.kind, n.row_id`) // a run enters those of the workbooks of the one before
	return e, db.explain(err)
}

// add appends what scan fills.
func add[T any](list *[]T, scan func(*T) error) error {
	var one T
	err := scan(&one)
	*list = append(*list, one)
	return err
}
