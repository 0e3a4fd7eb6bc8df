package weburl

import (
	"net/netip"
	"strconv"
	"strings"

	"golang.org/x/net/idna"
)

// HostKey returns a host in one form, whatever its notation: names in lower
// case and ASCII without the trailing dot, literal addresses as netip prints
// them ("2130706433" and "::ffff:127.0.0.1" are "127.0.0.1").
func HostKey(host string) string {
	host = normalizeHost(host)
	if a, ok := LiteralAddr(host); ok {
		return a.String()
	}
	return host
}

func normalizeHost(host string) string {
	// Full-width digits and dots are mapped to ASCII, as net/http does before it
	// dials: "①②⑦.⓪.⓪.①" is an address too.
	if a, err := idna.Lookup.ToASCII(host); err == nil {
		host = a
	}
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	return strings.TrimSuffix(strings.TrimPrefix(host, "["), "]")
}

// LiteralAddr reads a host as an IP address in any notation that some resolver
// or browser accepts: dotted, IPv6 with or without a zone, and IPv4 mapped into
// IPv6. It also reads the forms of inet_aton: 1 to 4 numbers, decimal, octal
// (0…) or hexadecimal (0x…), of which the last fills the rest.
func LiteralAddr(host string) (netip.Addr, bool) {
	host = normalizeHost(host)
	// A zone may be any text, even with dots. It is not part of the address.
	address, _, zoned := strings.Cut(host, "%")
	if a, err := netip.ParseAddr(address); err == nil && (a.Is6() || !zoned) {
		return a.Unmap(), true
	}
	parts := strings.Split(host, ".")
	if len(parts) > 4 {
		return netip.Addr{}, false
	}
	var sum uint64
	for i, p := range parts {
		n, ok := atonNumber(p)
		last := i == len(parts)-1
		limit := uint64(1) << 8
		if last {
			limit = 1 << (8 * (5 - len(parts)))
		}
		if !ok || n >= limit {
			return netip.Addr{}, false
		}
		if last {
			sum = sum<<(8*(5-len(parts))) | n
		} else {
			sum = sum<<8 | n
		}
	}
	return netip.AddrFrom4([4]byte{byte(sum >> 24), byte(sum >> 16), byte(sum >> 8), byte(sum)}), true
}

// atonNumber reads one number of inet_aton. "0x" alone is zero, as in the URL standard.
func atonNumber(s string) (uint64, bool) {
	base := 10
	switch {
	case strings.HasPrefix(s, "0x"):
		base, s = 16, s[2:]
		if s == "" {
			return 0, true
		}
	case len(s) > 1 && s[0] == '0':
		base, s = 8, s[1:]
	}
	n, err := strconv.ParseUint(s, base, 64)
	return n, err == nil
}
