//go:build soak && linux

package main

import (
	"encoding/json"
	"time"
)

func (w *fleetWorld) status(more ...string) string {
	out, _ := w.try(append(append([]string{"status"}, w.flags()...), more...)...)
	return out
}

// fleetStatus is the part of it that tests use.
type fleetStatus struct {
	Streams []struct {
		Name, Leader string
		Replicas     int
		Lagging      []string
	}
	Members []struct {
		Name string
		Runs []struct{ Run string }
	}
}

func (w *fleetWorld) read() (s fleetStatus) {
	json.Unmarshal([]byte(w.status("-json")), &s)
	return s
}

func (w *fleetWorld) leader(stream string) (name string) {
	w.Helper()
	w.until(time.Minute, stream+" has a leader", func() bool {
		for _, s := range w.read().Streams {
			if s.Name == stream {
				name = s.Leader
			}
		}
		return w.machines[name] != nil
	})
	return name
}

func (w *fleetWorld) coordinator(run string) (name string) {
	w.Helper()
	w.until(time.Minute, "a worker coordinates "+run, func() bool {
		for _, m := range w.read().Members {
			for _, c := range m.Runs {
				if c.Run == run {
					name = m.Name
				}
			}
		}
		return w.machines[name] != nil
	})
	return name
}

// whole waits until all nodes have the same data.
func (w *fleetWorld) whole() {
	w.Helper()
	w.until(2*time.Minute, "all nodes are up to date", func() bool {
		streams := w.read().Streams
		for _, s := range streams {
			if s.Replicas != 3 || s.Leader == "" || len(s.Lagging) > 0 {
				return false
			}
		}
		return len(streams) >= 3
	})
}
