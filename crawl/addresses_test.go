package crawl

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"
)

// serveAt starts an HTTP server at each of some loopback addresses, all on the returned port.
func serveAt(t *testing.T, addresses []string, h http.HandlerFunc) (port string) {
	t.Helper()
	for try := 0; ; try++ {
		var listeners []net.Listener
		port := "0"
		for _, address := range addresses {
			l, err := net.Listen("tcp", net.JoinHostPort(address, port))
			if err != nil {
				break
			}
			_, port, _ = net.SplitHostPort(l.Addr().String())
			listeners = append(listeners, l)
		}
		if len(listeners) < len(addresses) { // the port is taken at another address
			for _, l := range listeners {
				l.Close()
			}
			if try == 10 {
				t.Fatal("no port is free at all of ", addresses)
			}
			continue
		}
		for _, l := range listeners {
			s := httptest.NewUnstartedServer(h)
			s.Listener.Close()
			s.Listener = l
			s.Start()
			t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
		}
		return port
	}
}

// names resolves names whose first label ends with the last numbers of their addresses:
// "shop-2" is 127.0.0.2, "shop-4-2" is 127.0.0.4 and 127.0.0.2.
func names(t *testing.T) Client {
	resolver, _ := nameServer(t, func(name string, _ int) (addresses []string, _ dnsmessage.RCode) {
		label, _, _ := strings.Cut(strings.TrimPrefix(name, "www."), ".")
		for _, number := range strings.Split(label, "-")[1:] {
			addresses = append(addresses, "127.0.0."+number)
		}
		return addresses, dnsmessage.RCodeSuccess
	})
	return Client{resolver: resolver, Retries: -1, Timeout: time.Minute}
}

// unused fails if any address is still in use.
func (a *Addresses) unused(t *testing.T) {
	t.Helper()
	a.mu.Lock()
	defer a.mu.Unlock()
	for addr, u := range a.used {
		t.Errorf("%s: %d requests are left, and %d wait", addr, u.requests, len(u.queue))
	}
}

func head(ctx context.Context, t *testing.T, c *Client, host string) *Outcome {
	s := c.Site(host)
	defer s.Close()
	out := s.Peek(ctx, "http://"+host+"/")
	if out.Code != "" && ctx.Err() == nil {
		t.Errorf("%s: %s (%s)", host, out.Code, out.Detail)
	}
	return out
}

// Thirty hosts of two clients are at one address. It gets four requests at a time, and no
// fifth; meanwhile, requests to another address continue.
func TestRequestsToOneAddress(t *testing.T) {
	const limit, hosts, each = 4, 30, 4
	var now, most, total atomic.Int32
	full := make(chan struct{})
	port := serveAt(t, []string{"127.0.0.2", "127.0.0.3"}, func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.Host, "other-3.") {
			return
		}
		n := now.Add(1)
		defer now.Add(-1)
		for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
		}
		if total.Add(1) == limit {
			close(full)
		}
		<-full // the first requests wait until the limit is reached
		if len(r.Host)%2 == 0 {
			w.Header().Set("Connection", "close")
		}
		io.WriteString(w, "some text")
		w.(http.Flusher).Flush()
	})
	addresses := NewAddresses(limit)
	clients := []Client{names(t), names(t)}
	for i := range clients {
		clients[i].Addresses = addresses
	}
	var all sync.WaitGroup
	for i := range hosts {
		host := fmt.Sprintf("h%d-2.test:%s", i, port)
		all.Go(func() {
			s := clients[i%2].Site(host)
			defer s.Close()
			for range each {
				b, out := s.open(t.Context(), "http://"+host+"/", limits{})
				io.Copy(io.Discard, b)
				b.Close()
				if out.Code != "" || !strings.HasPrefix(out.Hops[0].Address, "127.0.0.2:") {
					t.Errorf("%s: %s (%s)", host, out.Code, out.Detail)
				}
			}
		})
	}
	<-full
	head(t.Context(), t, &clients[0], "other-3.test:"+port)
	all.Wait()
	if most.Load() != limit || total.Load() != hosts*each {
		t.Errorf("%d at a time of %d", most.Load(), total.Load())
	}
	addresses.unused(t)
}

// If an address is busy, another address of the host is used. If no other one answers, the
// request waits, and its error is not that of the dead address.
func TestOtherAddress(t *testing.T) {
	arrived, answer := make(chan struct{}), make(chan struct{})
	port := serveAt(t, []string{"127.0.0.2", "127.0.0.3"}, func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.Host, "slow-") {
			close(arrived)
			<-answer
		}
	})
	c := names(t)
	c.Addresses = NewAddresses(1)
	var all sync.WaitGroup
	all.Go(func() { head(t.Context(), t, &c, "slow-2.test:"+port) })
	<-arrived
	if out := head(t.Context(), t, &c, "two-2-3.test:"+port); out.Hops[0].Address != "127.0.0.3:"+port {
		t.Errorf("asked at %s", out.Hops[0].Address)
	}
	var out *Outcome
	all.Go(func() { out = head(t.Context(), t, &c, "half-4-2.test:"+port) }) // no server listens at 127.0.0.4
	ctx, cancel := context.WithCancel(t.Context())
	all.Go(func() {
		if out := head(ctx, t, &c, "gone-2.test:"+port); out.Code != CodeCancelled {
			t.Errorf("cancelled while it waits: %q (%s)", out.Code, out.Detail)
		}
	})
	c.Addresses.awaited(2)
	cancel()
	c.Addresses.awaited(1)
	close(answer)
	all.Wait()
	if out.Hops[0].Address != "127.0.0.2:"+port {
		t.Errorf("asked at %s", out.Hops[0].Address)
	}
	c.Addresses.unused(t)
}

