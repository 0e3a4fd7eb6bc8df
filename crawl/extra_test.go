package crawl

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"testing"
)

// A server that accepts a connection and hangs uses only that one descriptor.
func TestExtraIsFreeOnceConnected(t *testing.T) {
	const sites = 20
	server, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c := led(server.Addr().String())
	c.Extra = 1
	var all sync.WaitGroup
	for i := range sites {
		all.Go(func() {
			s := c.Site()
			defer s.Close()
			s.Robots(t.Context(), fmt.Sprintf("http://h%d.test", i))
		})
	}
	var conns []net.Conn
	for range sites { // all of them, while none is answered
		conn, err := server.Accept()
		if err != nil {
			t.Fatal(err)
		}
		conns = append(conns, conn)
	}
	server.Close() // no retry is accepted
	for _, conn := range conns {
		conn.Close()
	}
	all.Wait()
	if n := len(c.shared.extra); n != 0 {
		t.Errorf("%d are not given back", n)
	}
}

// A site has two connections if it asks a second host while a body of the first
// is open, or its connection is kept. It has them until nothing is open.
func TestExtraWithTwoHosts(t *testing.T) {
	address, _ := counted(t, func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, "User-agent: *\n")
		if r.URL.Path == "/long" {
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		}
	})
	c := led(address)
	c.Extra = 1
	s := c.Site()
	defer s.Close()
	held := func(when string, want int) {
		t.Helper()
		if n := len(c.shared.extra); n != want {
			t.Errorf("%s: %d descriptors more than one, want %d", when, n, want)
		}
	}
	first, _ := s.open(t.Context(), "http://a.test/long", limits{})
	first.Read(make([]byte, 5))
	held("one body open", 0)
	second, _ := s.open(t.Context(), "http://b.test/long", limits{})
	second.Read(make([]byte, 5))
	held("two bodies open", 1)
	first.Close()
	held("the second open", 1)
	second.Close()
	held("none open", 0)

	s.Robots(t.Context(), "http://a.test")
	held("a connection is kept", 0)
	third, _ := s.open(t.Context(), "http://b.test/long", limits{})
	third.Read(make([]byte, 5))
	held("another in use beside it", 1)
	third.Close()
	held("none in use", 0)
}
