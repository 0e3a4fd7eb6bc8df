package health

import "github.com/prometheus/client_golang/prometheus"

// metrics are the figures of /metrics, in their own registry, so that figures which libraries
// register are not shown.
type metrics struct {
	registry   *prometheus.Registry
	runs       *prometheus.CounterVec
	duration   *prometheus.HistogramVec
	running    *prometheus.GaugeVec
	last, next *prometheus.GaugeVec
	sites      *prometheus.GaugeVec
	alerts     *prometheus.GaugeVec
	deliveries *prometheus.GaugeVec
}

// durationBuckets are in seconds: from a list of a few sites to a list that takes a working day.
var durationBuckets = []float64{10, 30, 60, 300, 900, 1800, 3600, 7200, 14400, 28800}

func newMetrics(version string) metrics {
	gauge := func(name, help string, labels ...string) *prometheus.GaugeVec {
		return prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "robots_audit_" + name, Help: help}, labels)
	}
	m := metrics{
		registry: prometheus.NewRegistry(),
		runs: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "robots_audit_runs_total", Help: "Runs that ended since the start of the process, by outcome: complete, stopped, failed."},
			[]string{"schedule", "outcome"}),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "robots_audit_run_duration_seconds", Help: "Duration of runs.", Buckets: durationBuckets},
			[]string{"schedule"}),
		running:    gauge("run_under_way", "1 while a run is in progress, else 0.", "schedule"),
		last:       gauge("last_run_timestamp_seconds", "End time of the last run with an outcome.", "schedule", "outcome"),
		next:       gauge("next_run_timestamp_seconds", "Time of the next run.", "schedule"),
		sites:      gauge("sites", "Sites of the last run, by state.", "schedule", "state"),
		alerts:     gauge("alerts_open", "Open alerts, by severity and condition.", "severity", "condition"),
		deliveries: gauge("deliveries", "Deliveries in the history, by channel and state: waiting, accepted, given up.", "channel", "state"),
	}
	build := gauge("build_info", "1, with the version of the program.", "version")
	build.WithLabelValues(version).Set(1)
	m.registry.MustRegister(m.runs, m.duration, m.running, m.last, m.next, m.sites, m.alerts, m.deliveries, build)
	return m
}
