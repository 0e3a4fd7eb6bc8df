package weburl

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// domains maps names like the URL Standard's "domain to ASCII", but also
// accepts existing names that the standard rejects.
var domains = idna.New(idna.MapForLookup(), idna.Transitional(false), idna.BidiRule(), idna.StrictDomainName(false), idna.CheckHyphens(false))

func defaultPort(scheme string) string {
	if scheme == "http" {
		return "80"
	}
	return "443"
}

// splitPort splits host and port; the port is "" if there is none, and has no leading zeros.
func splitPort(authority []byte) (host, port string, err error) {
	s := string(authority)
	colon := strings.IndexByte(s, ':')
	if strings.HasPrefix(s, "[") {
		if i := strings.IndexByte(s, ']'); i >= 0 {
			if colon = strings.IndexByte(s[i:], ':'); colon >= 0 {
				colon += i
			}
		}
	}
	if colon < 0 {
		return s, "", nil
	}
	host, port = s[:colon], s[colon+1:]
	if port == "" {
		return host, "", nil
	}
	if strings.Trim(port, "0123456789") != "" {
		return "", "", errors.New("no valid port")
	}
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil {
		return "", "", errors.New("no valid port")
	}
	return host, strconv.FormatUint(n, 10), nil
}

// standardHost returns a host in the form of the URL Standard: in lower case and
// Punycode, addresses in their standard notation.
func standardHost(host string) (string, error) {
	if host == "" {
		return "", errNoHost
	}
	if address, ok := strings.CutPrefix(host, "["); ok {
		return standardIPv6(address)
	}
	if isPlainName(host) {
		return host, nil
	}
	if strings.IndexByte(host, '%') >= 0 {
		decoded, err := url.PathUnescape(host)
		if err != nil {
			return "", errNoName
		}
		host = decoded
	}
	ascii, err := domains.ToASCII(host)
	if err != nil || !utf8.ValidString(host) || ascii == "" || strings.ContainsAny(ascii, " #/:<>?@[\\]^|%\x7f") || strings.ContainsFunc(ascii, func(r rune) bool { return r < ' ' }) {
		return "", errNoName
	}
	if again, err := domains.ToASCII(ascii); err != nil || again != ascii {
		return "", errNoName // a label that cannot be decoded, such as Punycode that overflows
	}
	if isNumber(lastLabel(ascii)) {
		a, ok := LiteralAddr(ascii)
		if !ok {
			return "", errors.New("no valid IPv4 address")
		}
		return a.String(), nil
	}
	return ascii, nil
}

// standardIPv6 returns an address; the argument has no opening bracket. The standard
// does not know zones (RFC 6874), but an address with one is kept, so that the guard
// can refuse it. A zone with bytes that need escapes is invalid on every system.
func standardIPv6(address string) (string, error) {
	address, ok := strings.CutSuffix(address, "]")
	address, zone, zoned := strings.Cut(address, "%25")
	a, err := netip.ParseAddr(address)
	if !ok || err != nil || !a.Is6() || a.Zone() != "" || zoned && !isZone(zone) {
		return "", errors.New("no valid IPv6 address")
	}
	text := a.String()
	if a.Is4In6() {
		b := a.As16()
		text = fmt.Sprintf("::ffff:%x:%x", uint(b[12])<<8|uint(b[13]), uint(b[14])<<8|uint(b[15]))
	}
	if zoned {
		text += "%25" + strings.ToLower(zone)
	}
	return "[" + text + "]", nil
}

// isZone reports whether a zone has only RFC 3986's unreserved characters.
func isZone(zone string) bool {
	for i := range len(zone) {
		if c := zone[i] | 0x20; !('a' <= c && c <= 'z') && zone[i] != '~' && !isPlainInName(zone[i]) {
			return false
		}
	}
	return zone != ""
}

var errNoName = errors.New("no valid host name")

// isPlainName reports whether a host is a name that needs no change.
func isPlainName(host string) bool {
	for i := range len(host) {
		if !isPlainInName(host[i]) {
			return false
		}
	}
	last := lastLabel(host)
	return host != "" && !isNumber(last) && !strings.Contains(host, "xn--")
}

// isPlainInName reports whether a byte in a name needs no change.
func isPlainInName(c byte) bool {
	return 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '-' || c == '.' || c == '_'
}

// lastLabel returns the text after a name's last dot, not counting a dot at the
// end.
func lastLabel(host string) string {
	host = strings.TrimSuffix(host, ".")
	return host[strings.LastIndexByte(host, '.')+1:]
}

// isNumber reports whether a label counts as the last number of an IPv4 address.
func isNumber(label string) bool {
	if label == "" {
		return false
	}
	if strings.Trim(label, "0123456789") == "" {
		return true
	}
	hex := strings.TrimPrefix(strings.ToLower(label), "0x")
	return len(hex) == len(label)-2 && strings.Trim(hex, "0123456789abcdef") == ""
}
