package fleet

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestAbsent: a run waits for workers of its region and version, and the status says so. Other runs
// are not delayed, and unsuitable workers do not count as tries.
func TestAbsent(t *testing.T) {
	t.Parallel()
	first := testBucketFleet(t, time.Minute)
	versions := map[string]*Conn{}
	for _, version := range []string{"0.1.0", "0.2.0"} {
		c := *first
		c.Version = version
		setUp(t, &c)
		versions[version] = &c
		coordinate(t, &Coordinator{Conn: &c, Name: "c" + version, Runs: 3, Merge: &sitesMerge{c: &c}})
		answer(t, &c, NewRecorder("c"+version, "", version, 0, 3))
	}
	var mu sync.Mutex
	by := map[string][]string{} // run: who did its sites
	work := func(region, version string) {
		c := versions[version]
		name := region + " " + version
		w := testWorker(c, name, &testWork{site: func(_ context.Context, job *Job, _ func() error) (*Finding, error) {
			mu.Lock()
			defer mu.Unlock()
			by[job.Run] = append(by[job.Run], name)
			return named(job)
		}})
		w.Region, w.Retry.Tries = region, 1
		start(t, w)
		answer(t, c, NewRecorder(name, region, version, 4, 0))
	}
	const list, sites = "http://a.example\nhttp://b.example\nhttp://c.example\n", 3
	submit := func(id, region, version string) {
		run := Run{ID: id, Region: region, Version: version}
		_, err := Submit(t.Context(), first, run, strings.NewReader(list), nil)
		noError(t, err)
	}
	merged := func(id, name string) {
		t.Helper()
		noError(t, Wait(t.Context(), versions["0.2.0"], id, nil))
		checkMerged(t, first, id, list)
		mu.Lock()
		defer mu.Unlock()
		if want := slices.Repeat([]string{name}, sites); !slices.Equal(by[id], want) {
			t.Errorf("run %s was done by %q", id, by[id])
		}
	}

	work("eu", "0.2.0")
	submit("old", "eu", "0.1.7")
	submit("far", "us", "0.2.0")
	submit("new", "eu", "0.2.0")
	merged("new", "eu 0.2.0")
	want := []string{
		"3 sites of region eu: no worker for region eu has version 0.1. The workers have 0.2.0",
		"3 sites of region us: no worker for region us",
	}
	var told []string
	await(t, "word of who is missing", func() bool {
		s, err := ReadStatus(t.Context(), first)
		noError(t, err)
		told = s.Problems
		return len(told) > len(want) && slices.Equal(told[:len(want)], want) // and that versions differ
	})
	for want, runs := range [][]Run{
		0: {{Region: "eu", Version: "0.2.9"}},
		1: {{Region: "eu", Version: "0.1.7"}, {Region: "us", Version: "0.2.0"}},
		2: {{Region: "eu", Version: "0.3.0"}},
	} {
		for _, run := range runs {
			await(t, fmt.Sprintf("%d who are missing for region %s, version %s", want, run.Region, run.Version), func() bool { // all answer in time
				why, err := Absent(t.Context(), first, &run)
				noError(t, err)
				return len(why) == want
			})
		}
	}
	mu.Lock()
	if n := len(by["old"]) + len(by["far"]); n > 0 {
		t.Errorf("%d sites were done by who cannot", n)
	}
	mu.Unlock()
	work("us", "0.2.0")
	merged("far", "us 0.2.0")
	work("eu", "0.1.0")
	merged("old", "eu 0.1.0")
	if s := statusOf(t, first, 5); len(s.Problems) != 1 || !strings.Contains(s.Problems[0], "versions") {
		t.Errorf("%q", s.Problems)
	}
}

// answer has a member answer until the test ends.
func answer(t *testing.T, c *Conn, r *Recorder) {
	t.Helper()
	stop, err := r.Answer(c.NATS)
	noError(t, err)
	t.Cleanup(stop)
}
