package crawl

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

const rules = "User-agent: *\nDisallow: /private/\n"

func page(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(status)
		io.WriteString(w, body)
	}
}

// flaky answers once with each handler, then always with the last one.
func flaky(handlers ...http.HandlerFunc) http.HandlerFunc {
	var n atomic.Int32
	return func(w http.ResponseWriter, r *http.Request) {
		i := int(n.Add(1)) - 1
		handlers[min(i, len(handlers)-1)](w, r)
	}
}

func encoded(encoding, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", encoding)
		io.WriteString(w, body)
	}
}

// reset closes a connection so that the other side sees RST.
func reset(c net.Conn) {
	c.(*net.TCPConn).SetLinger(0)
	c.Close()
}

func endless(w http.ResponseWriter, r *http.Request) {
	io.WriteString(w, rules)
	for {
		if _, err := io.WriteString(w, strings.Repeat("# more of nothing\n", 1000)); err != nil {
			return
		}
	}
}

// TestRobotsFaults has a row for each error that can occur while fetching a
// robots.txt.
func TestRobotsFaults(t *testing.T) {
	head := "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"
	tests := []struct {
		name    string
		handler http.HandlerFunc // an HTTP server, or
		talk    func(net.Conn)   // a raw server
		retries int              // [-1]
		late    bool             // with a short timeout, since the test waits for it

		status int
		code   string
		tries  int // [1]
		body   string
		some   bool // the body may be incomplete
	}{
		{name: "whole", handler: page(200, rules), status: 200, body: rules},
		{name: "empty", handler: page(200, ""), status: 200},
		{name: "204", handler: page(204, ""), status: 204},
		{name: "206", handler: page(206, rules), status: 206, body: rules},
		{name: "byte order mark is the engine's business", handler: page(200, "\xef\xbb\xbf"+rules), status: 200, body: "\xef\xbb\xbf" + rules},
		{name: "UTF-16 and NUL are the engine's business", handler: page(200, "\xff\xfeU\x00s\x00"), status: 200, body: "\xff\xfeU\x00s\x00"},
		{name: "HTTP/1.0 that ends with the connection", talk: answer("HTTP/1.0 200 OK\r\n\r\n" + rules), status: 200, body: rules},
		{name: "status 999", talk: answer("HTTP/1.1 999 Denied\r\nContent-Length: 0\r\n\r\n"), status: 999, code: CodeHTTPStatus},

		{name: "reset at once", talk: reset, retries: 2, tries: 3, code: CodeConnectionReset},
		{name: "closed without an answer", talk: func(c net.Conn) { readRequest(c) }, code: CodeConnectionReset},
		{name: "reset without an answer", talk: func(c net.Conn) { readRequest(c); reset(c) }, code: CodeConnectionReset},
		{name: "stalls in the middle of the body", talk: func(c net.Conn) {
			readRequest(c)
			io.WriteString(c, head+"Content-Length: 1000\r\n\r\n"+rules)
			c.Read(make([]byte, 1)) // the client closes after its timeout
		}, late: true, status: 200, code: CodeTimeout, body: rules},
		{name: "reset in the middle of the body", talk: func(c net.Conn) {
			readRequest(c)
			io.WriteString(c, head+"Content-Length: 1000\r\n\r\n"+rules)
			reset(c)
		}, retries: 1, tries: 2, status: 200, code: CodeConnectionReset, some: true},
		{name: "never answers", talk: silent, late: true, retries: 2, code: CodeTimeout},
		{name: "header never ends", talk: func(c net.Conn) {
			for readRequest(c); ; {
				if _, err := io.WriteString(c, "HTTP/1.1 200 OK\r\nX-More: x"); err != nil {
					return
				}
				silent(c)
			}
		}, late: true, code: CodeTimeout},
		{name: "header drips", talk: func(c net.Conn) {
			if !readRequest(c) {
				return
			}
			gone := make(chan struct{})
			go func() { defer close(gone); silent(c) }() // until the client disconnects
			tick := time.NewTicker(brief / 10)
			defer tick.Stop()
			io.WriteString(c, "HTTP/1.1 200 OK\r\nX-More: ")
			for {
				io.WriteString(c, "x")
				select {
				case <-tick.C:
				case <-gone:
					return
				}
			}
		}, late: true, retries: 2, code: CodeTimeout},
		{name: "drips", handler: func(w http.ResponseWriter, r *http.Request) {
			tick := time.NewTicker(brief / 10)
			defer tick.Stop()
			for {
				io.WriteString(w, "#")
				w.(http.Flusher).Flush()
				select {
				case <-tick.C:
				case <-r.Context().Done():
					return
				}
			}
		}, late: true, retries: 2, status: 200, code: CodeTimeout, some: true},
		{name: "header of 1 MB", handler: func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("X-Big", strings.Repeat("x", 1<<20))
		}, code: CodeHeadersTooLarge},
		{name: "1 MB of header lines", handler: func(w http.ResponseWriter, r *http.Request) {
			for i := range 10_000 {
				w.Header().Set(fmt.Sprintf("X-%d", i), strings.Repeat("x", 100))
			}
		}, code: CodeHeadersTooLarge},
		{name: "interim answers for ever", talk: func(c net.Conn) {
			readRequest(c)
			for {
				if _, err := io.WriteString(c, "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"); err != nil {
					return
				}
			}
		}, code: CodeHeadersTooLarge},
		{name: "no HTTP at all", talk: answer("SSH-2.0-OpenSSH_9.6\r\n\r\n"), code: CodeBadHTTP},
		{name: "bytes", talk: answer("\x00\x01\x02 this is no answer\r\n\r\n"), code: CodeBadHTTP},
		{name: "header line without a colon", talk: answer("HTTP/1.1 200 OK\r\nno colon\r\n\r\n"), code: CodeBadHTTP},
		{name: "status without digits", talk: answer("HTTP/1.1 abc OK\r\n\r\n"), code: CodeBadHTTP},
		{name: "two lengths", talk: answer("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd"), code: CodeBadHTTP},
		{name: "length is no number", talk: answer("HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\nabcd"), code: CodeBadHTTP},
		{name: "unknown transfer encoding", talk: answer("HTTP/1.1 200 OK\r\nTransfer-Encoding: br\r\n\r\nabcd"), code: CodeBadHTTP},
		{name: "answers TLS to HTTP", talk: answer("\x15\x03\x01\x00\x02\x02\x16"), code: CodeBadHTTP},

		{name: "shorter than promised", talk: answer(head + "Content-Length: 1000\r\n\r\n" + rules), retries: 1, tries: 2, status: 200, code: CodeBodyIncomplete, body: rules},
		{name: "ends within a chunk", talk: answer(head + "Transfer-Encoding: chunked\r\n\r\n27\r\n" + rules[:20]), status: 200, code: CodeBodyIncomplete, body: rules[:20]},
		{name: "ends before the last chunk", talk: answer(head + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"), status: 200, code: CodeBodyIncomplete, body: "abc"},
		{name: "chunk length is no number", talk: answer(head + "Transfer-Encoding: chunked\r\n\r\nxyz\r\nabc\r\n"), status: 200, code: CodeBodyIncomplete},
		{name: "longer than promised", talk: answer(head + "Content-Length: 3\r\n\r\nabcdef"), status: 200, body: "abc"},

		{name: "gzip", handler: encoded("gzip", gzipped(rules)), status: 200, body: rules},
		{name: "x-gzip in capitals", handler: encoded("X-GZIP", gzipped(rules)), status: 200, body: rules},
		{name: "identity", handler: encoded("identity", rules), status: 200, body: rules},
		{name: "gzip of two members", handler: encoded("gzip", gzipped(rules)+gzipped(rules)), status: 200, body: rules + rules},
		{name: "gzip and garbage", handler: encoded("gzip", gzipped(rules)+"<!-- cached -->"), status: 200, body: rules},
		{name: "gzip of nothing", handler: encoded("gzip", ""), status: 200},
		{name: "gzip that is none", handler: encoded("gzip", rules), status: 200, code: CodeBadEncoding},
		{name: "gzip cut off", handler: encoded("gzip", gzipped(rules)[:30]), status: 200, code: CodeBadEncoding, body: rules[:15]},
		{name: "gzip with a wrong sum", handler: encoded("gzip", broken(gzipped(rules))), status: 200, code: CodeBadEncoding, body: rules},
		{name: "brotli", handler: encoded("br", "\x0b\x02\x80hello\x03"), status: 200, code: CodeBadEncoding},
		{name: "gzip in gzip", handler: encoded("gzip, gzip", gzipped(gzipped(rules))), status: 200, body: rules},
		{name: "gzip four times", handler: encoded("x-gzip,, identity ,gzip,GZIP\t,gzip", gzipped(gzipped(gzipped(gzipped(rules))))), status: 200, body: rules},
		{name: "gzip five times", handler: encoded("gzip,gzip,gzip,gzip,gzip", gzipped(gzipped(gzipped(gzipped(gzipped(rules)))))), status: 200, code: CodeBadEncoding},
		{name: "gzip in brotli", handler: encoded("gzip, br", gzipped(rules)), status: 200, code: CodeBadEncoding},
		{name: "gzip in nothing", handler: encoded("identity", rules), status: 200, body: rules},

		{name: "401", handler: page(401, rules), status: 401, code: CodeHTTPStatus},
		{name: "403", handler: page(403, rules), status: 403, code: CodeHTTPStatus},
		{name: "404", handler: page(404, rules), retries: 2, status: 404, code: CodeHTTPStatus},
		{name: "410", handler: page(410, rules), status: 410, code: CodeHTTPStatus},
		{name: "304", handler: page(304, ""), status: 304, code: CodeHTTPStatus},
		{name: "429", handler: page(429, rules), retries: 1, tries: 2, status: 429, code: CodeHTTPStatus},
		{name: "500", handler: page(500, rules), retries: 1, tries: 2, status: 500, code: CodeHTTPStatus},
		{name: "502", handler: page(502, rules), retries: 1, tries: 2, status: 502, code: CodeHTTPStatus},
		{name: "503", handler: page(503, rules), retries: 1, tries: 2, status: 503, code: CodeHTTPStatus},
		{name: "599", handler: page(599, rules), retries: 1, tries: 2, status: 599, code: CodeHTTPStatus},
		{name: "503, then 200", handler: flaky(page(503, ""), page(200, rules)), retries: 1, tries: 2, status: 200, body: rules},
		{name: "reset, then 200", handler: flaky(func(w http.ResponseWriter, r *http.Request) { panic(http.ErrAbortHandler) }, page(200, rules)), retries: 1, tries: 2, status: 200, body: rules},
		{name: "a page that is slow to drain", handler: func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(404)
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		}, status: 404, code: CodeHTTPStatus},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var address string
			if tt.handler != nil {
				address = serve(t, tt.handler)
			} else {
				address = serveRaw(t, tt.talk)
			}
			inTime(t, tt.late, func(timeout time.Duration) string {
				c := led(address)
				c.Timeout = timeout
				if tt.retries != 0 {
					c.Retries = tt.retries
				}
				start := time.Now()
				f := robots(t, c)
				took := time.Since(start)
				switch {
				case f.Status != tt.status || f.Code != tt.code || f.Tries != max(1, tt.tries):
					return fmt.Sprintf("got status %d, code %q, %d tries; want %d, %q, %d (%s)", f.Status, f.Code, f.Tries, tt.status, tt.code, max(1, tt.tries), f.Detail)
				case string(f.Body) != tt.body && !tt.some:
					return fmt.Sprintf("got body %q, want %q", f.Body, tt.body)
				case f.Truncated:
					return "marked as cut"
				case tt.code != "" && f.Detail == "":
					return "no detail for people"
				case strings.Contains(f.Detail, "->"):
					return "detail names a local port, which changes from run to run: " + f.Detail
				case tt.late && took > 3*timeout || !tt.late && took > timeout/2:
					return fmt.Sprintf("took %v of a timeout of %v", took, timeout)
				}
				return ""
			})
		})
	}
}

// broken flips a bit of the checksum.
func broken(gz string) string {
	b := []byte(gz)
	b[len(b)-8] ^= 1
	return string(b)
}
