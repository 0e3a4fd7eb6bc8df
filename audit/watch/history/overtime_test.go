package history

import (
	"cmp"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	google "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"robots-audit/audit/compare"
)

// portfolio is a made history of several sites, with days of many runs, of one and of none.
type portfolio struct {
	db    *DB
	sites []string
	begin time.Time                       // start of the day of the first run
	end   time.Time                       // start of the day after the newest run
	runs  map[string]map[string][]SiteRun // by site and day
	since map[string]map[string]bool      // runs with a change, by site
}

func newPortfolio(t *testing.T, seed uint64, runs int) *portfolio {
	t.Helper()
	rnd := rand.New(rand.NewPCG(seed, 39))
	p := &portfolio{db: mustOpen(t, t.TempDir()), sites: []string{"a.com", "b.com", "Shop.example", "shop.other", "http://c.com:8080", "never.run"}, runs: map[string]map[string][]SiteRun{}, since: map[string]map[string]bool{}}
	at := day0
	noError(t, p.db.update(t.Context(), func(tx *Tx) error {
		for range runs {
			at = at.Add(time.Duration(1+rnd.IntN(3)*rnd.IntN(20)*rnd.IntN(20)) * time.Hour)
			id := at.Format("20060102T150405Z")
			if p.begin.IsZero() {
				p.begin = startOfDay(at)
			}
			if err := tx.AddRun(Run{ID: id, Schedule: []string{"", "shops"}[rnd.IntN(2)], Started: at, Finished: at, Folder: "runs/" + id}); err != nil {
				return err
			}
			for _, name := range p.sites[:5] {
				if rnd.IntN(3) == 0 {
					continue
				}
				e := Entry{Settled: rnd.IntN(6) > 0, Site: Site{Name: name, State: []string{"ok", "warn", "critical", "unknown", "later"}[rnd.IntN(5)], Answer: []Answer{AnswerOK, AnswerOK, AnswerMissing, AnswerServerError, AnswerNone, AnswerBusy, AnswerNotAsked}[rnd.IntN(7)], Known: int64(rnd.IntN(100))}}
				e.Site.Blocked = e.Site.Known / 3
				if p.since[name] == nil {
					p.since[name] = map[string]bool{}
				}
				for i := range rnd.IntN(3) {
					p.since[name][id] = true
					e.Changes = append(e.Changes, compare.Change{Kind: "rules", What: fmt.Sprint(id, name, i), Severity: []compare.Severity{"critical", "high", "medium", "info"}[rnd.IntN(4)]})
				}
				if err := tx.AddSite(t.Context(), e); err != nil {
					return err
				}
			}
		}
		return nil
	}))
	p.end = startOfDay(at).AddDate(0, 0, 1)
	return p
}

// on returns the runs of a site on a day, newest first, from the list of its runs.
func (p *portfolio) on(t *testing.T, site string, day time.Time) []SiteRun {
	t.Helper()
	days, known := p.runs[site]
	if !known {
		days = map[string][]SiteRun{}
		p.runs[site] = days
		all, err := p.db.SiteRuns(t.Context(), site, 1000)
		noError(t, err)
		for _, r := range all {
			day := r.Run.Started.Format(time.DateOnly)
			days[day] = append(days[day], r)
		}
	}
	return days[day.Format(time.DateOnly)]
}

// The days of a period are those of a search through all runs of each site.
func TestOverTime(t *testing.T) {
	worst := func(state string) int { return strings.Index("critical warn     later,unknown ok", state) }
	for seed := range uint64(6) {
		p := newPortfolio(t, seed, 60)
		for _, days := range []int{1, 7, 30, 400} {
			period, err := p.db.Period(t.Context(), days)
			noError(t, err)
			first := p.end.AddDate(0, 0, -days)
			if first.Before(p.begin) {
				first = p.begin
			}
			if !period.First.Equal(first) || !period.Day(period.Days).Equal(p.end) || period.Cut {
				t.Fatalf("period of %d days: %d from %v, cut: %v; want from %v", days, period.Days, period.First, period.Cut, first)
			}
			p.checkSites(t, period, worst)
			p.checkShares(t, period)
		}
	}
}

