package crawl

import (
	"context"
	"crypto/x509"
	"net"
	"time"
)

// Client fetches. Its fields are settings: set them, then call Site for each site.
// ConnectTo, Rate, MaxConns and Extra are read at the first call, and Served must not
// change. The zero Client works. Many goroutines may use it. All its sites together
// send only one request at a time to a host.
type Client struct {
	UserAgent    string         // sent as it is [robots-audit]
	Timeout      time.Duration  // time to connect, and again until the end of the response header; bodies must keep a minimum rate of 1 KiB/s after it, 4 KiB/s after a minute, and robots.txt must be complete by then [30s]
	Retries      int            // retries after temporary errors (5xx, 429, network); -1 = none [2]
	Delay        time.Duration  // minimum time between two requests to one host, from the answer to one to the start of the next [0]
	ConnectTo    []string       // like curl's --connect-to: H1:P1:H2:P2; see ParseConnectTo
	RootCAs      *x509.CertPool // certificate authorities trusted; nil = the system's
	AllowPrivate bool           // redirects and sitemap lines may lead to private addresses and any port
	MaxRobots    int64          // decompressed bytes of robots.txt kept [655,360: 512,000 count, and owners ask about the bytes just after them]

	Served map[string][]byte // robots.txt files to use for hosts instead of theirs, by host, with its port if not the scheme's default ("example.com", "example.com:8080"). These hosts are not asked for a robots.txt

	Cache     *Cache     // robots.txt answers of earlier runs; nil = none
	Rate      float64    // requests per second, over all sites [0 = no limit]
	MaxConns  int        // sites that may have a request in flight at the same time; each may also keep one idle connection [0 = no limit]
	Addresses *Addresses // limits the requests to one IP address; nil = no limit
	Extra     int        // file descriptors for all sites beyond one each, to look up names, connect, or ask a second host [0 = no limit]

	shared   clientState
	resolver *net.Resolver // nil = the system's; tests set their own name server
}

// The defaults of Client's fields.
const (
	defaultUserAgent = "robots-audit"
	defaultTimeout   = 30 * time.Second
	defaultRetries   = 2
	defaultMaxRobots = 640 << 10
)

func (c *Client) userAgent() string {
	if c.UserAgent == "" {
		return defaultUserAgent
	}
	return c.UserAgent
}

func (c *Client) timeout() time.Duration {
	if c.Timeout <= 0 {
		return defaultTimeout
	}
	return c.Timeout
}

func (c *Client) retries() int {
	if c.Retries == 0 {
		return defaultRetries
	}
	return max(0, c.Retries)
}

func (c *Client) maxRobots() int64 {
	if c.MaxRobots <= 0 {
		return defaultMaxRobots
	}
	return c.MaxRobots
}

// Site fetches for one site's audit. It owns the site's pacing, connections and
// trust, which end with Close. Only one goroutine may use it at a time.
type Site struct {
	client     *Client
	guard      *guard
	pace       *pace
	dialer     *dialer
	socket     *socket
	login      login
	waitBudget *waitBudget // nil = no limit
}

// Site starts a site. Addresses of the trusted hosts ("host" or "host:port")
// are never refused, since the user listed them. A host without port is trusted
// on ports 80, 443 and 21.
func (c *Client) Site(trusted ...string) *Site {
	s := &Site{client: c, pace: newPace(c)}
	routes := c.sharedState().routes
	s.guard = newGuard(c.AllowPrivate, trusted, routes.targets)
	s.dialer = newDialer(c, s.guard, routes)
	s.socket = &socket{client: c, dialer: s.dialer}
	return s
}

// Close ends the site's connections, including active ones.
func (s *Site) Close() {
	s.pace.close()
	s.dialer.close()
	s.socket.closeIdle()
}

// connecting records that the address to connect to is known.
func (s *Site) connecting() {
	s.pace.releaseLookup()
	s.pace.meter.connecting()
}

// connected records that a request has its connection. counted is 1 if the dialer already
// counts it, else 0. If the site has no other connection, its extra descriptor becomes free
// for other sites.
func (s *Site) connected(counted int) {
	s.pace.releaseLookup()
	if s.dialer.open() <= counted {
		s.pace.releaseExtra()
	}
}

// allowance is the time that one URL may take in total: three times the timeout,
// including redirects and retries. Time that we wait for our turn does not
// count.
func (s *Site) allowance() time.Duration { return 3 * s.client.timeout() }

// sleep waits. It returns false if the context ends first.
func sleep(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return ctx.Err() == nil
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}
