package history

import (
	"database/sql"
	"strconv"
	"strings"
)

// unchanged reports whether a query's only text, which joins ids by a comma, has the very ids
// of a set: of most sites nothing has changed, and one row is read several times faster than
// each id in a row of its own.
func (tx *Tx) unchanged(ids map[string]bool, query string, site int64) (bool, error) {
	s, err := tx.stmt(query)
	if err != nil {
		return false, err
	}
	var text string
	if err := s.QueryRowContext(tx.quiet, site).Scan(&text); err != nil {
		return false, tx.db.explain(err)
	}
	if text == "" {
		return len(ids) == 0, nil
	}
	if strings.Count(text, ",")+1 != len(ids) {
		return false, nil
	}
	for id := range strings.SplitSeq(text, ",") {
		if !ids[id] {
			return false, nil
		}
	}
	return true, nil
}

// addRules ends the stretches of rules that a settled file lacks, and begins those of
// rules that are new in it. A rule that stands in several lines is one.
func (tx *Tx) addRules(site int64, rules []Rule) error {
	ids := make(map[string]bool, len(rules))
	for _, r := range rules {
		ids[r.ID] = true
	}
	same, err := tx.unchanged(ids, "SELECT coalesce(group_concat(rule_id), '') FROM rule_seen WHERE site = ? AND gone_run IS NULL", site)
	if same || err != nil {
		return err
	}
	stands := map[string]int64{} // first run, by rule_id
	err = tx.query(func(rows *sql.Rows) error {
		var id string
		var first int64
		err := rows.Scan(&id, &first)
		stands[id] = first
		return err
	}, "SELECT rule_id, first_run FROM rule_seen WHERE site = ? AND gone_run IS NULL", site)
	if err != nil {
		return err
	}
	seen := make(map[string]bool, len(rules))
	for _, r := range rules {
		if seen[r.ID] {
			continue
		}
		seen[r.ID] = true
		if stands[r.ID] != 0 {
			delete(stands, r.ID)
			continue
		}
		err := tx.do("INSERT INTO rule_seen (site, rule_id, first_run, gone_run, tokens, rule, line) VALUES (?, ?, ?, NULL, ?, ?, ?)",
			site, r.ID, tx.run, r.Tokens, r.Rule, r.Line)
		if err != nil {
			return err
		}
	}
	for id, first := range stands {
		if err := tx.do("UPDATE rule_seen SET gone_run = ? WHERE site = ? AND rule_id = ? AND first_run = ?", tx.run, site, id, first); err != nil {
			return err
		}
	}
	return nil
}

// blockedKey names a URL for a crawler.
type blockedKey struct {
	id      string
	crawler int64
}

// addURLs ends the stretches of URLs that a settled answer no longer blocks, and begins
// those that it blocks now. A crawler that the run did not judge keeps its own. Where
// the list of blocked URLs was cut, one that it lacks may still be blocked: no stretch
// ends, and none begins beyond MaxBlocked.
func (tx *Tx) addURLs(site int64, s *Site, version sql.NullInt64) error {
	ids := make(map[string]bool, len(s.URLs))
	for _, u := range s.URLs {
		crawler, err := tx.crawlerNumber(u.Crawler)
		if err != nil {
			return err
		}
		ids[u.ID+" "+strconv.FormatInt(crawler, 10)] = true
	}
	same, err := tx.unchanged(ids, "SELECT coalesce(group_concat(url_id || ' ' || crawler), '') FROM url_blocked WHERE site = ? AND until_run IS NULL", site)
	if same || err != nil {
		return err
	}
	judged := make(map[int64]bool, len(s.Crawlers))
	for _, c := range s.Crawlers {
		crawler, err := tx.crawlerNumber(c.Label)
		if err != nil {
			return err
		}
		judged[crawler] = true
	}
	open := map[blockedKey]bool{}
	err = tx.query(func(rows *sql.Rows) error {
		var key blockedKey
		err := rows.Scan(&key.id, &key.crawler)
		open[key] = true
		return err
	}, "SELECT url_id, crawler FROM url_blocked WHERE site = ? AND until_run IS NULL", site)
	if err != nil {
		return err
	}
	count := len(open)
	still := make(map[blockedKey]bool, len(s.URLs))
	var begin []int // index in s.URLs
	for i, u := range s.URLs {
		crawler, err := tx.crawlerNumber(u.Crawler)
		if err != nil {
			return err
		}
		key := blockedKey{u.ID, crawler}
		if !still[key] && !open[key] {
			begin = append(begin, i)
		}
		still[key] = true
	}
	for key := range open {
		if still[key] || !judged[key.crawler] || s.URLsCut > 0 {
			continue
		}
		if err := tx.do("UPDATE url_blocked SET until_run = ? WHERE site = ? AND url_id = ? AND crawler = ?", tx.run, site, key.id, key.crawler); err != nil {
			return err
		}
		count--
	}
	for _, i := range begin[:min(len(begin), max(0, MaxBlocked-count))] {
		u := &s.URLs[i]
		of := version
		if !u.Own {
			of = sql.NullInt64{}
		}
		err := tx.do(`INSERT OR REPLACE INTO url_blocked (site, url_id, crawler, url, since_run, until_run, version, rule_id, rule, line) VALUES (?, ?, ?, ?, ?, NULL, ?, ?, ?, ?)`,
			site, u.ID, tx.crawlers[u.Crawler], u.URL, tx.run, of, u.RuleID, u.Rule, u.Line)
		if err != nil {
			return err
		}
	}
	return nil
}
