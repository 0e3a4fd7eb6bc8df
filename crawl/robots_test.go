package crawl

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"
)

func TestRobotsLimit(t *testing.T) {
	line := strings.Repeat("a", 9) + "\n"
	tests := []struct {
		name string
		body string
		max  int64
		want string
		cut  bool
	}{
		{"below", strings.Repeat(line, 9), 100, strings.Repeat(line, 9), false},
		{"exactly", strings.Repeat(line, 10), 100, strings.Repeat(line, 10), false},
		{"one over", strings.Repeat(line, 10) + "b", 100, strings.Repeat(line, 10), true},
		{"within a line", strings.Repeat(line, 20), 105, strings.Repeat(line, 10), true},
		{"CR", strings.Repeat("aaaa\r", 30), 104, strings.Repeat("aaaa\r", 20), true},
		{"a single line", strings.Repeat("a", 200), 100, "", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := led(serve(t, page(200, tt.body)))
			c.MaxRobots = tt.max
			f := robots(t, c)
			if f.Code != "" || f.Truncated != tt.cut || string(f.Body) != tt.want {
				t.Errorf("got code %q, truncated %v, %d bytes", f.Code, f.Truncated, len(f.Body))
			}
			if sum := sha256.Sum256(f.Body); f.SHA256 != hex.EncodeToString(sum[:]) {
				t.Error("SHA256 is not that of the body")
			}
			if f.Bytes != min(tt.max, int64(len(tt.body))) {
				t.Errorf("%d bytes read", f.Bytes)
			}
		})
	}
}

// 501 KiB are kept whole: the profile applies its own limit.
func TestRobotsKeepsWhatReadersDoNot(t *testing.T) {
	body := strings.Repeat("# "+strings.Repeat("x", 61)+"\n", 10_000) + "Disallow: /late/\n"
	if f := robots(t, led(serve(t, page(200, body)))); f.Truncated || string(f.Body) != body {
		t.Errorf("got %d of %d bytes, truncated %v", len(f.Body), len(body), f.Truncated)
	}
}

// bomb sends a gigabyte that is one megabyte on the wire.
func bomb(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Encoding", "gzip")
	z := gzip.NewWriter(w)
	defer z.Close()
	block := bytes.Repeat([]byte("#\n"), 1<<19) // bytes, since a string would be copied for each Write and counted as ours
	for range 1 << 10 {
		if _, err := z.Write(block); err != nil {
			return
		}
	}
}

// allocated returns the bytes that f allocates. The rest of the process counts
// too. So if it is more than the limit, it is measured up to three times, and
// the minimum is returned.
func allocated(limit uint64, f func()) uint64 {
	least := uint64(math.MaxUint64)
	for range 3 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		f()
		runtime.ReadMemStats(&after)
		if least = min(least, after.TotalAlloc-before.TotalAlloc); least <= limit {
			break
		}
	}
	return least
}

func TestGzipBomb(t *testing.T) {
	c := led(serve(t, bomb))
	var f *RobotsFile
	const most = 8 << 20 // for the gigabyte, including the server's part
	spent := allocated(most, func() { f = robots(t, c) })
	if f.Code != "" || !f.Truncated || len(f.Body) > defaultMaxRobots || f.Wire > 256<<10 {
		t.Errorf("got code %q, truncated %v, %d bytes, %d over the wire", f.Code, f.Truncated, len(f.Body), f.Wire)
	}
	if spent > most {
		t.Errorf("%d MB were allocated", spent>>20)
	}
}

// Sites in the middle of a body need little memory each, since there are many
// workers.
func TestMemoryOfSitesInFlight(t *testing.T) {
	const sites = 100
	heap := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC() // the second run clears the pools
		runtime.ReadMemStats(&m)
		return int64(m.HeapInuse + m.StackInuse)
	}
	var each int64
	for range 3 { // the rest of the process counts too: a real excess occurs each time
		release := make(chan struct{})
		var answered, all sync.WaitGroup
		answered.Add(sites)
		c := led(serveRaw(t, func(c net.Conn) {
			readRequest(c)
			io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n")
			io.WriteString(c, gzipped(rules)[:20])
			answered.Done()
			<-release
		}))
		c.Timeout = 10 * time.Minute
		before := heap()
		for i := range sites {
			all.Go(func() {
				s := c.Site()
				defer s.Close()
				s.Robots(t.Context(), fmt.Sprintf("http://h%d.test", i)) // a host gets one request at a time
			})
		}
		answered.Wait()
		each = (heap() - before) / sites
		close(release)
		all.Wait()
		t.Logf("%d KB a site, the server's side included", each>>10)
		if each <= 200<<10 {
			return
		}
	}
	t.Errorf("%d KB a site", each>>10)
}

// TestRobotsAgain: an unchanged file is one 304, with and without validators of the server.
func TestRobotsAgain(t *testing.T) {
	text, statuses := "User-agent: *\nDisallow: /a\n", []int(nil)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		if r.Host != "plain.example" {
			w.Header().Set("Etag", `"`+text+`"`)
			if r.Header.Get("If-None-Match") == `"`+text+`"` {
				statuses = append(statuses, 304)
				w.WriteHeader(http.StatusNotModified)
				return
			}
		}
		statuses = append(statuses, 200)
		io.WriteString(w, text)
	}))
	defer server.Close()
	text = "User-agent: *"
	c := &Client{ConnectTo: []string{":80:" + server.Listener.Addr().String()}, Retries: -1}
	for host, want := range map[string][]int{"tagged.example": {200, 304, 200, 304}, "plain.example": {200, 200, 200, 200}} {
		text, statuses = "User-agent: *", nil
		last := &Outcome{}
		for n := range 4 {
			if n == 2 {
				text = "User-agent: x"
			}
			site := c.Site()
			file := site.RobotsAgain(t.Context(), "http://"+host, last)
			site.Close()
			if file != nil {
				last = &file.Outcome
				if string(file.Body) != text || file.Status != 200 {
					t.Errorf("%s: %d %q", host, file.Status, file.Body)
				}
			}
		}
		if len(statuses) != len(want) {
			t.Fatalf("%s answered %v", host, statuses)
		}
		for i := range want {
			if statuses[i] != want[i] {
				t.Errorf("%s answered %v, want %v", host, statuses, want)
			}
		}
	}
}
