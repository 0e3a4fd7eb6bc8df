package serve

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"robots-audit/audit/compare"
	"robots-audit/audit/watch/history"
	"robots-audit/engine/wording"
	"robots-audit/reports/changes"
	"robots-audit/reports/internal/plot"
)

// timeView is the page of all sites over time. Its days are those of UTC.
type timeView struct {
	First   string       `json:"first_day,omitempty"` // left out = there is no run
	Last    string       `json:"last_day,omitempty"`
	Days    int          `json:"days"`
	Cut     bool         `json:"cut,omitempty"` // earlier days have too many results
	Query   string       `json:"query,omitempty"`
	Only    string       `json:"only,omitempty"`     // a value of onlys
	Sort    string       `json:"sort,omitempty"`     // a value of sorts
	Plan    string       `json:"schedule,omitempty"` // only sites whose newest run is of this schedule
	Page    int          `json:"page"`
	Pages   int          `json:"pages"`
	Total   int          `json:"total"` // sites that match
	Sites   []siteDays   `json:"sites"`
	Shares  []shareView  `json:"blocked"`
	Fixes   []fixView    `json:"time_to_fix"`
	More    bool         `json:"time_to_fix_cut,omitempty"` // only the latest alerts are read
	Changes []changeView `json:"changes"`

	Lead      string       `json:"-"`
	Periods   []timePeriod `json:"-"`
	Chosen    int          `json:"-"` // days of the chosen period
	Months    []timeMonth  `json:"-"`
	Columns   []timeColumn `json:"-"`
	Plot      *timePlot    `json:"-"`
	Rows      []shareView  `json:"-"` // of the table, newest first
	Previous  string       `json:"-"` // links to pages; "" = none
	Next      string       `json:"-"`
	CarryDays int          `json:"-"`
}

// timePeriod is a choice of days, with the sites on a page: it limits the cells of a page.
type timePeriod struct{ Days, Sites int }

var timePeriods = []timePeriod{{30, 200}, {90, 100}, {365, 30}}

// onlys are the choices of sites, and sorts those of their order.
var (
	onlys = []choice{
		{Name: "all sites"},
		{Value: "critical", Name: "critical"},
		{Value: "warn", Name: "warning"},
		{Value: "unknown", Name: "unknown"},
		{Value: "ok", Name: "OK"},
		{Value: "changed", Name: "changed in their newest run"},
	}
	sorts = []choice{
		{Name: "most severe first"},
		{Value: "changed", Name: "latest change first"},
		{Value: "blocked", Name: "highest blocked share first"},
	}
)

// Onlys and Sorts are the choices of the page.
func (v *timeView) Onlys() []choice { return chosen(onlys, v.Only) }
func (v *timeView) Sorts() []choice { return chosen(sorts, v.Sort) }

// Narrow reports whether the view leaves out sites.
func (v *timeView) Narrow() bool { return v.Query != "" || v.Only != "" || v.Plan != "" }

// Which says which sites the map has, and in which order.
func (v *timeView) Which() (text string) {
	switch name := choiceName(onlys, v.Only); v.Only {
	case "":
	case "changed":
		text = ", " + name
	default:
		text = ", " + name + " in their newest run"
	}
	return text + ", " + choiceName(sorts, v.Sort)
}

// maxChanges is the number of new changes that are shown.
const maxChanges = 20

// timeMonth is a month above the days.
type timeMonth struct {
	Name string
	Days int
}

// timeColumn is the head of a day.
type timeColumn struct {
	Number int
	Name   string
}

// siteDays is a row of the map.
type siteDays struct {
	Site  string    `json:"site"`
	State string    `json:"state"`
	Share *shareOf  `json:"blocked,omitempty"` // of its newest run; left out = that run does not know the content of robots.txt
	New   bool      `json:"changed,omitempty"` // its newest run has a change
	Link  string    `json:"link,omitempty"`    // page of the site in its newest run with a folder
	Days  []dayView `json:"days"`              // days with a run
	Cells []dayView `json:"-"`                 // all days
}

// shareOf has the URLs of a site.
type shareOf struct {
	Known   int64 `json:"known_urls"`
	Blocked int64 `json:"blocked_urls"`
}

// Blocked is the blocked share of the site; "" = unknown.
func (s siteDays) Blocked() string {
	if s.Share == nil || s.Share.Known == 0 {
		return ""
	}
	return wording.Percent(s.Share.Blocked, s.Share.Known) + " blocked"
}

