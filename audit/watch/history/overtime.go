package history

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Period is a sequence of days, in UTC, with the runs that started on them. It ends with the day of
// the newest run, so that an unchanged history always gives the same answers. It begins with that of the
// first run at the earliest.
type Period struct {
	First time.Time // start of the first day; zero = the history has no run
	Days  int
	Cut   bool // earlier days are left out, because they have too many results

	runs        map[int64]periodRun // by number, from CarryDays before the period on
	least, most int64               // lowest and highest number of the period's runs
	carried     int64               // lowest number of all runs
}

type periodRun struct {
	id  string
	day int // of the period; negative = before it
}

// maxResults limits the results of sites that are read for a period. 1,000 sites have as many in 500 days
// of one run.
const maxResults = 500_000

// CarryDays is how long a site counts with its last figures, without a newer run.
const CarryDays = 31

// Day returns the start of the i-th day.
func (p *Period) Day(i int) time.Time { return p.First.AddDate(0, 0, i) }

// periodRunsQuery finds runs by their index.
const periodRunsQuery = "SELECT run, id, started, sites FROM run WHERE started >= ? AND started < ? ORDER BY started DESC LIMIT ?"

// Period returns the last days of the history. It includes some days before them, for sites whose figures
// are carried on.
func (db *DB) Period(ctx context.Context, days int) (*Period, error) {
	return db.period(ctx, days, maxResults)
}

func (db *DB) period(ctx context.Context, days, limit int) (*Period, error) {
	type row struct {
		number, sites int64
		id            string
		started       time.Time
	}
	p := &Period{Days: max(days, 1), runs: map[int64]periodRun{}}
	newest, ok, err := only(ctx, db, (*Run).fields, runColumns+"ORDER BY run DESC LIMIT 1")
	if err != nil || !ok {
		return p, err
	}
	end := startOfDay(newest.Started).AddDate(0, 0, 1)
	first, _, err := only(ctx, db, (*Run).fields, runColumns+"ORDER BY started LIMIT 1")
	if err != nil {
		return p, err
	}
	if all := daysBetween(startOfDay(first.Started), newest.Started) + 1; all >= 1 { // otherwise the clock was changed
		p.Days = min(p.Days, all)
	}
	p.First = end.AddDate(0, 0, -p.Days)
	rows, err := list(ctx, db, func(r *row) []any { return []any{&r.number, &r.id, storedTime{&r.started}, &r.sites} },
		periodRunsQuery, timeText(p.First.AddDate(0, 0, -CarryDays)), timeText(end), limit+1)
	results := 0
	for i := range rows {
		r := &rows[i]
		day := daysBetween(p.First, r.started)
		if results += int(r.sites) + 1; results > limit && i > 0 && !startOfDay(r.started).Equal(startOfDay(rows[i-1].started)) {
			if day >= 0 {
				p.drop(day + 1)
			}
			break
		}
		p.runs[r.number] = periodRun{r.id, day}
		p.most = max(p.most, r.number)
		p.carried = lower(p.carried, r.number)
		if day >= 0 {
			p.least = lower(p.least, r.number)
		}
	}
	return p, err
}

// drop removes the first days.
func (p *Period) drop(days int) {
	p.First, p.Days, p.Cut = p.Day(days), p.Days-days, true
	for number, run := range p.runs {
		run.day -= days
		p.runs[number] = run
	}
}

// lower returns the lower of two numbers of runs; 0 = none.
func lower(a, b int64) int64 {
	if a == 0 {
		return b
	}
	return min(a, b)
}

func startOfDay(t time.Time) time.Time { return t.UTC().Truncate(24 * time.Hour) }

// daysBetween returns the number of days from the start of a day to another time.
func daysBetween(start, t time.Time) int { return int(startOfDay(t).Sub(start) / (24 * time.Hour)) }

// SiteDays is a site over a period.
type SiteDays struct {
	Site  string
	State string    // of its newest run in the period: critical, warn, unknown, ok
	Days  []SiteDay // of the period

	// Known URLs in that run, and those blocked for at least one crawler; -1 = it does not know the content of robots.txt.
	Known, Blocked int64
	Changed        bool // that run has a change
}

