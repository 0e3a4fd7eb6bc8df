package crawl

import (
	"bytes"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

// counted starts a server and counts its connections.
func counted(t *testing.T, h http.HandlerFunc) (string, *atomic.Int32) {
	t.Helper()
	opened := new(atomic.Int32)
	s := httptest.NewUnstartedServer(h)
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			opened.Add(1)
		}
	}
	s.Start()
	t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	return s.Listener.Addr().String(), opened
}

// A site's requests share one connection. For this, redirects and error pages
// are read to their end.
func TestConnectionIsUsedAgain(t *testing.T) {
	address, opened := counted(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/robots.txt":
			http.Redirect(w, r, "/hop", http.StatusFound)
		case "/hop":
			io.WriteString(w, rules)
		default:
			w.WriteHeader(404)
			io.WriteString(w, strings.Repeat("not here ", 1000))
		}
	})
	for range 5 { // a busy machine may need more than the quarter of a second for such a page
		opened.Store(0)
		s := led(address).Site()
		defer s.Close()
		for range 3 {
			if f := s.Robots(t.Context(), "http://example.test"); f.Code != "" {
				t.Fatalf("got code %q", f.Code)
			}
			body, out := s.open(t.Context(), "http://example.test/sitemap.xml", limits{})
			body.Close()
			if out.Status != 404 {
				t.Fatalf("got status %d", out.Status)
			}
		}
		if opened.Load() == 1 {
			return
		}
	}
	t.Errorf("%d connections for 9 requests", opened.Load())
}

// Redirects, error pages and files without links are read to their end, so that the next page comes over the
// same connection and need not wait.
func TestConnectionOfPagesIsUsedAgain(t *testing.T) {
	address, opened := counted(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/":
			w.Header().Set("Content-Type", "text/html")
			io.WriteString(w, anchors("/moved", "/missing", "/plain", "/file", "/last"))
		case "/moved":
			w.Header().Set("Location", "/last")
			w.WriteHeader(http.StatusFound)
			io.WriteString(w, strings.Repeat("moved ", 1000))
		case "/missing":
			w.Header().Set("Content-Type", "text/html")
			w.WriteHeader(404)
			io.WriteString(w, strings.Repeat("not here ", 1000))
		case "/plain":
			http.NotFound(w, r)
		default:
			w.Header().Set("Content-Type", "application/pdf")
			io.WriteString(w, strings.Repeat("x", 9000))
		}
	})
	for range 5 { // a busy machine may need more than the quarter of a second for such a page
		opened.Store(0)
		s := led(address).Site()
		defer s.Close()
		pages := slices.Collect(s.Links(t.Context(), []string{"http://example.test/"}, LinkBudget{Pages: 10, Depth: 2}, func(string) bool { return true }))
		if len(pages) != 6 {
			t.Fatalf("pages:\n%s", list(pages))
		}
		if opened.Load() == 1 {
			return
		}
	}
	t.Errorf("%d connections for 7 requests", opened.Load())
}

// A server may close a kept connection just as the next request is sent
// (fault 8). The request is sent again, and this is not a retry.
func TestKeptConnectionThatWasClosed(t *testing.T) {
	var requests atomic.Int32
	address := serveRaw(t, func(c net.Conn) {
		if readRequest(c) {
			requests.Add(1)
			io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc")
		}
		readRequest(c) // the next request is ignored
		requests.Add(1)
	})
	s := led(address).Site()
	defer s.Close()
	for range 2 {
		if f := s.Robots(t.Context(), "http://example.test"); f.Code != "" || f.Tries != 1 || string(f.Body) != "abc" {
			t.Errorf("got code %q after %d tries (%s)", f.Code, f.Tries, f.Detail)
		}
	}
	if requests.Load() != 3 {
		t.Errorf("%d requests arrived, want 3", requests.Load())
	}
}