// dayView is a site on a day. A cell without a run is empty.
type dayView struct {
	Day   string `json:"day"`
	State string `json:"state"`
	Run   string `json:"run"`
	Runs  int    `json:"runs"`
	Link  string `json:"link,omitempty"`
	Gone  bool   `json:"gone,omitempty"` // the folder of the run was removed: Link leads to the newest run
	Class string `json:"-"`
	Sign  string `json:"-"`
	Title string `json:"-"`
}

// shareView has the URLs of all sites on a day.
type shareView struct {
	Day     string `json:"day"`
	Sites   int64  `json:"sites"`
	Carried int64  `json:"carried_sites"`
	Known   int64  `json:"known_urls"`
	Blocked int64  `json:"blocked_urls"`
	Name    string `json:"-"`
}

// Share is the share of blocked URLs.
func (s shareView) Share() string {
	if s.Known == 0 {
		return "–"
	}
	return wording.Percent(s.Blocked, s.Known)
}

// timePlot is the picture of the shares.
type timePlot struct {
	plot.Plot
	Title, About string
}

// fixView has the times to fix alerts of a severity.
type fixView struct {
	Severity string    `json:"severity,omitempty"` // left out = all
	Resolved int       `json:"resolved"`
	Mean     int64     `json:"mean_seconds"`
	Median   int64     `json:"median_seconds"`
	Longest  int64     `json:"longest_seconds"`
	Open     int       `json:"open"`
	Oldest   time.Time `json:"oldest_open,omitzero"`
	Age      int64     `json:"oldest_open_seconds,omitempty"`
}

// changeView is a change of a site.
type changeView struct {
	Site     string           `json:"site"`
	Run      string           `json:"run"`
	Started  time.Time        `json:"started"`
	Kind     string           `json:"kind"`
	Words    string           `json:"words"`
	Severity compare.Severity `json:"severity"`
	Link     string           `json:"link,omitempty"` // the comparison; left out = there is none
}

// Class is the style of the severity.
func (c changeView) Class() string { return severityClass(string(c.Severity)) }

// viewTime shows all sites over a period.
func (d *Desk) viewTime(e *exchange) error {
	v := &timeView{Query: e.query("q"), Sites: []siteDays{}, Shares: []shareView{}, Fixes: []fixView{}, Changes: []changeView{}, Periods: timePeriods, CarryDays: history.CarryDays}
	period := timePeriods[0]
	if text := e.query("days"); text != "" {
		at := slices.IndexFunc(timePeriods, func(p timePeriod) bool { return strconv.Itoa(p.Days) == text })
		if at < 0 {
			return badRequest("days: expected 30, 90 or 365")
		}
		period = timePeriods[at]
	}
	v.Only, v.Sort, v.Plan = e.query("only"), e.query("sort"), e.query("schedule")
	switch {
	case choiceName(onlys, v.Only) == "":
		return badRequest("only: expected critical, warn, unknown, ok or changed")
	case choiceName(sorts, v.Sort) == "":
		return badRequest("sort: expected changed or blocked")
	}
	var err error
	if v.Page, err = pageNumber(e.query("page")); err != nil {
		return err
	}
	leave, err := d.work.enter(e.r.Context())
	if err != nil {
		return err
	}
	defer leave()
	if err := d.past.read(func(db *history.DB) error { return v.read(e.r.Context(), d, db, period) }); err != nil {
		return err
	}
	return e.show("time.html", "Over time", "Over time", v)
}

// read reads the history.
func (v *timeView) read(ctx context.Context, d *Desk, db *history.DB, chosen timePeriod) error {
	p, err := db.Period(ctx, chosen.Days)
	if err != nil {
		return err
	}
	v.Days, v.Cut, v.Chosen = p.Days, p.Cut, chosen.Days
	if p.First.IsZero() {
		return nil
	}
	v.First, v.Last = p.First.Format(time.DateOnly), p.Day(p.Days-1).Format(time.DateOnly)
	runs, err := d.runs.list()
	if err != nil {
		return err
	}
	byKey := runsByKey(runs)
	if err := v.readSites(ctx, d, db, p, chosen.Sites, byKey); err != nil {
		return err
	}
	shares, err := remember(d.past, fmt.Sprint("shares ", chosen.Days), func() ([]history.DayShare, error) { return db.Shares(ctx, p) })
	if err != nil {
		return err
	}
	v.addShares(p, shares)
	fixes, more, err := db.FixTimes(ctx, p.First)
	if err != nil {
		return err
	}
	v.addFixes(fixes, more, d.o.Now())
	changes, err := db.NewChanges(ctx, maxChanges)
	if err != nil {
		return err
	}
	v.addChanges(changes, byKey)
	v.lead()
	return nil
}

