// Package health tells other programs how the schedule fares: /healthz for whoever starts
// it again when it hangs, /metrics for Prometheus.
//
// The figures are pushed into a [Health] by the loop that makes the runs and read by
// requests, so that a request never waits for a run, for a database or for the network.
// Counters begin at nothing with the process, as Prometheus expects.
//
// There is no login. So the server listens on loopback unless it is told another
// address; it answers only to the names that it was given, so that a web page cannot
// read it under a name of its own (DNS rebinding); it only tells; and no time or number
// of connections is without a bound.
package health

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"robots-audit/engine/escape"
)

// Outcome is how a run ended.
type Outcome string

// Outcomes of runs.
const (
	Complete Outcome = "complete" // all sites were audited, whatever came of them
	Stopped  Outcome = "stopped"  // a signal ended it; it goes on at the next start
	Failed   Outcome = "failed"   // it could not be begun, ended or entered
)

// Run is a run that has ended.
type Run struct {
	Outcome  Outcome
	Ended    time.Time
	Duration time.Duration
	Sites    map[string]int // sites by state: "ok", "warn", …; nil = not known
	Problem  string         // why it failed
}

// Alerts are open alerts of one kind.
type Alerts struct{ Severity, Condition string }

// Deliveries are deliveries to one channel in one state: "waiting", "accepted", "given up".
type Deliveries struct{ Channel, State string }

// Health is what is known of a schedule. It is safe for concurrent use.
type Health struct {
	now     func() time.Time
	overdue time.Duration
	metrics metrics

	mu        sync.Mutex
	schedules map[string]*schedule
}

// schedule is what is known of one.
type schedule struct {
	next  time.Time // when it is due next, or has been due since
	began time.Time // of the run that is under way; zero = none is
	last  *Run      // nil = none has ended in this process
	doubt string    // what of its times cannot be right; "" = nothing
}

// New returns the health of a schedule of which nothing is known. A run that is due for longer than
// overdue, by the clock now, is not healthy.
func New(now func() time.Time, overdue time.Duration, version string) *Health {
	return &Health{now: now, overdue: overdue, metrics: newMetrics(version), schedules: map[string]*schedule{}}
}

// schedule returns that of a name; h.mu is held.
func (h *Health) schedule(name string) *schedule {
	if h.schedules[name] == nil {
		h.schedules[name] = &schedule{}
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

// Doubt says what cannot be right with the times of a schedule's runs, which is not healthy;
// "" is nothing.
func (h *Health) Doubt(name, text string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.schedule(name).doubt = text
}

// Began tells that a run of a schedule was begun.
func (h *Health) Began(name string, at time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.schedule(name).began = at
	h.metrics.running.WithLabelValues(name).Set(1)
}

// Ended tells that a run of a schedule has ended.
func (h *Health) Ended(name string, run Run) {
	h.mu.Lock()
	defer h.mu.Unlock()
	s := h.schedule(name)
	s.began, s.last = time.Time{}, &run
	h.metrics.running.WithLabelValues(name).Set(0)
	h.metrics.runs.WithLabelValues(name, string(run.Outcome)).Inc()
	h.metrics.duration.WithLabelValues(name).Observe(run.Duration.Seconds())
	h.metrics.last.WithLabelValues(name, string(run.Outcome)).Set(seconds(run.Ended))
	if run.Sites != nil {
		h.metrics.sites.DeletePartialMatch(prometheus.Labels{"schedule": name})
		for state, n := range run.Sites {
			h.metrics.sites.WithLabelValues(name, state).Set(float64(n))
		}
	}
}

// Alerts says how many alerts are open: all kinds of which there are any.
func (h *Health) Alerts(open map[Alerts]int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.metrics.alerts.Reset()
	for kind, n := range open {
		h.metrics.alerts.WithLabelValues(kind.Severity, kind.Condition).Set(float64(n))
	}
}

// Deliveries says how many deliveries the history has, by channel and state.
func (h *Health) Deliveries(counts map[Deliveries]int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.metrics.deliveries.Reset()
	for kind, n := range counts {
		h.metrics.deliveries.WithLabelValues(kind.Channel, kind.State).Set(float64(n))
	}
}

// Check says how the schedules fare, a line each, by name; ok is false where the last
// run of one has failed, one is overdue, or its times are in doubt.
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

// maxProblem bounds the text of a problem, in bytes.
const maxProblem = 300

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") }

func seconds(t time.Time) float64 { return float64(t.UnixMilli()) / 1000 }
