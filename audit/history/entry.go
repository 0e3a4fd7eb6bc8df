package history

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
)

// AddSite enters a site of the run that AddRun began. ctx may end before the
// transaction's own. After an error the transaction can only be given up.
func (tx *Tx) AddSite(ctx context.Context, e Entry) error {
	if err := cmp.Or(ctx.Err(), tx.ctx.Err()); err != nil {
		return err
	}
	if tx.run == 0 {
		return fmt.Errorf("%s: %w: the site %q is entered before its run", tx.db.file, ErrNoRun, e.Site.Name)
	}
	if err := tx.addSite(e); err != nil {
		return fmt.Errorf("site %q: %w", e.Site.Name, err)
	}
	return nil
}

func (tx *Tx) addSite(e Entry) error {
	s := &e.Site
	site, err := tx.siteNumber(s.Name)
	if err != nil {
		return err
	}
	version, err := tx.addVersion(site, s)
	if err != nil {
		return err
	}
	err = tx.do(`INSERT INTO site_run (site, run, state, answer, status, code, settled, version, known, blocked, millis) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		site, tx.run, s.State, string(s.Answer), s.Status, s.Code, e.Settled, version, s.Known, s.Blocked, s.Took.Milliseconds())
	if err != nil {
		return err
	}
	tx.totals.sites++
	tx.totals.known += s.Known
	tx.totals.blocked += s.Blocked
	if err := tx.addCounts(site, s.Crawlers); err != nil {
		return err
	}
	if e.Settled { // what another answer would say is not known
		if err := tx.addRules(site, s.Rules); err != nil {
			return err
		}
		if err := tx.addURLs(site, s, version); err != nil {
			return err
		}
	}
	return tx.addFacts(site, &e)
}

// mostCounts bounds the rows of one statement: each takes four of the values that SQLite lets
// a statement have.
const mostCounts = 1000

// addCounts enters what each crawler may not fetch, in one statement: a statement costs more
// than a row.
func (tx *Tx) addCounts(site int64, crawlers []Crawler) error {
	for some := range slices.Chunk(crawlers, mostCounts) {
		args := make([]any, 0, 4*len(some))
		for _, c := range some {
			crawler, err := tx.crawlerNumber(c.Label)
			if err != nil {
				return err
			}
			args = append(args, site, crawler, tx.run, c.Blocked)
		}
		if err := tx.do("INSERT INTO blocked_count (site, crawler, run, blocked) VALUES (?, ?, ?, ?)"+strings.Repeat(", (?, ?, ?, ?)", len(some)-1), args...); err != nil {
			return err
		}
	}
	return nil
}

// addVersion enters the file that a site has served: NULL where there is none. A body
// that an earlier run did not keep is filled in.
func (tx *Tx) addVersion(site int64, s *Site) (version sql.NullInt64, err error) {
	if s.SHA256 == "" {
		return version, nil
	}
	version.Int64, version.Valid, err = tx.number("SELECT version FROM robots_version WHERE site = ? AND sha256 = ?", site, s.SHA256)
	switch {
	case err != nil:
	case version.Valid:
		err = tx.do("UPDATE robots_version SET last_run = ?, body = coalesce(body, ?) WHERE version = ?", tx.run, s.Body, version.Int64)
	default:
		var res sql.Result
		res, err = tx.exec("INSERT INTO robots_version (site, sha256, bytes, body, first_run, last_run) VALUES (?, ?, ?, ?, ?, ?)",
			site, s.SHA256, s.Bytes, s.Body, tx.run, tx.run)
		if err == nil {
			version.Valid = true
			version.Int64, err = res.LastInsertId()
		}
	}
	return version, err
}

// addFacts enters what needs no look at earlier runs.
func (tx *Tx) addFacts(site int64, e *Entry) error {
	for i, c := range e.Changes {
		err := tx.do("INSERT INTO change (site, run, number, kind, what, before, after, severity, condition) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
			site, tx.run, i+1, c.Kind, c.What, c.Before, c.After, c.Severity, c.Condition)
		if err != nil {
			return err
		}
	}
	for _, f := range e.Flips {
		crawler, err := tx.crawlerNumber(f.Crawler)
		if err != nil {
			return err
		}
		err = tx.do("INSERT INTO flip_count (site, crawler, run, newly_blocked, newly_allowed, now_unclear, clear_again) VALUES (?, ?, ?, ?, ?, ?, ?)",
			site, crawler, tx.run, f.NewlyBlocked, f.NewlyAllowed, f.NowUnclear, f.ClearAgain)
		if err != nil {
			return err
		}
	}
	for _, c := range e.Confirmations {
		err := tx.do("INSERT INTO confirmation (site, run, number, asked, answer, status, code, same) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
			site, tx.run, c.Number, timeText(c.Asked), string(c.Answer), c.Status, c.Code, c.Same)
		if err != nil {
			return err
		}
	}
	for _, n := range e.Notes {
		if err := tx.addNote(site, n); err != nil {
			return err
		}
	}
	return nil
}

// addNote enters a note; one that was taken out stays, as an empty text, so that a
// history that is made anew knows it.
func (tx *Tx) addNote(site int64, n Note) error {
	run, err := tx.runNumber(n.Run)
	if err != nil {
		return err
	}
	return tx.do("INSERT OR REPLACE INTO note (site, kind, row_id, note, run) VALUES (?, ?, ?, ?, ?)", site, n.Kind, n.ID, n.Text, run)
}
