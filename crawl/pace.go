package crawl

import (
	"context"
	"errors"
	"net/http"
	"net/netip"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"

	"robots-audit/crawl/internal/weburl"
)

// clientState is the state shared by the sites of one Client.
type clientState struct {
	hosts  hosts
	once   sync.Once
	routes *routes
	rate   *rate.Limiter // nil = no limit
	slots  chan struct{} // a semaphore: an element for each site with a request in flight; nil = no limit
	extra  chan struct{} // a semaphore: an element for each site with more than one descriptor; nil = no limit
	lookup chan struct{} // a semaphore: an element for each site that may be looking up a name
}

func (c *Client) sharedState() *clientState {
	c.shared.once.Do(func() {
		c.shared.routes = parseRoutes(c.ConnectTo)
		if c.Rate > 0 {
			c.shared.rate = rate.NewLimiter(rate.Limit(c.Rate), 1)
		}
		if c.MaxConns > 0 {
			c.shared.slots = make(chan struct{}, c.MaxConns)
		}
		c.shared.lookup = make(chan struct{}, maxLookups)
		if c.Extra > 0 {
			c.shared.extra = make(chan struct{}, c.Extra)
		}
	})
	return &c.shared
}

// pace delays a site's requests until there is room for them, no other site is
// asking the same host, and the host's delay has passed.
//
// The site holds one host at a time. It may go to another host with a body still
// open, for example for the robots.txt of a sitemap's host. It then releases the
// first host, and acquires it again to read on. So two sites never wait for each
// other.
type pace struct {
	shared *clientState
	delay  time.Duration            // for all hosts
	delays map[string]time.Duration // for single hosts
	host   *host                    // the host that the site holds; nil = none
	open   int                      // requests whose bodies are not read to the end
	slot   bool                     // it has an element in shared.slots
	closed bool
	extra  atomic.Bool // it has an element in shared.extra
	lookup atomic.Bool // it has an element in shared.lookup
	asked  string      // the last host, which probably has an open connection

	addresses *Addresses            // nil = no limit
	turns     []*turn               // of requests whose bodies are not read to the end
	latest    map[string]netip.Addr // the last address of each host

	meter waitMeter

	// The site's own last request. A host without a delay is forgotten when the
	// site leaves it, but its robots.txt may ask for a delay afterwards.
	lastHost string
	last     time.Time
}

func newPace(c *Client) *pace {
	return &pace{shared: c.sharedState(), delay: c.Delay, addresses: c.Addresses}
}

// Limits of pace.
const (
	maxCrawlDelay = 30 * time.Second // maximum Crawl-delay; some sites ask for a day
	maxDelays     = 256              // hosts with a delay of their own
	maxLatest     = 256              // hosts whose address is remembered
	maxConnects   = 8                // connections of a request that may be refused; then it may connect anyway
	maxLookups    = 64               // sites that look up a name: each sends two queries, and some name servers take 150 at a time
)

// SetDelay sets the minimum time between two requests to the host of an origin,
// for the Crawl-delay of our own group. It counts from the answer to one
// request to the start of the next. The maximum is 30 seconds. A longer
// Client.Delay still applies. The delay is for this site only.
func (s *Site) SetDelay(origin string, delay time.Duration) {
	u, err := weburl.Read(origin)
	if err != nil {
		return
	}
	p, name := s.pace, hostName(u.Hostname())
	if p.delays == nil {
		p.delays = map[string]time.Duration{}
	}
	if _, known := p.delays[name]; known || len(p.delays) < maxDelays {
		p.delays[name] = min(delay, maxCrawlDelay)
	}
}

