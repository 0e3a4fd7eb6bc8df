package localhttp

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"sync"
)

// crowd limits the open connections of a server. When all places are taken, a new connection gets the place
// of one whose request has not arrived completely: of the address with most such connections, the one that
// has waited longest. So idle or slow connections, however many, do not keep others out.
type crowd struct {
	net.Listener
	places  int                      // limit of open connections
	asked   int                      // limit of concurrent requests, without the favoured
	favours func(*http.Request) bool // requests that are always answered; nil = none

	mu     sync.Mutex
	guests []*guest           // oldest first
	at     map[netip.Addr]int // running requests, by address
	all    int
}

// guest is one connection.
type guest struct {
	net.Conn
	crowd *crowd
	from  netip.Addr
	asks  int // its running requests
	once  sync.Once
}

// newCrowd returns the crowd of a listener.
func newCrowd(l net.Listener, places int, favours func(*http.Request) bool) *crowd {
	return &crowd{Listener: l, places: places, asked: places * 3 / 4, favours: favours, at: map[netip.Addr]int{}}
}

// Accept accepts a connection, and closes another if all places are taken.
func (c *crowd) Accept() (net.Conn, error) {
	conn, err := c.Listener.Accept()
	if err != nil {
		return nil, err
	}
	g := &guest{Conn: conn, crowd: c, from: address(conn.RemoteAddr())}
	if out := c.enter(g); out != nil {
		out.Close()
	}
	return g, nil
}

// address is the remote address of a connection, without its port.
func address(of net.Addr) netip.Addr {
	at, err := netip.ParseAddrPort(of.String())
	if err != nil {
		return netip.Addr{} // connections without an address share one limit
	}
	return at.Addr().Unmap()
}

// enter adds a connection. out is the connection that loses its place; nil = there was room.
func (c *crowd) enter(g *guest) (out *guest) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.guests) >= c.places {
		waiting := map[netip.Addr]int{}
		for _, other := range c.guests {
			if other.asks == 0 {
				waiting[other.from]++
			}
		}
		for _, other := range c.guests {
			if other.asks == 0 && (out == nil || waiting[other.from] > waiting[out.from]) {
				out = other
			}
		}
	}
	c.guests = append(c.guests, g)
	return out
}

// Close closes the connection and frees its place.
func (g *guest) Close() error {
	g.once.Do(func() {
		c := g.crowd
		c.mu.Lock()
		defer c.mu.Unlock()
		for i, other := range c.guests {
			if other == g {
				c.guests = append(c.guests[:i], c.guests[i+1:]...)
				break
			}
		}
	})
	return g.Conn.Close()
}

// guestKey is the context key of a request's connection.
type guestKey struct{}

// handler lets next answer requests while there is room: one address gets at most half of it, and favoured
// requests are always answered.
func (c *crowd) handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		g, _ := r.Context().Value(guestKey{}).(*guest)
		favoured := c.favours != nil && c.favours(r)
		if !c.ask(g, favoured) {
			w.Header().Set("Connection", "close")
			w.Header().Set("Retry-After", "1")
			http.Error(w, "the dashboard is busy. Try again in a moment", http.StatusServiceUnavailable)
			return
		}
		defer c.answered(g, favoured)
		next.ServeHTTP(w, r)
	})
}

func (c *crowd) ask(g *guest, favoured bool) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !favoured {
		if c.all >= c.asked || c.at[g.from] >= c.asked/2 {
			return false
		}
		c.all++
		c.at[g.from]++
	}
	g.asks++
	return true
}

func (c *crowd) answered(g *guest, favoured bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	g.asks--
	if favoured {
		return
	}
	c.all--
	if c.at[g.from]--; c.at[g.from] == 0 {
		delete(c.at, g.from)
	}
}

// withGuest adds a connection to the context of its requests.
func withGuest(ctx context.Context, conn net.Conn) context.Context {
	return context.WithValue(ctx, guestKey{}, conn)
}
