package localhttp

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"sync"
)

// crowd are the open connections of a server. There are so many places. Whoever comes when all are
// taken gets that of a connection whose request has not come, or not all of its head: of the
// address that has most of them, the one that has waited longest. So no number of idle connections,
// or of slow ones, keeps others out.
type crowd struct {
	net.Listener
	places  int                      // connections that are open
	asked   int                      // of these, requests that are answered at once, but for the favoured
	favours func(*http.Request) bool // requests that are answered whatever else is; nil = none

	mu     sync.Mutex
	guests []*guest           // the oldest first
	at     map[netip.Addr]int // requests that are answered, by address
	all    int
}

// guest is a connection.
type guest struct {
	net.Conn
	crowd *crowd
	from  netip.Addr
	asks  int // its requests that are answered
	once  sync.Once
}

// newCrowd is the crowd of a listener.
func newCrowd(l net.Listener, places int, favours func(*http.Request) bool) *crowd {
	return &crowd{Listener: l, places: places, asked: places * 3 / 4, favours: favours, at: map[netip.Addr]int{}}
}

// Accept takes a connection, and hangs up on another where there is no place for it.
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

// address is where a connection comes from, without its port.
func address(of net.Addr) netip.Addr {
	at, err := netip.ParseAddrPort(of.String())
	if err != nil {
		return netip.Addr{} // all that have none have one share
	}
	return at.Addr().Unmap()
}

// enter adds a connection; out is the one whose place it gets, nil = there was one.
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

// Close closes the connection, and gives its place back.
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

// guestKey is that of a request's connection among the values of its context.
type guestKey struct{}

// handler has next answer requests, as far as there is room: half of it for one address, and for
// those that are favoured always.
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

// withGuest puts a connection into the context of its requests.
func withGuest(ctx context.Context, conn net.Conn) context.Context {
	return context.WithValue(ctx, guestKey{}, conn)
}
