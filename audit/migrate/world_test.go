package migrate

import (
	"crypto/x509"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"robots-audit/audit"
	"robots-audit/audit/table"
	"robots-audit/crawl"
)

// Hosts of the tests' web: old ones over http, new ones over https, for which the
// certificate of httptest is.
const (
	oldOrigin = "http://old.example.com"
	newOrigin = "https://new.example.com"
)

// world is a small web: URL → what answers, "redirect 301 URL", "status 404", "hang",
// "hang up", "to HEAD alone" or a body. What it does not have is a 404.
type world struct {
	mu      sync.Mutex
	answers map[string]string
	asked   map[string]int
}

func (w *world) set(url, answer string) { w.answers[url] = answer }

func (w *world) count(url string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.asked[url]
}

// newWorld starts the web, and returns a migrator that is led to it.
func newWorld(t *testing.T) (*world, *Migrator) {
	t.Helper()
	w := &world{answers: map[string]string{}, asked: map[string]int{}}
	ended := make(chan struct{})
	handler := http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		scheme := "http"
		if r.TLS != nil {
			scheme = "https"
		}
		url := scheme + "://" + r.Host + r.URL.RequestURI()
		w.mu.Lock()
		answer, known := w.answers[url]
		w.asked[url]++
		w.mu.Unlock()
		var status int
		var to string
		switch {
		case !known:
			http.NotFound(rw, r)
		case answer == "hang":
			select {
			case <-r.Context().Done():
			case <-ended:
			}
		case answer == "to HEAD alone" && r.Method != http.MethodHead:
			http.NotFound(rw, r)
		case answer == "hang up":
			panic(http.ErrAbortHandler)
		case scan(answer, "redirect %d %s", &status, &to):
			rw.Header().Set("Location", to)
			rw.WriteHeader(status)
		case scan(answer, "status %d", &status):
			rw.WriteHeader(status)
		default:
			io.WriteString(rw, answer)
		}
	})
	plain, secure := httptest.NewServer(handler), httptest.NewTLSServer(handler)
	t.Cleanup(func() { close(ended); plain.Close(); secure.Close() })
	crawlers, err := audit.ParseCrawlers("Googlebot,Bingbot,GPTBot")
	noError(t, err)
	pool := x509.NewCertPool()
	pool.AddCert(secure.Certificate())
	return w, &Migrator{
		Client: &crawl.Client{
			ConnectTo: []string{":80:" + plain.Listener.Addr().String(), ":443:" + secure.Listener.Addr().String()},
			RootCAs:   pool, Retries: -1, Timeout: 5 * time.Second,
		},
		Crawlers: crawlers, Workers: 8, MaxFails: 1000,
	}
}

func scan(s, form string, into ...any) bool {
	n, err := fmt.Sscanf(s, form, into...)
	return n == len(into) && err == nil
}

// mapFile writes a map.
func mapFile(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "map.csv")
	noError(t, os.WriteFile(name, []byte(text), 0o666))
	return name
}

// openMap reads a map that is in order.
func openMap(t *testing.T, text string) *Map {
	t.Helper()
	m, err := ReadMap(mapFile(t, text), oldOrigin, newOrigin, table.Options{})
	noError(t, err)
	return m
}

// results checks a map, and returns the results by line.
func results(t *testing.T, g *Migrator, m *Map) (byLine map[int]*Result, leaks []Leak) {
	t.Helper()
	c, err := g.Begin(t.Context(), m)
	noError(t, err)
	defer c.Close()
	byLine = map[int]*Result{}
	for r, err := range c.All(t.Context()) {
		noError(t, err)
		if byLine[r.Line] != nil {
			t.Errorf("line %d has two results", r.Line)
		}
		byLine[r.Line] = r
	}
	return byLine, c.Leaks
}

// noError ends the test where there is an error.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
