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

// address takes host:port apart, as the server wants it. Beyond loopback there must be secrets.
func (o *Options) address(what, text string) (host string, port int, err error) {
	host, port, err = splitAddress(text)
	if err != nil {
		return "", 0, fmt.Errorf("node %s cannot %s at %q: %w", o.Name, what, text, err)
	}
	if o.Secrets == nil && !loopback(host) {
		return "", 0, fmt.Errorf("node %s does not %s at %s without secrets, since other machines can reach it. Make secrets with robots-audit-fleet node -init DIR -hosts …, and name the folder with -secrets", o.Name, what, text)
	}
	// The server would say so, too, but goes on without.
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

// splitAddress takes host:port apart. An empty host is all interfaces.
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

// others are the peers without the node itself, so that all nodes may have the same list.
func (o *Options) others() []string {
	return slices.DeleteFunc(slices.Clone(o.Peers), o.isOwn)
}

// isOwn reports whether a peer is the node itself: its port, and its host or, where the node listens
// on all interfaces, one that is this machine.
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
		return false // its machine may be down: this one's own name is known
	}
	return slices.ContainsFunc(theirs, func(ip net.IP) bool {
		return slices.ContainsFunc(mine, func(a net.Addr) bool {
			n, ok := a.(*net.IPNet)
			return ok && n.IP.Equal(ip)
		})
	})
}

// loopback reports whether a host is this machine alone: an address of loopback, or a name of
// which all addresses are.
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

// reason is what an error of the network says at its core.
func reason(err error) error {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return err
		}
		err = inner
	}
}
