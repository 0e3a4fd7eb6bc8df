package agent

import (
	"cmp"
	"encoding/binary"
	"math/bits"
	"net/netip"
	"slices"
)

// addresses is a set of addresses: ranges in order, which neither overlap nor touch after join.
type addresses []span

// span are the addresses from first to last.
type span struct{ first, last number }

// number is an address. Those of IPv4 are as IPv6 has them.
type number struct{ high, low uint64 }

func numberOf(a netip.Addr) number {
	b := a.As16()
	return number{binary.BigEndian.Uint64(b[:8]), binary.BigEndian.Uint64(b[8:])}
}

func (n number) compare(m number) int {
	if n.high == m.high {
		return cmp.Compare(n.low, m.low)
	}
	return cmp.Compare(n.high, m.high)
}

// next is the address after n.
func (n number) next() number {
	low, carry := bits.Add64(n.low, 1, 0)
	return number{n.high + carry, low}
}

// add adds the addresses of a prefix. Call join before has.
func (a *addresses) add(p netip.Prefix) {
	n := numberOf(p.Addr())
	free := 128 - p.Bits() // bits of the last addresses that are free
	if p.Addr().Is4() {
		free = 32 - p.Bits()
	}
	high, low := uint64(1)<<max(free-64, 0)-1, uint64(1)<<min(free, 64)-1 // a shift by 64 gives 0
	*a = append(*a, span{number{n.high &^ high, n.low &^ low}, number{n.high | high, n.low | low}})
}

// join sorts the ranges and joins those that overlap or touch.
func (a *addresses) join() {
	slices.SortFunc(*a, func(x, y span) int { return x.first.compare(y.first) })
	joined := (*a)[:0]
	for _, s := range *a {
		if n := len(joined); n > 0 {
			if last := &joined[n-1].last; s.first.compare(*last) <= 0 || s.first == last.next() {
				if s.last.compare(*last) > 0 {
					*last = s.last
				}
				continue
			}
		}
		joined = append(joined, s)
	}
	*a = joined
}

// has reports whether an address is in the set.
func (a addresses) has(ip netip.Addr) bool {
	n := numberOf(ip)
	i, j := 0, len(a) // the ranges before i begin at n or before, those from j on after it
	for i < j {
		if m := (i + j) / 2; a[m].first.compare(n) <= 0 {
			i = m + 1
		} else {
			j = m
		}
	}
	return i > 0 && n.compare(a[i-1].last) <= 0
}
