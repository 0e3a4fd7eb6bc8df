package fleet

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/prometheus/client_golang/prometheus"

	"robots-audit/audit"
	"robots-audit/engine/wording"
)

// queueOfSites makes the streams, with six sites of two regions; workers hold two of the sites.
func queueOfSites(t *testing.T, c *Conn) {
	t.Helper()
	ctx := t.Context()
	for name, subject := range map[string]string{streamRuns: "runs.*.*", streamJobs: "jobs.*.*", streamResults: "results.*"} {
		s, err := c.JS.CreateStream(ctx, jetstream.StreamConfig{Name: name, Subjects: []string{subject}, Retention: jetstream.WorkQueuePolicy})
		noError(t, err)
		if name != streamJobs {
			continue
		}
		for _, region := range []string{"us_1-2", "eu_1-2"} {
			_, err := s.CreateConsumer(ctx, jetstream.ConsumerConfig{Durable: region, FilterSubject: "jobs." + region + ".>", AckPolicy: jetstream.AckExplicitPolicy})
			noError(t, err)
		}
	}
	for i := range 6 {
		_, err := c.JS.Publish(ctx, jobSubject([]string{"eu_1-2", "us_1-2"}[i/5], fmt.Sprint("h", i, ".example")), nil)
		noError(t, err)
	}
	eu, err := c.JS.Consumer(ctx, streamJobs, "eu_1-2")
	noError(t, err)
	for range 2 {
		_, err := eu.Next()
		noError(t, err)
	}
}

// answering has members answer: one that works, one that coordinates.
func answering(t *testing.T, c *Conn) {
	t.Helper()
	work := NewRecorder("w1", "eu", "1.2.3", 4, 0)
	work.Begin(&Job{Run: "shops-1", Site: audit.Domain{Name: "done.example"}}, 1)(&Result{URLs: 100})
	work.Begin(&Job{Run: "shops-1", Site: audit.Domain{Name: "evil.example"}}, 6)(&Result{Failed: "bad\x1b[31m " + strings.Repeat("very ", 50)})
	work.Begin(&Job{Run: "shops-1", Site: audit.Domain{Name: strings.Repeat("long.", 40) + "example"}}, 2)
	work.Begin(&Job{Run: "shops-1", Site: audit.Domain{Name: "away.example"}}, 6)(&Result{State: string(audit.Undetermined), Why: "no such host"})
	for _, wait := range []time.Duration{time.Minute, 2 * time.Hour} {
		work.PutOff(&Job{Run: "shops-1"}, time.Now().Add(wait))
	}
	work.Trouble("the disk is full\n\x1b[2J")
	fold := NewRecorder("c1", "", "1.2.3", 0, 1)
	fold.Runs = func() []Coordinating {
		return []Coordinating{{Run: "shops-1", Region: "eu", Sites: 8000, Fed: 6000, Done: 2000, Missing: 6000}}
	}
	for _, r := range []*Recorder{work, fold} {
		answer(t, c, r)
	}
}

