package schedule

import "time"

// Next returns the first activation after t, in the expression's time zone; zero if
// there is none within five years.
func (c Cron) Next(t time.Time) time.Time {
	if c.spec == nil {
		return time.Time{}
	}
	t = t.In(c.zone)
	if c.interval {
		return c.nextInterval(t)
	}
	// The first wall time not shown yet, and the first moment that shows it or a later one.
	wanted := c.spec.Next(shown(t))
	if wanted.IsZero() {
		return time.Time{}
	}
	for {
		start, end := t.ZoneBounds()
		at := moment(wanted, t)
		if at.Before(start) {
			at = start // it was skipped
		}
		if end.IsZero() || at.Before(end) {
			return at.In(c.zone)
		}
		t = end
	}
}

// nextInterval is Next for an hourly entry: each moment whose wall time matches the expression.
func (c Cron) nextInterval(t time.Time) time.Time {
	after := wall(t)
	for {
		wanted := c.spec.Next(after)
		if wanted.IsZero() {
			return time.Time{}
		}
		_, end := t.ZoneBounds()
		if at := moment(wanted, t); end.IsZero() || at.Before(end) {
			return at.In(c.zone)
		}
		t = end
		after = wall(end).Add(-1)
	}
}

// Last returns the last activation at or before t; zero if there is none in the ten
// years before.
func (c Cron) Last(t time.Time) (last time.Time) {
	const day = 24 * time.Hour
	for _, back := range []time.Duration{time.Hour, day, 8 * day, 32 * day, 366 * day, 3653 * day} {
		for at := c.Next(t.Add(-back)); !at.IsZero() && !at.After(t); at = c.Next(at) {
			last = at
		}
		if !last.IsZero() {
			break
		}
	}
	return last
}

// wall returns the wall time at t, as a time in UTC.
func wall(t time.Time) time.Time {
	_, offset := t.Zone()
	return t.UTC().Add(time.Duration(offset) * time.Second)
}

// moment returns the moment of a wall time, by the offset at t.
func moment(wall, t time.Time) time.Time {
	_, offset := t.Zone()
	return wall.Add(-time.Duration(offset) * time.Second)
}

// shown returns the latest wall time shown up to t. That is the current one, or the one just before
// the clock was put back.
func shown(t time.Time) time.Time {
	latest := wall(t)
	start, _ := t.ZoneBounds()
	for !start.IsZero() && t.Sub(start) < 48*time.Hour {
		before := start.Add(-1)
		if w := wall(before); w.After(latest) {
			latest = w
		}
		start, _ = before.ZoneBounds()
	}
	return latest
}
