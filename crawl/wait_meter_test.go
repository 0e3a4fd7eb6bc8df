package crawl

import (
	"context"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// A site stands aside once it has waited for half a second more than it has
// worked, whatever it waits for and however often it is interrupted.
func TestOnWait(t *testing.T) {
	const ms = time.Millisecond
	for name, tt := range map[string]struct {
		answer, body time.Duration // until the header, and between two bytes of the body
		work         time.Duration // of ours after each byte
		bytes        int
		client       *Client
		aside, back  int // times, in two requests
	}{
		"fast":                        {answer: 100 * ms, body: 100 * ms, bytes: 1},
		"a slow answer":               {answer: 600 * ms, body: 400 * ms, bytes: 1, aside: 1},
		"a slow body":                 {answer: 100 * ms, body: 600 * ms, bytes: 1, aside: 1},
		"both":                        {answer: time.Minute, body: time.Minute, bytes: 1, aside: 1},
		"a delay of our own":          {client: &Client{Delay: 2 * time.Second}, bytes: 1, aside: 1},
		"a limit of all requests":     {client: &Client{Rate: 0.1}, answer: 200 * ms, bytes: 1},
		"a limit, and a slow answer":  {client: &Client{Rate: 0.1}, answer: 600 * ms, bytes: 1, aside: 1},
		"a drip, a byte a second":     {body: time.Second, bytes: 30, aside: 1},
		"a drip, four bytes a second": {body: 240 * ms, bytes: 30, aside: 1},
		"a hundred bytes a second":    {body: 10 * ms, bytes: 100, work: ms, aside: 1},
		"works as long as it waits":   {body: 100 * ms, bytes: 100, work: 100 * ms},
		"works longer":                {body: 100 * ms, bytes: 100, work: 300 * ms},
		"slow first, then works":      {answer: time.Minute, body: 100 * ms, bytes: 100, work: 300 * ms, aside: 2, back: 2},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				if tt.client == nil {
					tt.client = new(Client)
				}
				s := tt.client.Site()
				defer s.Close()
				var aside atomic.Bool
				begun, ended := 0, 0
				s.OnWait(func() { aside.Store(true); begun++ }, func() {
					if ended++; !aside.Swap(false) {
						t.Error("end without a begin")
					}
				})
				rt := pacer{pace: s.pace, next: tripFunc(func(r *http.Request) (*http.Response, error) {
					time.Sleep(tt.answer)
					return &http.Response{Body: &trickle{ctx: r.Context(), bytes: 1, pause: tt.body, left: tt.bytes}}, nil
				})}
				for range 2 {
					req, _ := http.NewRequestWithContext(t.Context(), "GET", "http://a.test/", nil)
					resp, err := rt.RoundTrip(req)
					if err != nil {
						t.Fatal(err)
					}
					for err == nil {
						if _, err = resp.Body.Read(make([]byte, 10)); err == nil {
							time.Sleep(tt.work)
						}
					}
					resp.Body.Close()
				}
				time.Sleep(time.Hour) // at work, or done
				if begun != tt.aside || ended != tt.back || aside.Load() != (begun > ended) {
					t.Errorf("stood aside %d times and came back %d times, want %d and %d", begun, ended, tt.aside, tt.back)
				}
			})
		})
	}
}

// At its first connection a site stands aside at once; it comes back with an
// answer that is soon there.
func TestOnWaitAtFirst(t *testing.T) {
	for answer, want := range map[time.Duration]string{
		100 * time.Millisecond: "aside 20ms, back 120ms",
		10 * time.Second:       "aside 20ms",
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
				time.Sleep(20 * time.Millisecond) // for the name
				s.pace.meter.connecting()
				time.Sleep(answer)
				return &http.Response{Body: http.NoBody}, nil
			})}
			for range 3 {
				req, _ := http.NewRequestWithContext(t.Context(), "GET", "http://a.test/", nil)
				resp, err := rt.RoundTrip(req)
				if err != nil {
					t.Fatal(err)
				}
				io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
			}
			if got := strings.Join(log, ", "); got != want {
				t.Errorf("answers after %v: got %q, want %q", answer, got, want)
			}
		})
	}
}

// The pause between two tries is a wait like others; and waiting for room counts for nothing.
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
		if out.Tries != 3 || strings.Join(log, ", ") != "aside 500ms, back 1h0m6.5s" {
			t.Errorf("%d tries, %v", out.Tries, log)
		}
	})
}

// With ten places and a hundred servers that hang, the others are asked as if
// there were none of them.
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
