package alert

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"robots-audit/audit/compare"
	"robots-audit/audit/history"
)

// Input is what one run says of one site, and what is known of the site until then.
type Input struct {
	Site     string        // its name
	Run      string        // ID of the run
	Started  time.Time     // of the run; texts tell times of day in its location
	Settled  string        // ID of the site's last settled run; "" = there is none
	Compared *compare.Site // of that run with this one. Never nil: where there is no such run, its Old is nil; where the site is audited no longer, its New
	Open     []Open        // alerts that hold

	Hiccups          []string  // names of the Questions whose answers were not confirmed; nil = all were, or there was nothing to ask
	Quiet            bool      // the run was started within a maintenance window of the site
	UnreachableSince time.Time // start of the first of the runs, up to this one, that without a break could not get robots.txt; zero = the one that raised AL03, or else this one
}

// Open is an alert that holds.
type Open struct {
	history.Alert
	Compared *compare.Site // of its Base with this run; nil = it has no base. Its Old is nil where the base cannot be read any more: the alert then stays as it is
}

// Judged is what becomes of a site's alerts by a run.
type Judged struct {
	Settled bool            // later runs are compared with this one
	Alerts  []history.Alert // to be saved: those that are raised, told again, or ended, by condition
	Events  []Event         // to be told, the gravest first
}

// Judge says what becomes of a site's alerts by a run, and what is to be told of it.
func Judge(in Input) (j Judged) {
	if in.Compared.New == nil { // it is audited no longer
		for i := range in.Open {
			j.end(&in, &in.Open[i].Alert)
		}
		return j
	}
	if !in.judgeable() {
		return j
	}
	unreachable := in.unreachable()
	j.Settled = !unreachable && len(in.Hiccups) == 0
	came := in.conditions(in.Compared)
	for _, c := range conditions {
		if unreachable && c.code != Unreachable {
			continue
		}
		if a := in.accepted(c.code); a != nil {
			j.end(&in, a)
		}
		open := in.open(c.code)
		switch {
		case open == nil && came[c.code] != nil:
			if !in.wayBack(c.code) {
				j.raise(&in, came[c.code])
			}
		case open == nil || open.Base != "" && c.code != Unreachable && open.Compared.Old == nil:
		default:
			if found := in.conditions(open.Compared)[c.code]; found != nil {
				j.hold(&in, &open.Alert, found)
			} else if !in.doubtsEnd(open) {
				j.end(&in, &open.Alert)
			}
		}
	}
	slices.SortStableFunc(j.Events, func(a, b Event) int { return compareSeverities(a.Severity, b.Severity) })
	in.follow(j.Events)
	return j
}

// wayBack reports whether a condition has come only since another one has gone: the site is
// as it was before that alert, and the rules of a file that is there again are no news.
func (in *Input) wayBack(code string) bool {
	for i := range in.Open {
		o := &in.Open[i]
		if code == Unreachable || o.Condition == Unreachable || o.Compared.Old == nil || in.isAccepted(&o.Alert) {
			continue
		}
		if has := in.conditions(o.Compared); has[o.Condition] == nil && has[code] == nil {
			return true
		}
	}
	return false
}

// judgeable reports whether the run says anything of the site: it asked for robots.txt,
// came to the end of the site, and what the site's own robots.txt answered is no hiccup.
func (in *Input) judgeable() bool {
	own := in.Compared.Own()
	return own != nil && own.New != nil && own.New.Asked() && !in.Compared.New.Finished.IsZero() && !in.isHiccup(own.Name)
}

func (in *Input) unreachable() bool { return in.Compared.Own().New.Unreachable() }

// open is the alert of a condition that holds; nil = there is none, or it ends since it
// was accepted: from then on the last settled run is what others are compared with.
func (in *Input) open(code string) *Open {
	for i := range in.Open {
		if o := &in.Open[i]; o.Condition == code && !in.isAccepted(&o.Alert) {
			return o
		}
	}
	return nil
}

