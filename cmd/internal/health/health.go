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

	"github.com/prometheus/client_golang/prometheus"

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
	Sites    map[string]int // sites by state: "ok", "warn", …; nil = not known
	Problem  string         // reason of the failure
}

// Alerts are open alerts of one kind.
type Alerts struct{ Severity, Condition string }

// Deliveries are deliveries to one channel in one state: "waiting", "accepted", "given up".
type Deliveries struct{ Channel, State string }

// Health is the state of the schedules. It is safe for concurrent use.
type Health struct {
	now     func() time.Time
	overdue time.Duration
	metrics metrics

	mu        sync.Mutex
	schedules map[string]*schedule
}

// schedule is the state of one schedule.
type schedule struct {
	next  time.Time // when it is due next, or since when it is due
	began time.Time // start of the current run; zero = none
	last  *Run      // nil = none has ended since the process started
	doubt string    // implausible times of its runs; "" = none
}

// New returns a Health without schedules. A run that is due for longer than overdue, by the clock
// now, is unhealthy.
func New(now func() time.Time, overdue time.Duration, version string) *Health {
	return &Health{now: now, overdue: overdue, metrics: newMetrics(version), schedules: map[string]*schedule{}}
}

// schedule returns the schedule with a name; h.mu is locked.
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
	if run.Sites != nil {
		h.metrics.sites.DeletePartialMatch(prometheus.Labels{"schedule": name})
		for state, n := range run.Sites {
			h.metrics.sites.WithLabelValues(name, state).Set(float64(n))
		}
	}
}

// Alerts records the number of open alerts, for all kinds that have any.
func (h *Health) Alerts(open map[Alerts]int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.metrics.alerts.Reset()
	for kind, n := range open {
		h.metrics.alerts.WithLabelValues(kind.Severity, kind.Condition).Set(float64(n))
	}
}

// Deliveries records the number of deliveries in the history, by channel and state.
func (h *Health) Deliveries(counts map[Deliveries]int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.metrics.deliveries.Reset()
	for kind, n := range counts {
		h.metrics.deliveries.WithLabelValues(kind.Channel, kind.State).Set(float64(n))
	}
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
