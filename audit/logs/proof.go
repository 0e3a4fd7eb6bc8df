package logs

import (
	"cmp"
	"context"
	"hash/maphash"
	"iter"
	"maps"
	"slices"
	"time"

	"robots-audit/audit"
	"robots-audit/audit/logs/agent"
)

// maxAddresses bounds the addresses of which DNS is asked about those with most requests.
const maxAddresses = 100_000

// address is an address that DNS may prove. It is only in memory: a request has its hash.
type address struct {
	agent.Question
	hash     uint64
	requests int64
}

type addresses map[agent.Question]*address

// count counts a request, and returns the hash of its address.
func (all *addresses) count(q agent.Question) uint64 {
	of := (*all)[q]
	if of == nil {
		if *all == nil {
			*all = addresses{}
		}
		of = &address{Question: q, hash: maphash.Comparable(idSeed, q)}
		(*all)[q] = of
	}
	of.requests++
	return of.hash
}

// sorted returns the addresses with most requests first.
func (all addresses) sorted() []*address {
	return slices.SortedFunc(maps.Values(all), func(a, b *address) int {
		return cmp.Or(cmp.Compare(b.requests, a.requests), a.Compare(b.Question))
	})
}

// addAddresses adds the addresses of a batch. The order of goroutines does not matter.
func (r *Requests) addAddresses(all addresses) {
	for _, of := range all.sorted() {
		if into := r.addresses[of.Question]; into != nil {
			into.requests += of.requests
		} else if len(r.addresses) < maxAddresses {
			r.addresses[of.Question] = of
		}
	}
}

// proofs are what DNS says of addresses, by their hash; nil = it was not asked.
type proofs struct {
	answers  map[uint64]agent.Identity
	networks map[uint64]uint64 // of addresses that are not the crawler's: see networkOf
	since    int64             // requests before are too old to be called those of an impostor
}

// proof says what DNS did for a request.
type proof uint8

const (
	notAsked   proof = iota
	silent           // it was asked, and proves nothing
	proved           // the address is the crawler's
	disproved        // it is somebody else's, which no list says
	unanswered       // it was to be asked
)

// Addresses counts the addresses that Verify asks DNS about.
func (r *Requests) Addresses() int { return len(r.addresses) }

// Verify asks DNS about addresses that no list proves, those with most requests first. It returns how
// many could not be looked up. Call it once, before Judge and Weights.
func (r *Requests) Verify(ctx context.Context, dns agent.Lookups) (left int) {
	list := r.addresses.sorted()
	var questions []agent.Question
	for _, of := range list {
		questions = append(questions, of.Question)
	}
	r.addresses = nil
	r.proofs = &proofs{answers: map[uint64]agent.Identity{}, networks: map[uint64]uint64{}, since: time.Now().Add(-agent.Believed).Unix()}
	for i, answer := range agent.Verify(ctx, dns, questions) {
		if !answer.OK {
			left++
			continue
		}
		r.proofs.answers[list[i].hash] = answer.Identity
		if answer.Identity == agent.Claimed {
			r.proofs.networks[list[i].hash] = networkOf(questions[i].Addr())
		}
	}
	for _, reads := range r.reads {
		for i := range reads {
			of := &reads[i]
			of.who, _ = r.identity(of.address, of.at, of.who)
		}
	}
	return left
}

// identity is the identity of a request, by the hash of its address; 0 = DNS has no say.
func (r *Requests) identity(address uint64, at int64, was agent.Identity) (agent.Identity, proof) {
	if address == 0 || r.proofs == nil {
		return was, notAsked
	}
	switch now, ok := r.proofs.answers[address]; {
	case !ok:
		return was, unanswered
	case now == agent.Genuine:
		return now, proved
	case now == agent.Claimed && was == agent.Unknown && at >= r.proofs.since:
		return now, disproved
	}
	return was, silent
}

// requests yields the requests to a host, each with its crawler and identity.
func (r *Requests) requests(host string) iter.Seq2[*request, error] {
	return func(yield func(*request, error) bool) {
		for req, err := range r.spool.requests(host, r.counts) {
			if err == nil {
				req.crawler = r.crawler(req.crawler, req.name)
				if req.who, req.proof = r.identity(req.address, req.at, req.who); req.proof == disproved {
					req.network = r.proofs.networks[req.address]
				}
			}
			if !yield(req, err) {
				return
			}
		}
	}
}

// newLogDNS returns empty counts; nil = DNS was not asked.
func (r *Requests) newLogDNS() *audit.LogDNS {
	if r.proofs == nil {
		return nil
	}
	return &audit.LogDNS{}
}

// countDNS counts n requests by what DNS did for them.
func countDNS(d *audit.LogDNS, of proof, n int64) {
	switch of {
	case proved:
		d.Genuine += n
	case disproved:
		d.Claimed += n
	case unanswered:
		d.Failed += n
	}
}
