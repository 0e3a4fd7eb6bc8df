package schedule

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// TestDue checks which runs are due, by the last run of an entry and the current time.
func TestDue(t *testing.T) {
	const never = ""
	for _, c := range []struct {
		name, cron       string
		last, since, now string // since "" = now
		at               string // "" = nothing is due
		missed           int
		flags            string // catch-up off = "skip"; late as it is wanted
	}{
		{"on time", "0 6 * * *", "2027-01-01T06:00:01Z", "", "2027-01-02T06:00:00Z", "2027-01-02T06:00:00Z", 0, ""},
		{"a second before", "0 6 * * *", "2027-01-01T06:00:01Z", "", "2027-01-02T05:59:59Z", "", 0, ""},
		{"answered", "0 6 * * *", "2027-01-02T06:00:00Z", "", "2027-01-02T06:00:30Z", "", 0, ""},
		{"slept for three days", "0 6 * * *", "2027-01-01T06:00:01Z", "", "2027-01-04T08:00:00Z", "2027-01-04T06:00:00Z", 2, "late"},
		{"slept for three days, each quarter of an hour", "*/15 * * * *", "2027-01-01T06:00:01Z", "", "2027-01-04T06:05:00Z", "2027-01-04T06:00:00Z", 287, ""},
		{"slept for years, each minute", "* * * * *", "2020-01-01T06:00:01Z", "", "2027-01-04T06:05:00Z", "2027-01-04T06:05:00Z", MaxMissed, ""},
		{"late, and answered", "0 6 * * *", "2027-01-04T08:00:00Z", "", "2027-01-04T09:00:00Z", "", 0, ""},
		{"the next one after a late one", "0 6 * * *", "2027-01-04T08:00:00Z", "", "2027-01-05T06:00:20Z", "2027-01-05T06:00:00Z", 0, ""},
		{"missed, no catch-up", "0 6 * * *", "2027-01-01T06:00:01Z", "", "2027-01-04T08:00:00Z", "", 0, "skip"},
		{"a little late, no catch-up", "0 6 * * *", "2027-01-03T06:00:01Z", "", "2027-01-04T06:09:00Z", "2027-01-04T06:00:00Z", 0, "skip"},
		{"busy with another run, no catch-up", "0 6 * * *", "2027-01-03T06:00:01Z", "2027-01-04T05:30:00Z", "2027-01-04T08:00:00Z", "2027-01-04T06:00:00Z", 0, "skip late"},
		{"never ran", "0 6 * * *", never, "", "2027-01-04T08:00:00Z", "2027-01-04T08:00:00Z", 0, ""},
		{"never ran, at its time", "0 6 * * *", never, "", "2027-01-04T06:00:30Z", "2027-01-04T06:00:00Z", 0, ""},
		{"never ran, no catch-up", "0 6 * * *", never, "", "2027-01-04T08:00:00Z", "", 0, "skip"},
		{"never ran, no catch-up, at its time", "0 6 * * *", never, "", "2027-01-04T06:00:30Z", "2027-01-04T06:00:00Z", 0, "skip"},
		{"the clock was ahead", "0 6 * * *", "2027-06-01T06:00:00Z", "", "2027-01-04T06:00:00Z", "", 0, ""},
	} {
		skip := strings.Contains(c.flags, "skip")
		p := Plan{Entries: []Entry{{Name: "shops", Cron: parsed(t, c.cron, ""), CatchUp: !skip}}}
		last := map[string]time.Time{}
		if c.last != never {
			last["shops"] = at(t, c.last)
		}
		var since time.Time
		if c.since != "" {
			since = at(t, c.since)
		}
		due := p.Due(at(t, c.now), since, last)
		if c.at == "" {
			if len(due) != 0 {
				t.Errorf("%s: due %+v, want nothing", c.name, due)
			}
			continue
		}
		if len(due) != 1 || !due[0].At.Equal(at(t, c.at)) || due[0].Missed != c.missed || due[0].Late != strings.Contains(c.flags, "late") {
			t.Errorf("%s: %+v, want one at %s, %d missed, %s", c.name, due, c.at, c.missed, c.flags)
		}
	}
}

