package crawl

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net"
	"net/http"
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

// 501 KiB are kept whole: what lies beyond a reader's limit is for its profile to cut.
func TestRobotsKeepsWhatReadersDoNot(t *testing.T) {
	body := strings.Repeat("# "+strings.Repeat("x", 61)+"\n", 10_000) + "Disallow: /late/\n"
	if f := robots(t, led(serve(t, page(200, body)))); f.Truncated || string(f.Body) != body {
		t.Errorf("got %d of %d bytes, truncated %v", len(f.Body), len(body), f.Truncated)
	}
}

func TestEndlessRobots(t *testing.T) {
	f := robots(t, led(serve(t, endless)))
	if f.Code != "" || !f.Truncated || len(f.Body) > defaultMaxRobots || len(f.Body) < defaultMaxRobots-100 || !strings.HasPrefix(string(f.Body), rules) {
		t.Errorf("got code %q, truncated %v, %d bytes (%s)", f.Code, f.Truncated, len(f.Body), f.Detail)
	}
}

// bomb sends a gigabyte that came over the wire as one megabyte.
func bomb(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Encoding", "gzip")
	z := gzip.NewWriter(w)
	defer z.Close()
	block := bytes.Repeat([]byte("#\n"), 1<<19) // bytes: a string would be copied for each Write, and counted as ours
	for range 1 << 10 {
		if _, err := z.Write(block); err != nil {
			return
		}
	}
}

// allocated returns the bytes that f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

func TestGzipBomb(t *testing.T) {
	c := led(serve(t, bomb))
	var f RobotsFile
	spent := allocated(func() { f = robots(t, c) })
	if f.Code != "" || !f.Truncated || len(f.Body) > defaultMaxRobots || f.Wire > 256<<10 {
		t.Errorf("got code %q, truncated %v, %d bytes, %d over the wire", f.Code, f.Truncated, len(f.Body), f.Wire)
	}
	t.Logf("%d KB allocated", spent>>10)
	if spent > 8<<20 { // of the gigabyte, the server's part included
		t.Errorf("%d MB were allocated", spent>>20)
	}
}

// Sites in the middle of a body cost little each: workers are many.
func TestMemoryOfSitesInFlight(t *testing.T) {
	const sites = 100
	release := make(chan struct{})
	var answered, all sync.WaitGroup
	answered.Add(sites)
	address := serveRaw(t, func(c net.Conn) {
		readRequest(c)
		io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n")
		io.WriteString(c, gzipped(rules)[:20])
		answered.Done()
		<-release
	})
	c := led(address)
	c.Timeout = time.Minute
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapInuse + m.StackInuse
	}
	before := heap()
	for i := range sites {
		all.Go(func() {
			s := c.Site()
			defer s.Close()
			s.Robots(t.Context(), fmt.Sprintf("http://h%d.test", i)) // one host is asked one thing at a time
		})
	}
	answered.Wait()
	each := (heap() - before) / sites
	close(release)
	all.Wait()
	if each > 200<<10 {
		t.Errorf("%d KB a site", each>>10)
	}
	t.Logf("%d KB a site, the server's side included", each>>10)
}
