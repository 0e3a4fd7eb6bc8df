// Package localhttp serves HTTP to the people of one machine. There is mostly no login then, so a
// server answers to the names alone that it was given, and a page on the web cannot read it under a
// name of its own (DNS rebinding).
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

// Known reports whether a Host header names a server: by an IP address, which no name on the
// web can be made to look like, as localhost, or by one of its names.
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

// Serve has a server answer on a listener until ctx ends, and closes it; the error is nil then. So
// many connections are open at once: see crowd. Requests that are favoured are answered whatever
// else is; nil = none. Those under way at the end get the time grace.
// What strangers send is no news, and is not logged.
func Serve(ctx context.Context, server *http.Server, l net.Listener, connections int, favours func(*http.Request) bool, grace time.Duration) error {
	server.ErrorLog = log.New(io.Discard, "", 0)
	c := newCrowd(l, connections, favours)
	server.Handler, server.ConnContext = c.handler(server.Handler), withGuest
	ended := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(ended)
		// ctx is over, so the requests under way get a time of their own.
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
