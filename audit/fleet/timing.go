package fleet

import "time"

// pauses are waiting times that do not depend on the lease. Tests use shorter ones.
var pauses = struct {
	look time.Duration // maximum between two checks of a run by its coordinator
	poll time.Duration // between two requests of Wait
	away time.Duration // before the next request to a queue that did not answer
	full time.Duration // before sites are offered again to a full queue
}{time.Second, time.Second, time.Second, time.Second / 2}

// Timing is how long a process may hold a message. All members of a fleet have the same.
type Timing struct {
	Lease time.Duration // the server gives a message to another process after so long without a call: AckWait [60s]
}

// The parts of a lease. A server that is cut off from the others notices after some 20 seconds at most that
// it has no majority, and confirms calls until then. The others count from the last call that it passed on.
// So three times must add up to one lease: the interval between calls (heartbeat), the time of useless
// confirmations (20 of 60 seconds), and the time that a confirmation counts (holds).

// lease is how long the server waits for a holder's call.
func (t Timing) lease() time.Duration {
	if t.Lease <= 0 {
		return time.Minute
	}
	return t.Lease
}

// heartbeat is the time between two calls to the server.
func (t Timing) heartbeat() time.Duration { return t.lease() / 6 }

// holds is how long a confirmation counts, from when the call was sent.
func (t Timing) holds() time.Duration { return t.lease() / 2 }

// tick is how often leases are checked.
func (t Timing) tick() time.Duration { return max(t.lease()/32, time.Millisecond) }

// pullWait is how long a request for messages waits. The leases of its messages count from when it was
// sent. So it is short: the messages arrive with more than half of their lease.
func (t Timing) pullWait() time.Duration { return max(t.lease()/6, time.Second/20) }
