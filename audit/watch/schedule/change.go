package schedule

import (
	"fmt"
	"time"

	"robots-audit/engine/wording"
)

// Change is a change of the clocks, and what it does to an expression's runs.
type Change struct {
	At   time.Time // the first moment of the new time
	Text string    // "On 2027-03-28 clocks in Europe/Berlin go forward from 02:00 to 03:00: 02:30 does not exist that day, it runs at 03:00."

	// Touched are the expression's times that are left out or come twice, as the clock on
	// the wall shows them (in UTC), at most MaxTouched; empty = no run is touched.
	Touched []time.Time
}

// MaxTouched bounds Change.Touched.
const MaxTouched = 60

// Changes returns the next changes of the clocks after t, at most n of those of the
// two years to come; none where clocks never change.
func (c Cron) Changes(t time.Time, n int) (list []Change) {
	t = t.In(c.Zone())
	last := t.AddDate(2, 0, 0)
	for len(list) < n {
		_, end := t.ZoneBounds()
		if end.IsZero() || end.After(last) {
			break
		}
		if before, after := wall(end.Add(-1)).Add(1), wall(end); !before.Equal(after) { // else the zone got another name
			list = append(list, c.change(end, before, after))
		}
		t = end
	}
	return list
}

// change says what a change of the clocks does that puts them from before to after.
func (c Cron) change(at, before, after time.Time) Change {
	ch := Change{At: at}
	from, to, forward := before, after, true
	if after.Before(before) {
		from, to, forward = after, before, false
	}
	if c.spec != nil {
		for w := c.spec.Next(from.Add(-1)); !w.IsZero() && w.Before(to) && len(ch.Touched) < MaxTouched; w = c.spec.Next(w) {
			ch.Touched = append(ch.Touched, w)
		}
	}
	way := "forward"
	if !forward {
		way = "back"
	}
	const minute = "15:04"
	begin := fmt.Sprintf("On %s clocks in %s go %s from %s to %s: ", before.Format(time.DateOnly), c.Zone(), way, before.Format(minute), after.Format(minute))
	one := len(ch.Touched) == 1
	times := touchedWords(ch.Touched)
	pick := func(single, several string) string {
		if one {
			return times + single
		}
		return times + several
	}
	switch {
	case len(ch.Touched) == 0:
		ch.Text = begin + "no run is touched."
	case forward && c.interval:
		ch.Text = begin + pick(" does not exist that day and is left out.", " do not exist that day and are left out.")
	case forward:
		ch.Text = begin + pick(" does not exist that day, it runs at ", " do not exist that day, it runs once for them at ") + after.Format(minute) + "."
	case c.interval:
		ch.Text = begin + pick(" comes twice, and it runs both times.", " come twice, and it runs both times.")
	default:
		ch.Text = begin + pick(" comes twice, it runs the first time.", " come twice, it runs the first time.")
	}
	return ch
}

// touchedWords names times: all of a few, else how many from when to when.
func touchedWords(times []time.Time) string {
	const few, minute = 4, "15:04"
	var names []string
	for _, t := range times {
		names = append(names, t.Format(minute))
	}
	if len(names) <= few {
		return wording.And(names)
	}
	return fmt.Sprintf("%d times from %s to %s", len(names), names[0], names[len(names)-1])
}
