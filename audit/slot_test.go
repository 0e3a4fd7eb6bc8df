package audit

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// startSite waits for a slot.
func startSite(t *testing.T, pool *Pool) *Slot {
	slot, err := pool.Start(t.Context())
	if err != nil {
		t.Error(err)
	}
	return slot
}

// A thousand sites with hanging servers take no slot from a hundred that answer: those are done as
// fast as the slots for starting and working allow.
func TestStartingTakesNoSlotAtWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const n, begin, answer, work = 16, 8 * time.Millisecond, 50 * time.Millisecond, 100 * time.Millisecond
		pool := newPool(poolBounds{sites: 12_000, working: n, starts: n, ready: 2 * n})
		var beginning, working atomic.Int32
		count := func(now *atomic.Int32, what string) func() {
			if now.Add(1) > n {
				t.Errorf("more than %d %s at once", n, what)
			}
			return func() { now.Add(-1) }
		}
		var all sync.WaitGroup
		start := time.Now()
		for i := range 1100 {
			slot := startSite(t, pool)
			all.Go(func() {
				defer slot.Release()
				begun := count(&beginning, "begin")
				time.Sleep(begin)
				begun()
				slot.standAside()
				if i%11 != 0 {
					time.Sleep(time.Hour)
					return
				}
				time.Sleep(answer)
				slot.resume(t.Context())
				defer count(&working, "work")()
				time.Sleep(work)
				if took, ideal := time.Since(start), 100*work/n+answer; i == 1089 && took > ideal*12/10 {
					t.Errorf("the last of those that answer was done after %v, could be %v", took, ideal)
				}
			})
		}
		all.Wait()
	})
}

// While many started sites wait to resume, no further site starts.
func TestNoneStartedWhileManyWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const n = 16
		pool := newPool(poolBounds{sites: 12_000, working: n, starts: n, ready: 2 * n})
		var waiting atomic.Int32
		var all sync.WaitGroup
		for range 500 {
			slot := startSite(t, pool)
			all.Go(func() {
				defer slot.Release()
				time.Sleep(time.Millisecond)
				slot.standAside()
				if now := waiting.Add(1); now > 3*n { // n, those that are starting, and those about to resume
					t.Errorf("%d sites wait to go on", now)
				}
				slot.resume(t.Context())
				waiting.Add(-1)
				time.Sleep(100 * time.Millisecond)
			})
		}
		all.Wait()
	})
}

// Many goroutines wait to start while sites wait to resume. Each gets its turn, although two sites
// may end before a waiting goroutine notices.
func TestStartFromManyGoroutines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const n = 4
		pool := newPool(poolBounds{sites: 12_000, working: n, starts: n, ready: 2 * n})
		var all sync.WaitGroup
		for range 3 * n { // so many are at work, or wait to be, that none is started
			slot := pool.slot(nothing)
			all.Go(func() {
				slot.resume(t.Context())
				time.Sleep(time.Second) // all at once
				slot.standAside()
			})
		}
		synctest.Wait()
		if pool.TryStart() != nil {
			t.Error("a site is started while many wait to go on")
		}
		for range 5 * n {
			all.Go(func() {
				slot := startSite(t, pool)
				time.Sleep(time.Millisecond)
				slot.Release()
			})
		}
		all.Wait() // that it comes back is the test
		if pool.TryStart() == nil {
			t.Error("none is started though all have ended")
		}
	})
}

// Of the sites that wait to resume, the one started first comes first.
func TestStartedFirstGoesOnFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const n = 50
		pool := newPool(poolBounds{sites: 12_000, working: 1, starts: n + 1, ready: 2 * n})
		first := startSite(t, pool)
		first.standAside()
		first.resume(t.Context())
		var order []int
		var all sync.WaitGroup
		for i := range n {
			slot := startSite(t, pool)
			all.Go(func() {
				slot.standAside()
				time.Sleep(time.Duration(i*31%n) * time.Millisecond) // they come back in another order
				slot.resume(t.Context())
				order = append(order, i)
				slot.Release()
			})
		}
		time.Sleep(time.Second)
		first.Release()
		all.Wait()
		if !slices.IsSorted(order) || len(order) != n {
			t.Errorf("in the order %d", order)
		}
	})
}

