package agent

import (
	"math/rand/v2"
	"net/netip"
	"testing"
)

// TestAddresses compares a set of addresses with its prefixes: sets that overlap, touch, and end with
// the last address.
func TestAddresses(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	bases := []string{"10.0.0.0", "255.255.255.0", "0.0.0.0", "2001:db8::", "2001:db8:0:1::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ff00"}
	near := func(base string) netip.Addr {
		a := netip.MustParseAddr(base)
		b := a.AsSlice()
		b[len(b)-1] = byte(random.IntN(256))
		a, _ = netip.AddrFromSlice(b)
		return a
	}
	for range 2000 {
		var set addresses
		var list []netip.Prefix
		for range random.IntN(8) {
			a := near(bases[random.IntN(len(bases))])
			p := netip.PrefixFrom(a, a.BitLen()-random.IntN(10))
			if random.IntN(20) == 0 {
				p = netip.PrefixFrom(a, 16+random.IntN(8))
			}
			if a.Is6() && numberOf(p.Masked().Addr()).high == 0 { // no list may have it
				continue
			}
			list = append(list, p)
			set.add(p)
		}
		set.join()
		for i := 1; i < len(set); i++ {
			if set[i].first.compare(set[i-1].last.next()) <= 0 {
				t.Fatalf("%v: ranges %v overlap or touch", list, set)
			}
		}
		for range 50 {
			a, want := near(bases[random.IntN(len(bases))]), false
			for _, p := range list {
				want = want || p.Masked().Contains(a)
			}
			if got := set.has(a); got != want {
				t.Fatalf("%v has %s: %v, want %v", list, a, got, want)
			}
		}
	}
}
