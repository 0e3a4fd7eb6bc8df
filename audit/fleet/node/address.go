package node

import (
	"errors"
	"fmt"
	"net"
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
		return "", 0, fmt.Errorf("node %s does not %s at %s: other machines reach that, and no secrets are given; make them by robots-audit node -init DIR -hosts …, and name the folder by -secrets", o.Name, what, text)
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
		return "", 0, errors.New("an address is host:port")
	}
	port, err = strconv.Atoi(digits)
	if err != nil || port < 0 || port > 65535 {
		return "", 0, fmt.Errorf("%q is no port", digits)
	}
	return host, port, nil
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
