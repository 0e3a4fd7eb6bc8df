package crawl

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// OnWait reports exactly the time that a site waits, whatever it waits for and
// however short that is. It does not report waits that delay all requests.
func TestOnWait(t *testing.T) {
	const ms = time.Millisecond
	for name, tt := range map[string]struct {
		answer, body time.Duration // until the header, and before each byte of the body
		work         time.Duration // our own work after each byte
		bytes        int
		client       *Client
		held         time.Duration // in two requests, without work
	}{
		"fast":                       {answer: 10 * ms, body: ms, bytes: 1},
		"a slow answer":              {answer: 600 * ms, body: 400 * ms, bytes: 1},
		"a slow body":                {answer: 100 * ms, body: 600 * ms, bytes: 1},
		"both":                       {answer: time.Minute, body: time.Minute, bytes: 1},
		"a delay of our own":         {client: &Client{Delay: 2 * time.Second}, bytes: 1},
		"a limit of all requests":    {client: &Client{Rate: 0.1}, answer: 200 * ms, bytes: 1, held: 9800 * ms},
		"a limit, and a slow answer": {client: &Client{Rate: 0.1}, answer: 600 * ms, bytes: 1, held: 9400 * ms},
		"a limit, and our work":      {client: &Client{Rate: 0.1}, work: time.Second, bytes: 2, held: 9 * time.Second},
		"a drip, a byte a second":    {body: time.Second, bytes: 30},
		"a hundred bytes a second":   {body: 10 * ms, bytes: 100, work: ms},
		"works as long as it waits":  {body: 100 * ms, bytes: 100, work: 100 * ms},
		"works longer":               {body: 100 * ms, bytes: 100, work: 300 * ms},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				if tt.client == nil {
					tt.client = new(Client)
				}
				s := tt.client.Site()
				defer s.Close()
				var aside, worked time.Duration
				var since time.Time
				s.OnWait(func() {
					if !since.IsZero() {
						t.Error("begin twice")
					}
					since = time.Now()
				}, func() {
					if since.IsZero() {
						t.Error("end without a begin")
					}
					aside, since = aside+time.Since(since), time.Time{}
				})
				rt := pacer{pace: s.pace, next: tripFunc(func(r *http.Request) (*http.Response, error) {
					s.pace.meter.connecting()
					time.Sleep(tt.answer)
					return &http.Response{Body: &trickle{ctx: r.Context(), bytes: 1, pause: tt.body, left: tt.bytes}}, nil
				})}
				start := time.Now()
				for range 2 {
					resp := trip(t, rt, "http://a.test/")
					for _, err := resp.Body.Read(make([]byte, 10)); err == nil; _, err = resp.Body.Read(make([]byte, 10)) {
						time.Sleep(tt.work)
						worked += tt.work
					}
					resp.Body.Close()
				}
				if held := (time.Since(start) - aside - worked).Round(time.Millisecond); held != tt.held || !since.IsZero() || worked != 2*time.Duration(tt.bytes-1)*tt.work {
					t.Errorf("of %v it stood aside %v and worked %v: it neither worked nor stood aside for %v, want %v", time.Since(start), aside, worked, held, tt.held)
				}
				time.Sleep(time.Hour) // nothing is left that would call begin
				if !since.IsZero() {
					t.Error("it stands aside when it is done")
				}
			})
		})
	}
}

// A site does not count as waiting while the name for its first request is looked up,
// unless that takes long.
func TestOnWaitAtFirst(t *testing.T) {
	for lookup, want := range map[time.Duration]string{
		20 * time.Millisecond: "aside 20ms, back 120ms, aside 120ms, back 490ms",
		10 * time.Second:      "aside 500ms, back 10.1s, aside 10.1s, back 20.45s",
	} {
		synctest.Test(t, func(t *testing.T) {
			s := new(Client).Site()
			defer s.Close()
			var log []string
			start := time.Now()
			say := func(what string) func() {
				return func() { log = append(log, what+" "+time.Since(start).String()) }
			}
			s.OnWait(say("aside"), say("back"))
			rt := pacer{pace: s.pace, next: tripFunc(func(r *http.Request) (*http.Response, error) {
				time.Sleep(lookup)
				s.pace.meter.connecting()
				time.Sleep(100 * time.Millisecond)
				return &http.Response{Body: http.NoBody}, nil
			})}
			for range 2 {
				trip(t, rt, "http://a.test/").Body.Close() // unread: the next request waits a quarter of a second
			}
			if got := strings.Join(log, ", "); got != want {
				t.Errorf("names looked up in %v: got %q, want %q", lookup, got, want)
			}
		})
	}
}

