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

// tripFunc is a RoundTripper for tests.
type tripFunc func(*http.Request) (*http.Response, error)

func (f tripFunc) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// trip sends a request that must get an answer.
func trip(t *testing.T, rt http.RoundTripper, url string) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), "GET", url, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := rt.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	return resp
}

// asking sends requests through a pacer to a server that takes half a second to
// answer and another half for the body. It records when each one started.
type asking struct {
	t     *testing.T
	began time.Time
	mu    sync.Mutex
	log   []string
	now   map[string]int // requests in progress, by host without www.
	most  int
	all   int // requests in progress
	peak  int
}

func newAsking(t *testing.T) *asking {
	return &asking{t: t, began: time.Now(), now: map[string]int{}}
}

func (a *asking) RoundTrip(r *http.Request) (*http.Response, error) {
	host := strings.TrimPrefix(r.URL.Hostname(), "www.")
	a.mu.Lock()
	a.log = append(a.log, fmt.Sprint(r.URL.Host, " ", time.Since(a.began)))
	a.now[host]++
	a.all++
	a.most, a.peak = max(a.most, a.now[host]), max(a.peak, a.all)
	a.mu.Unlock()
	time.Sleep(500 * time.Millisecond)
	return &http.Response{StatusCode: 200, Body: &halfSecond{a: a, host: host}}, nil
}

// halfSecond is the body.
type halfSecond struct {
	a    *asking
	host string
	read bool
	over bool
}

func (b *halfSecond) Read(p []byte) (int, error) {
	if b.read {
		b.Close() // the server is done
		return 0, io.EOF
	}
	time.Sleep(500 * time.Millisecond)
	b.read = true
	return copy(p, "x"), nil
}

func (b *halfSecond) Close() error {
	b.a.mu.Lock()
	defer b.a.mu.Unlock()
	if !b.over {
		b.a.now[b.host]--
		b.a.all--
	}
	b.over = true
	return nil
}

// open requests a URL and returns its body, nil if it failed.
func (a *asking) open(ctx context.Context, s *Site, url string) io.ReadCloser {
	req, err := http.NewRequestWithContext(ctx, "GET", url, nil)
	if err != nil {
		a.t.Error(err)
		return nil
	}
	resp, err := pacer{next: a, pace: s.pace}.RoundTrip(req)
	if err != nil {
		return nil
	}
	return resp.Body
}

// get requests a URL and reads it.
func (a *asking) get(s *Site, url string) {
	if b := a.open(a.t.Context(), s, url); b != nil {
		io.Copy(io.Discard, b)
		b.Close()
	}
}

// getEach requests n hosts at once, each for its own site.
func (a *asking) getEach(c *Client, n int) {
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			s := c.Site()
			defer s.Close()
			a.get(s, fmt.Sprintf("http://h%d.test/", i))
		})
	}
	all.Wait()
}

func (a *asking) told(want string) {
	a.t.Helper()
	a.mu.Lock()
	defer a.mu.Unlock()
	if got := strings.Join(a.log, ", "); got != want {
		a.t.Errorf("got  %s\nwant %s", got, want)
	}
	if a.most > 1 {
		a.t.Errorf("a host saw %d requests at once", a.most)
	}
}

// A server may ask for a pause, but not for a longer one than the limit, and it is over after one request.
func TestHeed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAsking(t)
		s := new(Client).Site()
		defer s.Close()
		later := &http.Response{StatusCode: 503, Header: http.Header{"Retry-After": {"86400"}}}
		s.pace.heed(later, time.Minute) // no host is asked
		body := a.open(t.Context(), s, "http://a.test/")
		s.pace.heed(later, 10*time.Second)
		io.Copy(io.Discard, body)
		for range 2 {
			a.get(s, "http://a.test/")
		}
		a.told("a.test 0s, a.test 10.5s, a.test 11.5s")
	})
}

// A delay begins at the answer, which takes half a second here.
func TestDelay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAsking(t)
		s := (&Client{Delay: 2 * time.Second}).Site()
		defer s.Close()
		for _, u := range []string{"http://a.test/1", "http://a.test:8080/2", "http://A.test./3", "http://b.test/", "https://www.a.test/", "http://a.test/4"} {
			a.get(s, u)
		}
		a.told("a.test 0s, a.test:8080 2.5s, A.test. 5s, b.test 6s, www.a.test 7.5s, a.test 10s")

		ctx, cancel := context.WithTimeout(t.Context(), time.Second/2)
		defer cancel()
		before := time.Now()
		if b := a.open(ctx, s, "http://a.test/5"); b != nil || time.Since(before) != time.Second/2 {
			t.Errorf("a wait that was cut short: %v after %v", b, time.Since(before))
		}
	})
}

