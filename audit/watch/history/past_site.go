package history

import (
	"database/sql"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"robots-audit/audit"
)

// Past returns the data of earlier runs for a site: all runs of the schedule for the points, and
// runs of all schedules for the rest. The caller sets Listed. A site without an earlier run has an
// empty Past, not nil.
func (r *PastReader) Past(site string) (*audit.Past, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	p := &sitePast{PastReader: r, versions: map[int64]string{}, past: &audit.Past{Rules: map[string]audit.RulePast{}, Blocked: map[audit.BlockedKey]audit.Since{}, Notes: map[audit.NoteKey]string{}}}
	return p.past, r.db.explain(p.read(site))
}

// sitePast reads the past of one site.
type sitePast struct {
	*PastReader
	site     int64            // its number; 0 = not in the history
	versions map[int64]string // SHA-256 of the site's files, by their numbers
	past     *audit.Past
}

func (p *sitePast) read(site string) error {
	if len(p.runs) == 0 && !p.notes { // the very first run
		return nil
	}
	if err := p.readSite(site); err != nil || p.site == 0 {
		return err
	}
	for _, read := range []func() error{p.readPoints, p.readRules, p.readBlocked, p.readNotes} {
		if err := read(); err != nil {
			return err
		}
	}
	return nil
}

// readSite reads the site's number and its files. It reads these from their index, whose rows are
// small; the table's rows include the bodies.
func (p *sitePast) readSite(name string) error {
	return p.each(func(rows *sql.Rows) error {
		var version sql.NullInt64
		var sum sql.NullString
		err := rows.Scan(&p.site, &version, &sum)
		p.versions[version.Int64] = sum.String // NULL is stored as 0 and has no hash
		return err
	}, "SELECT s.site, v.version, v.sha256 FROM site s LEFT JOIN robots_version v ON v.site = s.site WHERE s.name = ?", name)
}

// readPoints reads the timeline.
func (p *sitePast) readPoints() error {
	rows, err := p.query("SELECT run, answer, status, version, known FROM site_run WHERE site = ? AND run < ? ORDER BY run DESC", p.site, p.before)
	if err != nil {
		return err
	}
	defer rows.Close()
	var numbers []int64 // of the points' runs
	for len(numbers) < audit.MaxPoints && rows.Next() {
		var number int64
		var version sql.NullInt64
		var point audit.Point
		if err := rows.Scan(&number, &point.Answer, &point.Status, &version, &point.Known); err != nil {
			return err
		}
		if run := p.runs[number]; run.own {
			point.Started, point.SHA256 = run.started, p.versions[version.Int64]
			numbers, p.past.Points = append(numbers, number), append(p.past.Points, point)
		}
	}
	if err := rows.Err(); err != nil || len(numbers) == 0 {
		return err
	}
	slices.Reverse(numbers)
	slices.Reverse(p.past.Points)
	if p.past.Begins = p.past.Points[0].Started; len(numbers) == audit.MaxPoints {
		if err := p.readBegins(); err != nil {
			return err
		}
	}
	return p.readCounts(numbers)
}

// readCounts reads the blocked counts of the points, whose runs have these numbers. It reads all
// rows in sequence, because a query for each point takes longer.
func (p *sitePast) readCounts(numbers []int64) error {
	none := map[string]int64{} // for runs without crawlers
	for i := range p.past.Points {
		p.past.Points[i].Blocked = none
	}
	var was string            // counts of the previous point,
	var same map[string]int64 // and their meaning: most runs have the same counts as the previous one
	at := 0
	return p.each(func(rows *sql.Rows) error {
		var number int64
		var counts string
		err := rows.Scan(&number, &counts)
		for at < len(numbers) && numbers[at] < number { // skip runs of another schedule
			at++
		}
		if err != nil || at == len(numbers) || numbers[at] != number {
			return err
		}
		if same == nil || counts != was {
			if same, err = p.blockedCounts(counts); err != nil {
				return err
			}
			was = counts
		}
		p.past.Points[at].Blocked = same
		return nil
	}, `SELECT run, group_concat(crawler || ' ' || blocked) FROM blocked_count
WHERE site = ? AND run BETWEEN ? AND ? GROUP BY run ORDER BY run`, p.site, numbers[0], numbers[len(numbers)-1])
}

