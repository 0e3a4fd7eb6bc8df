package delivery

import (
	"hash/fnv"
	"strconv"
	"time"

	"robots-audit/audit/watch/history"
)

// GiveUpAfter is how long a delivery is retried after it was entered.
const GiveUpAfter = 24 * time.Hour

// LongestPause bounds the wait for the next try, even if the receiver asks for more. A longer
// stored wait comes from a clock that was ahead, so the delivery is due.
const LongestPause = 2 * time.Hour

// maxTries is the maximum number of tries; a day has some 30. It is needed for deliveries that were
// entered by a clock that was ahead, so that their day lasts too long.
const maxTries = 48

// waits are the waits after the first failures; the last one is repeated. Libraries count within
// one process, but these must continue after a restart.
var waits = []time.Duration{time.Minute, 2 * time.Minute, 5 * time.Minute, 15 * time.Minute, 30 * time.Minute, time.Hour}

// next is the time of the next try after a try that failed at now; false = never. Deliveries that
// are not accepted a day after they were entered have their last try then.
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
	return at.Truncate(time.Second), true // precision of the database
}

// jitter is between -most and +most, and always the same for a try of a delivery.
func jitter(id string, tries int, most time.Duration) time.Duration {
	h := fnv.New32a()
	h.Write([]byte(id))
	h.Write([]byte(strconv.Itoa(tries)))
	return time.Duration(float64(most) * (float64(h.Sum32())/(1<<31) - 1))
}