func (p *portfolio) checkSites(t *testing.T, period *Period, worst func(string) int) {
	t.Helper()
	var want []SiteDays
	schedules, changed := map[string]string{}, map[string]string{} // by site: of the newest run, and the newest run with a change
	for _, site := range p.sites {
		s := SiteDays{Site: site, Days: make([]SiteDay, period.Days), Known: -1, Blocked: -1}
		for i := range s.Days {
			runs := p.on(t, site, period.First.AddDate(0, 0, i))
			if len(runs) == 0 {
				continue
			}
			s.State, s.Known, s.Blocked = runs[0].State, -1, -1
			if runs[0].Tells() {
				s.Known, s.Blocked = runs[0].Known, runs[0].Blocked
			}
			s.Changed, schedules[site] = p.since[site][runs[0].Run.ID], runs[0].Run.Schedule
			for _, r := range slices.Backward(runs) {
				if p.since[site][r.Run.ID] {
					changed[site] = r.Run.ID
				}
			}
			of := runs[0]
			for _, r := range runs {
				if w, o := worst(r.State)/9, worst(of.State)/9; w < o {
					of = r
				}
			}
			s.Days[i] = SiteDay{of.State, of.Run.ID, len(runs)}
		}
		if s.State != "" {
			want = append(want, s)
		}
	}
	share := func(s SiteDays) float64 {
		if s.Known <= 0 {
			return -1
		}
		return float64(s.Blocked) / float64(s.Known)
	}
	for _, f := range []SiteFilter{
		{Limit: 100}, {Limit: 2}, {Offset: 2, Limit: 2}, {Offset: 9, Limit: 2}, {Name: "SHOP", Limit: 9}, {Name: "none", Limit: 9}, {Sort: "changed", Limit: 9}, {Sort: "blocked", Limit: 9},
		{State: "critical", Limit: 9}, {State: "unknown", Limit: 9}, {State: "ok", Sort: "changed", Limit: 9}, {Changed: true, Limit: 9}, {Schedule: "shops", Sort: "blocked", Limit: 9}, {Schedule: "x", Limit: 9},
	} {
		slices.SortFunc(want, func(a, b SiteDays) int {
			first := 0
			switch f.Sort {
			case "changed":
				first = strings.Compare(changed[b.Site], changed[a.Site])
			case "blocked":
				first = cmp.Compare(share(b), share(a))
			}
			return cmp.Or(first, cmp.Compare(worst(a.State)/9, worst(b.State)/9), strings.Compare(a.Site, b.Site))
		})
		matching := slices.DeleteFunc(slices.Clone(want), func(s SiteDays) bool {
			return !strings.Contains(strings.ToUpper(s.Site), strings.ToUpper(f.Name)) || f.Changed && !s.Changed ||
				f.State != "" && worst(f.State)/9 != worst(s.State)/9 || f.Schedule != "" && f.Schedule != schedules[s.Site]
		})
		got, total, err := p.db.SiteDays(t.Context(), period, f)
		noError(t, err)
		page := matching[min(f.Offset, len(matching)):min(f.Offset+f.Limit, len(matching))]
		if diff := google.Diff(page, got, cmpopts.EquateEmpty()); diff != "" || total != len(matching) {
			t.Fatalf("%+v of %d days: %d sites, want %d (-want +got):\n%s", f, period.Days, total, len(matching), diff)
		}
	}
}

func (p *portfolio) checkShares(t *testing.T, period *Period) {
	t.Helper()
	want := make([]DayShare, period.Days)
	for i := range want {
		for _, site := range p.sites {
			for back := range CarryDays + 1 { // from this day back to the last one that knows anything
				runs := slices.DeleteFunc(slices.Clone(p.on(t, site, period.First.AddDate(0, 0, i-back))), func(r SiteRun) bool { return !r.Tells() })
				if len(runs) == 0 {
					continue
				}
				want[i].Sites++
				want[i].Carried += int64(min(back, 1))
				want[i].Known += runs[0].Known
				want[i].Blocked += runs[0].Blocked
				break
			}
		}
	}
	got, err := p.db.Shares(t.Context(), period)
	if diff := google.Diff(want, got); diff != "" || err != nil {
		t.Fatalf("%d days: %v (-want +got):\n%s", period.Days, err, diff)
	}
}