// blockedCounts parses the numbers of a text, by the labels of crawlers.
func (p *sitePast) blockedCounts(text string) (map[string]int64, error) {
	counts := make(map[string]int64, strings.Count(text, ",")+1)
	for count := range parts(text) {
		number, blocked, _ := strings.Cut(count, " ")
		crawler, err := strconv.ParseInt(number, 10, 64)
		if err != nil {
			return nil, p.damaged(err)
		}
		if counts[p.crawlers[crawler]], err = strconv.ParseInt(blocked, 10, 64); err != nil {
			return nil, p.damaged(err)
		}
	}
	return counts, nil
}

// readBegins looks for a run before the first point.
func (p *sitePast) readBegins() error {
	rows, err := p.query("SELECT run FROM site_run WHERE site = ? ORDER BY run", p.site)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var number int64
		if err := rows.Scan(&number); err != nil {
			return err
		}
		if run := p.runs[number]; run.own {
			p.past.Begins = run.started
			break
		}
	}
	return rows.Err()
}

// readRules reads the rules in the last settled file before the run. For rules that disappeared and
// returned, it also reads their first appearance. All come in one row, which takes a fraction of
// the time of a row for each.
func (p *sitePast) readRules() error {
	var standing, gone string
	if _, err := p.row(`SELECT coalesce(group_concat(rule_id || ' ' || first_run) FILTER (WHERE gone_run IS NULL OR gone_run >= ?2), ''),
coalesce(group_concat(rule_id || ' ' || first_run) FILTER (WHERE gone_run < ?2), '')
FROM rule_seen WHERE site = ?1 AND first_run < ?2`, []any{p.site, p.before}, &standing, &gone); err != nil {
		return err
	}
	p.past.Rules = make(map[string]audit.RulePast, strings.Count(standing, ",")+1)
	err := p.eachRule(standing, func(id string, run pastRun) {
		p.past.Rules[id] = audit.RulePast{First: run.started, Since: run.started}
	})
	if err != nil {
		return err
	}
	return p.eachRule(gone, func(id string, run pastRun) {
		if rule, ok := p.past.Rules[id]; ok && run.started.Before(rule.First) {
			rule.First = run.started
			p.past.Rules[id] = rule
		}
	})
}

// eachRule calls a function for each rule in a list, with its id and the run in which it appeared.
func (p *sitePast) eachRule(list string, do func(id string, run pastRun)) error {
	for rule := range parts(list) {
		id, text, _ := strings.Cut(rule, " ")
		number, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return p.damaged(err)
		}
		if run, ok := p.runs[number]; ok {
			do(id, run)
		}
	}
	return nil
}

// readBlocked reads the URLs that were blocked before the run.
func (p *sitePast) readBlocked() error {
	if !p.urls {
		return nil
	}
	return p.each(func(rows *sql.Rows) error {
		var key audit.BlockedKey
		var since audit.Since
		var crawler, number int64
		var version sql.NullInt64
		err := rows.Scan(&key.URLID, &crawler, &number, &version, &since.Rule, &since.Line)
		if run, ok := p.runs[number]; err == nil && ok {
			key.Crawler, since.Run, since.SHA256 = p.crawlers[crawler], run.started, p.versions[version.Int64]
			p.past.Blocked[key] = since
		}
		return err
	}, `SELECT url_id, crawler, since_run, version, rule, line FROM url_blocked
WHERE site = ?1 AND since_run < ?2 AND (until_run IS NULL OR until_run >= ?2)`, p.site, p.before)
}

func (p *sitePast) readNotes() error {
	if !p.notes {
		return nil
	}
	return p.each(func(rows *sql.Rows) error {
		var key audit.NoteKey
		var text string
		err := rows.Scan(&key.Kind, &key.ID, &text)
		p.past.Notes[key] = text
		return err
	}, "SELECT kind, row_id, note FROM note WHERE site = ? AND note <> ''", p.site)
}

// parts splits a text of group_concat; "" has no parts.
func parts(text string) iter.Seq[string] {
	if text == "" {
		return func(func(string) bool) {}
	}
	return strings.SplitSeq(text, ",")
}

// damaged is the error for a value that does not fit its column.
func (p *sitePast) damaged(err error) error {
	return fmt.Errorf("%s: %w (%w)", p.db.file, ErrDamaged, err)
}
