package site

import (
	"cmp"
	"slices"
	"time"

	"robots-audit/audit"
)

// Timeline is a site over its runs: the earlier ones, from its Past, and the current one.
type Timeline struct {
	Title     string        // the finding
	Sentences []string      // additional sentences
	Crawlers  []string      // labels, as of Site.Crawlers
	Runs      []TimelineRun // the oldest first; the current run is the last
	Changes   []int         // indices of the runs whose robots.txt differs from the run before
	Hours     bool          // some runs are on the same day in UTC: dates include the hour
	leads     []bool        // for each of Crawlers: see audit.Leading
}

// TimelineRun is one run on a timeline.
type TimelineRun struct {
	audit.Point
	Changed bool    // robots.txt differs from the previous run that had it
	Counts  []int64 // blocked URLs, for each of Timeline.Crawlers, or NoCount. If robots.txt could not be fetched, this is what blocks
}

// NoCount means that a run has no figure: no URL was found, the crawler was not tested, or the
// effect of the response on it is unknown.
const NoCount = -1

// unhad are the classes of responses that do not show the content of robots.txt: those of
// history.Answer in which crawlers do not know it either.
var unhad = map[string]string{
	"429": "HTTP 429", "5xx": "a server error", "unreachable": "no answer", "not asked": "it was not asked for",
}

// ByFile is the figure of the i-th crawler by robots.txt: NoCount also if it could not be fetched.
func (r *TimelineRun) ByFile(i int) int64 {
	if !r.Had() {
		return NoCount
	}
	return r.Counts[i]
}

// Had reports whether the response of the run shows the content of robots.txt, or that there is
// none.
func (r *TimelineRun) Had() bool { return unhad[r.Answer] == "" }

// Timeline returns the site's timeline; nil = no history.
func (s *Site) Timeline(d *audit.Done) *Timeline {
	if s.Past == nil {
		return nil
	}
	t := &Timeline{Crawlers: audit.Labels(s.Crawlers), leads: s.leads}
	points := s.Past.Points
	for _, p := range append(slices.Clone(points[max(0, len(points)-audit.MaxPoints):]), s.point(d)) {
		t.add(p)
	}
	t.tell(s.Past.Begins)
	return t
}

// point is the current run.
func (s *Site) point(d *audit.Done) audit.Point {
	file := s.Robots(0).File
	p := audit.Point{Started: s.RunStarted, Answer: cmp.Or(s.answer, "not asked"), Status: file.Status, Known: d.URLs, Blocked: map[string]int64{}}
	if p.Started.IsZero() {
		p.Started = s.Started
	}
	if file.Status/100 == 2 {
		p.SHA256 = file.SHA256
	}
	for i, c := range s.Crawlers {
		if s.CountedFor(d, i) {
			p.Blocked[c.Label] = BlockedFor(d, i)
		}
	}
	return p
}

// add adds the next run.
func (t *Timeline) add(p audit.Point) {
	r := TimelineRun{Point: p, Counts: make([]int64, len(t.Crawlers))}
	for i, label := range t.Crawlers {
		n, asked := p.Blocked[label]
		if !asked || p.Known == 0 {
			n = NoCount
		}
		r.Counts[i] = n
	}
	if before := t.before(len(t.Runs), (*TimelineRun).Had); before >= 0 && r.Had() && t.Runs[before].SHA256 != r.SHA256 {
		r.Changed = true
		t.Changes = append(t.Changes, len(t.Runs))
	}
	if n := len(t.Runs); n > 0 && sameDay(t.Runs[n-1].Started, p.Started) {
		t.Hours = true
	}
	t.Runs = append(t.Runs, r)
}

func sameDay(a, b time.Time) bool {
	return a.UTC().Format(time.DateOnly) == b.UTC().Format(time.DateOnly)
}

// before is the last run before the i-th for which is returns true; -1 = none.
func (t *Timeline) before(i int, is func(*TimelineRun) bool) int {
	for i--; i >= 0 && !is(&t.Runs[i]); i-- {
	}
	return i
}

// Last is the current run.
func (t *Timeline) Last() *TimelineRun { return &t.Runs[len(t.Runs)-1] }

// Most is the highest drawn figure of all crawlers and runs.
func (t *Timeline) Most() (most int64) {
	for r := range t.Runs {
		for i := range t.Crawlers {
			most = max(most, t.Runs[r].ByFile(i))
		}
	}
	return most
}

// Day formats a time for the timeline's sentences and its picture: the day, without the year if it
// is the year of the current run, and with the hour if t.Hours.
func (t *Timeline) Day(of time.Time) string {
	layout := "2 Jan"
	if of.UTC().Year() != t.Last().Started.UTC().Year() {
		layout = "2 Jan 2006"
	}
	if t.Hours {
		layout += " 15:04"
	}
	return of.UTC().Format(layout)
}
