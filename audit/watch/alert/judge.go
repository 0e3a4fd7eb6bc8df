package alert

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"robots-audit/audit/compare"
	"robots-audit/audit/watch/history"
)

// Input has the results of one run for one site, and the state of the site before it.
type Input struct {
	Site     string          // its name
	Run      string          // ID of the run
	Started  time.Time       // start of the run; its location is the time zone of texts
	Settled  string          // ID of the site's last settled run; "" = there is none
	Compared *compare.Site   // comparison of that run with this one, or an initial one if there is no such run. Never nil: its New is nil if the site is no longer audited
	Open     []Open          // alerts that have not ended
	Ended    []history.Alert // alerts that ended while one of Open that Hides others was open, and without Settled those that were accepted; additional ones do no harm

	Hiccups          []string  // names of the Questions whose answers were not confirmed; nil = none
	Quiet            bool      // the run was started within a maintenance window of the site
	NoLogs           bool      // the run was to read no access logs: alerts about them end without a report
	UnreachableSince time.Time // start of the first run of an unbroken series up to this one that could not fetch robots.txt; zero = that of the run that raised AL03, or this one
}

// Open is an alert that has not ended.
type Open struct {
	history.Alert
	Compared *compare.Site // comparison of its Base with this run; without a base an initial one (compare.Options.Initial). If its Old is nil, the base can no longer be read, and the alert stays unchanged
}

// Judged is the result of a run for a site's alerts.
type Judged struct {
	Settled bool            // later runs are compared with this one
	Alerts  []history.Alert // to be saved: those that are raised, reported again, or ended, by condition
	Events  []Event         // to be reported, most severe first
}

// Judge raises, updates and ends a site's alerts after a run, and says what to report.
func Judge(in Input) (j Judged) {
	if in.Compared.New == nil { // the site is no longer audited
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
		if c.rests == onLogs && in.NoLogs {
			for i := range in.Open {
				if a := in.Open[i].Alert; a.Condition == c.code {
					j.drop(&in, a)
				}
			}
			continue
		}
		open, covered := in.open(c.code), in.intended(c.code)
		for _, a := range in.accepted(c.code) {
			j.end(&in, a)
		}
		for _, o := range open {
			base := o.Compared
			if c.event {
				base = in.Compared
			}
			switch f := in.conditions(base)[c.code]; {
			case Unasked(&o.Alert, in.Compared.New.AskAs):
				j.drop(&in, o.Alert)
			case o.Base != "" && c.code != Unreachable && o.Compared.Old == nil, f == nil && in.doubtsEnd(o): // unknown
				covered = append(covered, o.Subjects...)
			case f != nil && in.lapsed(f):
				j.end(&in, &o.Alert)
			case f != nil:
				f.addSubjects(f.others(in.untold(o))...)
				j.update(&in, o, f)
				covered = append(covered, f.subjects...)
			default:
				j.end(&in, &o.Alert)
				covered = append(covered, came[c.code].wayBack(o)...)
			}
		}
		f := came[c.code]
		if f != nil && newSubject(covered, f.subjects) && !(c.eitherWay && open != nil) && !in.wayBack(f) {
			j.raise(&in, f)
		}
	}
	slices.SortStableFunc(j.Events, func(a, b Event) int { return compareSeverities(a.Severity, b.Severity) })
	in.follow(&j)
	return j
}

// wayBack reports whether a condition appears only because another one that hid it has gone. Then
// it is not reported, because the site is as before that alert. It is reported if the condition was
// meanwhile reported as ended.
func (in *Input) wayBack(f *found) bool {
	for i := range in.Open {
		o := &in.Open[i]
		hidden := f.unblocks() && slices.Contains(blocking, o.Condition)
		if o.Base != "" {
			hidden = hides(o.Condition, f.code) && o.Compared.Old != nil
		}
		if f.code == Unreachable || !hidden || in.isAccepted(&o.Alert) || in.reportedEnd(f.code, o.Since) {
			continue
		}
		if has := in.conditions(o.Compared); has[o.Condition] == nil && has[f.code] == nil {
			return true
		}
	}
	return false
}

// blocking are the conditions that block much. If one of them was already there in a site's first
// run, its end changes the share of blocked URLs and the policy for AI crawlers: that is no news.
var blocking = []string{"AL01", "AL02", Unreachable, "AL09"}

// unblocks reports whether a condition can be such a consequence.
func (f *found) unblocks() bool {
	more := func(c compare.Change) bool { return c.Shares[0].Less(c.Shares[1]) }
	return f.code == "AL10" || f.code == "AL11" && !slices.ContainsFunc(f.changes, more)
}

// reportedEnd reports whether a condition ended at or after a time, without acceptance, and this
// was reported.
func (in *Input) reportedEnd(code string, since time.Time) bool {
	return slices.ContainsFunc(in.Ended, func(a history.Alert) bool {
		return a.Condition == code && a.Text != "" && a.Accepted.IsZero() && !a.Ended.Before(since)
	})
}

