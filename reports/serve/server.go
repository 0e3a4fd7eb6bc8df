package serve

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"time"

	"robots-audit/reports/serve/localhttp"
)

// Limits of connections.
const (
	maxConnections = 256 // open connections: see localhttp.Serve
	closingTime    = 4 * time.Second
)

// Serve answers requests on a listener until ctx ends, and closes it; then the error is nil. Requests under
// way get a few seconds.
func (d *Desk) Serve(ctx context.Context, l net.Listener) error {
	server := &http.Server{
		Handler:           d,
		ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 30 * time.Second, WriteTimeout: longestWork + 30*time.Second, IdleTimeout: 2 * time.Minute,
		MaxHeaderBytes: 32 << 10,
	}
	server.RegisterOnShutdown(d.end) // streams of running runs would otherwise continue as long as the runs
	if err := localhttp.Serve(ctx, server, l, maxConnections, d.guard.admitted, closingTime); err != nil {
		return fmt.Errorf("serve: %w", err)
	}
	return nil
}
