package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"robots-audit/cmd/internal/scheduling"
)

// logged is a world of one site whose access log is read by each daily run.
type logged struct {
	*edited
	keep  time.Duration // the log has the requests of this time before a run
	lines []logLine
	seen  int // messages
}

type logLine struct {
	at   time.Time
	text string
}

const loggedHost = "al01.example.com"

// newLogged is a world whose clock is a month behind: answers have the time of the machine, and no
// run may be after it.
func newLogged(t *testing.T, keep time.Duration) *logged {
	w := &logged{edited: newEdited(t), keep: keep}
	w.now = time.Now().UTC().Truncate(24*time.Hour).AddDate(0, 0, -30)
	w.files["list"] = loggedHost + "\n"
	w.configure(t, "Googlebot,GPTBot")
	w.logs(t, true)
	return w
}

// logs writes the configuration, with the key of logs or without it.
func (w *logged) logs(t *testing.T, key bool) {
	text := strings.Replace(w.files["config.toml"], "cron = \"0 * * * *\"", "cron = \"0 0 * * *\"", 1)
	if key {
		text = fmt.Sprintf("logs = [%q]\n", loggedHost+"="+filepath.Join(w.dir, "access.log")) + text
	}
	w.write(t, "config.toml", text)
}

// asks adds a genuine request of Googlebot some time before the next run.
func (w *logged) asks(before time.Duration, path string, status int) {
	at := w.now.Add(-before)
	w.lines = append(w.lines, logLine{at, fmt.Sprintf("66.249.66.1 - - [%s] \"GET %s HTTP/1.1\" %d 100 \"-\" \"Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)\"\n",
		at.Format("02/Jan/2006:15:04:05 -0700"), path, status)})
}

// run is the run of a day, and returns what it told.
func (w *logged) run(t *testing.T) string {
	t.Helper()
	var log strings.Builder
	slices.SortStableFunc(w.lines, func(a, b logLine) int { return a.at.Compare(b.at) })
	for _, l := range w.lines {
		if !l.at.Before(w.now.Add(-w.keep)) && l.at.Before(w.now) {
			log.WriteString(l.text)
		}
	}
	w.write(t, "access.log", log.String())
	w.once(t)
	w.now = w.now.Add(24 * time.Hour)
	var told []string
	list := messagesIn(t, filepath.Join(w.dir, "alerts.jsonl"))
	for _, m := range list[w.seen:] {
		for _, e := range m.Events {
			told = append(told, fmt.Sprint(e.Kind, " ", e.Condition))
		}
	}
	w.seen = len(list)
	return strings.Join(told, ", ")
}

// day is what happens in the day before a run.
type day struct {
	robots  string                        // its content from now on; "" = as before
	asks    func(w *logged)               // more requests than one of an allowed page each four hours
	silent  bool                          // not even those
	lost    bool                          // the log is empty
	without bool                          // the configuration names no logs
	before  func(t *testing.T, w *logged) // the run
	want    string
}

