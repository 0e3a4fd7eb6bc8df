package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"robots-audit/audit/watch/alert"
	"robots-audit/audit/watch/schedule"
	"robots-audit/cmd/internal/job"
)

// watched is a world whose sites are also watched every five minutes.
func watched(t *testing.T, cron string, edits ...string) *edited {
	w := newEdited(t)
	w.files["config.toml"] = strings.Replace(w.files["config.toml"], `cron = "0 * * * *"`, fmt.Sprintf("cron = %q", cron), 1)
	w.files["config.toml"] = strings.NewReplacer(edits...).Replace(w.files["config.toml"])
	config := strings.Replace(w.files["config.toml"], "no-cache = true", fmt.Sprintf("cache = %q", filepath.Join(w.dir, "cache.db")), 1) // as most users have one
	w.write(t, "config.toml", strings.Replace(config, "[alerts]\n", `[[schedule]]
name = "watch"
kind = "robots"
of = "shops"
cron = "*/5 * * * *"
[alerts]
`, 1))
	return w
}

// TestScheduleRobots: between two runs each robots.txt is watched. A new file is reported at once, with
// the URLs of the last run, an error after the second request. The next run reports neither again.
func TestScheduleRobots(t *testing.T) {
	w := watched(t, "0 * * * *")
	s := story{}
	w.dress(t, s, 1)
	w.once(t)
	told := func() (lines []string) {
		for _, m := range messagesIn(t, filepath.Join(w.dir, "alerts.jsonl")) {
			for _, e := range m.Events {
				lines = append(lines, fmt.Sprint(e.Kind, " ", e.Condition, " ", strings.TrimSuffix(e.Site, ".example.com")))
			}
		}
		slices.Sort(lines)
		return lines
	}
	var news []string
	step := func(what string, due ...string) {
		t.Helper()
		before := told()
		w.mu.Lock()
		w.now = w.now.Add(5 * time.Minute)
		w.asked = map[string]int{}
		w.mu.Unlock()
		w.once(t)
		news = told()
		for _, b := range before {
			if i := slices.Index(news, b); i >= 0 {
				news = slices.Delete(news, i, i+1)
			}
		}
		if slices.Sort(due); !slices.Equal(news, due) {
			t.Errorf("%s: told %q, due %q", what, news, due)
		}
	}
	step("nothing has changed")
	for host, n := range w.asked {
		if n > 1 || !strings.HasSuffix(host, "/robots.txt") {
			t.Errorf("%s was requested %d times", host, n)
		}
	}
	if len(w.asked) != len(twists) {
		t.Errorf("%d of %d robots.txt were requested", len(w.asked), len(twists))
	}
	w.wears("al02.example.com", twists[1].face)
	step("an important URL is blocked", "raised AL02 al02", "raised AL12 al02")
	step("and stays so")
	w.wears("al02.example.com", face{})
	w.wears("al03.example.com", face{status: 503})
	step("it is allowed again, and another site is down", "ended AL02 al02", "ended AL12 al02", "raised AL03 al03")
	w.wears("al03.example.com", face{})
	step("that is over", "ended AL03 al03")
	w.wears("al09.example.com", twists[8].face)
	step("the file of a test system", "raised AL01 al09", "raised AL09 al09", "raised AL10 al09", "raised AL11 al09")
	w.mu.Lock()
	w.now = w.now.Truncate(time.Hour).Add(time.Hour)
	w.mu.Unlock()
	step("the next run")
	w.wears("al09.example.com", face{})
	step("the fix", "ended AL01 al09", "ended AL09 al09", "ended AL10 al09", "ended AL11 al09")
	step("after the fix")
	all := w.files["list"]
	w.write(t, "list", strings.Replace(all, "al09.example.com\n", "", 1))
	w.wears("al09.example.com", twists[8].face)
	step("a site is no longer in the list")
	w.wears("al09.example.com", face{})
	w.write(t, "list", all)
	if _, ids := w.told(t); len(slices.Compact(slices.Sorted(slices.Values(ids)))) != len(ids) {
		t.Error("a message was told twice")
	}
	w.remade(t)
}

// TestScheduleRobotsNoise: a time in a comment is no new file. A file with other rules at each request
// is audited at once some times, then once an hour, until the next run of all sites.
func TestScheduleRobotsNoise(t *testing.T) {
	w := watched(t, "0 */6 * * *")
	w.dress(t, story{}, 1)
	w.once(t)
	runs := 1
	step := func(what string, n int, due int, robots func(i int) string) {
		t.Helper()
		for i := range n {
			w.wears("al02.example.com", face{robots: robots(i)})
			w.now = w.now.Add(5 * time.Minute)
			w.once(t)
		}
		if now := len(w.entered(t)); now-runs != due {
			t.Errorf("%s: %d runs, due %d", what, now-runs, due)
		} else {
			runs = now
		}
	}
	comment := func(i int) string { return fmt.Sprintf("# made at %d\r\n\r\n", i) + plain + fmt.Sprintf("# %d", i) }
	rule := func(i int) string { return plain + fmt.Sprintf("Disallow: /%d/\n", i) }
	step("comments", 12, 0, comment) // 07:00
	step("rules", 6, 6, rule)        // 07:30
	step("more rules", 11, 0, rule)  // 08:25
	step("after an hour", 12, 1, rule)
	w.now = time.Date(2026, 11, 2, 11, 55, 0, 0, time.UTC)
	step("the next run, and after it", 4, 4, rule)
	w.remade(t)
}