// judgeable reports whether the run can judge the site: it requested robots.txt, finished the site,
// and the answer of the site's own robots.txt is no hiccup.
func (in *Input) judgeable() bool {
	own := in.Compared.Own()
	return own != nil && own.New != nil && own.New.Asked() && !in.Compared.New.Finished.IsZero() && !in.isHiccup(own.Name)
}

func (in *Input) unreachable() bool { return in.Compared.Own().New.Unreachable() }

// open returns the open alerts of a condition, without accepted ones: from then on the last settled
// run is their base.
func (in *Input) open(code string) (list []*Open) {
	for i := range in.Open {
		if o := &in.Open[i]; o.Condition == code && !in.isAccepted(&o.Alert) {
			list = append(list, o)
		}
	}
	return list
}

// accepted returns the alerts of a condition that end because they were accepted.
func (in *Input) accepted(code string) (list []*history.Alert) {
	for i := range in.Open {
		if a := &in.Open[i].Alert; a.Condition == code && in.isAccepted(a) {
			list = append(list, a)
		}
	}
	return list
}

// intended returns the subjects of a condition that a user has accepted, for a site without a settled
// run: another schedule may have reported them.
func (in *Input) intended(code string) (subjects []string) {
	if in.Settled != "" {
		return nil
	}
	for _, a := range in.Ended {
		if a.Condition == code && !a.Accepted.IsZero() {
			subjects = append(subjects, a.Subjects...)
		}
	}
	for _, a := range in.accepted(code) {
		subjects = append(subjects, a.Subjects...)
	}
	return subjects
}

// isAccepted reports whether a user accepted an alert's change as intended before the run began. So
// the same runs always end it, whenever they are judged. A robots.txt that cannot be fetched is
// never intended.
func (in *Input) isAccepted(a *history.Alert) bool {
	return Acceptable(a.Condition) && !a.Accepted.IsZero() && a.Accepted.Before(in.Started)
}

// Acceptable reports whether a condition can be intended: all but a robots.txt that cannot be
// fetched.
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
	j.report(in, Raised, a, f)
}

// update reports news about an open alert.
func (j *Judged) update(in *Input, o *Open, f *found) {
	a := &o.Alert
	acknowledged := in.Started.Before(a.Acknowledged)
	switch {
	case in.Quiet:
	case a.Text == "" && !acknowledged:
		j.report(in, Raised, *a, f)
	case a.Text == "":
	case compareSeverities(f.severity, compare.Severity(a.Severity)) < 0, !acknowledged && newSubject(a.Subjects, f.subjects):
		j.report(in, Worse, *a, f)
	case j.Settled && !in.unlogged(o):
		j.dropSubjects(*a, f)
	}
}

// dropSubjects drops the subjects of a reported alert that are gone. If they return, they are
// reported again.
func (j *Judged) dropSubjects(a history.Alert, f *found) {
	still := slices.DeleteFunc(slices.Clone(a.Subjects), func(s string) bool { return !slices.Contains(f.subjects, s) })
	if len(still) < len(a.Subjects) && !slices.Contains(slices.Concat(a.Subjects, f.subjects), compare.MoreSubjects) {
		a.Subjects = still
		j.Alerts = append(j.Alerts, a)
	}
}

// report adds an alert with its event.
func (j *Judged) report(in *Input, kind Kind, a history.Alert, f *found) {
	was := compare.Severity(a.Severity)
	before := a.Subjects
	a.Severity, a.Subjects, a.URLs = string(f.severity), f.subjects, f.urls
	e := in.event(kind, &a, was, f)
	a.Text = e.Text
	if kind == Worse && len(in.Hiccups) > 0 { // a reported subject that is now in doubt must not be reported again later
		f.addSubjects(before...)
		a.Subjects = f.subjects
	}
	j.Alerts, j.Events = append(j.Alerts, a), append(j.Events, e)
}

// end ends an alert. If it was never reported, the end is not reported either. A reported alert
// does not end within a maintenance window, unless a user accepted it.
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

// drop ends an alert without a report: nothing shows any more whether it is over.
func (j *Judged) drop(in *Input, a history.Alert) {
	a.EndedRun, a.Ended = in.Run, in.Started.UTC()
	j.Alerts = append(j.Alerts, a)
}

// newSubject reports whether an alert has a subject that was not reported. It returns false if
// there were too many subjects to report each.
func newSubject(reported, now []string) bool {
	if slices.Contains(reported, compare.MoreSubjects) {
		return false
	}
	return slices.ContainsFunc(now, func(s string) bool { return !slices.Contains(reported, s) })
}

// Severities are the severities, most severe first.
var Severities = []compare.Severity{compare.Critical, compare.High, compare.Medium, compare.Info}

// compareSeverities is negative if a is more severe than b.
func compareSeverities(a, b compare.Severity) int {
	return slices.Index(Severities, a) - slices.Index(Severities, b)
}

// ID is the stable ID of an alert: 16 hexadecimal digits.
func ID(site, condition, raisedRun string) string { return hash(site, condition, raisedRun) }

// hash returns a short name for some texts. None of them contains a NUL.
func hash(texts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(texts, "\x00")))
	return hex.EncodeToString(sum[:8])
}