// A site that stops waiting to resume takes no slot from the others, even if its slot is granted at
// that moment.
func TestSlotGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pool := newPool(poolBounds{sites: 12_000, working: 2, starts: 9, ready: 9})
		var all sync.WaitGroup
		for i := range 200 {
			slot := pool.slot(nothing)
			all.Go(func() {
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i%20)*10*time.Millisecond)
				defer cancel()
				slot.resume(ctx)
				time.Sleep(10 * time.Millisecond) // just when others give up
				slot.standAside()
				slot.standAside()
			})
		}
		all.Wait()
		if pool.free != 2 || pool.active != 0 || len(pool.queue) != 0 {
			t.Errorf("%d slots are free, %d sites active, %d wait", pool.free, pool.active, len(pool.queue))
		}
	})
}

// For any latency of their servers, sites keep the processors busy, and not many more are under way
// than necessary. There are two processors, and sites with three requests and 12 ms of work in all.
func TestLatencyCostsNothing(t *testing.T) {
	const sites, requests, work = 8000, 3, 4 * time.Millisecond
	for _, latency := range []time.Duration{0, 30 * time.Millisecond, 300 * time.Millisecond, time.Second} {
		synctest.Test(t, func(t *testing.T) {
			pool := newPool(poolBounds{sites: 12_000, working: 4, starts: 64, ready: 64, pace: 3 * time.Millisecond})
			processors := make(semaphore, 2)
			var now, most atomic.Int32
			var all sync.WaitGroup
			start := time.Now()
			for range sites {
				slot := startSite(t, pool)
				all.Go(func() {
					defer slot.Release()
					if n := now.Add(1); n > most.Load() {
						most.Store(n)
					}
					defer now.Add(-1)
					for range requests {
						slot.standAside()
						time.Sleep(latency)
						slot.resume(t.Context())
						processors.acquire(t.Context())
						time.Sleep(work)
						processors.release()
					}
				})
			}
			all.Wait()
			took, ideal := time.Since(start), sites*requests*work/2
			if took -= requests * latency; took > ideal*10/9 { // the first answers are to be waited for
				t.Errorf("latency %v: busy for %d %% of the time", latency, 100*ideal/took)
			}
			need := int32(requests * latency * sites / ideal)
			if most.Load() > 128+4*need {
				t.Errorf("latency %v: %d sites at a time, where %d keep the processors busy", latency, most.Load(), need)
			}
			t.Logf("latency %v: busy for %d %%, %d sites at a time, %d would do", latency, 100*ideal/took, most.Load(), need)
		})
	}
}

// Ten sites hang for each one that answers. The others take only a little longer, even if there are
// few of them: it takes a while to learn that most hang.
func TestHangingCostNothing(t *testing.T) {
	for work, most := range map[time.Duration]time.Duration{ // 1, 2 and 6 s without those that hang
		2 * time.Millisecond:  3200 * time.Millisecond,
		4 * time.Millisecond:  4 * time.Second,
		12 * time.Millisecond: 7200 * time.Millisecond,
	} {
		synctest.Test(t, func(t *testing.T) {
			const sites = 11_000
			pool := newPool(poolBounds{sites: 12_000, working: 4, starts: 64, ready: 64, pace: 3 * time.Millisecond})
			processors := make(semaphore, 2)
			var all sync.WaitGroup
			start := time.Now()
			var took atomic.Int64
			for i := range sites {
				slot := startSite(t, pool)
				all.Go(func() {
					defer slot.Release()
					slot.standAside()
					if i%11 != 0 {
						time.Sleep(time.Minute)
						return
					}
					time.Sleep(100 * time.Millisecond)
					slot.resume(t.Context())
					processors.acquire(t.Context())
					time.Sleep(work)
					processors.release()
					took.Store(int64(time.Since(start)))
				})
			}
			all.Wait()
			if time.Duration(took.Load()) > most {
				t.Errorf("took %v, %v without those that hang", time.Duration(took.Load()), sites/11*work/2)
			}
		})
	}
}
