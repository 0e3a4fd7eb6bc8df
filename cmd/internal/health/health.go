// Package health reports the state of the schedules to other programs. /healthz is for a service
// manager, which restarts the process when it hangs, and /metrics for Prometheus.
//
// The loop that makes the runs pushes the figures into a [Health], and requests read them there. So
// a request never waits for a run, a database or the network. Counters start at 0 with the process,
// as Prometheus expects.
//
// There is no login. So the server listens on loopback unless another address is given. It accepts
// only known host names, so that a web page cannot read it through DNS rebinding. It offers no
// actions, and all timeouts and the number of connections are limited.
package health

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"robots-audit/engine/escape"
)

// Outcome is how a run ended.
type Outcome string

// Outcomes of runs.
const (
	Complete Outcome = "complete" // all sites were audited, with any result
	Stopped  Outcome = "stopped"  // a signal ended it; the next start continues it
	Failed   Outcome = "failed"   // it could not be started, finished or stored
)

// Run is a run that has ended.
type Run struct {
	Outcome  Outcome
	Ended    time.Time
	Duration time.Duration
	Problem  string // reason of the failure
}

// Stored is the last run of a schedule in the history.
type Stored struct {
	Finished      time.Time
	Sites         map[string]int // sites by state: "ok", "warn", …
	URLs, Blocked int64
	Severe        []Site // the first of its sites, most severe first
}

// Site is the result of one site in a run.
type Site struct {
	Name          string
	State         string // "ok", "warn", …
	URLs, Blocked int64
}

// Alerts are open alerts of one site and kind.
type Alerts struct{ Site, Severity, Condition string }

// Deliveries are deliveries to one channel in one state.
type Deliveries struct{ Channel, State string }

// DeliveryStates are the states of deliveries.
var DeliveryStates = []string{"waiting", "accepted", "given up"}

// Health is the state of the schedules. It is safe for concurrent use.
type Health struct {
	now     func() time.Time
	overdue time.Duration
	metrics metrics

	mu         sync.Mutex
	schedules  map[string]*schedule
	alerts     map[Alerts]int
	deliveries map[Deliveries]int
}

// schedule is the state of one schedule.
type schedule struct {
	next  time.Time // when it is due next, or since when it is due
	began time.Time // start of the current run; zero = none
	last  *Run      // nil = none has ended since the process started
	doubt string    // implausible times of its runs; "" = none

	stored   *Stored // nil = none is known
	notShown int     // its sites that have no metrics of their own
}

// New returns a Health without schedules. A run that is due for longer than overdue, by the clock
// now, is unhealthy.
func New(now func() time.Time, overdue time.Duration, version string) *Health {
	h := &Health{now: now, overdue: overdue, schedules: map[string]*schedule{}}
	h.metrics = newMetrics(version, past{h})
	return h
}

// schedule returns the schedule with a name; h.mu is locked.
func (h *Health) schedule(name string) *schedule {
	if h.schedules[name] == nil {
		h.schedules[name] = &schedule{}
		h.metrics.add(name)
	}
	return h.schedules[name]
}

// Planned records when a schedule is due next; zero = never. It is called after each run.
func (h *Health) Planned(name string, next time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.schedule(name).next = next
	if next.IsZero() {
		h.metrics.next.DeleteLabelValues(name)
		return
	}
	h.metrics.next.WithLabelValues(name).Set(seconds(next))
}

// Doubt records implausible times of a schedule's runs, which are unhealthy; "" = none.
func (h *Health) Doubt(name, text string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.schedule(name).doubt = text
}

// Began records the start of a schedule's run.
func (h *Health) Began(name string, at time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.schedule(name).began = at
	h.metrics.running.WithLabelValues(name).Set(1)
}

// Ended records the end of a schedule's run.
func (h *Health) Ended(name string, run Run) {
	h.mu.Lock()
	defer h.mu.Unlock()
	s := h.schedule(name)
	s.began, s.last = time.Time{}, &run
	h.metrics.running.WithLabelValues(name).Set(0)
	h.metrics.runs.WithLabelValues(name, string(run.Outcome)).Inc()
	h.metrics.duration.WithLabelValues(name).Observe(run.Duration.Seconds())
	h.metrics.last.WithLabelValues(name, string(run.Outcome)).Set(seconds(run.Ended))
}

// Stored records the last run of a schedule in the history. Sites after the first MaxSites have no
// metrics of their own, nor have those whose name no metric can have.
func (h *Health) Stored(name string, run Stored) {
	all := 0
	for _, n := range run.Sites {
		all += n
	}
	run.Severe = slices.DeleteFunc(slices.Clone(run.Severe[:min(len(run.Severe), MaxSites)]), func(s Site) bool { return len(s.Name) > maxSiteName || !utf8.ValidString(s.Name) })
	h.mu.Lock()
	defer h.mu.Unlock()
	s := h.schedule(name)
	s.stored, s.notShown = &run, all-len(run.Severe)
	if s.last == nil { // the process has made no run yet
		h.metrics.last.WithLabelValues(name, string(Complete)).Set(seconds(run.Finished))
	}
}

// maxSiteName limits the label of a site, in bytes: scheme, host and port.
const maxSiteName = 300

// Alerts records the number of open alerts, for all kinds that have any. The map is kept.
func (h *Health) Alerts(open map[Alerts]int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.alerts = open
}

// Deliveries records the number of deliveries in the history, by channel and state. The map is kept.
func (h *Health) Deliveries(counts map[Deliveries]int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.deliveries = counts
}

// Check describes the schedules by name, one per line. ok is false if the last run of one has
// failed, one is overdue, or its times are implausible.
func (h *Health) Check() (text string, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	ok = true
	var out strings.Builder
	now := h.now()
	for _, name := range slices.Sorted(maps.Keys(h.schedules)) {
		s := h.schedules[name]
		late := now.Sub(s.next).Round(time.Second)
		var parts []string
		if s.last != nil {
			what := "last run " + string(s.last.Outcome) + " at " + stamp(s.last.Ended)
			if s.last.Outcome == Failed {
				ok = false
				what += ": " + escape.Cut(escape.Show(cmp.Or(s.last.Problem, "the reason is unknown")), maxProblem)
			}
			parts = append(parts, what)
		}
		if s.doubt != "" {
			ok = false
			parts = append(parts, s.doubt)
		}
		switch {
		case !s.began.IsZero():
			parts = append(parts, "a run is in progress since "+stamp(s.began))
		case s.next.IsZero():
			parts = append(parts, "never due")
		case late > h.overdue:
			ok = false
			parts = append(parts, fmt.Sprintf("overdue: a run was due at %s, %v ago", stamp(s.next), late))
		default:
			parts = append(parts, "next run at "+stamp(s.next))
		}
		fmt.Fprintf(&out, "%s: %s\n", name, strings.Join(parts, "; "))
	}
	if out.Len() == 0 {
		return "no schedule has started yet\n", false
	}
	return out.String(), ok
}

// maxProblem limits the text of a problem, in bytes.
const maxProblem = 300

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") }

func seconds(t time.Time) float64 { return float64(t.UnixMilli()) / 1000 }
