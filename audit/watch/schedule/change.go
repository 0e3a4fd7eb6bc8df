package schedule

import (
	"fmt"
	"time"

	"robots-audit/engine/wording"
)

// Change is a change of the clocks, with its effect on an expression's runs.
type Change struct {
	At   time.Time // the first moment of the new time
	Text string    // "On 2027-03-28 clocks in Europe/Berlin go forward from 02:00 to 03:00: 02:30 does not exist that day, it runs at 03:00."
}

// maxTouched bounds the times affected by a change: further ones are not counted.
const maxTouched = 60

// Changes returns the next changes of the clocks after t, at most n within two years; none if
// clocks never change.
func (c Cron) Changes(t time.Time, n int) (list []Change) {
	t = t.In(c.Zone())
	last := t.AddDate(2, 0, 0)
	for len(list) < n {
		_, end := t.ZoneBounds()
		if end.IsZero() || end.After(last) {
			break
		}
		if before, after := wall(end.Add(-1)).Add(1), wall(end); !before.Equal(after) { // otherwise only the zone's name changed
			list = append(list, c.change(end, before, after))
		}
		t = end
	}
	return list
}

// change describes the effect of a change of the clocks from before to after.
func (c Cron) change(at, before, after time.Time) Change {
	from, to, way := before, after, "forward"
	forward := before.Before(after)
	if !forward {
		from, to, way = after, before, "back"
	}
	var touched []string // wall times of the expression that are skipped or come twice
	const minute = "15:04"
	if c.spec != nil {
		for w := c.spec.Next(from.Add(-1)); !w.IsZero() && w.Before(to) && len(touched) < maxTouched; w = c.spec.Next(w) {
			touched = append(touched, w.Format(minute))
		}
	}
	text := fmt.Sprintf("On %s clocks in %s go %s from %s to %s: ", before.Format(time.DateOnly), c.Zone(), way, before.Format(minute), after.Format(minute))
	times := touchedWords(touched)
	pick := func(single, several string) string { return times + wording.Verb(len(touched), single, several) }
	switch {
	case len(touched) == 0:
		text += "no run is affected."
	case forward && c.interval:
		text += pick(" does not exist that day and is skipped.", " do not exist that day and are skipped.")
	case forward:
		text += pick(" does not exist that day, it runs at ", " do not exist that day, it runs once for them at ") + after.Format(minute) + "."
	case c.interval:
		text += pick(" comes twice, and it runs both times.", " come twice, and it runs both times.")
	default:
		text += pick(" comes twice, it runs the first time.", " come twice, it runs the first time.")
	}
	return Change{At: at, Text: text}
}

// touchedWords lists a few times, or else gives their number and range.
func touchedWords(times []string) string {
	const few = 4
	if len(times) <= few {
		return wording.And(times)
	}
	return fmt.Sprintf("%d times from %s to %s", len(times), times[0], times[len(times)-1])
}