// TestScheduleRobotsRetention: runs of some sites do not push out the last run of all sites, and are no
// such run after their folders are removed.
func TestScheduleRobotsRetention(t *testing.T) {
	w := watched(t, "0 */6 * * *", "keep_runs = 0", "keep_runs = 1")
	w.write(t, "list", "al02.example.com\n")
	w.dress(t, story{}, 1)
	w.once(t)
	told := 0
	for i := range 5 {
		w.wears("al02.example.com", face{})
		if i%2 == 0 {
			w.wears("al02.example.com", twists[1].face)
		}
		w.now = w.now.Add(5 * time.Minute)
		w.once(t)
		events, _ := w.told(t)
		if len(events) != told+2 {
			t.Errorf("change %d: %d events, due 2", i+1, len(events)-told)
		}
		told = len(events)
	}
	w.now = time.Date(2026, 11, 2, 12, 0, 0, 0, time.UTC)
	w.once(t)
	if events, _ := w.told(t); len(events) != told {
		t.Errorf("the next run told %d events again", len(events)-told)
	}
	w.remade(t)
}

// TestScheduleRobotsForever: while the schedule runs, a new robots.txt is reported by a run of that
// site alone. The runs of all sites go on at their times.
func TestScheduleRobotsForever(t *testing.T) {
	w := watched(t, "0 */6 * * *")
	w.dress(t, story{}, 1)
	clock := func() time.Time {
		w.mu.Lock()
		defer w.mu.Unlock()
		return w.now
	}
	seen := func(kind alert.Kind) bool {
		events, _ := w.told(t)
		return slices.ContainsFunc(events, func(e alert.Event) bool { return e.Kind == kind && e.Condition == "AL02" })
	}
	failed := false
	_, err := w.withLoop(t, func(loop *job.Loop, ctx context.Context) error {
		audit := loop.Audit
		loop.Audit = func(ctx context.Context, a job.Auditing) error {
			if a.Only != nil && !failed { // as of a full disk: the next check finds the site again
				failed = true
				return errors.New("no space left on device")
			}
			return audit(ctx, a)
		}
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		loop.Now = clock
		loop.Pause = func(ctx context.Context, d time.Duration) error { return schedule.Pause(ctx, time.Millisecond) }
		loop.Wait = func(ctx context.Context, until time.Time) error { // a minute takes some milliseconds
			for clock().Before(until) {
				if err := schedule.Pause(ctx, 10*time.Millisecond); err != nil {
					return err
				}
				w.mu.Lock()
				w.now = w.now.Add(time.Minute)
				w.mu.Unlock()
			}
			return ctx.Err()
		}
		ended := make(chan error, 1)
		go func() { ended <- loop.Forever(ctx) }()
		await := func(what string, done func() bool) {
			t.Helper()
			for end := time.Now().Add(30 * time.Second); !done(); {
				if time.Now().After(end) {
					t.Fatalf("%s: not within 30 seconds", what)
				}
				time.Sleep(10 * time.Millisecond)
			}
		}
		await("the first run", func() bool { _, ids := w.told(t); return len(ids) > 0 })
		w.wears("al02.example.com", twists[1].face)
		await("the alert", func() bool { return seen(alert.Raised) })
		w.wears("al02.example.com", face{})
		await("its end", func() bool { return seen(alert.Ended) })
		await("the next run of all sites", func() bool {
			whole := 0
			w.ask(t, "SELECT count(*) FROM run WHERE sites = (SELECT max(sites) FROM run)", func(rows *sql.Rows) error { return rows.Scan(&whole) })
			return whole > 1
		})
		stop()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range messagesIn(t, filepath.Join(w.dir, "alerts.jsonl")) {
		if len(m.Events) > 0 {
			w.ask(t, "SELECT sites FROM run WHERE id = ?", func(rows *sql.Rows) error {
				n := 0
				if err := rows.Scan(&n); n > 1 {
					t.Errorf("%s was told by a run of %d sites", m.Events[0].Text, n)
				} else if err != nil {
					return err
				}
				return nil
			}, m.Run)
		}
	}
	var sites []int
	w.ask(t, "SELECT DISTINCT sites FROM run ORDER BY sites", func(rows *sql.Rows) error {
		var n int
		err := rows.Scan(&n)
		sites = append(sites, n)
		return err
	})
	if !slices.Equal(sites, []int{1, len(twists)}) {
		t.Errorf("runs have %v sites", sites)
	}
	w.remade(t)
}
