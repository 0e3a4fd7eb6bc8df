package history

import "time"

// Jump is a gap between two runs of a schedule that is longer, by far, than all others around it:
// the clock was set, or the machine was away. Nobody can tell one from the other.
type Jump struct {
	Schedule string
	From, To time.Time // as the clock had it
}

// jumpsOf are the jumps among the last runs of each schedule, and from its last one to now.
func jumpsOf(runs []Run, now time.Time) map[string]Jump {
	times := map[string][]time.Time{} // in the order in which they were entered
	for _, r := range runs {
		times[r.Schedule] = append(times[r.Schedule], r.Started)
	}
	jumps := map[string]Jump{}
	for schedule, list := range times {
		list = append(list, now)
		if jump, ok := jumpIn(list[max(0, len(list)-steady-1):]); ok {
			jump.Schedule = schedule
			jumps[schedule] = jump
		}
	}
	return jumps
}

// jumpIn finds a gap that goes back, or else the longest one, where it is longer by more than a day
// than three times the next one: so a machine that is off at night or over weekends has none.
func jumpIn(times []time.Time) (j Jump, ok bool) {
	var longest, next time.Duration
	for i := range times[1:] {
		gap := times[i+1].Sub(times[i])
		if gap < -time.Hour { // two starts in one second are some seconds apart
			return Jump{From: times[i], To: times[i+1]}, true
		}
		if gap > longest {
			longest, next = gap, longest
			j.From, j.To = times[i], times[i+1]
		} else {
			next = max(next, gap)
		}
	}
	return j, longest > 3*next+24*time.Hour
}
