package node

import (
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"

	"github.com/nats-io/nats-server/v2/server"
)

// address splits host:port for the server. Beyond loopback it requires secrets.
func (o *Options) address(what, text string) (host string, port int, err error) {
	host, port, err = splitAddress(text)
	if err != nil {
		return "", 0, fmt.Errorf("node %s cannot %s at %q: %w", o.Name, what, text, err)
	}
	if o.Secrets == nil && !loopback(host) {
		return "", 0, fmt.Errorf("node %s does not %s at %s without secrets, since other machines can reach it. Make secrets with robots-audit-fleet node -init DIR -hosts …, and name the folder with -secrets", o.Name, what, text)
	}
	// The server would report this too, but it would go on without.
	l, err := net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(port)))
	if err != nil {
		return "", 0, fmt.Errorf("node %s cannot %s at %s: %w", o.Name, what, text, reason(err))
	}
	if err := l.Close(); err != nil {
		return "", 0, err
	}
	if port == 0 {
		port = server.RANDOM_PORT
	}
	return host, port, nil
}

// splitAddress splits host:port. An empty host means all interfaces.
func splitAddress(text string) (host string, port int, err error) {
	host, digits, err := net.SplitHostPort(text)
	if err != nil {
		return "", 0, errors.New("expected host:port")
	}
	port, err = strconv.Atoi(digits)
	if err != nil || port < 0 || port > 65535 {
		return "", 0, fmt.Errorf("%q is not a port", digits)
	}
	return host, port, nil
}

// others returns the peers without the node itself, so that all nodes may have the same list.
func (o *Options) others() []string {
	return slices.DeleteFunc(slices.Clone(o.Peers), o.isOwn)
}

// isOwn reports whether a peer is the node itself: it has the node's port, and the node's host or, if the
// node listens on all interfaces, an address of this machine.
func (o *Options) isOwn(peer string) bool {
	host, port, err := splitAddress(o.Cluster)
	other, at, bad := splitAddress(peer)
	switch ip := net.ParseIP(host); {
	case err != nil || bad != nil || port != at || port == 0:
		return false
	case strings.EqualFold(host, other):
		return true
	case host != "" && (ip == nil || !ip.IsUnspecified()):
		return false
	}
	mine, err := net.InterfaceAddrs()
	theirs, unknown := net.LookupIP(other)
	if err != nil || unknown != nil {
		return false // this peer's machine may be down; this machine's own name always resolves
	}
	return slices.ContainsFunc(theirs, func(ip net.IP) bool {
		return slices.ContainsFunc(mine, func(a net.Addr) bool {
			n, ok := a.(*net.IPNet)
			return ok && n.IP.Equal(ip)
		})
	})
}

// loopback reports whether a host is only this machine: a loopback address, or a name whose addresses are
// all loopback.
func loopback(host string) bool {
	if ip := net.ParseIP(strings.Trim(host, "[]")); ip != nil {
		return ip.IsLoopback()
	}
	if host == "" {
		return false
	}
	ips, err := net.LookupIP(host)
	for _, ip := range ips {
		if !ip.IsLoopback() {
			return false
		}
	}
	return err == nil && len(ips) > 0
}

// reason is the innermost text of a network error.
func reason(err error) error {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return err
		}
		err = inner
	}
}
