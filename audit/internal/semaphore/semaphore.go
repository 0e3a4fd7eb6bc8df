// Package semaphore bounds how many sites do something at a time.
//
// A [Semaphore] is the plain kind: so many may hold it, others wait. [Slots] are
// for sites as a whole. A site spends most of its time waiting for its server,
// be it a third of a second or minutes. So it holds a [Slot] at work only while
// it computes: it releases the slot before each wait, and acquires one again
// before it goes on. A few slots for each processor are enough for any number of
// sites, and a server that hangs keeps nobody else waiting.
//
// What is begun is to end soon, since a site in work holds what it has read: of
// those that wait to go on the one that was started first comes first, and no
// further site is started while many wait to go on. Nor are all sites of a list
// started before the first has its answer, though it would be possible: a few are,
// and then others in the place of those that have come back, or have not for so
// long that their servers are taken to hang. So as many are under way as it takes to
// keep the processors busy, which grows with the time that servers take, and
// with nothing else.
//
// Sites that start have slots of their own: a name is looked up in them, and name
// servers bear only so many questions at once.
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