// A server gets time to notice that we have disconnected. If there was no
// connection, the next request follows at once.
func TestBrokenOff(t *testing.T) {
	for name, tt := range map[string]struct {
		answer func() (*http.Response, error)
		want   time.Duration
	}{
		"no answer in time":  {func() (*http.Response, error) { return nil, &Error{CodeTimeout, context.DeadlineExceeded} }, settleTime},
		"a body left":        {func() (*http.Response, error) { return &http.Response{Body: io.NopCloser(strings.NewReader("x"))}, nil }, settleTime},
		"a body that stalls": {func() (*http.Response, error) { return &http.Response{Body: failing{&Error{CodeTimeout, nil}}}, nil }, settleTime},
		"a body that breaks": {func() (*http.Response, error) {
			return &http.Response{Body: failing{&Error{CodeConnectionReset, nil}}}, nil
		}, 0},
		"a whole body":   {func() (*http.Response, error) { return &http.Response{Body: failing{io.EOF}}, nil }, 0},
		"nobody listens": {func() (*http.Response, error) { return nil, &Error{CodeConnectRefused, nil} }, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := new(Client).Site()
			defer s.Close()
			var began []time.Time
			trip := pacer{pace: s.pace, next: tripFunc(func(*http.Request) (*http.Response, error) {
				began = append(began, time.Now())
				return tt.answer()
			})}
			for range 2 {
				req, err := http.NewRequestWithContext(t.Context(), "GET", "http://a.test/", nil)
				if err != nil {
					t.Fatal(err)
				}
				if resp, err := trip.RoundTrip(req); err == nil {
					if _, broken := resp.Body.(*pacedBody).ReadCloser.(failing); broken {
						io.ReadAll(resp.Body)
					}
					resp.Body.Close()
				}
			}
			if got := began[1].Sub(began[0]); got != tt.want {
				t.Errorf("%s: the next request after %v, want %v", name, got, tt.want)
			}
		})
	}
}

// failing is a body that only returns an error.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }
func (f failing) Close() error             { return nil }

func TestSetDelay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAsking(t)
		s := (&Client{Delay: 2 * time.Second}).Site()
		defer s.Close()
		s.SetDelay("http://a.test", 10*time.Second)
		s.SetDelay("https://b.test:8080", 24*time.Hour) // 30 s at most
		s.SetDelay("https://c.test", time.Second)       // less than the Client's
		s.SetDelay("nonsense", time.Hour)
		for _, h := range []string{"a", "a", "b", "b", "c", "c"} {
			a.get(s, "http://"+h+".test/")
		}
		a.told("a.test 0s, a.test 10.5s, b.test 11.5s, b.test 42s, c.test 43s, c.test 45.5s")
		for i := range 2 * maxDelays {
			s.SetDelay(fmt.Sprintf("http://h%d.test", i), time.Second)
		}
		if len(s.pace.delays) > maxDelays {
			t.Errorf("%d hosts have a delay", len(s.pace.delays))
		}
	})
}

// The sites of one client ask a host one after the other, in order of arrival,
// and share its delay.
func TestOneRequestAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAsking(t)
		c := &Client{Delay: 3 * time.Second}
		var all sync.WaitGroup
		for i, u := range []string{"http://a.test/", "https://a.test/", "http://www.a.test/", "http://a.test:8080/", "http://b.test/"} {
			all.Go(func() {
				time.Sleep(time.Duration(i) * time.Millisecond)
				s := c.Site()
				defer s.Close()
				a.get(s, u)
				a.get(s, u)
			})
		}
		all.Wait()
		a.told("a.test 0s, b.test 4ms, a.test 3.5s, b.test 3.504s, www.a.test 7s, a.test:8080 10.5s, a.test 14s, a.test 17.5s, www.a.test 21s, a.test:8080 24.5s")
		if n := len(c.shared.hosts.known); n != 2 {
			t.Errorf("%d hosts are remembered, want two whose delay has not passed", n)
		}
	})
}

// A site that goes to another host with an open body releases its turn and
// takes it again to read on. Two sites that go to each other's host do not
// deadlock.
func TestTurnsAcross(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAsking(t)
		c := new(Client)
		var all sync.WaitGroup
		for _, way := range [][2]string{{"http://a.test/", "http://b.test/"}, {"http://b.test/", "http://a.test/"}} {
			all.Go(func() {
				s := c.Site()
				defer s.Close()
				b := a.open(t.Context(), s, way[0])
				a.get(s, way[1])
				io.Copy(io.Discard, b)
				b.Close()
			})
		}
		all.Wait()
		if took := time.Since(a.began); took != 2500*time.Millisecond && took != 2*time.Second {
			t.Errorf("took %v", took)
		}
		if len(c.shared.hosts.known) != 0 {
			t.Errorf("hosts are remembered: %v", c.shared.hosts.known)
		}
	})
}

