package logs

import (
	"encoding/binary"
	"net/netip"

	"robots-audit/audit"
)

// Networks that only claim a crawler's name.
const (
	maxNetworks   = 1000 // that are counted for one crawler
	mostNetworks  = 20   // in the result
	networkBits   = 24   // of IPv4: a whole network, not the address of one client
	network6Bits  = 32   // of IPv6: a provider, since a smaller one may be one home
	otherNetworks = "other"
)

// networkOf packs the network of an address: the first bytes of it, below them 4 or 6; 0 = it is no address.
func networkOf(a netip.Addr) uint64 {
	if !a.IsValid() {
		return 0
	}
	if a = a.Unmap(); a.Is4() {
		b := a.As4()
		return uint64(b[0])<<24 | uint64(b[1])<<16 | uint64(b[2])<<8 | 4
	}
	b := a.As16()
	return uint64(binary.BigEndian.Uint32(b[:]))<<8 | 6
}

// networkName writes a packed network: "198.51.100.0/24".
func networkName(packed uint64) string {
	if packed == 0 {
		return otherNetworks
	}
	var b [16]byte
	if packed&0xff == 4 {
		binary.BigEndian.PutUint32(b[:], uint32(packed>>8)<<8)
		return netip.PrefixFrom(netip.AddrFrom4([4]byte(b[:4])), networkBits).String()
	}
	binary.BigEndian.PutUint32(b[:], uint32(packed>>8))
	return netip.PrefixFrom(netip.AddrFrom16(b), network6Bits).String()
}

// addNetwork counts a request that only claims the crawler's name.
func (c *crawlerCount) addNetwork(s *sight) {
	network := s.network
	if _, known := c.networks[network]; !known && len(c.networks) >= maxNetworks {
		c.site.limit(audit.LogLimitParts)
		network = 0
	}
	c.networks[network] += s.n
}