// readSites reads the rows of the map. If there are fewer pages, it reads the last one.
func (v *timeView) readSites(ctx context.Context, d *Desk, db *history.DB, p *history.Period, each int, runs map[string]*listed) error {
	filter := history.SiteFilter{Name: v.Query, State: v.Only, Schedule: v.Plan, Sort: v.Sort, Offset: (v.Page - 1) * each, Limit: each}
	if filter.Changed = v.Only == "changed"; filter.Changed {
		filter.State = ""
	}
	sites, total, err := db.SiteDays(ctx, p, filter)
	pages, from, _ := newPaging(v.Page, total, each, func(page string) string {
		q := url.Values{"days": {strconv.Itoa(v.Chosen)}, "page": {page}}
		for name, value := range map[string]string{"q": v.Query, "only": v.Only, "sort": v.Sort, "schedule": v.Plan} {
			if value != "" {
				q.Set(name, value)
			}
		}
		return d.o.link("/time?") + q.Encode()
	})
	v.Total, v.Page, v.Pages, v.Previous, v.Next = total, pages.Page, pages.Pages, pages.Previous, pages.Following
	if err == nil && from != filter.Offset {
		filter.Offset = from
		sites, _, err = db.SiteDays(ctx, p, filter)
	}
	if err != nil {
		return err
	}
	for i := range p.Days {
		day := p.Day(i)
		if month := day.Format("Jan 2006"); len(v.Months) == 0 || v.Months[len(v.Months)-1].Name != month {
			v.Months = append(v.Months, timeMonth{Name: month})
		}
		v.Months[len(v.Months)-1].Days++
		v.Columns = append(v.Columns, timeColumn{day.Day(), day.Format("2 January 2006")})
	}
	for i := range sites {
		v.Sites = append(v.Sites, v.newSiteDays(d, p, &sites[i], runs))
	}
	return nil
}

// newSiteDays makes a row of the map.
func (v *timeView) newSiteDays(d *Desk, p *history.Period, of *history.SiteDays, runs map[string]*listed) siteDays {
	row := siteDays{Site: of.Site, State: of.State, New: of.Changed, Days: []dayView{}, Cells: make([]dayView, len(of.Days))}
	if of.Known >= 0 {
		row.Share = &shareOf{of.Known, of.Blocked}
	}
	for i := len(of.Days) - 1; i >= 0 && row.Link == ""; i-- {
		if runs[of.Days[i].Run].readable() {
			row.Link = d.o.siteLink(of.Days[i].Run, of.Site)
		}
	}
	for i, day := range of.Days {
		if day.State == "" {
			continue
		}
		c := dayView{Day: p.Day(i).Format(time.DateOnly), State: day.State, Run: day.Run, Runs: day.Runs, Link: row.Link, Gone: !runs[day.Run].readable()}
		if !c.Gone {
			c.Link = d.o.siteLink(day.Run, of.Site)
		}
		state := stateViews[stateClass(day.State)]
		c.Class, c.Sign, c.Title = stateClass(day.State), state.sign, v.Columns[i].Name+": "+state.word
		if day.Runs > 1 {
			c.Title += ", the worst of " + wording.Plural(day.Runs, "run")
		}
		if c.Gone {
			c.Title += ". The folder of this run was removed"
			if c.Link != "" {
				c.Title += ": opens the newest run"
			}
		}
		row.Cells[i], row.Days = c, append(row.Days, c)
	}
	return row
}

// stateViews are the signs and words of states: colour alone must not carry meaning.
var stateViews = map[string]struct{ sign, word string }{"critical": {"✕", "critical"}, "warn": {"!", "warning"}, "unknown": {"?", "unknown"}, "ok": {"✓", "OK"}}

// stateClass is the style of a state. One of a later version is unknown.
func stateClass(state string) string {
	if _, known := stateViews[state]; known {
		return state
	}
	return "unknown"
}

// Class, Sign and Word show a site's state.
func (s siteDays) Class() string { return stateClass(s.State) }
func (s siteDays) Sign() string  { return stateViews[s.Class()].sign }
func (s siteDays) Word() string  { return stateViews[s.Class()].word }