// The pause between two tries is a normal wait. The time until the site may continue does
// not count.
func TestOnWaitBetweenTries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := (&Client{Retries: 2, Timeout: 10 * time.Second}).Site()
		defer s.Close()
		var log []string
		start := time.Now()
		s.OnWait(func() { log = append(log, "aside "+time.Since(start).String()) }, func() {
			time.Sleep(time.Hour)
			log = append(log, "back "+time.Since(start).String())
		})
		out := s.retry(t.Context(), func(left *countdown) *Outcome {
			if left.remaining() < 20*time.Second {
				t.Errorf("%v are left", left.remaining())
			}
			out := &Outcome{Status: 503, Code: CodeHTTPStatus}
			if len(log) == 0 {
				out.Hops = []Hop{{Header: http.Header{"Retry-After": {"5"}}}}
			} else {
				time.Sleep(time.Second)
			}
			return out
		})
		// the first wait begins after half a second, since no connection was begun; the second
		// pause is half a second
		if want := "aside 500ms, back 1h0m5s, aside 1h0m6s, back 2h0m6.5s"; out.Tries != 3 || strings.Join(log, ", ") != want {
			t.Errorf("%d tries, %q, want %q", out.Tries, log, want)
		}
	})
}

// With ten places, a hundred servers that hang do not slow down the others.
func TestSlowHostsDoNotHoldUpFastOnes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := new(Client)
		places := make(chan struct{}, 10)
		var all sync.WaitGroup
		start := time.Now()
		var last time.Duration // of the fast ones
		var mu sync.Mutex
		for i := range 1000 {
			places <- struct{}{}
			all.Go(func() {
				s := c.Site()
				defer s.Close()
				var held atomic.Bool
				held.Store(true)
				leave := func() {
					if held.Swap(false) {
						<-places
					}
				}
				s.OnWait(leave, func() { places <- struct{}{}; held.Store(true) })
				defer leave()
				hangs := i%10 == 0
				rt := pacer{pace: s.pace, next: tripFunc(func(r *http.Request) (*http.Response, error) {
					if hangs {
						<-r.Context().Done()
						return nil, r.Context().Err()
					}
					time.Sleep(300 * time.Millisecond)
					return &http.Response{Body: http.NoBody}, nil
				})}
				ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
				defer cancel()
				req, _ := http.NewRequestWithContext(ctx, "GET", "http://h"+time.Duration(i).String()+".test/", nil)
				if resp, err := rt.RoundTrip(req); err == nil {
					resp.Body.Close()
					mu.Lock()
					last = time.Since(start)
					mu.Unlock()
				}
			})
		}
		all.Wait()
		// 900 of 0.3 s at ten places are 27 s; the hundred add half a second each: 5 s.
		if last > 33*time.Second {
			t.Errorf("the fast ones took %v", last)
		}
	})
}

// However many sites begin at once, and whatever hosts they go to next, the number of
// concurrent name lookups is limited. Slow lookups do not count, and the last host is not
// looked up again.
func TestLookupsAtATime(t *testing.T) {
	for lookup, want := range map[time.Duration]time.Duration{
		100 * time.Millisecond: 2 * time.Second, // two names each, in ten turns
		10 * time.Second:       0,
	} {
		synctest.Test(t, func(t *testing.T) {
			const sites = 10 * maxLookups
			c := new(Client)
			var now atomic.Int32
			var all sync.WaitGroup
			start := time.Now()
			for i := range sites {
				all.Go(func() {
					s := c.Site()
					defer s.Close()
					known := ""
					rt := pacer{pace: s.pace, next: tripFunc(func(r *http.Request) (*http.Response, error) {
						if r.Host != known {
							known = r.Host
							if n := now.Add(1); n > maxLookups && lookup < slowLookup {
								t.Errorf("%d at a time", n)
							}
							time.Sleep(lookup)
							now.Add(-1)
							s.connecting()
						}
						time.Sleep(time.Second)
						return &http.Response{Body: http.NoBody}, nil
					})}
					for _, host := range []string{"a", "a", "b"} {
						req, _ := http.NewRequestWithContext(t.Context(), "GET", fmt.Sprintf("http://%s%d.test/", host, i), nil)
						resp, err := rt.RoundTrip(req)
						if err != nil {
							t.Error(err)
							return
						}
						io.Copy(io.Discard, resp.Body)
						resp.Body.Close()
					}
				})
			}
			all.Wait()
			if took := time.Since(start); want > 0 && took > want+3*time.Second {
				t.Errorf("lookups of %v: %v in all", lookup, took)
			} else if want == 0 && took > 2*(lookup+10*slowLookup)+3*time.Second {
				t.Errorf("lookups of %v: %v in all, since each holds others up", lookup, took)
			}
			if n := len(c.shared.lookup); n != 0 {
				t.Errorf("%d are still being looked up", n)
			}
		})
	}
}
