package agent

import (
	"cmp"
	"context"
	"errors"
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Lookups are what Verify asks. *net.Resolver has them.
type Lookups interface {
	LookupAddr(ctx context.Context, addr string) (names []string, err error)
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// Limits of Verify.
const (
	MaxLookups  = 10_000           // addresses
	LookupsTime = 10 * time.Minute // for all of them

	lookupsOnce = 2
	lookupWait  = 5 * time.Second // for one address
	maxNames    = 4               // host names of an address
	maxSilent   = 20              // addresses without an answer, one after the other: then DNS is out of reach
)

// Question is an address whose host name can prove which operator has it. It stays in memory: no
// output has an address.
type Question struct {
	ip       netip.Addr
	hosts    string // ends of the crawler's host names, separated by commas
	operator string // those of all crawlers of its operator
}

// Addr is the address.
func (q *Question) Addr() netip.Addr { return q.ip }

// Answer is what DNS says to a Question.
type Answer struct {
	Identity Identity // Unknown = DNS proves nothing
	OK       bool     // DNS was asked, and answered
}

// Ask returns the question about an address that Identify did not find genuine; ok = false if DNS can
// say nothing: the operator names no host names, the address is one of its other crawlers, or none of
// the internet.
func (s *Set) Ask(id int, addr []byte) (q Question, ok bool) {
	if id < 0 || id >= s.listed || s.lists[id] == nil || s.lists[id].hosts == "" {
		return q, false
	}
	ip, ok := parseAddr(addr)
	if !ok || !ip.IsGlobalUnicast() || ip.IsPrivate() || s.related[id].has(ip) {
		return q, false
	}
	return Question{ip, s.lists[id].hosts, s.hosts[s.crawlers[id].Operator]}, true
}

// Compare orders questions.
func (q Question) Compare(other Question) int {
	return cmp.Or(q.ip.Compare(other.ip), strings.Compare(q.hosts, other.hosts), strings.Compare(q.operator, other.operator))
}

// Verify asks DNS two questions at once, and no longer than LookupsTime. The first MaxLookups are
// asked. An address is genuine if it has a host name of the crawler, and this name has the address.
func Verify(ctx context.Context, dns Lookups, list []Question) []Answer {
	ctx, cancel := context.WithTimeout(ctx, LookupsTime)
	defer cancel()
	answers := make([]Answer, len(list))
	var next, silent atomic.Int64
	var wait sync.WaitGroup
	for range lookupsOnce {
		wait.Go(func() {
			for ctx.Err() == nil && silent.Load() < maxSilent {
				i := int(next.Add(1)) - 1
				if i >= min(len(list), MaxLookups) {
					return
				}
				one, cancel := context.WithTimeout(ctx, lookupWait)
				answers[i] = list[i].ask(one, dns)
				if silent.Add(1); one.Err() == nil {
					silent.Store(0)
				}
				cancel()
			}
		})
	}
	wait.Wait()
	return answers
}

// ask asks for the names of an address, and for the addresses of a name that fits. An address without
// name proves nothing.
func (q Question) ask(ctx context.Context, dns Lookups) Answer {
	names, err := dns.LookupAddr(ctx, q.ip.String())
	if len(names) == 0 {
		return Answer{Unknown, err == nil || notFound(err)}
	}
	answer := Answer{Claimed, true}
	if len(names) > maxNames {
		answer.Identity = Unknown
	}
	for _, name := range names[:min(len(names), maxNames)] {
		name = strings.ToLower(strings.TrimSuffix(name, "."))
		switch {
		case !isHostName(name):
			continue
		case !endsWith(name, q.hosts):
			if endsWith(name, q.operator) { // perhaps a host of its other crawlers
				answer.Identity = Unknown
			}
			continue
		}
		addrs, err := dns.LookupNetIP(ctx, "ip", name+".") // no search list
		if err != nil && !notFound(err) {
			answer = Answer{}
			continue
		}
		for _, a := range addrs {
			if a.Unmap() == q.ip {
				return Answer{Genuine, true}
			}
		}
	}
	return answer
}

// notFound reports whether DNS says that there is no such name.
func notFound(err error) bool {
	var of *net.DNSError
	return errors.As(err, &of) && of.IsNotFound
}

// endsWith reports whether a host name ends with one of the ends.
func endsWith(name, ends string) bool {
	return slices.ContainsFunc(strings.Split(ends, ","), func(end string) bool { return end != "" && strings.HasSuffix(name, end) })
}

// isHostName reports whether a name from DNS can be that of a host.
func isHostName(name string) bool {
	return len(name) <= 253 && !strings.ContainsFunc(name, func(c rune) bool {
		return !('a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '-' || c == '_' || c == '.')
	})
}
