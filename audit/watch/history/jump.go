package history

import "time"

// Jump is a gap between two runs of a schedule that is much longer than all others near it. Either
// the clock was changed, or the machine was off; the two cannot be distinguished.
type Jump struct {
	Schedule string
	From, To time.Time // by the clock of the machine
}

// jumpsOf finds jumps among the last runs of each schedule, and from its last run to now.
func jumpsOf(runs []Run, now time.Time) map[string]Jump {
	times := map[string][]time.Time{} // in the order of entering
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

// jumpIn finds a gap that goes back, or else the longest one, if it is over a day longer than three
// times the second longest. So a machine that is off at night or over weekends has no jump.
func jumpIn(times []time.Time) (j Jump, ok bool) {
	var longest, next time.Duration
	for i := range times[1:] {
		gap := times[i+1].Sub(times[i])
		if gap < -time.Hour { // runs that start within one second differ by some seconds
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
