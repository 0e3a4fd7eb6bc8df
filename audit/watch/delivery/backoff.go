package delivery

import (
	"hash/fnv"
	"strconv"
	"time"

	"robots-audit/audit/watch/history"
)

// GiveUpAfter is how long a delivery is tried, from when it was entered.
const GiveUpAfter = 24 * time.Hour

// LongestPause bounds what a delivery waits for its next try, also where the receiver asks for
// more. What says that it waits for longer was entered by a clock that was ahead, and is due.
const LongestPause = 2 * time.Hour

// maxTries is how often a delivery is tried at most: in a day it comes to some 30. It ends what was
// entered by a clock that was ahead, and whose day is not over for long.
const maxTries = 48

// waits are those after the first failures; the last one is repeated. A library's
// backoff counts within one process, and this has to go on where another one stopped.
var waits = []time.Duration{time.Minute, 2 * time.Minute, 5 * time.Minute, 15 * time.Minute, 30 * time.Minute, time.Hour}

// next is when a delivery is tried again, after a try that failed at now; false =
// never. Deliveries that are still not accepted a day after they were entered have
// their last try then.
func next(d history.Delivery, f *failure, now time.Time) (time.Time, bool) {
	end := d.Entered.Add(GiveUpAfter)
	if !now.Before(end) || d.Tries >= maxTries {
		return time.Time{}, false
	}
	wait := waits[min(max(d.Tries, 1), len(waits))-1]
	if f.lasting {
		wait = waits[len(waits)-1]
	}
	wait += jitter(d.ID, d.Tries, wait/10)
	at := now.Add(min(max(wait, f.wait), LongestPause))
	if at.After(end) {
		at = end
	}
	return at.Truncate(time.Second), true // as it is stored
}

// jitter is from -most to +most, the same for each try of a delivery.
func jitter(id string, tries int, most time.Duration) time.Duration {
	h := fnv.New32a()
	h.Write([]byte(id))
	h.Write([]byte(strconv.Itoa(tries)))
	return time.Duration(float64(most) * (float64(h.Sum32())/(1<<31) - 1))
}
