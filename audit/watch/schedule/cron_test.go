package schedule

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// minutes has the wall time at each minute of a year, and of two days before and after, in minutes
// since 1970-01-01 00:00.
type minutes struct {
	begin time.Time
	shown []int
}

func minutesOf(t *testing.T, zone string, year int) (m minutes) {
	t.Helper()
	loc, err := time.LoadLocation(zone)
	noError(t, err)
	m.begin = time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, -2)
	end := time.Date(year+1, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, 2)
	for at := m.begin; at.Before(end); at = at.Add(time.Minute) {
		_, offset := at.In(loc).Zone()
		m.shown = append(m.shown, int(at.Unix()+int64(offset))/60)
	}
	return m
}

// activations computes the activations of a year without the package. It walks over every minute,
// and compares the wall times shown or skipped since the minute before with the expression's
// numbers.
func (m minutes) activations(expression string, year int) (list []time.Time) {
	fields := strings.Fields(expression)
	var minute, hour, weekday [60]bool
	for n := range 60 {
		minute[n], hour[n], weekday[n] = among(fields[0], n), among(fields[1], n), among(fields[4], n)
	}
	matches := func(shown int) bool { return minute[shown%60] && hour[shown/60%24] && weekday[(shown/60/24+4)%7] }
	first, last := int(time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC).Unix()/60), int(time.Date(year+1, 1, 1, 0, 0, 0, 0, time.UTC).Unix()/60)
	latest := m.shown[0] // that was shown so far
	for i, shown := range m.shown {
		due := fields[1] == "*" && matches(shown)
		for fields[1] != "*" && latest < shown {
			latest++
			due = due || matches(latest)
		}
		if due && shown >= first && shown < last {
			list = append(list, m.begin.Add(time.Duration(i)*time.Minute))
		}
	}
	return list
}

// among reports whether a number is one of a field: *, */n, or a list of numbers.
func among(field string, n int) bool {
	if step, ok := strings.CutPrefix(field, "*/"); ok {
		s, _ := strconv.Atoi(step)
		return n%s == 0
	}
	return field == "*" || slices.Contains(strings.Split(field, ","), strconv.Itoa(n))
}

// TestActivationsOfAYear compares all activations of 2027 with a walk over its minutes, in zones
// with changes of an hour, of half an hour, at midnight, and with none.
func TestActivationsOfAYear(t *testing.T) {
	for _, zone := range []string{"Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "America/Santiago", "Africa/Cairo", "Africa/Casablanca", "UTC"} {
		year := minutesOf(t, zone, 2027)
		for _, expression := range []string{"30 2 * * *", "0 * * * *", "30 * * * *", "*/15 * * * *", "0 3 * * 0", "30 2 * * 0", "30 1 * * *", "0 0 * * *", "*/15 2 * * *", "0 */2 * * *", "15,45 0,1,2,3 * * *", "59 23 * * *"} {
			t.Run(zone+" "+expression, func(t *testing.T) {
				want := year.activations(expression, 2027)
				c, err := ParseCron(expression, zone)
				noError(t, err)
				var got []time.Time
				for at := c.Next(want[0].Add(-time.Nanosecond)); len(got) <= len(want) && at.Year() == 2027; at = c.Next(at) {
					got = append(got, at)
				}
				if !slices.EqualFunc(got, want, time.Time.Equal) {
					for i := range min(len(got), len(want)) {
						if !got[i].Equal(want[i]) {
							t.Fatalf("activation %d is %v, want %v", i, got[i], want[i].In(c.Zone()))
						}
					}
					t.Fatalf("%d activations, want %d", len(got), len(want))
				}
			})
		}
	}
}
