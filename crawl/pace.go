package crawl

import (
	"context"
	"errors"
	"net/netip"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/time/rate"

	"robots-audit/crawl/internal/weburl"
)

// clientState is what the sites of one Client share.
type clientState struct {
	hosts  hosts
	once   sync.Once
	routes *routes
	rate   *rate.Limiter // nil = no limit
	slots  chan struct{} // a semaphore: an element for each site with a request in flight; nil = no limit
	extra  chan struct{} // a semaphore: an element for each site with a descriptor more than one; nil = no limit
	lookup chan struct{} // a semaphore: an element for each site that may be looking a name up
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

// pace holds a site's requests back: until there is room for them, until no
// other site asks the same host, and until the host's delay has passed.
//
// The site has acquired one host at a time. When it goes to another with a body
// still open, as for the robots.txt of a host that a sitemap names, it releases
// the first, and acquires it again to read on: so no two sites ever wait for each
// other.
type pace struct {
	shared *clientState
	delay  time.Duration            // of all hosts
	delays map[string]time.Duration // of some
	host   *host                    // that the site has acquired; nil = none
	open   int                      // requests begun whose bodies are not at their end
	slot   bool                     // it has one of shared.slots
	closed bool
	extra  atomic.Bool // it has one of shared.extra
	lookup atomic.Bool // it has one of shared.lookup
	asked  string      // the host that was asked last, to which a connection is likely to be open

	addresses *Addresses            // nil = no limit
	turns     []*turn               // of the requests whose bodies are not at their end
	latest    map[string]netip.Addr // that hosts were asked at

	meter waitMeter

	// The site's own last answer: a host without a delay is forgotten as soon
	// as the site has left it, but its robots.txt may ask for a delay then.
	lastHost string
	last     time.Time
}

func newPace(c *Client) *pace {
	return &pace{shared: c.sharedState(), delay: c.Delay, addresses: c.Addresses}
}

// Bounds of pace.
const (
	maxCrawlDelay = 30 * time.Second // what Crawl-delay may ask for; some ask for a day
	maxDelays     = 256              // hosts with a delay of their own
	maxLatest     = 256              // hosts whose address is remembered
	maxConnects   = 8                // times that a request connects and may not; then it may
	maxLookups    = 64               // sites that look a name up: each asks two questions, and some name servers take 150 at a time
)

// SetDelay keeps a distance between two requests to the host of an origin, from
// the answer to one to the start of the next, as the Crawl-delay of our own
// group asks for: 30 seconds at most. A longer Client.Delay stands. It is for
// this site alone.
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

// begin returns when a request to the URL may start, with its turn at the address; end
// must follow.
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

// newTurn returns the turn of a request; nil = it is not bounded.
func (p *pace) newTurn(u *url.URL) *turn {
	if p.addresses == nil || p.shared.routes.destination(u.Hostname(), portOf(u)).namedHost {
		return nil
	}
	t := &turn{of: p.addresses}
	p.turns = append(p.turns, t)
	return t
}

// leaveAddresses gives back the addresses of bodies that are open, before a wait for anything.
func (p *pace) leaveAddresses() {
	for _, t := range p.turns {
		t.leave()
	}
}

// again says whether a request that came to an error was refused an address, and is to be
// made again: it has waited for the address. The error is that of the wait. It is called with
// n from 1 on.
func (p *pace) again(ctx context.Context, t *turn, n int) (bool, error) {
	addr, refused := t.wasRefused()
	if !refused {
		return false, nil
	}
	waiting := countdownOf(ctx)
	waiting.pause()
	defer waiting.resume()
	t.anyhow = n >= maxConnects // its name leads elsewhere each time
	err := p.waitAddress(ctx, t, addr)
	return err == nil, err
}

// waitAddress waits for an address without a descriptor more than one, for which those that
// hold the address may be waiting.
func (p *pace) waitAddress(ctx context.Context, t *turn, addr netip.Addr) error {
	p.releaseExtra()
	if err := t.wait(ctx, addr); err != nil {
		return err
	}
	return p.acquireExtra(ctx)
}

// remember notes the address that a host was asked at.
func (p *pace) remember(host string, t *turn) {
	if t == nil || !t.address().IsValid() {
		return
	}
	if _, known := p.latest[host]; p.latest == nil || !known && len(p.latest) >= maxLatest {
		p.latest = map[string]netip.Addr{}
	}
	p.latest[host] = t.address()
}

// acquireExtra waits until the site may have a second descriptor: a lookup asks by two
// sockets, two addresses may be tried at once, and a connection to another host may be open.
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

// releaseExtra is called, from any goroutine, when the site has one descriptor or none.
func (p *pace) releaseExtra() {
	if p.extra.Swap(false) {
		<-p.shared.extra
	}
}

// acquireLookup waits until the site may look up the name of a host, which it does not where
// it asked that host before. What takes long counts no more: a name server that hangs is not
// to keep other names from being looked up.
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

// releaseLookup is called, from any goroutine, when the name is known, or is none.
func (p *pace) releaseLookup() {
	if p.lookup.Swap(false) {
		<-p.shared.lookup
	}
}

// waitDelay waits until a request to the host at hand may start.
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
		p.meter.pause() // no other site could begin meanwhile
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

// answered counts the host's delay from the answer on, not from when we began:
// connecting may take longer than the delay, and the server sees requests come,
// not start. So what it sees is never less than the delay.
func (p *pace) answered() {
	if p.host != nil {
		p.host.last = time.Now()
		p.last = p.host.last
	}
}

// settleTime is how long a server is given to notice that we have hung up.
const settleTime = 250 * time.Millisecond

// abandoned keeps a distance after an answer that we did not wait for: to the
// server, the next request would be a second one at once.
func (p *pace) abandoned(name string, err error) {
	var known *Error
	if p.host == nil || p.host.name != name || errors.As(err, &known) && known.Code != CodeTimeout && known.Code != CodeCancelled {
		return // there is no connection, or the server itself has ended it
	}
	p.host.last = time.Now()
	p.host.delay = max(p.host.delay, settleTime)
}

// acquireHost acquires a host, and releases the one that the site had.
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

// end is called when a request is over, its body included.
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

// close gives everything back.
func (p *pace) close() {
	for _, t := range p.turns {
		t.release()
	}
	p.open = 1
	p.end("", nil)
	p.closed = true
}

// endWait ends a wait. OnWait's end may block for long, which is not the server's
// fault: the URL's countdown is paused.
func (p *pace) endWait(ctx context.Context) {
	if p.meter.begin == nil {
		return
	}
	waiting := countdownOf(ctx)
	waiting.pause()
	p.meter.endWait()
	waiting.resume()
}