// TestOrder checks that the entry that was due first comes first, and that the next activation
// belongs to the right entry.
func TestOrder(t *testing.T) {
	p := Plan{Entries: []Entry{
		{Name: "b", Cron: parsed(t, "30 6 * * *", ""), CatchUp: true}, {Name: "a", Cron: parsed(t, "0 6 * * *", ""), CatchUp: true}, {Name: "c", Cron: parsed(t, "30 6 * * *", ""), CatchUp: true},
	}}
	yesterday := at(t, "2027-01-01T12:00:00Z")
	names := ""
	for _, d := range p.Due(at(t, "2027-01-02T07:00:00Z"), time.Time{}, map[string]time.Time{"a": yesterday, "b": yesterday, "c": yesterday}) {
		names += d.Entry.Name
	}
	if names != "abc" {
		t.Errorf("due %s, want abc", names)
	}
	next, e, ok := p.Next(at(t, "2027-01-02T06:00:00Z"))
	if !ok || e.Name != "b" || !next.Equal(at(t, "2027-01-02T06:30:00Z")) {
		t.Errorf("next is %s at %v", e.Name, next)
	}
	if _, _, ok := (Plan{}).Next(yesterday); ok {
		t.Error("an empty plan has a next run")
	}
}

// TestOncePerActivation plays a year with a laptop that is opened at odd times: each
// opening answers at most one activation, and none that was answered.
func TestOncePerActivation(t *testing.T) {
	p := Plan{Entries: []Entry{{Name: "shops", Cron: parsed(t, "30 2 * * *", "Europe/Berlin"), CatchUp: true}}}
	last := map[string]time.Time{"shops": at(t, "2027-01-01T03:00:00Z")}
	runs, missed := 0, 0
	end := at(t, "2028-01-01T03:00:00Z")
	for now := last["shops"]; !now.After(end); now = now.Add(time.Duration(7+runs%31) * time.Hour) {
		due := p.Due(now, time.Time{}, last)
		if len(due) > 0 {
			runs, missed = runs+1, missed+due[0].Missed
			last["shops"] = now
		}
		if again := p.Due(now, time.Time{}, last); len(again) > 0 {
			t.Fatalf("at %v due again: %+v", now, again)
		}
	}
	if left := p.Due(end, time.Time{}, last); len(left) > 0 {
		runs, missed = runs+1, missed+left[0].Missed
	}
	if runs < 200 || runs+missed != 365 {
		t.Errorf("%d runs and %d missed, want 365 together", runs, missed)
	}
}

func TestWindows(t *testing.T) {
	night := Window{Cron: parsed(t, "0 22 * * WED", "Europe/Berlin"), Duration: 4 * time.Hour, Sites: []string{"shop.example", "*.brand.example"}}
	changes := Window{Cron: parsed(t, "30 1 28 3 *", "Europe/Berlin"), Duration: time.Hour} // the clock shows 03:30 at its end
	p := Plan{Windows: []Window{night, changes}}
	for _, c := range []struct {
		site, at string
		quiet    bool
	}{
		{"shop.example", "2027-01-06T20:59:59Z", false}, {"shop.example", "2027-01-06T21:00:00Z", true}, {"SHOP.example", "2027-01-07T00:59:59Z", true},
		{"shop.example", "2027-01-07T01:00:00Z", false}, {"other.example", "2027-01-06T21:00:00Z", false},
		{"a.brand.example", "2027-01-06T21:00:00Z", true}, {"brand.example", "2027-01-06T21:00:00Z", false}, {"xbrand.example", "2027-01-06T21:00:00Z", false},
		{"other.example", "2027-03-28T00:29:59Z", false}, {"other.example", "2027-03-28T00:30:00Z", true}, {"other.example", "2027-03-28T01:29:59Z", true}, {"other.example", "2027-03-28T01:30:00Z", false},
	} {
		if quiet := p.Quiet(c.site, at(t, c.at)); quiet != c.quiet {
			t.Errorf("%s at %s: %v, want %v", c.site, c.at, quiet, c.quiet)
		}
	}
}