// awaited returns when so many requests wait.
func (a *Addresses) awaited(n int) {
	for waiting := -1; waiting != n; {
		time.Sleep(time.Millisecond)
		waiting = 0
		a.mu.Lock()
		for _, u := range a.used {
			waiting += len(u.queue)
		}
		a.mu.Unlock()
	}
}

// Sites may leave a body open to ask another host, at the same address or at one that
// others read from. They must not deadlock.
func TestAddressesAreNoDeadlock(t *testing.T) {
	long := strings.Repeat("x", 1<<20) // more than the network buffers
	port := serveAt(t, []string{"127.0.0.2", "127.0.0.3"}, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/long" {
			io.WriteString(w, long)
		}
	})
	c := names(t)
	c.Addresses, c.Extra, c.MaxConns = NewAddresses(1), 4, 8
	var all sync.WaitGroup
	for i := range 24 {
		own, other := fmt.Sprintf("own%d-%d.test:%s", i/4, 2+i%2, port), fmt.Sprintf("other%d-%d.test:%s", i, 2+i/2%2, port)
		if i >= 20 {
			other = "www." + own // the same host and address
		}
		all.Go(func() {
			s := c.Site(own, other)
			defer s.Close()
			b, out := s.open(t.Context(), "http://"+own+"/long", limits{})
			defer b.Close()
			b.Read(make([]byte, 10))
			if out := s.Peek(t.Context(), "http://"+other+"/"); out.Code != "" {
				t.Errorf("%s: %s (%s)", other, out.Code, out.Detail)
			}
			if n, _ := io.Copy(io.Discard, b); n < int64(len(long))-10 || out.Code != "" {
				t.Errorf("%s: %d bytes more, %s (%s)", own, n, out.Code, out.Detail)
			}
		})
	}
	all.Wait()
	c.Addresses.unused(t)
}

// A site closed with an open body, and a site whose name does not resolve, release everything.
func TestAddressesGivenBack(t *testing.T) {
	port := serveAt(t, []string{"127.0.0.2"}, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "text") })
	c := names(t)
	c.Addresses = NewAddresses(1)
	host := "a-2.test:" + port
	s := c.Site(host)
	b, _ := s.open(t.Context(), "http://"+host+"/", limits{})
	s.Close()
	b.Close()
	s = c.Site("b-4.test:" + port)
	if out := s.Peek(t.Context(), "http://b-4.test:"+port+"/"); out.Code != CodeConnectRefused {
		t.Errorf("%s (%s)", out.Code, out.Detail)
	}
	s.Close()
	c.Addresses.unused(t)
	head(t.Context(), t, &c, host)
	c.Addresses.unused(t)
}

// Requests that the user routes to a host are not counted: both are in progress at the
// same time.
func TestAddressesOfConnectTo(t *testing.T) {
	var both sync.WaitGroup
	both.Add(2)
	c := led(serve(t, func(http.ResponseWriter, *http.Request) {
		both.Done()
		both.Wait()
	}))
	c.Addresses, c.Timeout = NewAddresses(1), time.Minute
	var all sync.WaitGroup
	for _, host := range []string{"a.test", "b.test"} {
		all.Go(func() { head(t.Context(), t, c, host) })
	}
	all.Wait()
}

// The limit applies to FTP servers too.
func TestAddressOfFTP(t *testing.T) {
	begun, first := make(chan struct{}, 2), make(chan struct{})
	site := &ftpSite{files: map[string]string{"/robots.txt": rules}}
	address := serveRaw(t, func(c net.Conn) {
		begun <- struct{}{}
		<-first
		site.talk(c)
	})
	_, port, _ := net.SplitHostPort(address)
	c := names(t)
	c.Addresses = NewAddresses(1)
	var all sync.WaitGroup
	for _, host := range []string{"a-1.test:" + port, "b-1.test:" + port} {
		all.Go(func() {
			if f := robotsOf(t, &c, "ftp://"+host, host); string(f.Body) != rules {
				t.Errorf("%s: %s (%s)", host, f.Code, f.Detail)
			}
		})
	}
	<-begun
	c.Addresses.awaited(1)
	if len(begun) != 0 {
		t.Error("both have connected")
	}
	close(first)
	all.Wait()
	c.Addresses.unused(t)
}
