package serve

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"robots-audit/audit/compare"
	"robots-audit/engine/wording"
	"robots-audit/reports"
)

// listed is a run in the list of runs.
type listed struct {
	Run      string              `json:"run"`
	Link     string              `json:"link"`
	Schedule string              `json:"schedule,omitempty"`
	Started  time.Time           `json:"started"`
	Finished time.Time           `json:"finished,omitzero"` // left out = it is running, or was interrupted
	Version  string              `json:"version,omitempty"`
	Sites    *int64              `json:"sites,omitempty"` // left out = unknown, as for a running run
	Known    *int64              `json:"known_urls,omitempty"`
	Blocked  *int64              `json:"blocked_urls,omitempty"`
	Critical *int64              `json:"critical_sites,omitempty"` // likewise
	Warn     *int64              `json:"warn_sites,omitempty"`
	Unknown  *int64              `json:"unknown_sites,omitempty"`
	OK       *int64              `json:"ok_sites,omitempty"`
	Before   string              `json:"run_before,omitempty"`          // the run before of the same schedule; left out = there is none
	Newly    *int64              `json:"newly_blocked_sites,omitempty"` // sites with newly blocked URLs since then; left out = unknown
	Freed    *int64              `json:"newly_allowed_sites,omitempty"` // likewise
	Alerts   *int64              `json:"open_alerts,omitempty"`         // open alerts that the run raised; left out = there is no history
	Gone     bool                `json:"gone,omitempty"`                // the history has it, but its folder was removed
	Trouble  string              `json:"error,omitempty"`               // why it could not be read
	Changes  *compare.Severities `json:"changes,omitempty"`             // changes since the run before, on all sites; left out = unknown
	Compared string              `json:"compared,omitempty"`
	Progress *reports.Progress   `json:"progress,omitempty"` // progress of a running run
	Partial  bool                `json:"partial,omitempty"`  // it audited only the sites of its schedule whose robots.txt had changed

	dir    string
	before *listed // Before; nil = none
}

// Share is the share of blocked URLs; "" = unknown.
func (l *listed) Share() string {
	if l.Known == nil || *l.Known == 0 {
		return ""
	}
	return strings.ReplaceAll(wording.Percent(*l.Blocked, *l.Known), " %", "\u00a0%") // no line begins with the sign
}

// Moved is the difference of the blocked share to the run before, in percentage points: "+1.2"; "" = unknown, "0" = less
// than 0.05.
func (l *listed) Moved() string {
	if l.before == nil || l.Share() == "" || l.before.Share() == "" {
		return ""
	}
	percent := func(l *listed) float64 { return 100 * float64(*l.Blocked) / float64(*l.Known) }
	text := fmt.Sprintf("%+.1f", percent(l)-percent(l.before))
	if text == "+0.0" || text == "-0.0" {
		return "0"
	}
	return strings.Replace(text, "-", "\u2212", 1)
}

// done reports whether the run has finished, with figures.
func (l *listed) done() bool { return !l.Finished.IsZero() && l.Sites != nil && l.Trouble == "" }

// readable reports whether the run has a folder that could be read. nil is no run.
func (l *listed) readable() bool { return l != nil && !l.Gone && l.Trouble == "" }

// runsByKey are the runs of a list by their keys.
func runsByKey(list []*listed) map[string]*listed {
	runs := map[string]*listed{}
	for _, l := range list {
		runs[l.Run] = l
	}
	return runs
}

// changeWords are the important changes: "changes: 2 critical, 1 warning".
func changeWords(all *compare.Severities) string {
	counts := *all
	counts.Info = 0
	if counts.Changes() == 0 {
		return ""
	}
	return "changes: " + counts.Words()
}

// read reads the description of a run from its folder.
func (l *listed) read() {
	o, err := reports.ReadOverview(l.dir)
	if err != nil {
		l.Trouble = err.Error()
		if errors.Is(err, reports.ErrNoRun) {
			l.Trouble = "there is no run in this folder"
		}
		return
	}
	l.Started, l.Finished, l.Version = o.Started, o.Finished, o.Version
	if o.Totals != nil {
		l.Sites, l.Known, l.Blocked = new(int64(o.Totals.Sites)), &o.Totals.URLs, &o.Totals.Blocked
		l.Critical, l.Warn = new(int64(o.Totals.Critical)), new(int64(o.Totals.Warn))
		l.Unknown, l.OK = new(int64(o.Totals.Unknown)), new(int64(o.Totals.OK))
	}
	if l.Finished.IsZero() {
		l.Progress = readProgress(l.dir)
	}
}

// newestLike returns the newest other run of the schedule of a run that has a folder and is complete; "" = there
// is none.
func newestLike(list []*listed, key string) string {
	asked := slices.IndexFunc(list, func(l *listed) bool { return l.Run == key })
	if asked < 0 {
		return ""
	}
	newest := slices.IndexFunc(list, func(l *listed) bool {
		return l.Run != key && l.Schedule == list[asked].Schedule && l.readable() && !l.Finished.IsZero()
	})
	if newest < 0 {
		return ""
	}
	return list[newest].Run
}