// SiteDay is the worst result of a site on a day.
type SiteDay struct {
	State string // "" = no run
	Run   string // ID of the newest run with this state
	Runs  int    // number of runs that day
}

// SiteFilter selects sites of a period.
type SiteFilter struct {
	Name          string // part of the name, in any case; "" = all sites
	State         string // of the newest run; "" = any. A state of a later version is unknown
	Schedule      string // of the newest run; "" = any
	Changed       bool   // the newest run has a change
	Sort          string // a key of siteOrders
	Offset, Limit int
}

// siteOrders are the orders of sites: most severe first, latest change first, highest blocked share first.
var siteOrders = map[string]string{
	"":        "rank, name",
	"changed": "changed DESC, rank, name",
	"blocked": "CASE WHEN known > 0 THEN CAST(blocked AS REAL) / known ELSE -1 END DESC, rank, name",
}

// tells is the SQL condition for a result l that knows the content of robots.txt: see SiteRun.Tells.
const tells = "l.settled AND l.answer NOT IN ('429', '5xx', 'unreachable', 'not asked')"

// periodSitesQuery has each site with its newest run of a period, and the last run with a change.
const periodSitesQuery = `SELECT site, name, state, known, blocked, coalesce(changed = run, 0) FROM (
SELECT s.site, s.name, l.run, l.state, CASE WHEN ` + tells + ` THEN l.known ELSE -1 END AS known, CASE WHEN ` + tells + ` THEN l.blocked ELSE -1 END AS blocked,
 CASE l.state WHEN 'critical' THEN 0 WHEN 'warn' THEN 1 WHEN 'ok' THEN 3 ELSE 2 END AS rank,
 (SELECT max(c.run) FROM change c WHERE c.site = s.site AND c.run BETWEEN ?1 AND ?2 AND c.kind <> 'crawlers') AS changed
FROM site s CROSS JOIN site_run l ON l.site = s.site AND l.run = (SELECT max(n.run) FROM site_run n WHERE n.site = s.site AND n.run BETWEEN ?1 AND ?2)
WHERE instr(lower(s.name), ?3))
WHERE (?4 < 0 OR rank = ?4) AND (?5 = '' OR run IN (SELECT run FROM run WHERE schedule = ?5)) AND (NOT ?6 OR changed = run) ORDER BY `

// siteDaysQuery has the results of some sites in a period, in one row for each site, which takes a fraction of
// the time of a row for each result.
const siteDaysQuery = `SELECT l.site, group_concat(l.run || ' ' || l.state) FROM site_run l
WHERE l.site IN (SELECT value FROM json_each(?3)) AND l.run BETWEEN ?1 AND ?2 GROUP BY l.site`

// SiteDays returns the sites with a run in a period, in an order of siteOrders. total is their number without
// offset and limit.
func (db *DB) SiteDays(ctx context.Context, p *Period, f SiteFilter) (sites []SiteDays, total int, err error) {
	type row struct {
		SiteDays
		number int64
	}
	state := -1
	if f.State != "" {
		state = rank(f.State)
	}
	all, err := list(ctx, db, func(r *row) []any {
		return []any{&r.number, &r.Site, &r.State, &r.Known, &r.Blocked, &r.Changed}
	}, periodSitesQuery+cmp.Or(siteOrders[f.Sort], siteOrders[""]), p.least, p.most, strings.ToLower(f.Name), state, f.Schedule, f.Changed)
	if err != nil || len(all) <= f.Offset {
		return nil, len(all), err
	}
	page := all[f.Offset:min(f.Offset+f.Limit, len(all))]
	numbers, place := make([]int64, len(page)), map[int64]int{}
	for i, r := range page {
		r.Days = make([]SiteDay, p.Days)
		sites = append(sites, r.SiteDays)
		numbers[i], place[r.number] = r.number, i
	}
	wanted, err := json.Marshal(numbers)
	if err != nil {
		return nil, 0, err
	}
	rows, err := db.read.QueryContext(ctx, siteDaysQuery, p.least, p.most, string(wanted))
	if err == nil {
		err = each(rows, func(rows *sql.Rows) error {
			var number int64
			var results string
			if err := rows.Scan(&number, &results); err != nil {
				return err
			}
			return p.addResults(&sites[place[number]], results)
		})
	}
	return sites, len(all), db.explain(err)
}