// statusOf reads how a fleet fares, until all members answer in time.
func statusOf(t *testing.T, c *Conn, members int) (s *Status) {
	t.Helper()
	await(t, fmt.Sprintf("%d members", members), func() bool {
		var err error
		if s, err = ReadStatus(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		return len(s.Members) == members
	})
	return s
}

// TestStatus reads how a real queue with members fares, as data, as text, and as JSON.
func TestStatus(t *testing.T) {
	t.Parallel()
	c := localConn(t)
	s, err := ReadStatus(t.Context(), c)
	if err != nil || len(s.Members) != 0 || len(s.Problems) != 1 || !strings.Contains(s.Problems[0], "Start robots-audit-fleet worker") {
		t.Fatalf("%+v %v", s, err)
	}
	queueOfSites(t, c)
	answering(t, c)
	s = statusOf(t, c, 2)
	if len(s.Problems) != 1 || s.Problems[0] != "1 site of region us: no worker for region us" || len(s.Members) != 2 || s.Members[0].Name != "c1" || s.Members[1].Done != 3 || s.Members[1].Unknown != 1 || s.Members[1].Working != 1 {
		t.Errorf("%+v", s)
	}
	want := []QueueStatus{{streamJobs, "eu_1-2", 3, 2, 0, 0}, {streamJobs, "us_1-2", 1, 0, 0, 0}}
	if fmt.Sprint(s.Queues) != fmt.Sprint(want) {
		t.Errorf("%v, want %v", s.Queues, want)
	}
	if len(s.Streams) != 3 || s.Streams[1].Messages != 6 || s.Left() <= 0 {
		t.Errorf("%+v, %v left", s.Streams, s.Left())
	}
	var text bytes.Buffer
	noError(t, s.WriteText(&text, 0))
	for line := range strings.Lines(text.String()) {
		if line = strings.TrimSuffix(line, "\n"); utf8.RuneCountInString(line) > 100 || strings.ContainsAny(line, "\x1b\t\r") {
			t.Errorf("%d: %q", utf8.RuneCountInString(line), line)
		}
	}
	for _, part := range []string{"2 workers   1 site in progress", "2 sites wait for a retry, the next in ", ", the last in ", "no such host", "! 1 site of region us: no worker for region us", "! w1: the disk is full", "████░░░░░░░░░░░░ " + wording.Percent(2000, 8000), "2,000", "sites eu 1.2", "evil.example", "done.example", "bad"} {
		if !strings.Contains(text.String(), part) {
			t.Errorf("%q is missing in\n%s", part, text.String())
		}
	}
	t.Log("\n" + text.String())
	text.Reset()
	var again Status
	if err := s.WriteJSON(&text); err != nil || json.Unmarshal(text.Bytes(), &again) != nil || fmt.Sprint(again) != fmt.Sprint(*s) || strings.Contains(text.String(), "\x1b") {
		t.Errorf("%v\n%s", err, text.String())
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := ReadStatus(over, c); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestCollector lets the Prometheus library collect the metrics of a fleet, with and without an
// answer.
func TestCollector(t *testing.T) {
	t.Parallel()
	c := localConn(t)
	queueOfSites(t, c)
	answering(t, c)
	answering(t, c) // two of each name
	collector := NewCollector(c)
	collector.keep, collector.read = time.Hour, func(ctx context.Context) (*Status, error) {
		for {
			if s, err := ReadStatus(ctx, c); err != nil || len(s.Members) == 4 { // all answer in time
				return s, err
			}
		}
	}
	registry := prometheus.NewPedanticRegistry()
	registry.MustRegister(collector)
	gathered := func() map[string]float64 {
		families, err := registry.Gather()
		noError(t, err)
		values := map[string]float64{}
		for _, f := range families {
			for _, m := range f.GetMetric() {
				name := strings.TrimPrefix(f.GetName(), "robots_audit_fleet_")
				for _, l := range m.GetLabel() {
					name += " " + l.GetValue()
				}
				values[name] = m.GetGauge().GetValue() + m.GetCounter().GetValue()
			}
		}
		return values
	}
	got := gathered()
	for name, want := range map[string]float64{"up": 1, "problems": 1, "queue_waiting eu_1-2 JOBS": 3, "queue_held eu_1-2 JOBS": 2, "stream_messages JOBS": 6,
		"member_info w1 eu 1.2.3": 1, "member_sites_done_total w1": 3, "member_sites_unknown_total w1": 1, "member_sites_put_off w1": 2, "member_sites_failed_total w1": 1, "member_trouble w1": 1, "run_done shops-1": 2000} {
		if value, ok := got[name]; !ok || value != want {
			t.Errorf("%s is %v, want %v, of %v", name, value, want, got)
		}
	}
	c.NATS.Close()
	if gathered()["up"] != 1 {
		t.Error("what was read is not kept")
	}
	collector.keep = 0
	if got := gathered(); len(got) != 1 || got["up"] != 0 {
		t.Errorf("%v", got)
	}
}

// TestForecast is how long runs take: by what members do now, and by when sites may be tried again.
func TestForecast(t *testing.T) {
	now := time.Date(2027, 1, 4, 6, 0, 0, 0, time.UTC)
	run := Coordinating{Run: "r", Region: "eu", Sites: 1000, Done: 400, Missing: 600, Submitted: now.Add(-time.Hour)}
	s := &Status{Time: now, Members: []Member{
		{Name: "w1", Region: "eu", Started: now.Add(-time.Hour), PerMinute: [2]float64{100, 60}, Runs: []Coordinating{run}},
		{Name: "w2", Region: "us", Started: now.Add(-time.Hour), PerMinute: [2]float64{900, 900}},
	}}
	for _, c := range []struct {
		what   string
		change func()
		want   time.Duration
	}{
		{"the last five minutes count", func() {}, 10 * time.Minute},
		{"a run began 15 seconds ago, when its worker had done nothing for long", func() { run.Submitted = now.Add(-15 * time.Second) }, 90 * time.Second},
		{"so did its worker", func() { s.Members[0].Started = now.Add(-15 * time.Second) }, 6 * time.Minute},
		{"a site is to be tried in an hour", func() { s.Members[0].PutOff.Last = now.Add(time.Hour) }, time.Hour},
		{"nothing is done", func() { s.Members[0].PerMinute = [2]float64{} }, 0},
	} {
		if c.change(); s.LeftOf(&run) != c.want {
			t.Errorf("%s: %v, want %v", c.what, s.LeftOf(&run), c.want)
		}
	}
}

// TestOnly keeps the data of one run, and reports for a run without a coordinator whether it is
// queued.
func TestOnly(t *testing.T) {
	t.Parallel()
	c := localConn(t)
	queueOfSites(t, c)
	answering(t, c)
	_, err := c.JS.Publish(t.Context(), runSubject("waits-1", c.Version), nil)
	noError(t, err)
	for run, want := range map[string]string{"shops-1": "", "waits-1": "It waits for a worker with -runs", "gone-1": "is not queued. It is done (the bucket has fleet/gone-1/merged.json)"} {
		s := statusOf(t, c, 2)
		before := len(s.Problems)
		noError(t, s.Only(t.Context(), c, run))
		if told := strings.Join(s.Problems[before:], "\n"); !strings.Contains(told, want) || (told == "") != (want == "") {
			t.Errorf("%s: %q", run, told)
		}
		if own := run == "shops-1"; own != (len(s.Members[1].Slowest) > 0) || own != (len(s.Members[0].Runs) == 1) {
			t.Errorf("%s: %+v", run, s.Members)
		}
	}
}

// TestStatusLagging reports a node once, for all of its streams.
func TestStatusLagging(t *testing.T) {
	s := &Status{Members: []Member{{Name: "w1", Slots: 1, RunSlots: 1}}, Streams: []StreamState{{Name: "RUNS", Lagging: []string{"n3"}}, {Name: "JOBS", Lagging: []string{"n3"}}}}
	if s.judge(false); len(s.Problems) != 1 || s.Problems[0] != "node n3 is offline or not up to date: RUNS, JOBS" {
		t.Errorf("%q", s.Problems)
	}
}
