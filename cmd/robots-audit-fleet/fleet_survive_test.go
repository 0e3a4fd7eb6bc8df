//go:build soak && linux

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/clitest"
)

// TestFleet lets three workers and three nodes audit many sites during all kinds of failures. No
// site is lost or recorded twice, no host gets requests from two workers at a time, and the run
// equals that of one machine.
//
//	TEST_SITES=50000 go test -tags soak -timeout 60m -run '^TestFleet$' -v ./cmd/robots-audit-fleet
//	ROBOTS_AUDIT_S3=DIR/versitygw go test -tags 'buckets soak' …    with the bucket on an S3 server, see .ci/install-s3
//	TEST_SITES=150 TEST_EVENTS='JOBS|off past|everything' go test -tags soak -run '^TestFleet$' -v ./cmd/robots-audit-fleet
func TestFleet(t *testing.T) {
	if !enterFleet(t) {
		return
	}
	n := clitest.Number(t, "TEST_SITES", 600)
	w := newFleetWorld(t, clitest.Number(t, "TEST_URLS", 20))
	list := filepath.Join(w.dir, "list.txt")
	var lines strings.Builder
	for i := range n {
		fmt.Fprintf(&lines, "http://s%d.fleet.example\n", i)
		if i%700 == 3 {
			fmt.Fprintf(&lines, "no site %d\nhttp://s%d.fleet.example\n", i, i/2) // a bad line, and a repeated site
		}
	}
	clitest.WriteFile(t, list, lines.String())
	w.wake()
	rate := max(1, float64(n)/150) // requests per second of a worker: low enough that the run lasts as long as the events
	asks := []string{"-domains", list, "-connect-to", ":80:" + hub + ":80", "-retries", "0", "-rate", fmt.Sprint(rate), "-reports", "page,evidence", "-format", "csv"}
	var id string
	w.until(time.Minute, "a run is submitted", func() bool {
		out, err := w.try(append(append([]string{"submit", "-bucket", w.bucket}, w.flags()...), asks...)...)
		id = strings.TrimSpace(out)
		return err == nil
	})
	began := time.Now()
	folder := filepath.Join(w.folder, "runs", id)
	events := slices.Clone(fleetEvents)
	if these := os.Getenv("TEST_EVENTS"); these != "" {
		named := regexp.MustCompile(these)
		events = slices.DeleteFunc(events, func(e fleetEvent) bool { return !named.MatchString(e.name) })
	}
	for i, event := range events {
		due := n * (i + 1) / (len(events) + 1)
		w.until(20*time.Minute, fmt.Sprintf("%d of %d sites are asked", due, n), func() bool { return w.sites.done() >= due })
		if w.merged(folder) {
			t.Fatalf("the run has ended before %s", event.name)
		}
		t.Logf("%s %5.1f s, %d sites asked: %s", time.Now().Format("05.000"), time.Since(began).Seconds(), w.sites.done(), event.name)
		event.do(w, id)
	}
	w.until(30*time.Minute, "the run is merged", func() bool { return w.merged(folder) })
	again, downs := w.sites.again()
	t.Logf("%5.1f s: merged; asked by %v; %d of %d sites audited more often than once; those that are down %d times", time.Since(began).Seconds(), w.sites.machines(), again, n, downs)
	for i, overlap := range w.sites.overlaps {
		if i == 20 {
			t.Errorf("and %d more", len(w.sites.overlaps)-i)
			break
		}
		t.Error(overlap)
	}
	w.kill("w1", "w2", "w3", "n1", "n2", "n3")

	single := filepath.Join(w.dir, "single")
	out, _ := w.call(w.alone, append(append([]string{"-no-cache", "-quiet"}, asks...), "-rate", "0", "-out", single)...)
	if _, err := os.Stat(filepath.Join(single, "summary.json")); err != nil {
		t.Fatalf("the single machine: %v\n%s", err, out)
	}
	w.compareRuns(single, folder, n)
}

type fleetEvent struct {
	name string
	do   func(w *fleetWorld, run string)
}