// addShares adds the shares, and draws them.
func (v *timeView) addShares(p *history.Period, shares []history.DayShare) {
	points := make([]int, len(shares))
	const none, whole = -1, 10_000 // hundredths of a percent
	figures := make([]int64, len(shares))
	most := int64(1)
	for i, s := range shares {
		v.Shares = append(v.Shares, shareView{p.Day(i).Format(time.DateOnly), s.Sites, s.Carried, s.Known, s.Blocked, p.Day(i).Format("2 January 2006")})
		points[i], figures[i] = i, none
		if s.Known > 0 {
			figures[i] = int64(float64(s.Blocked) / float64(s.Known) * whole)
			most = max(most, figures[i])
		}
	}
	for i := len(v.Shares) - 1; i >= 0; i-- {
		if v.Shares[i].Sites > 0 {
			v.Rows = append(v.Rows, v.Shares[i])
		}
	}
	t := &timePlot{Plot: plot.New(len(shares), most, func(n int64) string { return strconv.FormatFloat(float64(n)/100, 'f', -1, 64) + " %" }), Title: "Blocked share of all sites"}
	line, ok := t.Curve(points, func(i int) int64 { return figures[i] })
	if !ok || len(shares) < 2 {
		return
	}
	t.AddDates(func(i int) string { return p.Day(i).Format("2 Jan") })
	line.Names = "All sites"
	t.Lines = append(t.Lines, line)
	t.PlaceLabels()
	known := slices.DeleteFunc(points, func(i int) bool { return figures[i] == none })
	first, last := known[0], known[len(known)-1]
	figure := func(a, b int) int { return cmp.Compare(figures[a], figures[b]) }
	lowest, highest := slices.MinFunc(known, figure), slices.MaxFunc(known, figure)
	t.Lines[0].Label = v.Shares[last].Share()
	at := func(i int) string { return v.Shares[i].Share() + " on " + v.Shares[i].Name }
	t.About = fmt.Sprintf("A line from %s to %s. Lowest: %s. Highest: %s. The table that follows has the same figures.", at(first), at(last), at(lowest), at(highest))
	v.Plot = t
}

// addFixes adds the times to fix.
func (v *timeView) addFixes(fixes []history.FixTimes, more bool, now time.Time) {
	v.More = more
	seconds := func(d time.Duration) int64 { return int64(d / time.Second) }
	for _, f := range fixes {
		of := fixView{Severity: f.Severity, Resolved: f.Resolved, Mean: seconds(f.Mean), Median: seconds(f.Median), Longest: seconds(f.Longest), Open: f.Open, Oldest: f.Oldest}
		if f.Open > 0 {
			of.Age = max(0, seconds(now.Sub(f.Oldest)))
		}
		v.Fixes = append(v.Fixes, of)
	}
}

// Word is the severity as people read it.
func (f fixView) Word() string { return compare.Severity(f.Severity).Word() }

// Class is the style of the severity.
func (f fixView) Class() string { return severityClass(f.Severity) }

// Span formats a number of seconds.
func (fixView) Span(seconds int64) string {
	switch hours := float64(seconds) / 3600; {
	case seconds < 3600:
		return wording.Plural(seconds/60, "minute")
	case hours < 48:
		return wording.Plural(int64(hours+0.5), "hour")
	case hours < 10*24:
		return strings.TrimSuffix(fmt.Sprintf("%.1f", hours/24), ".0") + " days"
	default:
		return wording.Plural(int64(hours/24+0.5), "day")
	}
}

// addChanges adds the newest changes, with links to the comparisons of their runs.
func (v *timeView) addChanges(list []history.SiteChange, runs map[string]*listed) {
	for i := range list {
		c := &list[i]
		of := changeView{Site: c.Site, Run: c.Run.ID, Started: c.Run.Started, Kind: c.Kind, Words: changes.ChangeWords(&c.Change), Severity: c.Severity}
		if r := runs[c.Run.ID]; r != nil {
			of.Link = r.Compared
		}
		v.Changes = append(v.Changes, of)
	}
}

// lead sets the sentences at the top.
func (v *timeView) lead() {
	if len(v.Rows) > 0 && v.Rows[0].Known > 0 {
		last, first := v.Rows[0], v.Rows[len(v.Rows)-1]
		v.Lead = fmt.Sprintf("%s of %s are blocked for at least one crawler (%s).", last.Share(), wording.URLs(last.Known), last.Name)
		if first.Known > 0 && first.Day != last.Day {
			v.Lead += fmt.Sprintf(" On %s it was %s.", first.Name, first.Share())
		}
	}
	if all := v.Fixes[0]; all.Resolved > 0 {
		v.Lead += fmt.Sprintf(" It took %s on average to fix an alert.", all.Span(all.Mean))
	}
	v.Lead = strings.ReplaceAll(v.Lead, " %", "\u00a0%") // no line begins with the sign
}