// TestScheduleLogs has days of a crawler, and what each run tells.
func TestScheduleLogs(t *testing.T) {
	const changed = plain + "Disallow: /new/\n"
	hour := time.Hour
	reads := func(before time.Duration) func(w *logged) {
		return func(w *logged) { w.asks(before, "/robots.txt", 200) }
	}
	disobeys := func(w *logged) {
		w.asks(20*hour, "/robots.txt", 200)
		w.asks(3*hour, "/private/1", 200)
	}
	fails := func(w *logged) { w.asks(7*hour, "/robots.txt", 503); w.asks(6*hour, "/robots.txt", 503) }
	answered := func(t *testing.T, w *logged, a scheduling.Answer) {
		t.Helper()
		list := messagesIn(t, filepath.Join(w.dir, "alerts.jsonl"))
		events := list[len(list)-1].Events
		a.Alerts = []string{events[len(events)-1].Alert}
		if _, err := a.Enter(t.Context(), filepath.Join(w.dir, "history"), w.now.Add(-hour)); err != nil {
			t.Fatal(err)
		}
	}
	accept := func(t *testing.T, w *logged) { answered(t, w, scheduling.Answer{Accept: true}) }
	acknowledge := func(t *testing.T, w *logged) {
		answered(t, w, scheduling.Answer{Until: w.now.AddDate(0, 0, 9).Format(time.DateOnly)})
	}
	const daily, weeks = 24 * time.Hour, 14 * 24 * time.Hour
	for _, test := range []struct {
		name string
		keep time.Duration
		days []day
	}{
		{"disobeys, and stops", daily, []day{{}, {asks: reads(5 * hour)}, {asks: disobeys, want: "raised AL15"}, {asks: disobeys}, {asks: reads(5 * hour), want: "ended AL15"}}},
		{"disobeys, and stays in the log", weeks, []day{{}, {asks: reads(5 * hour)}, {asks: disobeys, want: "raised AL15"}, {asks: disobeys}, {}, {}, {}, {}, {}, {}, {}, {want: "ended AL15"}, {}, {asks: disobeys, want: "raised AL15"}, {}}},
		{"a day without a log", daily, []day{{}, {}, {asks: disobeys, want: "raised AL15"}, {silent: true}, {asks: disobeys}, {want: "ended AL15"}}},
		{"accepted, and then a day without logs", weeks, []day{{}, {}, {asks: disobeys, want: "raised AL15"}, {before: accept, want: "ended AL15"}, {}, {lost: true}, {}}},
		{"acknowledged", daily, []day{{}, {}, {asks: disobeys, want: "raised AL15"}, {before: acknowledge, asks: disobeys}, {asks: disobeys}, {want: "ended AL15"}}},
		{"has not read it, accepted", daily, []day{{}, {asks: reads(5 * hour)}, {robots: changed}, {}, {}, {want: "raised AL16"}, {before: accept, want: "ended AL16"}, {}, {lost: true}, {}}},
		{"errors, accepted", daily, []day{{}, {asks: reads(5 * hour)}, {asks: fails, want: "raised AL17"}, {before: accept, asks: fails, want: "raised AL17, ended AL17"}, {asks: reads(hour), want: "ended AL17"}}},
		{"has not read it", daily, []day{{}, {asks: reads(5 * hour)}, {robots: changed, asks: reads(30 * time.Hour)}, {}, {}, {want: "raised AL16"}, {}, {asks: reads(hour), want: "ended AL16"}, {}}},
		{"has not read it, by logs of weeks", weeks, []day{{}, {asks: reads(5 * hour)}, {robots: changed}, {}, {}, {want: "raised AL16"}, {}, {asks: reads(hour), want: "ended AL16"}, {}}},
		{"may have read it before the run", daily, []day{{}, {asks: reads(5 * hour)}, {robots: changed, asks: reads(hour)}, {}, {}, {}, {}}},
		{"may have read it before the run, by logs of weeks", weeks, []day{{}, {asks: reads(5 * hour)}, {robots: changed, asks: reads(hour)}, {}, {}, {}, {}}},
		{"may have read it in a day without a log", daily, []day{{}, {asks: reads(5 * hour)}, {robots: changed}, {silent: true}, {}, {}, {}}},
		{"errors", daily, []day{{}, {asks: reads(5 * hour)}, {asks: fails, want: "raised AL17"}, {silent: true}, {asks: reads(hour), want: "ended AL17"}, {}}},
		{"errors that stay in the log", weeks, []day{{}, {asks: reads(5 * hour)}, {asks: fails, want: "raised AL17"}, {asks: reads(hour), want: "ended AL17"}, {}, {lost: true}, {}}},
		{"logs are no longer read", daily, []day{{}, {}, {asks: disobeys, want: "raised AL15"}, {without: true}, {without: true}, {asks: disobeys, want: "raised AL15"}, {asks: disobeys}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			w := newLogged(t, test.keep)
			for i, d := range test.days {
				if d.robots != "" {
					w.wears(loggedHost, face{robots: d.robots})
				}
				for before := 23 * hour; before > 0 && !d.silent; before -= 4 * hour {
					w.asks(before, "/1", 200)
				}
				if d.asks != nil {
					d.asks(w)
				}
				if d.before != nil {
					d.before(t, w)
				}
				w.logs(t, !d.without)
				if w.keep = test.keep; d.lost {
					w.keep = 0
				}
				if got := w.run(t); got != d.want {
					t.Errorf("day %d told %q, due %q", i, got, d.want)
				}
			}
			w.remade(t)
		})
	}
}

// TestScheduleLogsDigest: alerts that end since logs are no longer read are not over, so a digest does
// not say so.
func TestScheduleLogsDigest(t *testing.T) {
	w := newLogged(t, 24*time.Hour)
	w.files["config.toml"] = strings.Replace(w.files["config.toml"], "path = \"alerts.jsonl\"", "path = \"alerts.jsonl\"\ndigest = \"0 0 * * *\"", 1)
	for i, want := range []string{"", "", "raised AL15", "", ""} {
		w.asks(20*time.Hour, "/robots.txt", 200)
		w.asks(3*time.Hour, "/private/1", 200)
		w.logs(t, i < 3)
		if got := w.run(t); got != want {
			t.Errorf("day %d told %q, due %q", i, got, want)
		}
	}
}
