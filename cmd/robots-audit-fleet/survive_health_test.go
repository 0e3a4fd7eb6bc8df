//go:build soak

package main

import (
	"database/sql"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"robots-audit/cmd/internal/clitest"
)

// TestScheduleHealth requests the health of a running schedule after a run with alerts: the figures
// equal the history's.
func TestScheduleHealth(t *testing.T) {
	at := clitest.FreeAddress(t)
	w := newFewEdited(t, "al10.example.com", "al01.example.com")
	w.set(t, "quiet = true", "quiet = false", "[alerts]", fmt.Sprintf("[health]\nlisten = %q\n[alerts]", at))
	w.process(t)
	w.wears("al10.example.com", twists[9].face)
	w.now = w.now.Add(-2 * time.Second) // the second run is due once the loop has started
	p := w.command(t)
	get := func(path string) (int, string) {
		answer, err := http.Get("http://" + at + path)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		text, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		return answer.StatusCode, string(text)
	}
	var status int
	var figures string
	p.terminated(t, func() bool {
		if !p.said.Has("the run is in the history")() || strings.Count(p.said.String(), "waiting for the next run") < 2 {
			return false
		}
		status, _ = get("/healthz")
		_, figures = get("/metrics")
		return true
	})
	want := []string{`robots_audit_runs_total{outcome="complete",schedule="shops"} 1`}
	w.ask(t, "SELECT condition, severity, count(*) FROM alert WHERE ended_run IS NULL GROUP BY 1, 2", func(rows *sql.Rows) error {
		var condition, severity string
		var n int
		err := rows.Scan(&condition, &severity, &n)
		want = append(want, fmt.Sprintf("robots_audit_alerts_open{condition=%q,severity=%q} %d", condition, severity, n))
		return err
	})
	w.ask(t, "SELECT state, count(*) FROM site_run WHERE run = (SELECT max(run) FROM run) GROUP BY 1", func(rows *sql.Rows) error {
		var state string
		var n int
		err := rows.Scan(&state, &n)
		want = append(want, fmt.Sprintf("robots_audit_sites{schedule=%q,state=%q} %d", "shops", state, n))
		return err
	})
	want = append(want, `robots_audit_deliveries{channel="file 1",state="accepted"} 2`) // with that of the first run
	if status != http.StatusOK || len(want) < 4 {
		t.Errorf("/healthz: %d; %q", status, want)
	}
	for _, line := range want {
		if !strings.Contains(figures, line+"\n") {
			t.Errorf("/metrics lacks %s:\n%s", line, figures)
		}
	}
	t.Logf("/healthz: %d; /metrics has %q", status, want)
}