// A period with too many results begins later, and its days are the same ones.
func TestPeriodCut(t *testing.T) {
	p := newPortfolio(t, 1, 60)
	whole, err := p.db.Period(t.Context(), 90)
	noError(t, err)
	all, total, err := p.db.SiteDays(t.Context(), whole, SiteFilter{Limit: 100})
	noError(t, err)
	for limit := 20; limit < 220; limit++ {
		cut, err := p.db.period(t.Context(), 90, limit)
		noError(t, err)
		if last := cut.Day(cut.Days); !last.Equal(p.end) || cut.Days < 1 || cut.Cut != (cut.Days < whole.Days) {
			t.Fatalf("limit %d: %d days from %v, cut: %v", limit, cut.Days, cut.First, cut.Cut)
		}
		sites, n, err := p.db.SiteDays(t.Context(), cut, SiteFilter{Limit: 100})
		noError(t, err)
		results := 0
		for _, s := range sites {
			at := slices.IndexFunc(all, func(other SiteDays) bool { return other.Site == s.Site })
			if diff := google.Diff(all[at].Days[whole.Days-cut.Days:], s.Days); diff != "" {
				t.Fatalf("limit %d, %s (-whole +cut):\n%s", limit, s.Site, diff)
			}
			for _, d := range s.Days {
				results += d.Runs
			}
		}
		if results > limit && cut.Days > 1 && !slices.ContainsFunc(sites, func(s SiteDays) bool { return s.Days[cut.Days-1].Runs > 0 }) {
			t.Errorf("limit %d: %d results", limit, results)
		}
		if n > total {
			t.Errorf("limit %d: %d sites of %d", limit, n, total)
		}
	}
	empty := mustOpen(t, t.TempDir())
	none, err := empty.Period(t.Context(), 30)
	noError(t, err)
	sites, n, err := empty.SiteDays(t.Context(), none, SiteFilter{Limit: 10})
	if shares, sharesErr := empty.Shares(t.Context(), none); len(sites)+n > 0 || !none.First.IsZero() || err != nil || sharesErr != nil || len(shares) != 30 {
		t.Errorf("an empty history: %v, %v, %v, %v", none, sites, err, sharesErr)
	}
}

// The newest changes are those of a search through the changes of all runs, in order of severity.
func TestNewChanges(t *testing.T) {
	p := newPortfolio(t, 2, 30)
	text := tableOf(t, p.db.read, "SELECT run, CASE severity WHEN 'critical' THEN 1 WHEN 'high' THEN 2 WHEN 'medium' THEN 3 ELSE 4 END, (SELECT site FROM site WHERE name = changes.site), number, what FROM changes")
	rows := strings.Split(text, "\n")
	slices.SortFunc(rows, func(a, b string) int {
		x, y := strings.Split(a, "|"), strings.Split(b, "|")
		return cmp.Or(strings.Compare(y[0], x[0]), strings.Compare(strings.Join(x[1:], " "), strings.Join(y[1:], " ")))
	})
	for _, limit := range []int{-1, 0, 1, 7, 20, 1000} {
		got, err := p.db.NewChanges(t.Context(), limit)
		noError(t, err)
		if len(got) != max(0, min(limit, len(rows))) {
			t.Errorf("%d changes, want %d of %d", len(got), limit, len(rows))
		}
		for i, c := range got {
			fields := strings.Split(rows[i], "|")
			if c.What != fields[4] || c.Run.ID != fields[0] || !strings.Contains(c.What, c.Site) || c.Kind != "rules" {
				t.Fatalf("change %d of %d: %+v, want %s", i, limit, c, rows[i])
			}
		}
	}
}

