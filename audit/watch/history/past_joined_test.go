package history

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"robots-audit/audit"
)

// joinedPast is Past as one would write it first: a statement for each part, with joins, in a
// transaction a site. TestAgainstModel holds a PastReader against it, and TestPastCosts its time.
func (db *DB) joinedPast(ctx context.Context, site, schedule, before string) (*audit.Past, error) {
	tx, err := db.read.BeginTx(ctx, &sql.TxOptions{ReadOnly: true}) // all of one moment
	if err != nil {
		return nil, db.explain(err)
	}
	defer tx.Rollback()
	p := &joinedReader{ctx: ctx, tx: tx, file: db.file, schedule: schedule, past: &audit.Past{
		Rules: map[string]audit.RulePast{}, Blocked: map[audit.BlockedKey]audit.Since{}, Notes: map[audit.NoteKey]string{}}}
	err = p.read(site, before)
	return p.past, db.explain(err)
}

// joinedReader reads one site.
type joinedReader struct {
	ctx      context.Context
	tx       *sql.Tx
	file     string // its name, for errors
	schedule string
	site     int64
	before   int64 // number of the run that is told of
	past     *audit.Past
}

func (p *joinedReader) read(site, before string) error {
	err := p.tx.QueryRowContext(p.ctx, "SELECT site FROM site WHERE name = ?", site).Scan(&p.site)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	err = p.tx.QueryRowContext(p.ctx, "SELECT run FROM run WHERE id = ?", before).Scan(&p.before)
	if errors.Is(err, sql.ErrNoRows) {
		p.before, err = math.MaxInt64, nil
	}
	for _, read := range []func() error{p.begins, p.points, p.rules, p.blocked, p.notes} {
		if err == nil {
			err = read()
		}
	}
	return err
}

// each hands the rows of a query to scan.
func (p *joinedReader) each(scan func(*sql.Rows) error, query string, args ...any) error {
	rows, err := p.tx.QueryContext(p.ctx, query, args...)
	if err != nil {
		return err
	}
	return each(rows, scan)
}

func (p *joinedReader) begins() error {
	err := p.tx.QueryRowContext(p.ctx, `SELECT r.started FROM site_run s JOIN run r ON r.run = s.run
WHERE s.site = ? AND s.run < ? AND r.schedule = ? ORDER BY s.run LIMIT 1`, p.site, p.before, p.schedule).Scan(storedTime{&p.past.Begins})
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	return err
}

// points reads the timeline.
func (p *joinedReader) points() error {
	var runs []int64 // of the points
	err := p.each(func(rows *sql.Rows) error {
		var run int64
		point := audit.Point{Blocked: map[string]int64{}}
		err := rows.Scan(&run, storedTime{&point.Started}, &point.Answer, &point.Status, &point.SHA256, &point.Known)
		runs, p.past.Points = append(runs, run), append(p.past.Points, point)
		return err
	}, `SELECT s.run, r.started, s.answer, s.status, coalesce(v.sha256, ''), s.known
FROM site_run s JOIN run r ON r.run = s.run LEFT JOIN robots_version v ON v.version = s.version
WHERE s.site = ? AND s.run < ? AND r.schedule = ? ORDER BY s.run DESC LIMIT ?`, p.site, p.before, p.schedule, audit.MaxPoints)
	if err != nil || len(runs) == 0 {
		return err
	}
	slices.Reverse(runs)
	slices.Reverse(p.past.Points)
	labels := map[string]string{} // of crawlers, by their numbers
	err = p.each(func(rows *sql.Rows) error {
		var number, label string
		err := rows.Scan(&number, &label)
		labels[number] = label
		return err
	}, "SELECT crawler, label FROM crawler")
	if err != nil {
		return err
	}
	at := 0
	return p.each(func(rows *sql.Rows) error {
		var run int64
		var counts string
		err := rows.Scan(&run, &counts)
		for at < len(runs) && runs[at] < run { // runs of another schedule are passed over
			at++
		}
		if err != nil || at == len(runs) || runs[at] != run {
			return err
		}
		for count := range strings.SplitSeq(counts, ",") {
			crawler, blocked, _ := strings.Cut(count, " ")
			if p.past.Points[at].Blocked[labels[crawler]], err = strconv.ParseInt(blocked, 10, 64); err != nil {
				return fmt.Errorf("%s: %w (%w)", p.file, ErrDamaged, err)
			}
		}
		return nil
	}, `SELECT run, group_concat(crawler || ' ' || blocked) FROM blocked_count
WHERE site = ? AND run BETWEEN ? AND ? GROUP BY run ORDER BY run`, p.site, runs[0], runs[len(runs)-1])
}

