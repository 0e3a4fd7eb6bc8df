package crawl

import (
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// testClock is a clock that tests set.
type testClock struct{ at time.Time }

func (w *testClock) now() time.Time       { return w.at }
func (w *testClock) pass(d time.Duration) { w.at = w.at.Add(d) }
func newTestClock() *testClock            { return &testClock{time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)} }
func cacheAt(t *testing.T, w *testClock, path string) *Cache {
	t.Helper()
	c, err := openCache(path, w.now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// talking is the state of a server with one robots.txt, which tests change. It
// records how it was asked.
type talking struct {
	status   int
	header   map[string]string
	body     string
	asked    int
	told     string // If-None-Match and If-Modified-Since of the last request
	redirect string
}

// stage is the place of a server.
type stage struct {
	mu sync.Mutex
	talking
}

func (s *stage) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked++
	s.told = strings.TrimSpace(r.Header.Get("If-None-Match") + " " + r.Header.Get("If-Modified-Since"))
	if s.redirect != "" && r.URL.Path == "/robots.txt" {
		http.Redirect(w, r, s.redirect, http.StatusFound)
		return
	}
	if s.status == 0 {
		panic(http.ErrAbortHandler)
	}
	for name, value := range s.header {
		w.Header().Set(name, value)
	}
	if etag := w.Header().Get("Etag"); etag != "" && r.Header.Get("If-None-Match") == etag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	w.WriteHeader(s.status)
	io.WriteString(w, s.body)
}

// told returns the fields about caches in one line.
func told(f *RobotsFile, clock *testClock) string {
	b := new(strings.Builder)
	fmt.Fprintf(b, "%d %s %q", f.Status, f.Code, f.Body)
	if f.FromCache {
		fmt.Fprintf(b, ", ours of %v ago", clock.at.Sub(f.CachedAt))
	}
	if !f.FirstFailure.IsZero() {
		fmt.Fprintf(b, ", down for %gh since %v ago", f.UnreachableHours, clock.at.Sub(f.FirstFailure))
	}
	if f.Cached != nil {
		fmt.Fprintf(b, ", last %q of %v ago", f.Cached, clock.at.Sub(f.CachedAt))
	}
	return b.String()
}

// TestCache runs scenarios: the server changes, time passes, and the site is asked
// again.
func TestCache(t *testing.T) {
	type step struct {
		pass  time.Duration
		serve *talking // nil = as before
		asked int      // requests in this step
		told  string   // conditions of the last request
		want  string
	}
	ok := func(body string, header ...string) *talking {
		s := &talking{status: 200, body: body, header: map[string]string{}}
		for i := 0; i < len(header); i += 2 {
			s.header[header[i]] = header[i+1]
		}
		return s
	}
	status := func(n int) *talking { return &talking{status: n} }
	const h = time.Hour
	date := "Sat, 28 Feb 2026 10:00:00 GMT"
	for name, steps := range map[string][]step{
		"a day": {
			{0, ok("a"), 1, "", `200  "a"`},
			{23 * h, ok("b"), 0, "", `200  "a", ours of 23h0m0s ago`},
			{1 * h, nil, 1, "", `200  "b"`},
		},
		"max-age": {
			{0, ok("a", "Cache-Control", "public, MAX-AGE=\"3600\""), 1, "", `200  "a"`},
			{h - 1, ok("b"), 0, "", `200  "a", ours of 59m59.999999999s ago`},
			{1, nil, 1, "", `200  "b"`},
		},
		"max-age of a year is a day": {
			{0, ok("a", "Cache-Control", "max-age=31536000"), 1, "", `200  "a"`},
			{24 * h, ok("b"), 1, "", `200  "b"`},
		},
		"max-age and Age": {
			{0, ok("a", "Cache-Control", "max-age=3600", "Age", "3000"), 1, "", `200  "a"`},
			{10 * time.Minute, ok("b"), 1, "", `200  "b"`},
		},
		"max-age that is no number": {
			{0, ok("a", "Cache-Control", "max-age=soon"), 1, "", `200  "a"`},
			{1, ok("b"), 1, "", `200  "b"`},
		},
		"no-cache is asked again each time, with a condition": {
			{0, ok("a", "Cache-Control", "no-cache", "Etag", `"1"`), 1, "", `200  "a"`},
			{h, nil, 1, `"1"`, `200  "a", ours of 1h0m0s ago`},
			{h, ok("b", "Etag", `"2"`), 1, `"1"`, `200  "b"`},
			{h, nil, 0, `"1"`, `200  "b", ours of 1h0m0s ago`},
		},
		"no-store leaves nothing behind": {
			{0, ok("old"), 1, "", `200  "old"`},
			{25 * h, ok("a", "Cache-Control", "no-store", "Etag", `"1"`), 1, "", `200  "a"`},
			{h, status(0), 1, "", `0 reset "", down for 0h since 0s ago`},
		},
		"a refresh by ETag and date": {
			{0, ok("a", "Etag", `W/"1"`, "Last-Modified", date), 1, "", `200  "a"`},
			{24 * h, nil, 1, `W/"1" ` + date, `200  "a", ours of 24h0m0s ago`},
			{23 * h, nil, 0, `W/"1" ` + date, `200  "a", ours of 47h0m0s ago`},
			{h, nil, 1, `W/"1" ` + date, `200  "a", ours of 48h0m0s ago`},
		},
		"404 is an answer": {
			{0, status(404), 1, "", `404 http_status ""`},
			{23 * h, ok("a"), 0, "", `404 http_status "", ours of 23h0m0s ago`},
			{h, nil, 1, "", `200  "a"`},
		},
		"404 ends the last copy": {
			{0, ok("a"), 1, "", `200  "a"`},
			{24 * h, status(404), 1, "", `404 http_status ""`},
			{24 * h, status(503), 1, "", `503 http_status "", down for 0h since 0s ago`},
		},
		"403 is asked again": {
			{0, status(403), 1, "", `403 http_status ""`},
			{1, ok("a"), 1, "", `200  "a"`},
		},
		"down, and up again": {
			{0, ok("a", "Etag", `"1"`), 1, "", `200  "a"`},
			{24 * h, status(503), 1, `"1"`, `503 http_status "", down for 0h since 0s ago, last "a" of 24h0m0s ago`},
			{6 * h, status(0), 1, `"1"`, `0 reset "", down for 6h since 6h0m0s ago, last "a" of 30h0m0s ago`},
			{31 * 24 * h, status(429), 1, `"1"`, `429 http_status "", down for 750h since 750h0m0s ago, last "a" of 774h0m0s ago`},
			{h, ok("a", "Etag", `"1"`), 1, `"1"`, `200  "a", ours of 775h0m0s ago`},
			{24 * h, status(500), 1, `"1"`, `500 http_status "", down for 0h since 0s ago, last "a" of 799h0m0s ago`},
		},
		"an empty file is a good copy": {
			{0, ok(""), 1, "", `200  ""`},
			{24 * h, status(0), 1, "", `0 reset "", down for 0h since 0s ago, last "" of 24h0m0s ago`},
		},
		"down from the first time on": {
			{0, status(0), 1, "", `0 reset "", down for 0h since 0s ago`},
			{13 * h, nil, 1, "", `0 reset "", down for 13h since 13h0m0s ago`},
			{h, status(401), 1, "", `401 http_status ""`},
			{h, status(0), 1, "", `0 reset "", down for 0h since 0s ago`},
		},
		"a clock that was ahead": {
			{48 * h, ok("a", "Etag", `"1"`), 1, "", `200  "a"`},
			{-47 * h, ok("b", "Etag", `"1"`), 1, "", `200  "b"`},
			{h, nil, 0, "", `200  "b", ours of 1h0m0s ago`},
		},
		"a clock that was ahead at the first failure": {
			{48 * h, status(0), 1, "", `0 reset "", down for 0h since 0s ago`},
			{-47 * h, nil, 1, "", `0 reset "", down for 0h since 0s ago`},
			{h, nil, 1, "", `0 reset "", down for 1h since 1h0m0s ago`},
		},
		"a clock that is set back by a day while the site is down": {
			{48 * h, ok("a", "Etag", `"1"`), 1, "", `200  "a"`},
			{-24 * h, status(503), 1, "", `503 http_status "", down for 0h since 0s ago, last "a" of 0s ago`},
			{h, nil, 1, `"1"`, `503 http_status "", down for 1h since 1h0m0s ago, last "a" of 1h0m0s ago`},
		},
		"a clock that is a year ahead while the site is down": {
			{0, ok("a", "Etag", `"1"`), 1, "", `200  "a"`},
			{365 * 24 * h, status(503), 1, `"1"`, `503 http_status "", down for 0h since 0s ago, last "a" of 8760h0m0s ago`},
			{-364 * 24 * h, nil, 1, `"1"`, `503 http_status "", down for 0h since 0s ago, last "a" of 24h0m0s ago`},
		},
		"a clock that was a year ahead when the copy was confirmed": {
			{0, ok("a", "Etag", `"1"`), 1, "", `200  "a"`},
			{365 * 24 * h, nil, 1, `"1"`, `200  "a", ours of 8760h0m0s ago`},
			{-364 * 24 * h, status(0), 1, "", `0 reset "", down for 0h since 0s ago, last "a" of 24h0m0s ago`},
		},
		"nobody asked for two months": {
			{0, ok("a", "Etag", `"1"`), 1, "", `200  "a"`},
			{61 * 24 * h, status(503), 1, `"1"`, `503 http_status "", down for 0h since 0s ago, last "a" of 1464h0m0s ago`},
		},
		"the condition is for the URL that gave the answer": {
			{0, &talking{status: 200, body: "a", header: map[string]string{"Etag": `"1"`}, redirect: "/elsewhere.txt"}, 2, "", `200  "a"`},
			{24 * h, nil, 2, `"1"`, `200  "a", ours of 24h0m0s ago`},
			{24 * h, &talking{status: 200, body: "b", redirect: "/another.txt"}, 2, "", `200  "b"`},
		},
		"a 304 that nobody asked for": {
			{0, ok("a"), 1, "", `200  "a"`},
			{24 * h, status(304), 1, "", `304 http_status ""`},
			{24 * h, status(0), 1, "", `0 reset "", down for 0h since 0s ago, last "a" of 48h0m0s ago`},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			clock, path := newTestClock(), filepath.Join(t.TempDir(), "cache.db")
			server := new(stage)
			address := serve(t, server.ServeHTTP)
			for i, s := range steps {
				clock.pass(s.pass)
				server.mu.Lock()
				if s.serve != nil {
					s.serve.told = server.told
					server.talking = *s.serve
				}
				server.asked = 0
				server.mu.Unlock()
				c := led(address)
				c.Cache = cacheAt(t, clock, path) // each step is a separate run
				f := robots(t, c)
				if err := c.Cache.Close(); err != nil {
					t.Fatal(err)
				}
				if got := told(f, clock); got != s.want {
					t.Errorf("step %d:\ngot  %s\nwant %s", i+1, got, s.want)
				}
				server.mu.Lock()
				if server.asked != s.asked || server.told != s.told {
					t.Errorf("step %d: asked %d times with %q, want %d with %q", i+1, server.asked, server.told, s.asked, s.told)
				}
				server.mu.Unlock()
			}
		})
	}
}

