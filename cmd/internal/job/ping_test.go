package job

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"robots-audit/audit/watch/delivery"
	"robots-audit/audit/watch/schedule"
)

// pinged is a loop whose schedule "long" is due, and the pings that its server gets. Each audit ends
// as audit does.
func pinged(t *testing.T, answer http.HandlerFunc, audit func() error) (l *Loop, got func() []string, log *bytes.Buffer) {
	t.Helper()
	var mu sync.Mutex
	var seen []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		seen = append(seen, r.URL.Path)
		mu.Unlock()
		answer(w, r)
	}))
	t.Cleanup(server.Close)
	l = loopOf(t, nil, map[string]string{"long": "* * * * *"}, nil)
	l.Plan.Entries[0].CatchUp = true
	l.Audit = func(context.Context, Auditing) error { return audit() }
	l.Ping = &delivery.Ping{URL: delivery.Secret(server.URL + "/a-secret-of-some-length"), Internal: true}
	log = &bytes.Buffer{}
	l.Log = slog.New(slog.NewTextHandler(log, nil))
	return l, func() []string {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(seen)
	}, log
}

func fine(http.ResponseWriter, *http.Request) {}

// TestPingOnce: a start for cron pings as well, and ends only after the last ping.
func TestPingOnce(t *testing.T) {
	const secret = "/a-secret-of-some-length"
	for _, c := range []struct {
		name string
		err  error
		want []string
	}{
		{"failed", errors.New("disk full"), []string{secret + "/start", secret + "/fail"}},
		{"stopped", ErrStopped, []string{secret + "/start"}}, // the next start continues it
	} {
		t.Run(c.name, func(t *testing.T) {
			l, got, log := pinged(t, fine, func() error { return c.err })
			if err := l.Once(t.Context()); !errors.Is(err, c.err) {
				t.Fatal(err)
			}
			if err := l.OneRun(t.Context(), "long"); !errors.Is(err, c.err) { // -now
				t.Fatal(err)
			}
			if pings := got(); !slices.Equal(pings, slices.Concat(c.want, c.want)) {
				t.Errorf("pings %q, want %q twice", pings, c.want)
			}
			if strings.Contains(log.String(), "ping") {
				t.Error(log)
			}
		})
	}
}

// TestPingEnd: a complete run is pinged at its URL, also one that an earlier start had begun, and
// nothing is pinged where nothing was done.
func TestPingEnd(t *testing.T) {
	l, got, _ := pinged(t, fine, nil)
	l.Plan.Entries = nil // nothing is due
	if err := l.Once(t.Context()); err != nil || len(got()) > 0 {
		t.Errorf("%v; pings %q", err, got())
	}
	for _, err := range []error{nil, ErrNotEntered, ErrStopped, context.Canceled} {
		l.pingEnd(t.Context(), err)
	}
	l.pings.wait()
	if want := []string{"/a-secret-of-some-length", "/a-secret-of-some-length/fail"}; !slices.Equal(got(), want) {
		t.Errorf("pings %q, want %q", got(), want)
	}
}

// TestPingHangs: no run waits for a server that does not answer, whose waiting pings are limited. A
// signal ends them at once, and the log has no secret.
func TestPingHangs(t *testing.T) {
	runs := 0
	l, got, log := pinged(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, func() error { runs++; return errors.New("disk full") })
	began := time.Now()
	for range 30 {
		if err := l.reportedRun(t.Context(), "long"); err == nil {
			t.Fatal("no error")
		}
	}
	if took := time.Since(began); runs != 30 || took > 5*time.Second {
		t.Errorf("%d runs took %v", runs, took)
	}
	if n := l.pings.waiting.Load(); n != maxPings || !strings.Contains(log.String(), "a ping was not sent") {
		t.Errorf("%d pings wait; log: %s", n, log)
	}
	if n := len(got()); n > 1 {
		t.Errorf("%d pings at a time", n)
	}

	l, got, log = pinged(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, func() error { return errors.New("disk full") })
	l.Wait = func(ctx context.Context, until time.Time) error { return schedule.Wait(ctx, time.Now, until) }
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(300*time.Millisecond, cancel)
	began = time.Now()
	if err := l.Forever(ctx); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("the end took %v", took)
	}
	if n := l.pings.waiting.Load(); n != 0 || len(got()) != 1 {
		t.Errorf("%d pings wait; got %q", n, got())
	}
	if strings.Contains(log.String(), "secret") {
		t.Error(log)
	}
}

// TestPingDead: a dead host costs a warning, without the secret.
func TestPingDead(t *testing.T) {
	disk := errors.New("disk full")
	l, _, log := pinged(t, fine, func() error { return disk })
	dead := httptest.NewServer(nil)
	l.Ping.URL = delivery.Secret(dead.URL + "/a-secret-of-some-length")
	dead.Close()
	if err := l.Once(t.Context()); !errors.Is(err, disk) {
		t.Error(err)
	}
	if text := log.String(); strings.Count(text, "a ping was not accepted: "+strings.TrimPrefix(dead.URL, "http://")+": the connection was refused") != 2 || strings.Contains(text, "secret") {
		t.Error(text)
	}
}
