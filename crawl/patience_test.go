package crawl

import (
	"context"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// Whatever a site waits for, it stands aside after half a second, and comes
// back before it goes on.
func TestOnWait(t *testing.T) {
	const ms = time.Millisecond
	for name, tt := range map[string]struct {
		answer, body time.Duration // until the header, and until the end of the body
		client       *Client
		aside        int // times, in two requests
	}{
		"fast":                {answer: 400 * ms, body: 400 * ms},
		"a slow answer":       {answer: 600 * ms, body: 400 * ms, aside: 2},
		"a slow body":         {answer: 100 * ms, body: 600 * ms, aside: 2},
		"both":                {answer: time.Minute, body: time.Minute, aside: 4},
		"a delay of our own":  {client: &Client{Delay: 2 * time.Second}, aside: 1},
		"a limit of requests": {client: &Client{Rate: 1}, aside: 1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				if tt.client == nil {
					tt.client = new(Client)
				}
				s := tt.client.Site()
				defer s.Close()
				var aside atomic.Bool
				n := 0
				s.OnWait(func() { aside.Store(true); n++ }, func() {
					if !aside.Swap(false) {
						t.Error("end without a begin")
					}
				})
				rt := pacer{pace: s.pace, next: tripFunc(func(r *http.Request) (*http.Response, error) {
					time.Sleep(tt.answer)
					return &http.Response{Body: &trickle{ctx: r.Context(), bytes: 1, pause: tt.body, left: 1}}, nil
				})}
				for range 2 {
					req, _ := http.NewRequestWithContext(t.Context(), "GET", "http://a.test/", nil)
					resp, err := rt.RoundTrip(req)
					if err != nil {
						t.Fatal(err)
					}
					if aside.Load() {
						t.Error("went on, and is still aside")
					}
					io.Copy(io.Discard, resp.Body)
					resp.Body.Close()
				}
				time.Sleep(time.Hour) // at work, or done
				if n != tt.aside || aside.Load() {
					t.Errorf("stood aside %d times, want %d", n, tt.aside)
				}
			})
		})
	}
}

// Also between two tries of a server that asks to wait, and the wait for room counts for nothing.
func TestOnWaitBetweenTries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := (&Client{Retries: 1, Timeout: 10 * time.Second}).Site()
		defer s.Close()
		var log []string
		start := time.Now()
		s.OnWait(func() { log = append(log, "aside "+time.Since(start).String()) }, func() {
			time.Sleep(time.Hour)
			log = append(log, "back "+time.Since(start).String())
		})
		out := s.retry(t.Context(), func(left *clock) *Outcome {
			if left.remaining() < 20*time.Second {
				t.Errorf("%v are left", left.remaining())
			}
			return &Outcome{Status: 503, Code: CodeHTTPStatus, Hops: []Hop{{Header: http.Header{"Retry-After": {"5"}}}}}
		})
		if out.Tries != 2 || len(log) != 2 || log[0] != "aside 500ms" || log[1] != "back 1h0m5s" {
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
				s.OnWait(func() { <-places }, func() { places <- struct{}{} })
				defer func() { <-places }()
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