// accepted is the alert of a condition that ends since it was accepted; nil = there is none.
func (in *Input) accepted(code string) *history.Alert {
	for i := range in.Open {
		if a := &in.Open[i].Alert; a.Condition == code && in.isAccepted(a) {
			return a
		}
	}
	return nil
}

// isAccepted reports whether somebody said, before the run began, that what an alert tells of
// is as it should be. So the same runs end it whenever they are judged. A robots.txt that
// cannot be had is never as it should be.
func (in *Input) isAccepted(a *history.Alert) bool {
	return Acceptable(a.Condition) && !a.Accepted.IsZero() && a.Accepted.Before(in.Started)
}

// Acceptable reports whether what a condition tells of can be as it should be: all but
// a robots.txt that cannot be had.
func Acceptable(condition string) bool { return condition != Unreachable }

// raise begins an alert.
func (j *Judged) raise(in *Input, f *found) {
	a := history.Alert{
		ID: ID(in.Site, f.code, in.Run), Site: in.Site, Condition: f.code, Severity: string(f.severity), Base: in.Settled, Raised: in.Run,
		Since: in.Started.UTC(), Subjects: f.subjects, URLs: f.urls,
	}
	if in.Quiet {
		j.Alerts = append(j.Alerts, a)
		return
	}
	j.tell(in, Raised, a, f)
}

// hold tells of an alert that holds what is news of it.
func (j *Judged) hold(in *Input, a *history.Alert, f *found) {
	acknowledged := in.Started.Before(a.Acknowledged)
	switch {
	case in.Quiet:
	case a.Text == "" && !acknowledged:
		j.tell(in, Raised, *a, f)
	case a.Text == "":
	case compareSeverities(f.severity, compare.Severity(a.Severity)) < 0, !acknowledged && newSubject(a.Subjects, f.subjects):
		j.tell(in, Worse, *a, f)
	}
}

// tell enters an alert as it is told.
func (j *Judged) tell(in *Input, kind Kind, a history.Alert, f *found) {
	was := compare.Severity(a.Severity)
	before := a.Subjects
	a.Severity, a.Subjects, a.URLs = string(f.severity), f.subjects, f.urls
	e := in.event(kind, &a, was, f)
	a.Text = e.Text
	if kind == Worse && len(in.Hiccups) > 0 { // what was told of what is in doubt now is no news when it is clear again
		f.about(before...)
		a.Subjects = f.subjects
	}
	j.Alerts, j.Events = append(j.Alerts, a), append(j.Events, e)
}

// end ends an alert. One of which nobody was told ends without a word; one that was told
// does not end while nothing is told, but for one that was accepted: who did so knows.
func (j *Judged) end(in *Input, open *history.Alert) {
	a := *open
	if a.Text != "" && in.Quiet && !in.isAccepted(open) {
		return
	}
	a.EndedRun, a.Ended = in.Run, in.Started.UTC()
	j.Alerts = append(j.Alerts, a)
	if a.Text != "" && !in.Quiet {
		j.Events = append(j.Events, in.event(Ended, &a, "", nil))
	}
}

// newSubject reports whether an alert is about something that was not told. Where there
// were more than could be told, nobody knows.
func newSubject(told, now []string) bool {
	if slices.Contains(told, compare.MoreSubjects) {
		return false
	}
	return slices.ContainsFunc(now, func(s string) bool { return !slices.Contains(told, s) })
}

// severities, the gravest first.
var severities = []compare.Severity{compare.Critical, compare.High, compare.Medium, compare.Info}

// compareSeverities is negative where a is graver than b.
func compareSeverities(a, b compare.Severity) int {
	return slices.Index(severities, a) - slices.Index(severities, b)
}

// ID is the stable ID of an alert: 16 hexadecimal digits.
func ID(site, condition, raisedRun string) string { return hash(site, condition, raisedRun) }

// hash is a short name for some texts, none of which holds a NUL.
func hash(texts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(texts, "\x00")))
	return hex.EncodeToString(sum[:8])
}
