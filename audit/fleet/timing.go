package fleet

import "time"

// pauses are times of waiting that do not depend on the lease; tests wait less.
var pauses = struct {
	look time.Duration // between two looks of a coordinator at a run, at most
	poll time.Duration // between two questions of Wait
	away time.Duration // before a queue is asked again that did not answer
	full time.Duration // before a queue that was full is offered sites again
}{time.Second, time.Second, time.Second, time.Second / 2}

// Timing is how long who has a message keeps it. All of a fleet have the same.
type Timing struct {
	Lease time.Duration // the server gives a message to another when it has heard nothing for so long: AckWait [60s]
}

// The parts of a lease. A server that has been cut off from the others still confirms what it is
// told until it notices, some 20 seconds later at most, that it no longer has a majority; the others
// count from the last word that it had passed on. So the last such word (heartbeat), what is
// confirmed in vain (20 of 60 seconds) and the time that this holds for must come to one lease.

// lease is how long the server waits for a word of who has a message.
func (t Timing) lease() time.Duration {
	if t.Lease <= 0 {
		return time.Minute
	}
	return t.Lease
}

// heartbeat is the time between two words to the server.
func (t Timing) heartbeat() time.Duration { return t.lease() / 6 }

// holds is how long a confirmed word holds, from when it was sent.
func (t Timing) holds() time.Duration { return t.lease() / 2 }

// tick is how often leases are looked at.
func (t Timing) tick() time.Duration { return max(t.lease()/32, time.Millisecond) }

// pullWait is how long a request for messages waits for some. Its messages' leases count from when
// it was sent, so it is short: they have more than half of their time left when they come.
func (t Timing) pullWait() time.Duration { return max(t.lease()/6, time.Second/20) }