// fleetEvents are the events in order, spread evenly over the run.
var fleetEvents = []fleetEvent{
	{"kill -9 of a worker", func(w *fleetWorld, run string) {
		w.kill("w1")
		w.start("w1")
	}},
	{"kill -9 of the leader of JOBS", func(w *fleetWorld, run string) {
		name := w.leader("JOBS")
		w.kill(name)
		time.Sleep(2 * time.Second)
		w.start(name)
		w.whole()
	}},
	{"kill -9 of the coordinator", func(w *fleetWorld, run string) {
		name := w.coordinator(run)
		w.kill(name)
		time.Sleep(2 * time.Second)
		w.start(name)
	}},
	{"SIGSTOP of a worker past its lease", func(w *fleetWorld, run string) {
		w.signal("w2", syscall.SIGSTOP)
		time.Sleep(w.lease * 2)
		w.signal("w2", syscall.SIGCONT)
	}},
	{"a worker cut off past its lease", func(w *fleetWorld, run string) {
		w.cut("w3", true)
		time.Sleep(w.lease * 2)
		w.cut("w3", false)
	}},
	{"a node cut off", func(w *fleetWorld, run string) {
		w.cut("n2", true)
		time.Sleep(w.lease * 2)
		w.cut("n2", false)
		w.whole()
	}},
	{"a node's disk full", func(w *fleetWorld, run string) {
		fill := filepath.Join(w.dir, "n3", "fill")
		f, err := os.Create(fill)
		if err != nil {
			w.Fatal(err)
		}
		block := make([]byte, 1<<20)
		for err == nil {
			_, err = f.Write(block)
		}
		for err = nil; err == nil; { // to the last byte
			_, err = f.Write(block[:512])
		}
		f.Close()
		time.Sleep(w.lease * 2)
		if err := os.Remove(fill); err != nil {
			w.Fatal(err)
		}
		w.kill("n3") // as an operator does after freeing space
		w.start("n3")
		w.whole()
	}},
	{"kill -9 of everything at once", func(w *fleetWorld, run string) {
		w.kill("n1", "w1", "n2", "w2", "n3", "w3")
		w.wake()
		w.whole()
	}},
	{"a new version, one machine after the other", func(w *fleetWorld, run string) {
		for _, name := range []string{"n1", "n2", "n3", "w1", "w2", "w3"} {
			w.stop(name)
			w.machines[name].version = cli.Version + "-next"
			w.start(name)
			if name[0] == 'n' {
				w.whole()
			}
		}
	}},
}

func (w *fleetWorld) until(limit time.Duration, what string, is func() bool) {
	w.Helper()
	for end := time.Now().Add(limit); !is(); time.Sleep(100 * time.Millisecond) {
		if time.Now().After(end) {
			w.Fatalf("not within %v: %s; status:\n%s", limit, what, w.status())
		}
	}
}

// merged reports whether a run is merged: run.json, which is written last, has its end.
func (w *fleetWorld) merged(folder string) bool {
	text, err := os.ReadFile(filepath.Join(folder, "run.json"))
	var run struct{ Finished *time.Time }
	return err == nil && json.Unmarshal(text, &run) == nil && run.Finished != nil
}

// compareRuns compares the run of the fleet with that of one machine, site by site.
func (w *fleetWorld) compareRuns(single, fleet string, n int) {
	w.Helper()
	want, got := summaryOf(w.T, single), summaryOf(w.T, fleet)
	if want.Totals != got.Totals {
		w.Errorf("totals: the fleet has\n%s\nthe single machine\n%s", got.Totals, want.Totals)
	}
	if len(want.Sites) != n || len(got.Sites) != n {
		w.Errorf("%d sites, the fleet has %d, the single machine %d", n, len(got.Sites), len(want.Sites))
	}
	differing, files := 0, 0
	for name, site := range want.Sites {
		if got.Sites[name] != site {
			if differing++; differing <= 10 {
				w.Errorf("%s: the fleet has\n%s\nthe single machine\n%s", name, got.Sites[name], site)
			}
		}
	}
	err := filepath.WalkDir(single, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == "lock" {
			return err
		}
		name, _ := filepath.Rel(single, path)
		if _, err := os.Stat(filepath.Join(fleet, name)); err != nil {
			if differing++; differing <= 20 {
				w.Errorf("the fleet's run lacks %s", name)
			}
		}
		files++
		return nil
	})
	if err != nil {
		w.Error(err)
	}
	w.Logf("%d sites, %d files: %d differ", n, files, differing)
	if out, err := w.call(w.alone, "compare", single, fleet, "-json"); err != nil {
		w.Errorf("compare: %v\n%s", err, tail(out, 2000))
	} else if !strings.Contains(out, `"sites_changed": 0`) && !strings.Contains(out, `"sites_changed":0`) {
		w.Errorf("compare finds changes:\n%.2000s", out)
	}
}

// fleetSummary is the content of a summary.json without times.
type fleetSummary struct {
	Totals string
	Sites  map[string]string
}

func summaryOf(t *testing.T, dir string) fleetSummary {
	t.Helper()
	text := clitest.Read(t, dir, "summary.json")
	var read struct {
		Totals json.RawMessage
		Sites  []json.RawMessage
	}
	if err := json.Unmarshal([]byte(text), &read); err != nil {
		t.Fatal(err)
	}
	s := fleetSummary{string(read.Totals), map[string]string{}}
	for _, site := range read.Sites {
		var named struct{ Domain string }
		if err := json.Unmarshal(site, &named); err != nil {
			t.Fatal(err)
		}
		if s.Sites[named.Domain] != "" {
			t.Errorf("%s: %s is there twice", dir, named.Domain)
		}
		s.Sites[named.Domain] = clitest.Clocks.ReplaceAllString(string(site), "")
	}
	return s
}
