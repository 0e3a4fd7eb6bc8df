package semaphore

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// Two slots, twelve sites whose servers hang, and a hundred whose servers do
// not: no more than two are ever at work, and the hundred wait for the twelve
// no longer than it takes those to stand aside.
func TestSlots(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const timeout, hanging = time.Second / 2, time.Minute
		slots := NewSlots(Bounds{Working: 2, Starting: 2, Ready: 4})
		var now, most atomic.Int32
		work := func(begin bool) {
			if !begin {
				now.Add(-1)
			} else if n := now.Add(1); n > most.Load() {
				most.Store(n)
			}
		}
		var all sync.WaitGroup
		start := time.Now()
		for i := range 112 {
			slot := slots.Start(t.Context())
			all.Go(func() {
				defer slot.Release()
				work(true)
				if i < 12 {
					time.Sleep(timeout)
					work(false)
					slot.Release()
					time.Sleep(hanging)
					slot.Resume(t.Context())
					work(true)
				}
				time.Sleep(100 * time.Millisecond)
				work(false)
			})
		}
		if took, want := time.Since(start), 12*timeout/2+100*100*time.Millisecond/2; took > want {
			t.Errorf("the last began after %v, want %v", took, want)
		}
		all.Wait()
		if most.Load() != 2 {
			t.Errorf("%d at work at once", most.Load())
		}
	})
}

// A thousand sites whose servers hang take no slot from a hundred that answer:
// those are done as soon as the slots to start in and those at work allow.
func TestStartingTakesNoSlotAtWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const n, begin, answer, work = 16, 8 * time.Millisecond, 50 * time.Millisecond, 100 * time.Millisecond
		slots := NewSlots(Bounds{Working: n, Starting: n, Ready: 2 * n})
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
			slot := slots.Start(t.Context())
			all.Go(func() {
				defer slot.Release()
				begun := count(&beginning, "begin")
				time.Sleep(begin)
				begun()
				slot.Release()
				if i%11 != 0 {
					time.Sleep(time.Hour)
					return
				}
				time.Sleep(answer)
				slot.Resume(t.Context())
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

// Where many have started and wait to go on, no further site is started.
func TestNoneStartedWhileManyWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const n = 16
		slots := NewSlots(Bounds{Working: n, Starting: n, Ready: 2 * n})
		var waiting atomic.Int32
		var all sync.WaitGroup
		for range 500 {
			slot := slots.Start(t.Context())
			all.Go(func() {
				defer slot.Release()
				time.Sleep(time.Millisecond)
				slot.Release()
				if now := waiting.Add(1); now > 3*n { // n, those that were being started, and those about to go on
					t.Errorf("%d sites wait to go on", now)
				}
				slot.Resume(t.Context())
				waiting.Add(-1)
				time.Sleep(100 * time.Millisecond)
			})
		}
		all.Wait()
	})
}

// Many goroutines wait to start while sites wait to go on: each has its turn, though two
// sites may end before one of those that wait has noticed.
func TestStartFromManyGoroutines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const n = 4
		slots := NewSlots(Bounds{Working: n, Starting: n, Ready: 2 * n})
		var all sync.WaitGroup
		for range 3 * n { // so many are at work, or wait to be, that none is started
			slot := slots.slot(nothing)
			all.Go(func() {
				slot.Resume(t.Context())
				time.Sleep(time.Second) // all at once
				slot.Release()
			})
		}
		synctest.Wait()
		if slots.TryStart() != nil {
			t.Error("a site is started while many wait to go on")
		}
		for range 5 * n {
			all.Go(func() {
				slot := slots.Start(t.Context())
				time.Sleep(time.Millisecond)
				slot.Release()
			})
		}
		all.Wait() // that it comes back is the test
		if slots.TryStart() == nil {
			t.Error("none is started though all have ended")
		}
	})
}

// Of those that wait to go on the one that was started first comes first.
func TestStartedFirstGoesOnFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const n = 50
		slots := NewSlots(Bounds{Working: 1, Starting: n + 1, Ready: 2 * n})
		first := slots.Start(t.Context())
		first.Release()
		first.Resume(t.Context())
		var order []int
		var all sync.WaitGroup
		for i := range n {
			slot := slots.Start(t.Context())
			all.Go(func() {
				slot.Release()
				time.Sleep(time.Duration(i*31%n) * time.Millisecond) // they come back in another order
				slot.Resume(t.Context())
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

// One that gives up waiting to go on takes no slot from the others, also where it is
// granted one at that moment.
func TestGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slots := NewSlots(Bounds{Working: 2, Starting: 9, Ready: 9})
		var all sync.WaitGroup
		for i := range 200 {
			slot := slots.slot(nothing)
			all.Go(func() {
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i%20)*10*time.Millisecond)
				defer cancel()
				slot.Resume(ctx)
				time.Sleep(10 * time.Millisecond) // just when others give up
				slot.Release()
				slot.Release()
			})
		}
		all.Wait()
		if slots.free != 2 || slots.active != 0 || len(slots.queue) != 0 {
			t.Errorf("%d slots are free, %d sites active, %d wait", slots.free, slots.active, len(slots.queue))
		}
	})
}

// Whatever their servers' latency, sites keep the processors busy, and no more of
// them are under way at a time than that takes some times over: two processors, and sites that
// ask three times and compute 12 ms in all.
func TestLatencyCostsNothing(t *testing.T) {
	const sites, requests, work = 8000, 3, 4 * time.Millisecond
	for _, latency := range []time.Duration{0, 30 * time.Millisecond, 300 * time.Millisecond, time.Second} {
		synctest.Test(t, func(t *testing.T) {
			slots := NewSlots(Bounds{Working: 4, Starting: 64, Ready: 64, Pace: 3 * time.Millisecond})
			processors := make(Semaphore, 2)
			var now, most atomic.Int32
			var all sync.WaitGroup
			start := time.Now()
			for range sites {
				slot := slots.Start(t.Context())
				all.Go(func() {
					defer slot.Release()
					if n := now.Add(1); n > most.Load() {
						most.Store(n)
					}
					defer now.Add(-1)
					for range requests {
						slot.Release()
						time.Sleep(latency)
						slot.Resume(t.Context())
						processors.Acquire()
						time.Sleep(work)
						processors.Release()
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

// Ten sites hang for each one that answers; with them around, it takes little longer
// to do the others, also where that is little: it takes a while to learn that most hang.
func TestHangingCostNothing(t *testing.T) {
	for work, most := range map[time.Duration]time.Duration{ // 1, 2 and 6 s without those that hang
		2 * time.Millisecond:  3200 * time.Millisecond,
		4 * time.Millisecond:  4 * time.Second,
		12 * time.Millisecond: 7200 * time.Millisecond,
	} {
		synctest.Test(t, func(t *testing.T) {
			const sites = 11_000
			slots := NewSlots(Bounds{Working: 4, Starting: 64, Ready: 64, Pace: 3 * time.Millisecond})
			processors := make(Semaphore, 2)
			var all sync.WaitGroup
			start := time.Now()
			var took atomic.Int64
			for i := range sites {
				slot := slots.Start(t.Context())
				all.Go(func() {
					defer slot.Release()
					slot.Release()
					if i%11 != 0 {
						time.Sleep(time.Minute)
						return
					}
					time.Sleep(100 * time.Millisecond)
					slot.Resume(t.Context())
					processors.Acquire()
					time.Sleep(work)
					processors.Release()
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
