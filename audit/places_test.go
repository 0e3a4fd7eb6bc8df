package audit

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"robots-audit/crawl"
)

// Two places, twelve sites whose servers hang, and a hundred whose servers do
// not: no more than two are ever at work, and the hundred wait for the twelve
// no longer than it takes those to stand aside.
func TestPlaces(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const patience, hanging = time.Second / 2, time.Minute
		ps := newPlaces(2)
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
			p := ps.take(t.Context())
			all.Go(func() {
				defer p.leave()
				work(true)
				if i < 12 {
					time.Sleep(patience)
					work(false)
					p.leave()
					time.Sleep(hanging)
					p.enter(t.Context())
					work(true)
				}
				time.Sleep(100 * time.Millisecond)
				work(false)
			})
		}
		if took, want := time.Since(start), 12*patience/2+100*100*time.Millisecond/2; took > want {
			t.Errorf("the last began after %v, want %v", took, want)
		}
		all.Wait()
		if most.Load() != 2 {
			t.Errorf("%d at work at once", most.Load())
		}
	})
}

// A thousand sites whose servers hang take no place from a hundred that answer:
// those are done as soon as the places to begin at and those at work allow.
func TestBeginningTakesNoPlaceAtWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const n, begin, answer, work = 16, 8 * time.Millisecond, 50 * time.Millisecond, 100 * time.Millisecond
		ps := newPlaces(n)
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
			p := ps.take(t.Context())
			all.Go(func() {
				defer p.leave()
				begun := count(&beginning, "begin")
				time.Sleep(begin)
				begun()
				p.leave()
				if i%11 != 0 {
					time.Sleep(time.Hour)
					return
				}
				time.Sleep(answer)
				p.enter(t.Context())
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

// Where many have begun and wait to go on, no further site is begun.
func TestNoneBegunWhileManyWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const n = 16
		ps := newPlaces(n)
		var waiting atomic.Int32
		var all sync.WaitGroup
		for range 500 {
			p := ps.take(t.Context())
			all.Go(func() {
				defer p.leave()
				time.Sleep(time.Millisecond)
				p.leave()
				if now := waiting.Add(1); now > 3*n { // n, those that were being begun, and those about to go on
					t.Errorf("%d sites wait to go on", now)
				}
				p.enter(t.Context())
				waiting.Add(-1)
				time.Sleep(100 * time.Millisecond)
			})
		}
		all.Wait()
	})
}

// Two workers, twelve servers that hang, and a hundred that do not: those are
// done long before the others are given up. How many may wait is bounded; and
// where none may, there are never more at the servers than workers.
func TestHangingServersHoldNobodyUp(t *testing.T) {
	var now, most atomic.Int32
	fast := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n := now.Add(1)
		defer now.Add(-1)
		for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
		}
		io.WriteString(w, "User-agent: *\nDisallow: /x\n")
	}))
	defer fast.Close()
	hang, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var open sync.WaitGroup
	open.Go(func() {
		for {
			c, err := hang.Accept()
			if err != nil {
				return
			}
			open.Go(func() { io.Copy(io.Discard, c); c.Close() })
		}
	})
	defer open.Wait()
	defer hang.Close()

	var list strings.Builder
	for i := range 112 {
		port := 80
		if i < 12 {
			port = 81
		}
		fmt.Fprintf(&list, "http://s%d.example:%d\n", i, port)
	}
	crawlers, err := ParseCrawlers("Googlebot")
	if err != nil {
		t.Fatal(err)
	}
	const timeout = 2 * time.Minute
	auditor := func(waiting int) *Auditor {
		return &Auditor{Crawlers: crawlers, Workers: 2, Waiting: waiting, Client: &crawl.Client{
			Timeout: timeout, Retries: -1, ConnectTo: []string{":80:" + fast.Listener.Addr().String(), ":81:" + hang.Addr().String()}}}
	}
	start, done := time.Now(), 0
	for rec := range auditor(0).All(t.Context(), Domains(strings.NewReader(list.String()))) {
		if rec.Done != nil {
			done++
		}
		if done == 100 {
			break
		}
	}
	if took := time.Since(start); done < 100 || took > timeout*3/4 {
		t.Errorf("%d done in %v", done, took)
	}

	most.Store(0)
	_, quick, _ := strings.Cut(list.String(), "s12.example:80\n")
	for range auditor(-1).All(t.Context(), Domains(strings.NewReader(quick))) {
	}
	if most.Load() > 2 {
		t.Errorf("%d at once with two workers", most.Load())
	}

	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	for rec := range auditor(8).All(ctx, Domains(strings.NewReader(list.String()))) {
		if rec.Done != nil {
			t.Error("a site done while more hang than may wait")
		}
	}
}
