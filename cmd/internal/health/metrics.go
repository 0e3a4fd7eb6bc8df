package health

import (
	"slices"

	"github.com/prometheus/client_golang/prometheus"
)

// metrics are the figures of /metrics, in their own registry, so that figures which libraries
// register are not shown.
type metrics struct {
	registry   *prometheus.Registry
	runs       *prometheus.CounterVec
	duration   *prometheus.HistogramVec
	running    *prometheus.GaugeVec
	last, next *prometheus.GaugeVec
}

// durationBuckets are in seconds: from a list of a few sites to a list that takes a working day.
var durationBuckets = []float64{10, 30, 60, 300, 900, 1800, 3600, 7200, 14400, 28800}

// newMetrics makes the metrics. past collects those of the history.
func newMetrics(version string, past prometheus.Collector) metrics {
	gauge := func(name, help string, labels ...string) *prometheus.GaugeVec {
		return prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "robots_audit_" + name, Help: help}, labels)
	}
	m := metrics{
		registry: prometheus.NewRegistry(),
		runs: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "robots_audit_runs_total", Help: "Runs that ended since the start of the process, by outcome: complete, stopped, failed."},
			[]string{"schedule", "outcome"}),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "robots_audit_run_duration_seconds", Help: "Duration of runs.", Buckets: durationBuckets},
			[]string{"schedule"}),
		running: gauge("run_under_way", "1 while a run is in progress, else 0.", "schedule"),
		last:    gauge("last_run_timestamp_seconds", "End time of the last run with an outcome.", "schedule", "outcome"),
		next:    gauge("next_run_timestamp_seconds", "Time of the next run.", "schedule"),
	}
	build := gauge("build_info", "1, with the version of the program.", "version")
	build.WithLabelValues(version).Set(1)
	m.registry.MustRegister(m.runs, m.duration, m.running, m.last, m.next, past, build)
	return m
}

// add makes the series of a schedule that begin at 0, so that Prometheus sees their first increase.
func (m metrics) add(schedule string) {
	for _, o := range []Outcome{Complete, Stopped, Failed} {
		m.runs.WithLabelValues(schedule, string(o))
	}
	m.duration.WithLabelValues(schedule)
	m.running.WithLabelValues(schedule)
}

// MaxSites limits the sites of a schedule that have metrics of their own.
const MaxSites = 1000

// siteStates are the states of sites by their number in site_state.
var siteStates = []string{"ok", "unknown", "warn", "critical"}

var described []*prometheus.Desc

func describe(name, help string, labels ...string) *prometheus.Desc {
	d := prometheus.NewDesc("robots_audit_"+name, help, labels, nil)
	described = append(described, d)
	return d
}

var (
	descSites       = describe("sites", "Sites of the last run, by state.", "schedule", "state")
	descURLs        = describe("urls", "URLs found by the last run.", "schedule")
	descURLsBlocked = describe("urls_blocked", "URLs of the last run that are blocked for at least one crawler.", "schedule")
	descAlerts      = describe("alerts_open", "Open alerts, by severity and condition.", "severity", "condition")
	descDeliveries  = describe("deliveries", "Deliveries in the history, by channel and state: waiting, accepted, given up.", "channel", "state")

	descNotShown    = describe("sites_not_shown", "Sites of the last run without metrics of their own: all but the 1,000 most severe.", "schedule")
	descSiteState   = describe("site_state", "State of a site in the last run: 0 OK, 1 unknown, 2 warning, 3 critical.", "schedule", "site")
	descSiteURLs    = describe("site_urls", "URLs found on a site by the last run.", "schedule", "site")
	descSiteBlocked = describe("site_urls_blocked", "URLs of a site that are blocked for at least one crawler.", "schedule", "site")
	descSiteAlerts  = describe("site_alerts_open", "Open alerts of a site, by severity.", "site", "severity")
)

// past collects the figures of the history. All series of a figure change at once, and a series that
// is no longer true is gone.
type past struct{ *Health }

// Describe implements prometheus.Collector.
func (past) Describe(out chan<- *prometheus.Desc) {
	for _, d := range described {
		out <- d
	}
}

// Collect implements prometheus.Collector.
func (h past) Collect(out chan<- prometheus.Metric) {
	h.mu.Lock() // the registry takes metrics as fast as they come
	defer h.mu.Unlock()
	gauge := func(d *prometheus.Desc, value int64, labels ...string) {
		out <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, float64(value), labels...)
	}
	shown := map[string]bool{}
	for name, s := range h.schedules {
		if s.stored == nil {
			continue
		}
		for state, n := range s.stored.Sites {
			gauge(descSites, int64(n), name, state)
		}
		for _, state := range siteStates {
			if _, ok := s.stored.Sites[state]; !ok {
				gauge(descSites, 0, name, state)
			}
		}
		gauge(descURLs, s.stored.URLs, name)
		gauge(descURLsBlocked, s.stored.Blocked, name)
		gauge(descNotShown, int64(s.notShown), name)
		for _, site := range s.stored.Severe {
			shown[site.Name] = true
			gauge(descSiteState, int64(slices.Index(siteStates, site.State)), name, site.Name)
			gauge(descSiteURLs, site.URLs, name, site.Name)
			gauge(descSiteBlocked, site.Blocked, name, site.Name)
		}
	}
	total, ofSite := map[[2]string]int64{}, map[[2]string]int64{}
	for a, n := range h.alerts {
		total[[2]string{a.Severity, a.Condition}] += int64(n)
		if shown[a.Site] {
			ofSite[[2]string{a.Site, a.Severity}] += int64(n)
		}
	}
	for labels, n := range total {
		gauge(descAlerts, n, labels[:]...)
	}
	for labels, n := range ofSite {
		gauge(descSiteAlerts, n, labels[:]...)
	}
	for d, n := range h.deliveries {
		gauge(descDeliveries, int64(n), d.Channel, d.State)
	}
}
