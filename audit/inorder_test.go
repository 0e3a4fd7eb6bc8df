package audit

import (
	"runtime"
	"slices"
	"sync/atomic"
	"testing"

	"go.uber.org/goleak"
)

func upTo(n int) func(func(int) bool) {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

// Results come in the order of the jobs, for any durations. There are never more jobs under way
// than the bound allows.
func TestInOrder(t *testing.T) {
	defer goleak.VerifyNone(t)
	for _, n := range []int{0, 1, 7, 1000} {
		var asked, most int64
		var at, all atomic.Int64
		taken := int64(0)
		jobs := func(yield func(int) bool) {
			for i := range upTo(n) {
				asked++
				most = max(most, asked-taken)
				if !yield(i) {
					return
				}
			}
		}
		var got []int
		for r := range InOrder(jobs, func(i int) int {
			all.Store(max(all.Load(), at.Add(1)))
			defer at.Add(-1)
			for range (i * 7919) % 13 {
				runtime.Gosched()
			}
			return i * i
		}) {
			taken++
			got = append(got, r)
		}
		var want []int
		for i := range upTo(n) {
			want = append(want, i*i)
		}
		cores := int64(runtime.GOMAXPROCS(0))
		if !slices.Equal(got, want) || most > (1+jobsAhead)*cores+1 || all.Load() > cores {
			t.Errorf("%d jobs: %d results, %d under way, %d at work", n, len(got), most, all.Load())
		}
	}
}

// While one job takes long, those after it are done.
func TestInOrderSideBySide(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	second := make(chan struct{})
	var got []int
	for r := range InOrder(upTo(2), func(i int) int {
		if i == 0 {
			<-second
		} else {
			close(second)
		}
		return i
	}) {
		got = append(got, r)
	}
	if !slices.Equal(got, []int{0, 1}) {
		t.Error(got)
	}
}

// Leaving the loop ends everything: nothing is at work afterwards, and no further job begins.
func TestInOrderLeft(t *testing.T) {
	defer goleak.VerifyNone(t)
	var began, ended atomic.Int64
	for r := range InOrder(upTo(1<<30), func(i int) int {
		began.Add(1)
		defer ended.Add(1)
		return i
	}) {
		if r == 20 {
			break
		}
	}
	if began.Load() != ended.Load() || began.Load() > 1000 {
		t.Errorf("%d jobs began, %d ended", began.Load(), ended.Load())
	}
}
