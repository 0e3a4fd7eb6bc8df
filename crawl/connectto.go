package crawl

import (
	"fmt"
	"net"
	"strconv"
	"strings"

	"robots-audit/crawl/internal/weburl"
)

// ConnectTo redirects connections, like curl's --connect-to: a connection to
// FromHost:FromPort goes to ToHost:ToPort. The Host header, the TLS handshake
// and the certificate check still use the name in the URL. It is for tests of a
// new server before DNS is switched.
//
// Only the named host and port are trusted. Without ToHost the address must be
// one that any site may use, and without ports the port must.
type ConnectTo struct {
	FromHost string // "" = any
	FromPort string // "" = any
	ToHost   string // "" = unchanged
	ToPort   string // "" = unchanged
}

// ConnectToError says what is wrong with an entry.
type ConnectToError struct {
	Entry  string
	Reason string
}

// Error names the entry and the reason.
func (e *ConnectToError) Error() string {
	return fmt.Sprintf("connect-to %q: %s", e.Entry, e.Reason)
}

// ParseConnectTo reads "H1:P1:H2:P2". Each part may be empty, and the last one may be
// omitted with its colon. IPv6 addresses need brackets. An error is a *ConnectToError.
func ParseConnectTo(entry string) (ConnectTo, error) {
	bad := func(reason string) (ConnectTo, error) { return ConnectTo{}, &ConnectToError{entry, reason} }
	var parts []string
	rest := entry
	for {
		var part string
		if strings.HasPrefix(rest, "[") {
			inside, after, ok := strings.Cut(rest[1:], "]")
			if !ok || net.ParseIP(inside) == nil {
				return bad("expected an IPv6 address in brackets")
			}
			if after != "" && after[0] != ':' {
				return bad("no colon after the closing bracket")
			}
			part, rest = inside, after
		} else {
			i := strings.IndexByte(rest, ':')
			if i < 0 {
				i = len(rest)
			}
			part, rest = rest[:i], rest[i:]
		}
		parts = append(parts, part)
		if rest == "" {
			break
		}
		rest = rest[1:]
	}
	if len(parts) == 3 {
		parts = append(parts, "")
	}
	if len(parts) != 4 {
		return bad("expected HOST1:PORT1:HOST2:PORT2, with IPv6 addresses in brackets")
	}
	for _, port := range []string{parts[1], parts[3]} {
		if n, err := strconv.ParseUint(port, 10, 16); port != "" && (err != nil || n == 0) {
			return bad(fmt.Sprintf("%q is not a port", port))
		}
	}
	for _, host := range []string{parts[0], parts[2]} {
		if strings.ContainsAny(host, " /@") {
			return bad(fmt.Sprintf("%q is not a host", host))
		}
	}
	return ConnectTo{parts[0], parts[1], parts[2], parts[3]}, nil
}

// routes are the entries of one Client. They are parsed once, and all its sites
// share them read-only.
type routes struct {
	list    []ConnectTo // FromHost as weburl.HostKey writes it
	targets trust
	broken  error // the error of an entry that could not be read
}

func parseRoutes(entries []string) *routes {
	rs := &routes{targets: trust{}}
	for _, e := range entries {
		r, err := ParseConnectTo(e)
		if err != nil {
			return &routes{broken: err}
		}
		if r.FromHost != "" {
			r.FromHost = weburl.HostKey(r.FromHost)
		}
		rs.list = append(rs.list, r)
		if r.ToHost != "" && r.ToPort != "" { // the user named it
			rs.targets.addHost(net.JoinHostPort(r.ToHost, r.ToPort))
		} else if r.ToHost != "" {
			rs.targets.addHost(r.ToHost)
		}
	}
	return rs
}

// destination is the target of a connection, and which parts of it the user has
// named.
type destination struct {
	host, port string
	namedHost  bool // by the H2 of the matching entry
	namedPort  bool // by its P2, or by its P1 if only the host changes
}

// destination returns the target of a connection to host:port; the first
// matching entry decides.
func (rs *routes) destination(host, port string) destination {
	key := weburl.HostKey(host)
	for _, r := range rs.list {
		if r.FromHost != "" && r.FromHost != key || r.FromPort != "" && r.FromPort != port {
			continue
		}
		to := destination{host: host, port: port, namedHost: r.ToHost != ""}
		if to.namedHost {
			to.host, to.namedPort = r.ToHost, r.FromPort != ""
		}
		if r.ToPort != "" {
			to.port, to.namedPort = r.ToPort, true
		}
		return to
	}
	return destination{host: host, port: port}
}
