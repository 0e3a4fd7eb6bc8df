package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"time"

	"golang.org/x/net/netutil"
)

// Bounds of connections.
const (
	maxConnections = 256 // that are open; more wait
	closingTime    = 4 * time.Second
)

// Serve answers on a listener until ctx ends, and closes it; the error is nil then. Requests
// under way get a few seconds to end.
func (d *Desk) Serve(ctx context.Context, l net.Listener) error {
	server := &http.Server{
		Handler:           d,
		ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 30 * time.Second, WriteTimeout: longestWork + 30*time.Second, IdleTimeout: 2 * time.Minute,
		MaxHeaderBytes: 32 << 10,
		ErrorLog:       log.New(io.Discard, "", 0), // what strangers send is no news
	}
	server.RegisterOnShutdown(d.end) // what tells of runs under way would go on for as long as they do
	ended := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(ended)
		// ctx is over, so the requests under way get a time of their own.
		grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), closingTime)
		defer cancel()
		if server.Shutdown(grace) != nil {
			server.Close()
		}
	})
	err := server.Serve(netutil.LimitListener(l, maxConnections))
	if !stop() {
		<-ended
	}
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return fmt.Errorf("serve: %w", err)
}