// A refresh keeps the earlier answer, and shows the 304 as its last hop.
func TestCacheRefreshIsShown(t *testing.T) {
	clock := newTestClock()
	server := &stage{talking: talking{status: 200, body: rules, header: map[string]string{"Etag": `"1"`, "Content-Type": "text/plain"}}}
	c := led(serve(t, server.ServeHTTP))
	c.Cache = cacheAt(t, clock, filepath.Join(t.TempDir(), "new", "folder", "cache.db"))
	first := robots(t, c)
	clock.pass(day)
	f := robots(t, c)
	if f.Status != 200 || f.Code != "" || f.SHA256 != first.SHA256 || f.Bytes != first.Bytes || f.Type != "text/plain" || f.Hops[0].Status != 304 {
		t.Errorf("got %+v", f.Outcome)
	}
}

// Different settings may get different answers: they do not share a copy.
func TestCacheIsOfOneKindOfAsking(t *testing.T) {
	server := &stage{talking: talking{status: 200, body: rules}}
	address := serve(t, server.ServeHTTP)
	cache := cacheAt(t, newTestClock(), filepath.Join(t.TempDir(), "cache.db"))
	for i, change := range []func(*Client){
		func(c *Client) {},
		func(c *Client) { c.UserAgent = "Googlebot" },
		func(c *Client) { c.ConnectTo = []string{"example.test:80:" + address} },
		func(c *Client) { c.AllowPrivate = true },
		func(c *Client) { c.MaxRobots = 10 },
	} {
		for range 2 {
			c := led(address)
			c.Cache = cache
			change(c)
			robots(t, c)
		}
		server.mu.Lock()
		if server.asked != i+1 {
			t.Errorf("change %d: asked %d times", i, server.asked)
		}
		server.mu.Unlock()
	}
	for _, agent := range []string{"robots-audit/1.0", "robots-audit/2.0 (+https://example.test)"} {
		c := led(address)
		c.Cache, c.UserAgent = cache, agent
		if !robots(t, c).FromCache {
			t.Errorf("%s: not from the cache", agent)
		}
	}
}

// A cancelled run, and refusals of our own guard, say nothing about the site.
func TestCacheLearnsNothingFromUs(t *testing.T) {
	clock, server := newTestClock(), &stage{talking: talking{status: 200, body: "a"}}
	address := serve(t, server.ServeHTTP)
	c := led(address)
	c.Cache = cacheAt(t, clock, filepath.Join(t.TempDir(), "cache.db"))
	robots(t, c)
	clock.pass(day)
	server.mu.Lock()
	server.redirect = "http://169.254.169.254/"
	server.mu.Unlock()
	if f := robots(t, c); f.Code != CodeBlockedAddress || !f.FirstFailure.IsZero() || f.Cached != nil {
		t.Errorf("got %s", told(f, clock))
	}
	server.mu.Lock()
	server.redirect, server.status = "", 0
	server.mu.Unlock()
	if got, want := told(robots(t, c), clock), `0 reset "", down for 0h since 0s ago, last "a" of 24h0m0s ago`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
