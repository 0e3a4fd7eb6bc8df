package crawl

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"syscall"

	"code.dny.dev/ssrf"

	"robots-audit/crawl/internal/weburl"
)

// guard decides which addresses may be asked. The user chose the domains in the
// list, but not the targets of redirects and Sitemap lines. Without a guard,
// any site could make the auditor fetch its operator's router or cloud
// metadata.
//
// It checks twice. Before a request it checks the URL: a literal special
// address is refused, even if --connect-to would route the connection
// elsewhere. After the name lookup it checks the address of every connection.
// So a name that resolves to an internal address, even if only at the second
// lookup, is refused.
type guard struct {
	open    bool  // everything is allowed
	trusted trust // the site's own hosts
	targets trust // those of Client.ConnectTo
}

// trust has the hosts that the user named: "host" or "host:port", in the form of
// weburl.HostKey.
type trust map[string]bool

// errSpecialAddress is the cause of blocked_address if the URL itself contains the address.
var errSpecialAddress = errors.New("special address")

// dialPolicy says which connections of a protocol are allowed by default: to
// addresses that are not special in IANA's registries, on the protocol's own
// ports.
type dialPolicy struct {
	ports  []string
	ranges *ssrf.Guardian
}

// These are shared and read-only.
var (
	webPolicy = dialPolicy{[]string{"80", "443"}, ssrf.New(ssrf.WithPorts(80, 443))}
	ftpPolicy = dialPolicy{[]string{"21"}, ssrf.New(ssrf.WithPorts(21))}
	anyPort   = ssrf.New(ssrf.WithAnyPort())
)

func newGuard(open bool, trusted []string, targets trust) *guard {
	g := &guard{open: open, trusted: trust{}, targets: targets}
	for _, t := range trusted {
		g.trusted.addHost(t)
	}
	return g
}

// addHost adds "host", "host:port" or a bare IPv6 address.
func (t trust) addHost(hostport string) {
	if _, err := netip.ParseAddr(hostport); err == nil {
		t[weburl.HostKey(hostport)] = true
		return
	}
	host, port, err := net.SplitHostPort(hostport)
	if err != nil {
		t[weburl.HostKey(hostport)] = true
		return
	}
	t[net.JoinHostPort(weburl.HostKey(host), port)] = true
}

// contains reports whether a host was named. Without a port, it was named for
// the default ports of our protocols.
func (t trust) contains(key, port string) bool {
	return t[net.JoinHostPort(key, port)] || (port == "80" || port == "443" || port == "21") && t[key]
}

// trusts reports whether a host may be asked whatever its address is.
func (g *guard) trusts(host, port string) bool {
	key := weburl.HostKey(host)
	return g.open || g.trusted.contains(key, port) || g.targets.contains(key, port)
}

// controlFor returns the check for the address of a connection to host:port; nil = any address is
// allowed. Only hosts named by the user are not checked: a host of the list, or a target of
// ConnectTo. Without a host in the entry, the address is checked, since for example a redirect
// chose the host. Without a port, the port is checked.
func (g *guard) controlFor(host, port string, to destination, within dialPolicy) (func(network, address string, c syscall.RawConn) error, error) {
	switch {
	case g.open, g.trusted.contains(weburl.HostKey(host), port), g.targets.contains(weburl.HostKey(to.host), to.port), to.namedHost && to.namedPort:
		return nil, nil
	case to.namedHost:
		if !slices.Contains(within.ports, to.port) {
			return nil, &Error{CodeBlockedAddress, fmt.Errorf("port %s of %s", to.port, to.host)}
		}
		return nil, nil
	case to.namedPort:
		return anyPort.Safe, nil
	}
	return within.ranges.Safe, nil
}

// check refuses a URL whose host is a literal special address.
func (g *guard) check(u *url.URL) error {
	addr, ok := weburl.LiteralAddr(u.Hostname())
	if !ok || g.trusts(u.Hostname(), portOf(u)) {
		return nil
	}
	if err := anyPort.SafeAddr(addr); err != nil {
		return &Error{CodeBlockedAddress, fmt.Errorf("%w: %s", errSpecialAddress, addr)}
	}
	return nil
}

// portOf returns the port of a URL, or the default of its scheme.
func portOf(u *url.URL) string {
	if p := u.Port(); p != "" {
		return p
	}
	switch u.Scheme {
	case "https":
		return "443"
	case "ftp":
		return "21"
	}
	return "80"
}

// guarded refuses URLs before a request is made.
type guarded struct {
	next  http.RoundTripper
	guard *guard
}

func (g guarded) RoundTrip(req *http.Request) (*http.Response, error) {
	if err := g.guard.check(req.URL); err != nil {
		return nil, err
	}
	return g.next.RoundTrip(req)
}
