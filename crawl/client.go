package crawl

import (
	"context"
	"crypto/x509"
	"net"
	"time"
)

// Client fetches. Its fields are settings: fill them in, then call Site for
// each site; ConnectTo, Rate, MaxConns and Extra are read at the first, and Served is
// not to change. The zero Client works. It may be used by many goroutines. All its
// sites together never ask one host for two things at once.
type Client struct {
	UserAgent    string         // sent as it is [robots-audit]
	Timeout      time.Duration  // to connect, and again to the end of the response header; bodies must keep a minimum rate of 1 KiB/s after it, 4 KiB/s after a minute, and robots.txt be whole by then [30s]
	Retries      int            // further tries after temporary trouble (5xx, 429, network); -1 = none [2]
	Delay        time.Duration  // least time between two requests to one host, from the answer to one to the start of the next [0]
	ConnectTo    []string       // as curl's --connect-to: H1:P1:H2:P2; see ParseConnectTo
	RootCAs      *x509.CertPool // certificate authorities trusted; nil = the system's
	AllowPrivate bool           // lets redirects and sitemap lines lead to private addresses and any port
	MaxRobots    int64          // decompressed bytes of robots.txt kept [655,360: 512,000 count, and what lies just beyond them is what owners ask about]

	Served map[string][]byte // robots.txt that stand in for those of hosts, by host, with its port where that is not the scheme's own ("example.com", "example.com:8080"): as if they were served already. These hosts are not asked for theirs

	Cache     *Cache     // robots.txt answers of earlier runs; nil = none
	Rate      float64    // requests a second, over all sites [0 = no limit]
	MaxConns  int        // sites that have requests in flight at once; each may keep one idle connection besides [0 = no limit]
	Addresses *Addresses // bounds the requests to one IP address; nil = no limit
	Extra     int        // file descriptors that all sites may have beyond one each, while they look up names, connect, or ask a second host [0 = no limit]

	shared   clientState
	resolver *net.Resolver // nil = the system's; tests put a name server of their own here
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

// Site is the fetching side of one site's audit: pacing, connections and
// trust belong to it, and end with Close. One goroutine uses it at a time.
type Site struct {
	client     *Client
	guard      *guard
	pace       *pace
	dialer     *dialer
	socket     *socket
	login      login
	waitBudget *waitBudget // nil = it may cost any time
}

// Site starts on a site. Addresses of the trusted hosts ("host" or
// "host:port") are never refused, since the user listed them; a host without
// port is trusted on ports 80 and 443.
func (c *Client) Site(trusted ...string) *Site {
	s := &Site{client: c, pace: newPace(c)}
	routes := c.sharedState().routes
	s.guard = newGuard(c.AllowPrivate, trusted, routes.targets)
	s.dialer = newDialer(c, s.guard, routes)
	s.socket = &socket{client: c, dialer: s.dialer}
	return s
}

// Close ends the site's connections, those in use as well.
func (s *Site) Close() {
	s.pace.close()
	s.dialer.close()
	s.socket.closeIdle()
}

// connecting takes note that the address to connect to is known.
func (s *Site) connecting() {
	s.pace.releaseLookup()
	s.pace.meter.connecting()
}

// connected takes note that a request has its connection, which the dialer counts
// already (1) or not yet (0): where the site has no other, a descriptor is free for others.
func (s *Site) connected(counted int) {
	s.pace.releaseLookup()
	if s.dialer.open() <= counted {
		s.pace.releaseExtra()
	}
}

// allowance is how long one URL may take in all: three times the timeout,
// whatever redirects and retries there are. Waiting for our turn does not count.
func (s *Site) allowance() time.Duration { return 3 * s.client.timeout() }

// sleep waits, unless the context ends before: then it answers false.
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