// Times to fix are those of plain SQL over the view of alerts.
func TestFixTimes(t *testing.T) {
	db, ctx := mustOpen(t, t.TempDir()), t.Context()
	rnd := rand.New(rand.NewPCG(3, 39))
	for n := range 40 {
		enter(t, db, testRun(n, "daily"), Entry{Site: Site{Name: "a.com"}})
	}
	if rows, more, err := db.FixTimes(ctx, day0); err != nil || more || len(rows) != 1 || rows[0] != (FixTimes{}) {
		t.Errorf("without alerts: %+v, %v (%v)", rows, more, err)
	}
	for n := range 60 {
		raised := rnd.IntN(39)
		a := Alert{ID: fmt.Sprint(n), Site: "a.com", Condition: fmt.Sprint("AL", n), Severity: []string{"critical", "high", "medium"}[rnd.IntN(3)], Raised: runID(raised), Since: testRun(raised, "").Started}
		if rnd.IntN(4) > 0 {
			ended := raised + 1 + rnd.IntN(39-raised)
			a.EndedRun, a.Ended = runID(ended), testRun(ended, "").Started.Add(time.Duration(rnd.IntN(9))*time.Hour)
		}
		noError(t, db.update(ctx, func(tx *Tx) error { return tx.SaveAlert(a) }))
		switch rnd.IntN(5) {
		case 0:
			noError(t, db.Accept(ctx, []string{a.ID}, day0, ""))
		case 1: // revoked by the later one
			noError(t, db.Accept(ctx, []string{a.ID}, day0, ""))
			noError(t, db.Acknowledge(ctx, []string{a.ID}, day0.AddDate(1, 0, 0), day0.Add(time.Hour), ""))
		}
	}
	for _, since := range []time.Time{day0, day0.AddDate(0, 0, 25), day0.AddDate(1, 0, 0)} {
		rows, more, err := db.FixTimes(ctx, since)
		noError(t, err)
		var got []string
		for _, r := range rows {
			oldest := "NULL"
			if !r.Oldest.IsZero() {
				oldest = timeText(r.Oldest)
			}
			got = append(got, fmt.Sprintf("%s|%d|%.0f|%.0f|%.0f|%d|%s", r.Severity, r.Resolved, r.Mean.Seconds(), r.Median.Seconds(), r.Longest.Seconds(), r.Open, oldest))
		}
		const fixed = "(SELECT severity, (julianday(ended) - julianday(since)) * 86400 AS seconds FROM alerts WHERE ended >= :since AND accepted IS NOT 1)"
		want := tableOf(t, db.read, `SELECT s.name, (SELECT count(*) FROM `+fixed+` WHERE severity LIKE s.name || '%') AS n,
printf('%.0f', coalesce((SELECT avg(seconds) FROM `+fixed+` WHERE severity LIKE s.name || '%'), 0)),
printf('%.0f', coalesce((SELECT avg(seconds) FROM (SELECT seconds, row_number() OVER (ORDER BY seconds) AS i, count(*) OVER () AS all_rows FROM `+fixed+` WHERE severity LIKE s.name || '%') WHERE i BETWEEN all_rows / 2.0 AND all_rows / 2.0 + 1), 0)),
printf('%.0f', coalesce((SELECT max(seconds) FROM `+fixed+` WHERE severity LIKE s.name || '%'), 0)),
(SELECT count(*) FROM alerts WHERE ended IS NULL AND severity LIKE s.name || '%'), (SELECT min(since) FROM alerts WHERE ended IS NULL AND severity LIKE s.name || '%')
FROM (SELECT '' AS name UNION ALL SELECT 'critical' UNION ALL SELECT 'high' UNION ALL SELECT 'medium') s`, sql.Named("since", timeText(since)))
		if diff := google.Diff(want, strings.Join(got, "\n")); diff != "" || more {
			t.Errorf("since %v, more: %v (-want +got):\n%s", since, more, diff)
		}
	}
}
