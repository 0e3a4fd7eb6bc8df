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

// guard decides which addresses may be asked. A list of domains is meant, but
// what redirects and Sitemap lines name is not: without a guard, any site
// could have the auditor fetch its operator's router or cloud metadata.
//
// It looks twice. Before a request, at the URL: a literal special address is
// refused there, even where --connect-to would lead the connection elsewhere.
// And at the address dialled, after the name was looked up, for every
// connection: so that a name that points inwards, or does so the second time
// it is asked, gets nowhere.
type guard struct {
	open    bool  // everything is allowed
	trusted trust // the site's own hosts
	targets trust // those of Client.ConnectTo
}

// trust holds hosts that the user named: "host" or "host:port", as weburl.HostKey writes hosts.
type trust map[string]bool

// errSpecialAddress is the cause behind blocked_address where a URL names the address itself.
var errSpecialAddress = errors.New("special address")

// dialPolicy says what a protocol may connect to unasked: addresses that IANA's
// registries do not hold for special ones, at its own ports.
type dialPolicy struct {
	ports  []string
	ranges *ssrf.Guardian
}

// These are shared: they are never written to.
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

// add takes "host", "host:port" or a bare IPv6 address.
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

// contains says whether a host was named. Without a port it was for those of the
// protocols we speak.
func (t trust) contains(key, port string) bool {
	return t[net.JoinHostPort(key, port)] || (port == "80" || port == "443" || port == "21") && t[key]
}

// trusts says whether a host may be asked whatever its address.
func (g *guard) trusts(host, port string) bool {
	key := weburl.HostKey(host)
	return g.open || g.trusted.contains(key, port) || g.targets.contains(key, port)
}

// controlFor returns what is to look at the address that a connection to
// host:port is led to, nil where it may be any. Only what the user has named goes unchecked:
// a host of the list, a target of ConnectTo. An entry that names no host leaves the address in the hands of
// whoever named the host, as a redirect does, and one that names no port leaves the port there.
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

// portOf returns the port that a URL means.
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

// guarded refuses URLs before anything is done about them.
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
