// Package semaphore bounds how many sites do something at a time.
//
// A [Semaphore] is the plain kind: so many may hold it, others wait. [Slots] are
// for sites as a whole. A site spends most of its time waiting for its server,
// and a server that hangs keeps it waiting for minutes; a run of ten thousand
// sites with sixteen workers would stand still before the first thousand that
// hang. So a site holds a [Slot] only while it works: it releases the slot where
// its server keeps it waiting, and acquires one again before it goes on. Sites
// that start have slots of their own, as many, so that what it takes to start
// those that hang is not taken from those that answer. And no further site is
// started while many wait to go on: they hold what they have read until then.
//
// The package starts no goroutine; its callers wait in theirs.
package semaphore

// Semaphore is held by as many at a time as its capacity; make one as a channel
// is made. A nil Semaphore bounds nothing.
type Semaphore chan struct{}

// Acquire waits until fewer hold the semaphore than may.
func (s Semaphore) Acquire() {
	if s != nil {
		s <- struct{}{}
	}
}

// Release lets another have it. Each Acquire is followed by one Release.
func (s Semaphore) Release() {
	if s != nil {
		<-s
	}
}
