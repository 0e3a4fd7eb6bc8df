package fleet

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"robots-audit/audit"
)

// TestStatusOfRun checks the status of a run with a real worker and coordinator: a site in work,
// one unknown, one delayed, one given up, the others done.
func TestStatusOfRun(t *testing.T) {
	t.Parallel()
	c := testBucketFleet(t, time.Minute)
	c.Version = "1.2.3"
	free := make(chan struct{})
	work := &testWork{site: func(ctx context.Context, job *Job, check func() error) (*Finding, error) {
		result, _ := json.Marshal(map[string]string{"Name": job.Site.Name})
		f := &Finding{Result: result, State: string(audit.OK), URLs: 7}
		switch job.Site.Name {
		case "site0.example":
			select {
			case <-free:
			case <-ctx.Done():
				return nil, context.Cause(ctx)
			}
		case "site1.example":
			f.State, f.Why = string(audit.Undetermined), "no such host"
		case "site2.example":
			f.Again, f.After = true, time.Hour
		}
		return f, nil
	}}
	w := testWorker(c, "m1", work)
	w.Retry = Retry{Base: time.Hour}
	r := NewRecorder("m1", "r", "1.2.3", 4, 1)
	w.Watch = r
	start(t, w)
	coordinator := &Coordinator{Conn: c, Name: "m1", Runs: 1, Merge: &sitesMerge{c: c}}
	coordinate(t, coordinator)
	r.Runs = coordinator.Progress
	answer(t, c, r)
	began := time.Now()
	_, err := Submit(t.Context(), c, Run{ID: "r1", Region: "r", Version: c.Version, Submitted: began}, strings.NewReader(names(12)), nil)
	noError(t, err)
	var s *Status
	await(t, "ten sites are merged, and the worker has heard that their results are kept", func() bool {
		if s, err = ReadStatus(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		return len(s.Members) == 1 && len(s.Members[0].Runs) == 1 && s.Members[0].Runs[0].Done == 10 && s.Members[0].Done == 10 && s.Members[0].Working == 1 && s.Members[0].PutOff.Sites == 1
	})
	m := s.Members[0]
	run := m.Runs[0]
	if run.Run != "r1" || run.Sites != 12 || run.Fed != 12 || run.Missing != 2 || run.Submitted.Before(began.Add(-time.Minute)) || run.Last.Before(run.Since) {
		t.Errorf("%+v", run)
	}
	if m.Done != 10 || m.Unknown != 1 || m.Failed != 0 || m.GivenBack != 1 || m.Working != 1 || m.Oldest[0].Site != "site0.example" || m.PerMinute[0] <= 0 || m.PerMinute[1] <= 0 {
		t.Errorf("%+v", m)
	}
	if len(m.Failures) != 1 || m.Failures[0].Site != "site1.example" || m.Failures[0].Why != "no such host" || len(m.Slowest) != 10 || m.Slowest[0].URLs != 7 {
		t.Errorf("%+v", m)
	}
	if left := s.LeftOf(&run); left < 59*time.Minute || len(s.Problems) > 0 {
		t.Errorf("%v left, %q", left, s.Problems)
	}
	holdKeys(t, s)
	close(free)
}

// holdKeys compares the keys in a status' JSON with those in the manual.
func holdKeys(t *testing.T, s *Status) {
	t.Helper()
	var text bytes.Buffer
	noError(t, s.WriteJSON(&text))
	var data any
	noError(t, json.Unmarshal(text.Bytes(), &data))
	var keys func(at string, v any, into map[string]bool)
	keys = func(at string, v any, into map[string]bool) {
		switch v := v.(type) {
		case map[string]any:
			for key, below := range v {
				into[strings.TrimPrefix(at+"."+key, ".")] = true
				keys(at+"."+key, below, into)
			}
		case []any:
			for _, below := range v {
				keys(at, below, into)
			}
		}
	}
	got := map[string]bool{}
	keys("", data, got)
	for _, key := range slices.Sorted(maps.Keys(got)) {
		name := key[strings.LastIndexByte(key, '.')+1:]
		if !strings.Contains(Manual(), name) {
			t.Errorf("the manual does not name %s", key)
		}
	}
	for _, key := range []string{"time", "problems", "members.name", "members.runs.done", "members.oldest.since", "members.slowest.ms", "members.failures.why", "members.putOff.next", "queues.waiting", "streams.lagging"} {
		if !got[key] {
			t.Errorf("%s is missing in %v", key, slices.Sorted(maps.Keys(got)))
		}
	}
}

// TestManual checks that the manual has all metrics, and that its lines are short enough.
func TestManual(t *testing.T) {
	text := Manual()
	for _, m := range metrics {
		var name string
		fmt.Sscanf(m.desc.String(), "Desc{fqName: %q", &name)
		if name == "" || !strings.Contains(text, "  "+strings.TrimPrefix(name, "robots_audit_fleet_")) {
			t.Errorf("the manual does not name the metric %q", name)
		}
	}
	for line := range strings.Lines(text) {
		if len(line) > 101 {
			t.Errorf("%d: %s", len(line), line)
		}
	}
	for _, part := range []string{streamRuns, streamJobs, streamResults, kvCheckpoint, whoSubject, RunKey("ID"), MergedKey("ID"), FailedKey("ID"), FolderKey("ID")} {
		if !strings.Contains(text, part) {
			t.Errorf("the manual does not name %s", part)
		}
	}
}