// begin returns when a request to the URL may start, with its turn for the address.
// The caller must call end.
func (p *pace) begin(ctx context.Context, u *url.URL) (*turn, error) {
	if p.closed {
		return nil, errors.New("the site is closed")
	}
	waiting := countdownOf(ctx)
	waiting.pause()
	defer waiting.resume()
	p.leaveAddresses()
	if p.shared.slots != nil && !p.slot {
		select {
		case p.shared.slots <- struct{}{}:
			p.slot = true
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	name := hostName(u.Hostname())
	err := p.acquireHost(ctx, name)
	if err == nil {
		err = p.waitDelay(ctx, max(p.delay, p.delays[name]))
	}
	t := p.newTurn(u)
	if addr, known := p.latest[u.Hostname()]; err == nil && t != nil && known {
		err = p.waitAddress(ctx, t, addr)
	}
	if err == nil {
		err = p.acquireExtra(ctx)
	}
	if err == nil {
		err = p.acquireLookup(ctx, name)
	}
	p.open++
	if err != nil {
		p.end(name, t)
		return nil, err
	}
	return t, nil
}

// newTurn returns the turn of a request; nil = it has no limit.
func (p *pace) newTurn(u *url.URL) *turn {
	if p.addresses == nil || p.shared.routes.destination(u.Hostname(), portOf(u)).namedHost {
		return nil
	}
	t := &turn{of: p.addresses}
	p.turns = append(p.turns, t)
	return t
}

// leaveAddresses releases the addresses of open bodies, before any wait.
func (p *pace) leaveAddresses() {
	for _, t := range p.turns {
		t.leave()
	}
}

// again reports whether a failed request was refused an address and must be repeated. If so,
// it has waited for the address. The error is an error of the wait. n counts the calls from
// 1.
func (p *pace) again(ctx context.Context, t *turn, n int) (bool, error) {
	addr, refused := t.wasRefused()
	if !refused {
		return false, nil
	}
	waiting := countdownOf(ctx)
	waiting.pause()
	defer waiting.resume()
	t.anyhow = n >= maxConnects // its name resolves to a different address each time
	err := p.waitAddress(ctx, t, addr)
	return err == nil, err
}

// waitAddress waits for an address. Meanwhile it holds no extra descriptor, since the
// holders of the address may be waiting for one.
func (p *pace) waitAddress(ctx context.Context, t *turn, addr netip.Addr) error {
	p.releaseExtra()
	if err := t.wait(ctx, addr); err != nil {
		return err
	}
	return p.acquireExtra(ctx)
}

// remember stores the last address of a host.
func (p *pace) remember(host string, t *turn) {
	if t == nil || !t.address().IsValid() {
		return
	}
	if _, known := p.latest[host]; p.latest == nil || !known && len(p.latest) >= maxLatest {
		p.latest = map[string]netip.Addr{}
	}
	p.latest[host] = t.address()
}

// acquireExtra waits until the site may have a second descriptor: a lookup uses two sockets,
// two addresses may be tried at once, and a connection to another host may be open.
func (p *pace) acquireExtra(ctx context.Context) error {
	if p.shared.extra == nil || p.extra.Load() {
		return nil
	}
	select {
	case p.shared.extra <- struct{}{}:
		p.extra.Store(true)
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// releaseExtra is called, from any goroutine, when the site has at most one descriptor.
func (p *pace) releaseExtra() {
	if p.extra.Swap(false) {
		<-p.shared.extra
	}
}

// acquireLookup waits until the site may look up the name of a host. It does not wait if the
// host is the last one asked. A slow lookup stops counting after slowLookup, so that a name
// server that hangs does not block other lookups.
func (p *pace) acquireLookup(ctx context.Context, host string) error {
	p.releaseLookup()
	if p.asked == host {
		return nil
	}
	select {
	case p.shared.lookup <- struct{}{}:
		p.asked = host
		p.lookup.Store(true)
		time.AfterFunc(slowLookup, p.releaseLookup)
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// releaseLookup is called, from any goroutine, when the lookup has ended.
func (p *pace) releaseLookup() {
	if p.lookup.Swap(false) {
		<-p.shared.lookup
	}
}

// waitDelay waits until a request to the current host may start.
func (p *pace) waitDelay(ctx context.Context, delay time.Duration) error {
	last := p.host.last
	if p.lastHost == p.host.name && p.last.After(last) {
		last = p.last
	}
	if !last.IsZero() && !sleep(ctx, time.Until(last.Add(max(delay, p.host.delay)))) {
		return context.Cause(ctx)
	}
	if p.shared.rate != nil {
		r := p.shared.rate.Reserve()
		p.meter.pause() // no other site could begin in the meantime
		passed := sleep(ctx, r.Delay())
		p.meter.resume()
		if !passed {
			r.Cancel()
			return context.Cause(ctx)
		}
	}
	p.host.last, p.host.delay = time.Now(), delay
	p.lastHost, p.last = p.host.name, p.host.last
	return nil
}

// answered restarts the host's delay at the answer, not at our start.
// Connecting may take longer than the delay, and the server sees when requests
// arrive, not when they start. So the delay that it sees is never too short.
func (p *pace) answered() {
	if p.host != nil {
		p.host.last = time.Now()
		p.last = p.host.last
	}
}

// heed delays the next request to the host as long as a server with too many requests asks for.
func (p *pace) heed(resp *http.Response, longest time.Duration) {
	if p.host != nil && (resp.StatusCode == 429 || resp.StatusCode == 503) {
		p.host.delay = max(p.host.delay, min(retryAfter(resp.Header, time.Now()), longest))
	}
}

// settleTime is the time that a server gets to notice that we have
// disconnected.
const settleTime = 250 * time.Millisecond

// abandoned delays the next request after an answer that we did not wait for:
// the server may still be working on the old one.
func (p *pace) abandoned(name string, err error) {
	var known *Error
	if p.host == nil || p.host.name != name || errors.As(err, &known) && known.Code != CodeTimeout && known.Code != CodeCancelled {
		return // there is no connection, or the server itself has ended it
	}
	p.host.last = time.Now()
	p.host.delay = max(p.host.delay, settleTime)
}

// acquireHost acquires a host, and releases the previous one.
func (p *pace) acquireHost(ctx context.Context, name string) (err error) {
	if p.closed || p.host != nil && p.host.name == name {
		return nil
	}
	p.releaseHost()
	p.host, err = p.shared.hosts.acquire(ctx, name)
	return err
}

func (p *pace) releaseHost() {
	if p.host != nil {
		p.shared.hosts.release(p.host)
		p.host = nil
	}
}

// end is called when a request and its body are finished.
func (p *pace) end(name string, t *turn) {
	t.release()
	p.turns = without(p.turns, t)
	p.releaseLookup()
	p.open--
	if p.host != nil && (p.host.name == name || p.open == 0) {
		p.releaseHost()
	}
	if p.slot && p.open == 0 {
		<-p.shared.slots
		p.slot = false
	}
	if p.open == 0 {
		p.releaseExtra()
	}
}

// close releases everything.
func (p *pace) close() {
	for _, t := range p.turns {
		t.release()
	}
	p.open = 1
	p.end("", nil)
	p.closed = true
}

// endWait ends a wait. OnWait's end may block for long, so the URL's countdown is
// paused: the server is not the cause.
func (p *pace) endWait(ctx context.Context) {
	if p.meter.begin == nil {
		return
	}
	waiting := countdownOf(ctx)
	waiting.pause()
	p.meter.endWait()
	waiting.resume()
}
