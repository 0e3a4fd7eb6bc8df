package audit

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"robots-audit/crawl"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

// poolPages are those of ten small sites.
func poolPages() map[string]string {
	pages := map[string]string{}
	for i := range 10 {
		host := fmt.Sprintf("s%d.example", i)
		pages[host+"/robots.txt"] = "User-agent: *\nDisallow: /x\nSitemap: http://" + host + "/s.xml\nSitemap: http://" + host + "/none.xml\n"
		pages[host+"/s.xml"] = urlset("http://"+host+"/x", "http://"+host+"/1")
	}
	return pages
}

func parseDomain(t *testing.T, entry string) Domain {
	t.Helper()
	d, why := ParseDomain(entry)
	if why != "" {
		t.Fatal(why)
	}
	return d
}

// Sites audited one by one, each in its own goroutine with its own slot, give the same records as a
// list.
func TestSitesOneByOne(t *testing.T) {
	a := world(t, poolPages())
	a.Workers = 3
	list := siteList(10)
	want, got := story(a, t.Context(), list), map[string][]string{}
	pool := a.Pool()
	var mu sync.Mutex
	var all sync.WaitGroup
	for d, err := range Domains(strings.NewReader(list)) {
		noError(t, err)
		all.Go(func() {
			slot, err := pool.Start(t.Context())
			if err != nil {
				t.Error(err)
				return
			}
			defer slot.Release()
			for rec := range a.Site(t.Context(), slot, d, d.Line-1) {
				mu.Lock()
				got[rec.Domain] = append(got[rec.Domain], inLines(rec)...)
				mu.Unlock()
			}
		})
	}
	all.Wait()
	if diff := cmp.Diff(want, got); diff != "" || len(want) != 10 {
		t.Errorf("%d sites; one by one they differ:\n%s", len(want), diff)
	}
	for _, lines := range want {
		if !strings.HasPrefix(lines[len(lines)-1], "done ") {
			t.Errorf("no end: %q", lines)
		}
	}

	a.Skip = func(Domain) bool { return true }
	for rec := range a.Site(t.Context(), pool.TryStart(), parseDomain(t, "http://s1.example"), 0) {
		t.Errorf("of a site to be passed over: %s", inLines(rec))
	}
}

// TestLeftEarly leaves the loop of a site at each of its records: by break, by a panic and
// by an end of the goroutine. Each time the slot, which is released then, is free for another site.
func TestLeftEarly(t *testing.T) {
	a := world(t, poolPages())
	a.Workers, a.Waiting = 1, -1
	pool := a.Pool()
	d := parseDomain(t, "http://s1.example")
	last := 0
	slot := pool.TryStart()
	for range a.Site(t.Context(), slot, d, 0) {
		last++
	}
	if pool.TryStart() != nil {
		t.Error("a slot is free before it is released")
	}
	slot.Release()
	for name, leave := range map[string]func(){"break": nil, "panic": func() { panic("out of here") }, "exit": runtime.Goexit} {
		for at := range last {
			n := 0
			var fault any
			var done sync.WaitGroup
			done.Go(func() {
				defer func() { fault = recover() }()
				slot := pool.TryStart()
				defer slot.Release()
				for range a.Site(t.Context(), slot, d, 0) {
					if n++; n <= at {
						continue
					}
					if leave == nil {
						break
					}
					leave()
				}
			})
			done.Wait()
			if n != at+1 {
				t.Errorf("%s at record %d: %d were seen", name, at, n)
			}
			if name == "panic" && fault != "out of here" || name != "panic" && fault != nil {
				t.Errorf("%s at record %d: %v came out", name, at, fault)
			}
			slot := pool.TryStart()
			if slot == nil {
				t.Fatalf("%s at record %d: the slot is not free", name, at)
			}
			slot.Release()
			slot.Release() // another time does nothing
		}
	}
}

// A site whose own context ends has no Done, and does not disturb its neighbour.
func TestSiteInterrupted(t *testing.T) {
	arrived := make(chan struct{})
	a := served(t, "Googlebot", func(w http.ResponseWriter, r *http.Request) {
		if r.Host == "hangs.example" {
			close(arrived)
			<-r.Context().Done()
			return
		}
		io.WriteString(w, "User-agent: *\nDisallow: /x\n")
	})
	a.Workers, a.Client.Timeout = 2, time.Minute
	pool := a.Pool()
	finished := func(ctx context.Context, entry string) (done bool) {
		slot, err := pool.Start(t.Context())
		if err != nil {
			t.Error(err)
			return false
		}
		defer slot.Release()
		for rec := range a.Site(ctx, slot, Domain{Name: entry, Scheme: "http", Host: entry}, 0) {
			done = done || rec.Done != nil
		}
		return done
	}
	ctx, cancel := context.WithCancel(t.Context())
	var all sync.WaitGroup
	all.Go(func() {
		if finished(ctx, "hangs.example") {
			t.Error("an interrupted site has a Done")
		}
	})
	<-arrived
	if !finished(t.Context(), "answers.example") {
		t.Error("a site beside it has no Done")
	}
	cancel()
	all.Wait()
}

// A pool lets no more sites begin than its bounds allow. It refuses at once or waits, as requested.
func TestPoolBounds(t *testing.T) {
	pool := NewPool(2, 1)
	first, second := pool.TryStart(), pool.TryStart()
	if first == nil || second == nil || pool.TryStart() != nil {
		t.Fatal("two are to begin at a time, and no third")
	}
	first.standAside() // its server keeps it waiting
	third := pool.TryStart()
	if third == nil {
		t.Fatal("where one waits, another may begin")
	}
	second.standAside()
	if pool.TryStart() != nil {
		t.Error("one more waits than may")
	}
	why := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	if slot, err := pool.Start(ctx); slot != nil || err != why {
		t.Errorf("%v, %v", slot, err)
	}
	third.Release()
	if slot, err := pool.Start(t.Context()); slot == nil || err != nil {
		t.Errorf("%v, %v", slot, err)
	}
}

// A site whose check starts to fail is interrupted at any stage: it has no Done.
func TestSiteUnderCheck(t *testing.T) {
	t.Parallel()
	a := world(t, poolPages())
	a.Links = &crawl.LinkBudget{Pages: 3}
	pool := a.Pool()
	errLost := errors.New("the lease is over")
	for most := 1; ; most++ {
		var mu sync.Mutex
		asked := 0
		ctx, end := crawl.WithCheck(t.Context(), func() error {
			mu.Lock()
			defer mu.Unlock()
			if asked++; asked == most {
				return errLost
			}
			return nil
		})
		done := false
		slot := pool.TryStart()
		for rec := range a.Site(ctx, slot, parseDomain(t, "http://s1.example"), 0) {
			done = done || rec.Done != nil
		}
		slot.Release()
		lost := context.Cause(ctx) == errLost
		end()
		if done == lost {
			t.Errorf("check %d of %d fails: done is %v", most, asked, done)
		}
		if !lost {
			if most < 5 {
				t.Errorf("the check is asked %d times", asked)
			}
			return
		}
	}
}

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