// addResults adds the results of a row to their days.
func (p *Period) addResults(s *SiteDays, results string) error {
	newest := make([]int64, p.Days)
	for result := range parts(results) {
		text, state, _ := strings.Cut(result, " ")
		number, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return fmt.Errorf("%w (%w)", ErrDamaged, err)
		}
		run, ok := p.runs[number]
		if !ok || run.day < 0 {
			continue
		}
		day := &s.Days[run.day]
		day.Runs++
		if was, is := rank(day.State), rank(state); day.State == "" || is < was || is == was && number > newest[run.day] {
			day.State, day.Run, newest[run.day] = state, run.id, number
		}
	}
	return nil
}

// rank orders states, most severe first. A state of a later version is unknown.
func rank(state string) int {
	switch state {
	case "critical":
		return 0
	case "warn":
		return 1
	case "ok":
		return 3
	}
	return 2
}

// DayShare has the URLs of all sites on a day.
type DayShare struct {
	Sites   int64 // sites that count; 0 = none has been audited yet
	Carried int64 // those of them with the figures of an earlier day
	Known   int64 // known URLs
	Blocked int64 // known URLs blocked for at least one crawler
}

// sharesQuery has the figures of all sites in a period, in one row for each site. Runs that do not know the
// content of robots.txt have none: see SiteRun.Tells.
const sharesQuery = `SELECT coalesce((SELECT group_concat(l.run || ' ' || l.known || ' ' || l.blocked) FROM site_run l
WHERE l.site = s.site AND l.run BETWEEN ? AND ? AND ` + tells + `), '') FROM site s`

// Shares returns the URLs of all sites, day by day. A site counts with its last run of the day that knows
// the content of robots.txt, or else with that of an earlier day, for at most CarryDays.
func (db *DB) Shares(ctx context.Context, p *Period) ([]DayShare, error) {
	shares := make([]DayShare, p.Days)
	rows, err := db.read.QueryContext(ctx, sharesQuery, p.carried, p.most)
	if err == nil {
		site := make([]figures, CarryDays+p.Days)
		err = each(rows, func(rows *sql.Rows) error {
			var results string
			if err := rows.Scan(&results); err != nil || results == "" {
				return err
			}
			clear(site)
			if err := p.addFigures(site, results); err != nil {
				return err
			}
			carry(shares, site)
			return nil
		})
	}
	return shares, db.explain(err)
}

// figures are the figures of a site on a day.
type figures struct{ run, known, blocked int64 }

// addFigures sets the figures of a site, from CarryDays before the period on.
func (p *Period) addFigures(site []figures, results string) error {
	for result := range parts(results) {
		var f figures
		for _, field := range []*int64{&f.run, &f.known, &f.blocked} {
			var text string
			var err error
			text, result, _ = strings.Cut(result, " ")
			if *field, err = strconv.ParseInt(text, 10, 64); err != nil {
				return fmt.Errorf("%w (%w)", ErrDamaged, err)
			}
		}
		if run, ok := p.runs[f.run]; ok {
			if day := &site[CarryDays+run.day]; f.run > day.run {
				*day = f
			}
		}
	}
	return nil
}

// carry adds the figures of a site to each day of the period.
func carry(shares []DayShare, site []figures) {
	last := -1
	for i := range site {
		if site[i].run > 0 {
			last = i
		}
		if i < CarryDays || last < 0 || i-last > CarryDays {
			continue
		}
		day := &shares[i-CarryDays]
		day.Sites++
		if last < i {
			day.Carried++
		}
		day.Known += site[last].known
		day.Blocked += site[last].blocked
	}
}
