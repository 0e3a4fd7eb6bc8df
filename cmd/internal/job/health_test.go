package job

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"robots-audit/audit/watch/delivery"
	"robots-audit/audit/watch/history"
	"robots-audit/audit/watch/schedule"
	"robots-audit/cmd/internal/health"
)

// figures returns the lines of /metrics that contain one of the names.
func figures(t *testing.T, h *health.Health, names ...string) (list []string) {
	t.Helper()
	listener, err := health.Listen(":0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- h.Serve(ctx, listener, nil) }()
	answer, err := http.Get("http://" + listener.Addr().String() + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(answer.Body)
	answer.Body.Close()
	cancel()
	if serveErr := <-done; err != nil || serveErr != nil {
		t.Fatal(err, serveErr)
	}
	for line := range strings.Lines(string(text)) {
		if slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(line, "robots_audit_"+name+"{") }) {
			list = append(list, strings.TrimPrefix(strings.TrimSuffix(line, "\n"), "robots_audit_"))
		}
	}
	return list
}

// TestHealthHistory: a start shows the figures of the history, those of each schedule by its own last
// run, and a run changes those of its schedule. A site that is no longer in the list is gone.
func TestHealthHistory(t *testing.T) {
	ctx := t.Context()
	db, err := history.Open(ctx, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	day := time.Date(2027, 1, 4, 6, 0, 0, 0, time.UTC)
	store := func(n int, name string, sites ...history.Site) {
		t.Helper()
		tx, err := db.Begin(ctx)
		if err != nil {
			t.Fatal(err)
		}
		defer tx.Rollback()
		run := history.Run{ID: fmt.Sprintf("2027010%dT060000Z", n), Schedule: name, Started: day.AddDate(0, 0, n), Finished: day.AddDate(0, 0, n).Add(time.Minute)}
		if err := tx.AddRun(run); err != nil {
			t.Fatal(err)
		}
		for _, s := range sites {
			if err := tx.AddSite(ctx, history.Entry{Site: s, Settled: true}); err != nil {
				t.Fatal(err)
			}
			if s.State != "critical" {
				continue
			}
			if err := tx.SaveAlert(history.Alert{ID: s.Name, Site: s.Name, Condition: "AL01", Severity: "critical", Raised: run.ID, Since: run.Started}); err != nil {
				t.Fatal(err)
			}
		}
		if err := tx.SaveDelivery(history.Delivery{ID: run.ID, Run: run.ID, Channel: "old", Entered: day, Next: day}); err != nil {
			t.Fatal(err)
		}
		if err := tx.Commit(); err != nil {
			t.Fatal(err)
		}
	}
	store(1, "shops", history.Site{Name: "a.example", State: "critical", Known: 10, Blocked: 4}, history.Site{Name: "b.example", State: "ok", Known: 5})
	store(2, "news", history.Site{Name: "c.example", State: "warn", Known: 7, Blocked: 1})
	cron, err := schedule.ParseCron("@daily", "UTC")
	if err != nil {
		t.Fatal(err)
	}
	j := &Job{Dir: t.TempDir(), DB: db, Now: func() time.Time { return day }, Log: slog.New(slog.DiscardHandler), Channels: []delivery.Channel{&delivery.File{Route: delivery.Route{Name: "file 1"}}}}
	l := &Loop{Job: j, Plan: schedule.Plan{Entries: []schedule.Entry{{Name: "shops", Cron: cron}, {Name: "news", Cron: cron}, {Name: "new", Cron: cron}}}, Health: health.New(j.Now, time.Hour, "test")}
	check := func(names []string, want ...string) {
		t.Helper()
		if got := figures(t, l.Health, names...); !slices.Equal(got, want) {
			t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
	sites := []string{"site_state", "site_urls", "site_urls_blocked", "site_alerts_open", "urls", "urls_blocked", "last_run_timestamp_seconds"}
	l.healthPlanned(ctx, day)
	check([]string{"deliveries"}, `deliveries{channel="file 1",state="accepted"} 0`, `deliveries{channel="file 1",state="given up"} 0`, `deliveries{channel="file 1",state="waiting"} 0`, `deliveries{channel="old",state="waiting"} 2`)
	check(sites,
		`last_run_timestamp_seconds{outcome="complete",schedule="news"} 1.79921526e+09`,
		`last_run_timestamp_seconds{outcome="complete",schedule="shops"} 1.79912886e+09`,
		`site_alerts_open{severity="critical",site="a.example"} 1`,
		`site_state{schedule="news",site="c.example"} 2`,
		`site_state{schedule="shops",site="a.example"} 3`,
		`site_state{schedule="shops",site="b.example"} 0`,
		`site_urls{schedule="news",site="c.example"} 7`,
		`site_urls{schedule="shops",site="a.example"} 10`,
		`site_urls{schedule="shops",site="b.example"} 5`,
		`site_urls_blocked{schedule="news",site="c.example"} 1`,
		`site_urls_blocked{schedule="shops",site="a.example"} 4`,
		`site_urls_blocked{schedule="shops",site="b.example"} 0`,
		`urls{schedule="news"} 7`,
		`urls{schedule="shops"} 15`,
		`urls_blocked{schedule="news"} 1`,
		`urls_blocked{schedule="shops"} 4`,
	)
	store(3, "shops", history.Site{Name: "b.example", State: "unknown"})
	l.healthEnded(ctx, "news", day, ErrNotEntered) // a run that fails changes nothing of its schedule
	check([]string{"site_state", "site_alerts_open", "alerts_open", "sites"},
		`alerts_open{condition="AL01",severity="critical"} 1`,
		`site_state{schedule="news",site="c.example"} 2`,
		`site_state{schedule="shops",site="b.example"} 1`,
		`sites{schedule="news",state="critical"} 0`,
		`sites{schedule="news",state="ok"} 0`,
		`sites{schedule="news",state="unknown"} 0`,
		`sites{schedule="news",state="warn"} 1`,
		`sites{schedule="shops",state="critical"} 0`,
		`sites{schedule="shops",state="ok"} 0`,
		`sites{schedule="shops",state="unknown"} 1`,
		`sites{schedule="shops",state="warn"} 0`,
	)
}

// TestHealthDelivered: a message that is accepted between two runs no longer counts as waiting.
func TestHealthDelivered(t *testing.T) {
	ctx := t.Context()
	dir := t.TempDir()
	db, err := history.Open(ctx, dir)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	now := time.Date(2027, 1, 4, 6, 0, 0, 0, time.UTC)
	tx, err := db.Begin(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	if err := errors.Join(tx.AddRun(history.Run{ID: "20270104T060000Z", Started: now, Finished: now}),
		tx.SaveDelivery(history.Delivery{ID: "1", Run: "20270104T060000Z", Channel: "file 1", Message: []byte("{}"), Entered: now, Next: now}), tx.Commit()); err != nil {
		t.Fatal(err)
	}
	l := &Loop{Job: &Job{Dir: dir, DB: db, Now: func() time.Time { return now }, Log: slog.New(slog.DiscardHandler)}}
	l.Channels = []delivery.Channel{&delivery.File{Route: delivery.Route{Name: "file 1"}, Path: filepath.Join(dir, "alerts.jsonl")}}
	l.Health = health.New(l.Now, time.Hour, "test")
	l.healthHistory(ctx)
	l.Pause = func(context.Context, time.Duration) error { return io.EOF }
	for _, want := range []string{"1", "0"} {
		if got := figures(t, l.Health, "deliveries"); !slices.Contains(got, `deliveries{channel="file 1",state="waiting"} `+want) {
			t.Errorf("%q, want %s", got, want)
		}
		if err := l.deliverLoop(ctx); err != io.EOF {
			t.Fatal(err)
		}
	}
}

// TestHealthRecovering: a start that continues a run, which may take hours, is healthy meanwhile. If
// that fails, it is pinged as a failure.
func TestHealthRecovering(t *testing.T) {
	l, got, _ := pinged(t, fine, nil)
	l.Health = health.New(l.Now, time.Hour, "test")
	l.Zone = func(string) *time.Location { return time.UTC }
	var err error
	if l.Plan.Entries[0].Cron, err = schedule.ParseCron("0 0 1 1 *", "UTC"); err != nil { // nothing else is due
		t.Fatal(err)
	}
	if err := l.note(folder{id: "20270104T060000Z", schedule: "long", started: time.Now()}).Write("run of a fleet"); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	audits := 0
	l.Audit = func(context.Context, Auditing) error {
		if text, ok := l.Health.Check(); !ok {
			t.Errorf("not healthy: %s", text)
		}
		audits++
		return io.ErrUnexpectedEOF
	}
	l.Wait = func(ctx context.Context, _ time.Time) error {
		l.pings.wait()
		cancel()
		return ctx.Err()
	}
	if err := l.Forever(ctx); ctx.Err() == nil || audits != 1 {
		t.Errorf("%d audits: %v", audits, err)
	}
	if want := []string{"/a-secret-of-some-length/fail"}; !slices.Equal(got(), want) {
		t.Errorf("pings %q, want %q", got(), want)
	}
}