// GOAWAY refuses a request that was sent; it is sent again over a new connection (fault 8).
func TestGoAway(t *testing.T) {
	a := newTestAuthority(t)
	config := &tls.Config{Certificates: []tls.Certificate{a.issue(t, "example.test", time.Now().Add(time.Hour))}, NextProtos: []string{"h2"}}
	var connections atomic.Int32
	address := serveRaw(t, func(c net.Conn) {
		secure := tls.Server(c, config)
		defer secure.Close()
		if secure.Handshake() != nil {
			return
		}
		first := connections.Add(1) == 1
		io.ReadFull(secure, make([]byte, len(http2.ClientPreface)))
		f := http2.NewFramer(secure, secure)
		f.WriteSettings()
		for {
			frame, err := f.ReadFrame()
			if err != nil {
				return
			}
			head, ok := frame.(*http2.HeadersFrame)
			if !ok {
				continue
			}
			if first { // refused: no stream was processed
				f.WriteGoAway(0, http2.ErrCodeNo, nil)
				continue
			}
			var fields bytes.Buffer
			hpack.NewEncoder(&fields).WriteField(hpack.HeaderField{Name: ":status", Value: "200"})
			f.WriteHeaders(http2.HeadersFrameParam{StreamID: head.StreamID, BlockFragment: fields.Bytes(), EndHeaders: true})
			f.WriteData(head.StreamID, true, []byte(rules))
		}
	})
	f := robotsOf(t, &Client{RootCAs: a.pool, Retries: -1, ConnectTo: []string{":443:" + address}}, "https://example.test")
	if f.Code != "" || string(f.Body) != rules || connections.Load() != 2 {
		t.Errorf("got code %q over %d connections (%s)", f.Code, connections.Load(), f.Detail)
	}
}

// HTTP/2 has its own errors.
func TestHTTP2Trouble(t *testing.T) {
	a := newTestAuthority(t)
	tests := []struct {
		name string
		h    http.HandlerFunc
		code string
	}{
		{"header too large", func(w http.ResponseWriter, r *http.Request) { w.Header().Set("X-Big", strings.Repeat("x", 1<<20)) }, CodeHeadersTooLarge},
		{"stream reset before the answer", func(w http.ResponseWriter, r *http.Request) { panic(http.ErrAbortHandler) }, CodeConnectionReset},
		{"stream reset in the body", func(w http.ResponseWriter, r *http.Request) {
			io.WriteString(w, rules)
			w.(http.Flusher).Flush()
			panic(http.ErrAbortHandler)
		}, CodeConnectionReset},
		{"never answers", func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, CodeTimeout},
		{"fine", page(200, rules), ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			address := serveTLS(t, &tls.Config{Certificates: []tls.Certificate{a.issue(t, "example.test", time.Now().Add(time.Hour))}}, tt.h)
			inTime(t, tt.code == CodeTimeout, func(timeout time.Duration) string {
				if f := robotsOf(t, &Client{RootCAs: a.pool, Retries: -1, ConnectTo: []string{":443:" + address}, Timeout: timeout}, "https://example.test"); f.Code != tt.code {
					return fmt.Sprintf("got code %q, want %q (%s)", f.Code, tt.code, f.Detail)
				}
				return ""
			})
		})
	}
}

// Close leaves no connection open, not even one in use.
func TestSiteClose(t *testing.T) {
	gone := make(chan struct{})
	address := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Write([]byte("User"))
		w.(http.Flusher).Flush()
		<-r.Context().Done()
		close(gone)
	})
	c := led(address)
	s := c.Site()
	body, out := s.open(t.Context(), "http://example.test/sitemap.xml", limits{})
	defer body.Close()
	io.ReadFull(body, make([]byte, 4))
	s.Close()
	<-gone
	if _, err := body.Read(make([]byte, 1)); err == nil || out.Code != CodeConnectionReset {
		t.Errorf("got %v, code %q", err, out.Code)
	}
	if f := s.Robots(t.Context(), "http://example.test"); f.Code == "" {
		t.Error("a closed site still connects")
	}
	s.dialer.mu.Lock() // net/http closes its own end at any time
	n := len(s.dialer.conns)
	s.dialer.mu.Unlock()
	if n != 0 {
		t.Errorf("%d connections are open", n)
	}
}