// Only one site may have two bodies of one host open at a time: for example the
// robots.txt of the https variant, while a sitemap is open and not being read.
func TestTurnOfOneSite(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAsking(t)
		c := new(Client)
		s := c.Site()
		b := a.open(t.Context(), s, "http://a.test/sitemap.xml")
		a.get(s, "https://a.test/robots.txt")
		var all sync.WaitGroup
		all.Go(func() {
			other := c.Site()
			defer other.Close()
			a.get(other, "http://www.a.test/")
		})
		io.Copy(io.Discard, b)
		b.Close()
		all.Wait()
		s.Close()
		if len(c.shared.hosts.known) != 0 || time.Since(a.began) > 4*time.Second {
			t.Errorf("after %v hosts are remembered: %v", time.Since(a.began), c.shared.hosts.known)
		}
	})
}

// A site that is closed, or whose run is stopped, releases everything.
func TestTurnsAreGivenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAsking(t)
		c := &Client{MaxConns: 1, Rate: 1000}
		first := c.Site()
		b := a.open(t.Context(), first, "http://a.test/")

		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		second := c.Site()
		defer second.Close()
		if a.open(ctx, second, "http://a.test/") != nil {
			t.Error("two at once")
		}
		first.Close()
		b.Close()
		io.Copy(io.Discard, b)
		if a.open(t.Context(), first, "http://a.test/") != nil {
			t.Error("a closed site asks")
		}
		a.get(second, "http://a.test/")
		if len(c.shared.hosts.known) != 0 || len(c.shared.slots) != 0 {
			t.Errorf("kept: %v, %d slots", c.shared.hosts.known, len(c.shared.slots))
		}
	})
}

func TestRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAsking(t)
		c := &Client{Rate: 5}
		a.getEach(c, 100)
		if took := time.Since(a.began); took < 99*time.Second/5 || took > 99*time.Second/5+1100*time.Millisecond {
			t.Errorf("100 requests in %v", took)
		}
	})
}

// The number of open connections is limited. So is the number of requests from sites without a
// connection, which may need two descriptors.
func TestAtATime(t *testing.T) {
	for _, c := range []*Client{{MaxConns: 7}, {Extra: 7}} {
		synctest.Test(t, func(t *testing.T) {
			a := newAsking(t)
			a.getEach(c, 70)
			if took := time.Since(a.began); a.peak != 7 || took != 10*time.Second {
				t.Errorf("%d at once, and 70 of a second each in %v", a.peak, took)
			}
			if n := len(c.shared.extra); n != 0 {
				t.Errorf("%d are not given back", n)
			}
		})
	}
}

// A sitemap with a new host in every line does not make the state of pacing
// grow.
func TestPacingRemembersFewHosts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &Client{Delay: 30 * time.Second}
		s := c.Site()
		defer s.Close()
		fast := pacer{pace: s.pace, next: tripFunc(func(*http.Request) (*http.Response, error) {
			time.Sleep(100 * time.Millisecond)
			return &http.Response{Body: http.NoBody}, nil
		})}
		most := 0
		for i := range 10_000 {
			trip(t, fast, fmt.Sprintf("http://h%d.test/", i)).Body.Close()
			most = max(most, len(c.shared.hosts.known))
		}
		if most > minHosts {
			t.Errorf("%d hosts are remembered", most)
		}
	})
}

// Our own delays do not count against the time of a URL.
func TestDelayAndTimeout(t *testing.T) {
	c := led(serve(t, hops(5)))
	withLongerTimeouts(t, func(timeout time.Duration) string {
		c.Delay, c.Timeout = 3*timeout/4, timeout // all delays together are longer than the time for a URL
		start := time.Now()
		f := robots(t, c)
		if took := time.Since(start); f.Code != "" || f.Redirects() != 5 || took < 5*c.Delay {
			return fmt.Sprintf("got code %q after %d redirects and %v (%s)", f.Code, f.Redirects(), took, f.Detail)
		}
		return ""
	})
}

// Nor do waits for another site, however long its file is.
func TestWaitingForAnotherSite(t *testing.T) {
	var end atomic.Pointer[chan struct{}] // of a try: closed when the file has been long enough
	c := led(serve(t, func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, rules)
		if r.Host == "www.example.test" {
			w.(http.Flusher).Flush()
			<-*end.Load()
		}
	}))
	withLongerTimeouts(t, func(timeout time.Duration) string {
		enough := make(chan struct{})
		end.Store(&enough)
		finish := sync.OnceFunc(func() { close(enough) })
		defer finish()
		c.Timeout = timeout
		first := c.Site()
		defer first.Close()
		b, out := first.open(t.Context(), "http://www.example.test/", limits{})
		if out.Code != "" {
			return out.Detail
		}
		done := make(chan *RobotsFile, 1)
		go func() { done <- robots(t, c) }()
		select {
		case f := <-done:
			return fmt.Sprintf("two at once: got code %q (%s)", f.Code, f.Detail)
		case <-time.After(4 * timeout):
		}
		finish()
		b.Close()
		if f := <-done; f.Code != "" || f.Tries != 1 {
			return fmt.Sprintf("got code %q (%s)", f.Code, f.Detail)
		}
		return ""
	})
}
