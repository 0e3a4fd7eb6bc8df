package agent

import (
	"context"
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Lookups are the questions that a Resolver asks. *net.Resolver answers them.
type Lookups interface {
	LookupAddr(ctx context.Context, addr string) (names []string, err error)
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// Limits of a Resolver: addresses that it looks up in all and at once, host names of each address,
// and how long it waits for the answers about one address.
const (
	maxLookups  = 10_000
	lookupsOnce = 2
	maxNames    = 4
	maxSilent   = 20 // look-ups without an answer, one after the other: then DNS is out of reach
	lookupWait  = 5 * time.Second
)

// Resolver verifies addresses by DNS: the address has a host name of the crawler's operator, and
// this name has the address. It asks once for each address. Several goroutines may use it.
type Resolver struct {
	set    *Set
	dns    Lookups
	now    func() time.Time
	places chan struct{}

	silent atomic.Int64

	mu    sync.Mutex
	known map[question]*answer
}

// question is an address, and what its host name must end with.
type question struct {
	ip    netip.Addr
	hosts string
}

type answer struct {
	once     sync.Once
	identity Identity
}

// NewResolver makes a resolver that asks dns, or the resolver of this machine if dns is nil.
func (s *Set) NewResolver(dns Lookups) *Resolver {
	if dns == nil {
		dns = net.DefaultResolver
	}
	return &Resolver{set: s, dns: dns, now: time.Now, places: make(chan struct{}, lookupsOnce), known: map[question]*answer{}}
}

// Verify asks DNS about an address that Identify did not find genuine, and returns what is known
// now. DNS speaks of today, so it calls no request Claimed that is older than a list may be.
func (r *Resolver) Verify(ctx context.Context, id int, addr []byte, at time.Time, was Identity) Identity {
	if was == Genuine || id < 0 || id >= r.set.listed || r.set.lists[id] == nil || r.set.lists[id].hosts == "" {
		return was
	}
	ip, ok := parseAddr(addr)
	if !ok {
		return was
	}
	q := question{ip, r.set.lists[id].hosts}
	r.mu.Lock()
	a := r.known[q]
	if a == nil && len(r.known) < maxLookups {
		a = &answer{}
		r.known[q] = a
	}
	r.mu.Unlock()
	if a == nil {
		return was
	}
	a.once.Do(func() {
		r.places <- struct{}{}
		defer func() { <-r.places }()
		if r.silent.Load() >= maxSilent {
			return
		}
		ctx, cancel := context.WithTimeout(ctx, lookupWait)
		defer cancel()
		a.identity = r.ask(ctx, q)
		if r.silent.Add(1); ctx.Err() == nil {
			r.silent.Store(0)
		}
	})
	if a.identity == Unknown || a.identity == Claimed && r.now().Sub(at) > believed {
		return was
	}
	return a.identity
}

// ask asks DNS for the names of an address, and for the addresses of a name that fits. Errors and
// an address without name prove nothing.
func (r *Resolver) ask(ctx context.Context, q question) Identity {
	names, err := r.dns.LookupAddr(ctx, q.ip.String())
	if err != nil || len(names) == 0 {
		return Unknown
	}
	identity := Claimed
	for _, name := range names[:min(len(names), maxNames)] {
		name = strings.ToLower(strings.TrimSuffix(name, "."))
		if !slices.ContainsFunc(strings.Split(q.hosts, ","), func(end string) bool { return strings.HasSuffix(name, end) }) {
			continue
		}
		addrs, err := r.dns.LookupNetIP(ctx, "ip", name)
		if err != nil {
			identity = Unknown
			continue
		}
		for _, a := range addrs {
			if a.Unmap() == q.ip {
				return Genuine
			}
		}
	}
	return identity
}
