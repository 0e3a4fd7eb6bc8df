package history

import (
	"context"
	"database/sql"
	"time"

	"robots-audit/audit/compare"
)

// entry rebuilds the entry of a site and run from the rows. The rules and blocked URLs of a settled
// run come from the stretches that include it. Entered in a new file in the order of the runs,
// entries give the same rows.
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
	r := siteReader{ctx: ctx, db: db, site: siteNumber, run: runNumber}
	s.Crawlers = rowsOf(&r, func(c *Crawler) []any { return []any{&c.Label, &c.Blocked} },
		"SELECT c.label, b.blocked FROM blocked_count b JOIN crawler c ON c.crawler = b.crawler WHERE b.site = ? AND b.run = ? ORDER BY c.crawler")
	if e.Settled {
		s.Rules = rowsOf(&r, func(r *Rule) []any { return []any{&r.ID, &r.Tokens, &r.Rule, &r.Line} },
			"SELECT rule_id, tokens, rule, line FROM rule_seen WHERE site = ?1 AND first_run <= ?2 AND (gone_run IS NULL OR gone_run > ?2) ORDER BY line, rule_id")
		s.URLs = rowsOf(&r, func(u *Blocked) []any { return []any{&u.ID, &u.URL, &u.Crawler, &u.RuleID, &u.Rule, &u.Line, &u.Own} },
			`SELECT u.url_id, u.url, c.label, u.rule_id, u.rule, u.line, u.version IS NOT NULL FROM url_blocked u JOIN crawler c ON c.crawler = u.crawler
WHERE u.site = ?1 AND u.since_run <= ?2 AND (u.until_run IS NULL OR u.until_run > ?2)`)
	}
	e.Confirmations = rowsOf(&r, func(c *Confirmation) []any {
		return []any{&c.Number, storedTime{&c.Asked}, &c.Answer, &c.Status, &c.Code, &c.Same}
	}, "SELECT number, asked, answer, status, code, same FROM confirmation WHERE site = ? AND run = ? ORDER BY number")
	e.Changes = rowsOf(&r, func(c *compare.Change) []any {
		return []any{&c.Kind, &c.What, &c.Before, &c.After, &c.Severity, &c.Condition}
	}, "SELECT kind, what, before, after, severity, condition FROM change WHERE site = ? AND run = ? ORDER BY number")
	e.Flips = rowsOf(&r, func(f *Flips) []any {
		return []any{&f.Crawler, &f.NewlyBlocked, &f.NewlyAllowed, &f.NowUnclear, &f.ClearAgain}
	}, "SELECT c.label, f.newly_blocked, f.newly_allowed, f.now_unclear, f.clear_again FROM flip_count f JOIN crawler c ON c.crawler = f.crawler WHERE f.site = ? AND f.run = ? ORDER BY c.crawler")
	e.Notes = rowsOf(&r, func(n *Note) []any { return []any{&n.Kind, &n.ID, &n.Text, &n.Run} },
		`SELECT n.kind, n.row_id, n.note, r.id FROM note n JOIN run r ON r.run = n.run WHERE n.site = ?1
AND n.run IN (?2, (SELECT max(b.run) FROM run a JOIN run b ON b.schedule = a.schedule AND b.run < a.run WHERE a.run = ?2)) ORDER BY n.kind, n.row_id`) // a run enters the notes of the workbooks of the run before
	return e, r.err
}

// siteReader reads rows of a site and a run, until a query fails.
type siteReader struct {
	ctx       context.Context
	db        *DB
	site, run int64 // their numbers: the arguments of each query
	err       error
}

// rowsOf returns the rows of a query; none after an error.
func rowsOf[T any](r *siteReader, fields func(*T) []any, query string) (all []T) {
	if r.err == nil {
		all, r.err = list(r.ctx, r.db, fields, query, r.site, r.run)
	}
	return all
}
