package history

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// AddSite enters a site of the run that AddRun began. ctx may end before the transaction's own.
// After an error the transaction must be rolled back.
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
	known, err := tx.knownSite(s)
	if err != nil {
		return err
	}
	version, err := tx.addVersion(&known, s)
	if err != nil {
		return err
	}
	err = tx.addRow("INSERT OR FAIL INTO site_run (site, run, state, answer, status, code, settled, version, known, blocked, millis)",
		known.site, tx.run, s.State, string(s.Answer), int64(s.Status), s.Code, e.Settled, version, s.Known, s.Blocked, s.Took.Milliseconds())
	if err != nil {
		return err
	}
	tx.totals.sites++
	tx.totals.known += s.Known
	tx.totals.blocked += s.Blocked
	for _, c := range s.Crawlers {
		crawler, err := tx.crawlerNumber(c.Label)
		if err != nil {
			return err
		}
		if err := tx.addRow("INSERT OR FAIL INTO blocked_count (site, crawler, run, blocked)", known.site, crawler, tx.run, c.Blocked); err != nil {
			return err
		}
	}
	if e.Settled { // the meaning of other answers is unknown
		if err := tx.addRules(known.site, newStretches(known.rules), s.Rules); err != nil {
			return err
		}
		if err := tx.addURLs(known.site, newStretches(known.urls), s, version); err != nil {
			return err
		}
	}
	return tx.addFacts(known.site, &e)
}

// knownSite is the data of earlier runs for a site that the next run needs.
type knownSite struct {
	site    int64         // its number
	version sql.NullInt64 // the version with the hash of the run's file; NULL = none
	hollow  bool          // the version lacks its body
	rules   string        // ids of those in the current file, joined by commas
	urls    string        // ids and crawlers of the blocked ones, as "id 1,id 2"
}

// knownSite reads this data in one query, and enters a new site.
func (tx *Tx) knownSite(s *Site) (k knownSite, err error) {
	query, err := tx.stmt(`SELECT s.site, v.version, v.body IS NULL,
 coalesce((SELECT group_concat(rule_id) FROM rule_seen WHERE site = s.site AND gone_run IS NULL), ''),
 coalesce((SELECT group_concat(url_id || ' ' || crawler) FROM url_blocked WHERE site = s.site AND until_run IS NULL), '')
FROM site s LEFT JOIN robots_version v ON v.site = s.site AND v.sha256 = ?2 WHERE s.name = ?1`)
	if err != nil {
		return k, err
	}
	err = query.QueryRowContext(tx.quiet, s.Name, s.SHA256).Scan(&k.site, &k.version, &k.hollow, &k.rules, &k.urls)
	if errors.Is(err, sql.ErrNoRows) {
		k.site, err = tx.insert("INSERT INTO site (name) VALUES (?)", s.Name)
		return k, err
	}
	return k, tx.db.explain(err)
}

// addVersion enters the file that a site served; NULL = none. It adds a body that an earlier run
// did not keep.
func (tx *Tx) addVersion(known *knownSite, s *Site) (version sql.NullInt64, err error) {
	switch {
	case s.SHA256 == "":
	case !known.version.Valid:
		version.Valid = true
		version.Int64, err = tx.insert("INSERT INTO robots_version (site, sha256, bytes, body, first_run, last_run) VALUES (?, ?, ?, ?, ?, ?)",
			known.site, s.SHA256, s.Bytes, s.Body, tx.run, tx.run)
	default:
		version = known.version
		if err = tx.servedAgain(version.Int64); err == nil && known.hollow && s.Body != nil {
			err = tx.do("UPDATE robots_version SET body = ? WHERE version = ?", s.Body, version.Int64)
		}
	}
	return version, err
}

// addFacts enters the data that does not depend on earlier runs.
func (tx *Tx) addFacts(site int64, e *Entry) error {
	for i, c := range e.Changes {
		err := tx.addRow("INSERT OR FAIL INTO change (site, run, number, kind, what, before, after, severity, condition)",
			site, tx.run, int64(i+1), c.Kind, c.What, c.Before, c.After, string(c.Severity), c.Condition)
		if err != nil {
			return err
		}
	}
	for _, f := range e.Flips {
		crawler, err := tx.crawlerNumber(f.Crawler)
		if err != nil {
			return err
		}
		err = tx.addRow("INSERT OR FAIL INTO flip_count (site, crawler, run, newly_blocked, newly_allowed, now_unclear, clear_again)",
			site, crawler, tx.run, f.NewlyBlocked, f.NewlyAllowed, f.NowUnclear, f.ClearAgain)
		if err != nil {
			return err
		}
	}
	for _, c := range e.Confirmations {
		err := tx.addRow("INSERT OR FAIL INTO confirmation (site, run, number, asked, answer, status, code, same)",
			site, tx.run, int64(c.Number), timeText(c.Asked), string(c.Answer), int64(c.Status), c.Code, c.Same)
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

// addNote enters a note. A removed one is stored as an empty text, so that a rebuilt history knows
// it.
func (tx *Tx) addNote(site int64, n Note) error {
	run, err := tx.runNumber(n.Run)
	if err != nil {
		return err
	}
	return tx.do("INSERT OR REPLACE INTO note (site, kind, row_id, note, run) VALUES (?, ?, ?, ?, ?)", site, n.Kind, n.ID, n.Text, run)
}
