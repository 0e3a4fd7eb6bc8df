package history

import (
	"database/sql"
	"strconv"
	"strings"
)

// stretches are the open stretches of a site, by their names; true = the run continues it.
type stretches map[string]bool

// newStretches splits names joined by commas. Reading one row with all of them is several times
// faster than a row for each.
func newStretches(joined string) stretches {
	if joined == "" {
		return stretches{}
	}
	open := make(stretches, strings.Count(joined, ",")+1)
	for name := range strings.SplitSeq(joined, ",") {
		open[name] = false
	}
	return open
}

// goOn notes that the run has the subject of a stretch; begins = there is no such stretch yet.
func (s stretches) goOn(name string) (begins bool) {
	goesOn, open := s[name]
	if !goesOn {
		s[name] = true
	}
	return !open
}

// addRules ends the stretches of rules that a settled file lacks, and begins those of new rules.
// Equal rules in several lines count as one.
func (tx *Tx) addRules(site int64, open stretches, rules []Rule) error {
	for _, r := range rules {
		if !open.goOn(r.ID) {
			continue
		}
		err := tx.addRow("INSERT OR FAIL INTO rule_seen (site, rule_id, first_run, tokens, rule, line)",
			site, r.ID, tx.run, r.Tokens, r.Rule, int64(r.Line))
		if err != nil {
			return err
		}
	}
	for id, goesOn := range open {
		if goesOn {
			continue
		}
		if err := tx.do("UPDATE rule_seen SET gone_run = ? WHERE site = ? AND rule_id = ? AND gone_run IS NULL", tx.run, site, id); err != nil {
			return err
		}
	}
	return nil
}

// addURLs ends the stretches of URLs that a settled answer no longer blocks, and begins those of
// newly blocked ones. Stretches of crawlers that the run did not judge continue. If the list of
// blocked URLs was cut, a missing URL may still be blocked. Then no stretch ends, and none begins
// beyond MaxBlocked. The names in open are the URL's id and the crawler's number.
func (tx *Tx) addURLs(site int64, open stretches, s *Site, version sql.NullInt64) error {
	count := len(open)
	var begin []int // index in s.URLs
	for i, u := range s.URLs {
		crawler, err := tx.crawlerNumber(u.Crawler)
		if err != nil {
			return err
		}
		if open.goOn(u.ID + " " + strconv.FormatInt(crawler, 10)) {
			begin = append(begin, i)
		}
	}
	ended, err := tx.endURLs(site, open, s)
	if err != nil {
		return err
	}
	for _, i := range begin[:min(len(begin), max(0, MaxBlocked-count+ended))] {
		u := &s.URLs[i]
		of := version
		if !u.Own {
			of = sql.NullInt64{}
		}
		err := tx.addRow("INSERT OR REPLACE INTO url_blocked (site, url_id, crawler, url, since_run, version, rule_id, rule, line)",
			site, u.ID, tx.crawlers[u.Crawler], u.URL, tx.run, of, u.RuleID, u.Rule, int64(u.Line))
		if err != nil {
			return err
		}
	}
	return nil
}

// endURLs ends the stretches that a run of a site does not continue.
func (tx *Tx) endURLs(site int64, open stretches, s *Site) (ended int, err error) {
	if s.URLsCut > 0 {
		return 0, nil
	}
	var judged map[string]bool // crawlers, by their numbers
	for name, goesOn := range open {
		if goesOn {
			continue
		}
		if judged == nil {
			judged = make(map[string]bool, len(s.Crawlers))
			for _, c := range s.Crawlers {
				crawler, err := tx.crawlerNumber(c.Label)
				if err != nil {
					return 0, err
				}
				judged[strconv.FormatInt(crawler, 10)] = true
			}
		}
		id, crawler, _ := strings.Cut(name, " ")
		if !judged[crawler] {
			continue
		}
		if err := tx.do("UPDATE url_blocked SET until_run = ? WHERE site = ? AND url_id = ? AND crawler = ?", tx.run, site, id, crawler); err != nil {
			return 0, err
		}
		ended++
	}
	return ended, nil
}