// rules reads those that stood in the last settled file before the run: all of them from one
// row, which takes a fraction of the time of a row for each.
func (p *joinedReader) rules() error {
	var text string
	err := p.tx.QueryRowContext(p.ctx, `SELECT coalesce(group_concat(s.rule_id || ' ' || r.started), '') FROM rule_seen s JOIN run r ON r.run = s.first_run
WHERE s.site = ?1 AND s.first_run < ?2 AND (s.gone_run IS NULL OR s.gone_run >= ?2)`, p.site, p.before).Scan(&text)
	if err != nil || text == "" {
		return err
	}
	for rule := range strings.SplitSeq(text, ",") {
		var r audit.RulePast
		id, started, _ := strings.Cut(rule, " ")
		if err := (storedTime{&r.Since}).Scan(started); err != nil {
			return fmt.Errorf("%s: %w (%w)", p.file, ErrDamaged, err)
		}
		r.First = r.Since
		p.past.Rules[id] = r
	}
	return p.each(func(rows *sql.Rows) error { // rules that went and came again
		var id string
		var first time.Time
		err := rows.Scan(&id, storedTime{&first})
		if r, ok := p.past.Rules[id]; ok {
			r.First = first
			p.past.Rules[id] = r
		}
		return err
	}, `SELECT s.rule_id, r.started FROM (SELECT rule_id, min(first_run) AS first FROM rule_seen WHERE site = ? GROUP BY rule_id HAVING count(*) > 1) s
JOIN run r ON r.run = s.first`, p.site)
}

// blocked reads the URLs that were blocked before the run.
func (p *joinedReader) blocked() error {
	return p.each(func(rows *sql.Rows) error {
		var key audit.BlockedKey
		var since audit.Since
		err := rows.Scan(&key.URLID, &key.Crawler, storedTime{&since.Run}, &since.SHA256, &since.Rule, &since.Line)
		p.past.Blocked[key] = since
		return err
	}, `SELECT u.url_id, c.label, r.started, coalesce(v.sha256, ''), u.rule, u.line
FROM url_blocked u JOIN crawler c ON c.crawler = u.crawler JOIN run r ON r.run = u.since_run LEFT JOIN robots_version v ON v.version = u.version
WHERE u.site = ?1 AND u.since_run < ?2 AND (u.until_run IS NULL OR u.until_run >= ?2)`, p.site, p.before)
}

func (p *joinedReader) notes() error {
	return p.each(func(rows *sql.Rows) error {
		var key audit.NoteKey
		var text string
		err := rows.Scan(&key.Kind, &key.ID, &text)
		p.past.Notes[key] = text
		return err
	}, "SELECT kind, row_id, note FROM note WHERE site = ? AND note <> ''", p.site)
}

// joinedNotes is Notes as one would write it first.
func (db *DB) joinedNotes(ctx context.Context, site string) (map[audit.NoteKey]string, error) {
	rows, err := db.read.QueryContext(ctx, "SELECT kind, row_id, note FROM note WHERE site = (SELECT site FROM site WHERE name = ?)", site)
	if err != nil {
		return nil, db.explain(err)
	}
	notes := map[audit.NoteKey]string{}
	err = each(rows, func(rows *sql.Rows) error {
		var key audit.NoteKey
		var text string
		err := rows.Scan(&key.Kind, &key.ID, &text)
		notes[key] = text
		return err
	})
	return notes, db.explain(err)
}