// TestWait checks that Wait ends by the wall clock, not by the timer: a machine that sleeps for
// three days meanwhile wakes to a wall clock far ahead.
func TestWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		var slept atomic.Int64
		wall := func() time.Time { return time.Now().Add(time.Duration(slept.Load())) }
		go func() {
			time.Sleep(10*time.Minute + 20*time.Second)
			slept.Store(int64(72 * time.Hour))
		}()
		noError(t, Wait(t.Context(), wall, began.Add(12*time.Hour)))
		if took := time.Since(began); took > 12*time.Minute {
			t.Errorf("ended %v after the beginning, want within a minute of waking", took)
		}
		// A clock put back by some minutes makes Wait take longer. If it is put back further, Wait
		// ends, because until came from a wrong clock.
		for back, want := range map[time.Duration]time.Duration{-5 * time.Minute: 15 * time.Minute, -time.Hour: time.Minute, -365 * 24 * time.Hour: time.Minute} {
			began = time.Now()
			slept.Store(0)
			go func() {
				time.Sleep(30 * time.Second)
				slept.Store(int64(back))
			}()
			if err := Wait(t.Context(), wall, began.Add(10*time.Minute)); err != nil || time.Since(began) != want {
				t.Errorf("set back by %v: %v after %v, want %v", -back, err, time.Since(began), want)
			}
		}
		// A duration does not depend on the wall clock.
		began = time.Now()
		if err := Pause(t.Context(), 10*time.Minute); err != nil || time.Since(began) != 10*time.Minute {
			t.Errorf("%v after %v, want 10m", err, time.Since(began))
		}
		slept.Store(0)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := Wait(ctx, wall, wall().Add(time.Hour)); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v, want that the context has ended", err)
		}
	})
}

// TestParseCron checks invalid expressions, and their errors.
func TestParseCron(t *testing.T) {
	for _, c := range []struct{ expression, zone, want string }{
		{"", "", "it is empty"}, {"0 6 * *", "", "it has 4 fields"}, {"0 0 6 * * *", "", "it has 6 fields"}, {"TZ=Europe/Berlin", "", "timezone"}, {"CRON_TZ=UTC 0 6 * * *", "", "timezone"},
		{"@every 1h", "", "depends on the start"}, {"@fortnightly", "", "write @hourly"}, {"@reboot", "", "not a time"}, {"60 * * * *", "", `minute "60": end of range (60) above maximum (59)`},
		{"* * * * FRI-MON", "", `day of week "FRI-MON"`}, {"* * * * 7", "", "write 0 or SUN for Sunday"}, {"* * * jnu *", "", `month "jnu"`}, {"*-5 * * * *", "", "is not valid"}, {", * * * *", "", "is not valid"},
		{"*/0 * * * *", "", "a step of 0"}, {"* */99999999999999999999 * * *", "", "a step of"}, {"0 6 30 2 *", "", "this day does not exist"}, {"0 6 * * *", "Europe/Berln", "is not a time zone"}, {"0 6 * * *", "../etc/passwd", "is not a time zone"},
	} {
		if _, err := ParseCron(c.expression, c.zone); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q %q: %v, want %s", c.expression, c.zone, err, c.want)
		}
	}
	// Either day is enough where both are restricted.
	either := parsed(t, "0 6 1 * MON", "")
	for _, day := range []string{"2027-02-01", "2027-02-08", "2027-02-15", "2027-02-22", "2027-03-01", "2027-03-08", "2027-03-15", "2027-03-22", "2027-03-29", "2027-04-01"} {
		want := at(t, day+"T06:00:00Z")
		if got := either.Next(want.Add(-time.Hour)); !got.Equal(want) || !either.Last(want.Add(23*time.Hour)).Equal(want) {
			t.Errorf("%s: next %v, last %v", day, got, either.Last(want.Add(23*time.Hour)))
		}
	}
	if (Cron{}).Next(time.Now()) != (time.Time{}) || (Cron{}).Last(time.Now()) != (time.Time{}) || (Cron{}).Changes(time.Now(), 1) != nil {
		t.Error("the zero value comes")
	}
}
