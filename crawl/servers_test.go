package crawl

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"
)

// brief is a short timeout for servers that keep us waiting. If something must
// succeed within it, patiently makes it longer.
const brief = 300 * time.Millisecond

// withLongerTimeouts runs a try that depends on a short timeout. A try returns its
// error, "" if there is none. On an error it is tried again with a longer timeout. A
// real error occurs each time, unlike one of a busy machine, which may stop a
// process for seconds.
func withLongerTimeouts(t *testing.T, try func(timeout time.Duration) string) {
	t.Helper()
	wrong := ""
	for _, timeout := range []time.Duration{brief, 10 * brief, 60 * brief} {
		if wrong = try(timeout); wrong == "" {
			return
		}
		t.Logf("with a timeout of %v: %s", timeout, wrong)
	}
	t.Error(wrong)
}

// inTime runs a try with the usual timeout, and repeats a late one as withLongerTimeouts
// does.
func inTime(t *testing.T, late bool, try func(timeout time.Duration) string) {
	t.Helper()
	if late {
		withLongerTimeouts(t, try)
	} else if wrong := try(defaultTimeout); wrong != "" {
		t.Error(wrong)
	}
}

// serve starts an HTTP server and returns its host:port.
func serve(t testing.TB, h http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	return s.Listener.Addr().String()
}

// serveRaw starts a server with any protocol. Each connection is closed when
// its talk returns.
func serveRaw(t testing.TB, talk func(net.Conn)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var open sync.WaitGroup
	var mu sync.Mutex
	conns := map[net.Conn]bool{}
	open.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			mu.Lock()
			conns[c] = true
			mu.Unlock()
			open.Go(func() {
				defer c.Close()
				talk(c)
			})
		}
	})
	t.Cleanup(func() {
		l.Close()
		mu.Lock()
		for c := range conns {
			c.Close()
		}
		mu.Unlock()
		open.Wait()
	})
	return l.Addr().String()
}

// answer reads a request's header and sends bytes.
func answer(raw string) func(net.Conn) {
	return func(c net.Conn) {
		if readRequest(c) {
			io.WriteString(c, raw)
		}
	}
}

// readRequest reads up to the empty line.
func readRequest(c net.Conn) bool {
	var got strings.Builder
	one := make([]byte, 1)
	for !strings.HasSuffix(got.String(), "\r\n\r\n") {
		if _, err := c.Read(one); err != nil {
			return false
		}
		got.WriteByte(one[0])
	}
	return true
}

// silent reads forever and sends nothing.
func silent(c net.Conn) { io.Copy(io.Discard, c) }

// led returns a client whose connections to port 80 all go to the address, so
// that tests can use real names. Port 443 is closed.
func led(address string) *Client {
	return &Client{Retries: -1, ConnectTo: []string{":80:" + address, ":443:127.0.0.1:1"}}
}

// robots requests http://example.test/robots.txt through a new site.
func robots(t testing.TB, c *Client) *RobotsFile { return robotsOf(t, c, "http://example.test") }

// robotsOf requests the robots.txt of an origin through a new site that trusts some hosts.
func robotsOf(t testing.TB, c *Client, origin string, listed ...string) *RobotsFile {
	s := c.Site(listed...)
	defer s.Close()
	return s.Robots(t.Context(), origin)
}

// nameServer answers DNS questions about A records on loopback, with the
// addresses of the function. The function gets the number of earlier questions
// for the name. If it returns none, the answer has the response code.
func nameServer(t testing.TB, answers func(name string, before int) ([]string, dnsmessage.RCode)) (*net.Resolver, *atomic.Int32) {
	t.Helper()
	pc, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var done sync.WaitGroup
	t.Cleanup(func() { pc.Close(); done.Wait() })
	asked := map[string]int{}
	questions := new(atomic.Int32)
	done.Go(func() {
		buf := make([]byte, 1500)
		for {
			n, from, err := pc.ReadFrom(buf)
			if err != nil {
				return
			}
			var m dnsmessage.Message
			if m.Unpack(buf[:n]) != nil || len(m.Questions) != 1 {
				continue
			}
			questions.Add(1)
			q := m.Questions[0]
			m.Response, m.RecursionAvailable, m.Additionals = true, true, nil
			if q.Type == dnsmessage.TypeA {
				name := strings.TrimSuffix(q.Name.String(), ".")
				addresses, code := answers(name, asked[name])
				asked[name]++
				m.RCode = code
				for _, a := range addresses {
					m.Answers = append(m.Answers, dnsmessage.Resource{
						Header: dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: q.Class},
						Body:   &dnsmessage.AResource{A: netip.MustParseAddr(a).As4()},
					})
				}
			} else if _, code := answers(strings.TrimSuffix(q.Name.String(), "."), 0); code != dnsmessage.RCodeSuccess {
				m.RCode = code
			}
			if packed, err := m.Pack(); err == nil {
				pc.WriteTo(packed, from)
			}
		}
	})
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "udp", pc.LocalAddr().String())
	}}, questions
}
