package fleet

import (
	"context"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Collector gives a fleet's status to Prometheus. It reads the status on request and keeps it for some
// seconds, so that many readers cost the queue no more than one.
type Collector struct {
	read func(context.Context) (*Status, error)
	keep time.Duration

	mu   sync.Mutex
	last *Status // nil = no status could be read
	at   time.Time
}

// NewCollector returns a collector over a connection.
func NewCollector(c *Conn) *Collector {
	return &Collector{read: func(ctx context.Context) (*Status, error) { return ReadStatus(ctx, c) }, keep: 5 * time.Second}
}

// collectWait limits the time of one reading.
const collectWait = 8 * time.Second

// metric is one metric.
type metric struct {
	name, help string
	labels     []string
	desc       *prometheus.Desc
}

// metrics lists all metrics, for Prometheus and for Manual.
var metrics []metric

func desc(name, help string, labels ...string) *prometheus.Desc {
	d := prometheus.NewDesc("robots_audit_fleet_"+name, help, labels, nil)
	metrics = append(metrics, metric{name, help, labels, d})
	return d
}

var (
	descUp       = desc("up", "1 if the fleet's queue answers, else 0.")
	descProblems = desc("problems", "Problems of the queue, see robots-audit-fleet status.")
	descWaiting  = desc("queue_waiting", "Messages not delivered yet: runs, or sites of a region.", "stream", "consumer")
	descHeld     = desc("queue_held", "Messages in progress, or waiting for a retry.", "stream", "consumer")
	descAgain    = desc("queue_redelivered", "Messages in progress or waiting that were delivered more than once.", "stream", "consumer")
	descMessages = desc("stream_messages", "Messages of a stream.", "stream")
	descBytes    = desc("stream_bytes", "Bytes of a stream.", "stream")
	descReplicas = desc("stream_replicas", "Replicas that a stream should have.", "stream")
	descLagging  = desc("stream_lagging", "Replicas that are offline or not up to date.", "stream")
	descMember   = desc("member_info", "1, with the version and region of a worker.", "member", "region", "version")
	descStarted  = desc("member_start_timestamp_seconds", "Start time of a worker.", "member")
	descWorking  = desc("member_sites_in_work", "Sites in progress.", "member")
	descSlots    = desc("member_slots", "Sites that a worker works on at the same time.", "member")
	descDone     = desc("member_sites_done_total", "Sites with a result.", "member")
	descFailed   = desc("member_sites_failed_total", "Sites that were given up after too many tries.", "member")
	descUnknown  = desc("member_sites_unknown_total", "Sites that could not be read.", "member")
	descPutOff   = desc("member_sites_put_off", "Sites that a worker returned and that wait for a retry.", "member")
	descBack     = desc("member_sites_given_back_total", "Sites returned to the queue.", "member")
	descTrouble  = desc("member_trouble", "1 while a problem stops a worker from taking sites, else 0.", "member")
	descOldest   = desc("member_oldest_site_seconds", "Time that the oldest site in progress has taken so far.", "member")
	descRunSites = desc("run_sites", "Sites of a run in progress.", "run")
	descRunFed   = desc("run_fed", "Sites put into the queue.", "run")
	descRunDone  = desc("run_done", "Sites that are merged.", "run")
)

// Describe implements prometheus.Collector.
func (c *Collector) Describe(out chan<- *prometheus.Desc) {
	for _, m := range metrics {
		out <- m.desc
	}
}

// Collect implements prometheus.Collector.
func (c *Collector) Collect(out chan<- prometheus.Metric) {
	s := c.status()
	gauge := func(d *prometheus.Desc, value float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	}
	count := func(d *prometheus.Desc, value int64, labels ...string) {
		out <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, float64(value), labels...)
	}
	if s == nil {
		gauge(descUp, 0)
		return
	}
	gauge(descUp, 1)
	gauge(descProblems, float64(len(s.Problems)))
	for _, q := range s.Queues {
		gauge(descWaiting, float64(q.Waiting), q.Stream, q.Name)
		gauge(descHeld, float64(q.Held), q.Stream, q.Name)
		gauge(descAgain, float64(q.Redelivered), q.Stream, q.Name)
	}
	for _, st := range s.Streams {
		gauge(descMessages, float64(st.Messages), st.Name)
		gauge(descBytes, float64(st.Bytes), st.Name)
		gauge(descReplicas, float64(st.Replicas), st.Name)
		gauge(descLagging, float64(len(st.Lagging)), st.Name)
	}
	// Two metrics of the same name or run would fail the whole reading in Prometheus.
	members, runs := map[string]bool{}, map[string]bool{}
	for _, m := range s.Members {
		for _, r := range m.Runs {
			if !runs[r.Run] {
				runs[r.Run] = true
				gauge(descRunSites, float64(r.Sites), r.Run)
				gauge(descRunFed, float64(r.Fed), r.Run)
				gauge(descRunDone, float64(r.Done), r.Run)
			}
		}
		name := m.Name
		if members[name] {
			continue
		}
		members[name] = true
		gauge(descMember, 1, name, m.Region, m.Version)
		gauge(descStarted, float64(m.Started.UnixMilli())/1000, name)
		gauge(descWorking, float64(m.Working), name)
		gauge(descSlots, float64(m.Slots), name)
		count(descDone, m.Done, name)
		count(descFailed, m.Failed, name)
		count(descUnknown, m.Unknown, name)
		gauge(descPutOff, float64(m.PutOff.Sites), name)
		count(descBack, m.GivenBack, name)
		trouble, oldest := 0.0, 0.0
		if m.Problem != "" {
			trouble = 1
		}
		if len(m.Oldest) > 0 {
			oldest = max(0, s.Time.Sub(m.Oldest[0].Since).Seconds())
		}
		gauge(descTrouble, trouble, name)
		gauge(descOldest, oldest, name)
	}
}

// status returns the last status, or reads a new one.
func (c *Collector) status() *Status {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.at.IsZero() && time.Since(c.at) < c.keep {
		return c.last
	}
	ctx, cancel := context.WithTimeout(context.Background(), collectWait)
	defer cancel()
	s, err := c.read(ctx)
	if err != nil {
		s = nil
	}
	c.last, c.at = s, time.Now()
	return s
}
