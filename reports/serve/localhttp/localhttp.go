// Package localhttp serves HTTP to the people of one machine. Usually there is no login. So a server
// answers only to the host names that it was given, and a page on the web cannot read it under a name of
// its own (DNS rebinding).
package localhttp

import (
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"
)

// Known reports whether a Host header is one of the server's: an IP address, which no name on the web can
// imitate, localhost, or one of its names.
func Known(host string, names []string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.ToLower(strings.Trim(strings.TrimSuffix(host, "."), "[]"))
	if _, err := netip.ParseAddr(host); err == nil || host == "localhost" {
		return true
	}
	return slices.ContainsFunc(names, func(name string) bool { return strings.EqualFold(name, host) })
}

// Serve answers requests on a listener until ctx ends, and closes it; then the error is nil. The number of
// open connections is limited: see crowd. Favoured requests are always answered; nil = none. Requests under
// way at the end get the time grace. Errors that strangers cause are not logged.
func Serve(ctx context.Context, server *http.Server, l net.Listener, connections int, favours func(*http.Request) bool, grace time.Duration) error {
	server.ErrorLog = log.New(io.Discard, "", 0)
	c := newCrowd(l, connections, favours)
	server.Handler, server.ConnContext = c.handler(server.Handler), withGuest
	ended := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(ended)
		// ctx has ended, so requests under way need a context of their own.
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
		defer cancel()
		if server.Shutdown(ending) != nil {
			server.Close()
		}
	})
	err := server.Serve(c)
	if !stop() {
		<-ended
	}
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}
