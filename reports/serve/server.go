package serve

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"time"

	"robots-audit/reports/serve/localhttp"
)

// Bounds of connections.
const (
	maxConnections = 256 // that are open: see localhttp.Serve
	closingTime    = 4 * time.Second
)

// Serve answers on a listener until ctx ends, and closes it; the error is nil then. Requests
// under way get a few seconds to end.
func (d *Desk) Serve(ctx context.Context, l net.Listener) error {
	server := &http.Server{
		Handler:           d,
		ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 30 * time.Second, WriteTimeout: longestWork + 30*time.Second, IdleTimeout: 2 * time.Minute,
		MaxHeaderBytes: 32 << 10,
	}
	server.RegisterOnShutdown(d.end) // what tells of runs under way would go on for as long as they do
	if err := localhttp.Serve(ctx, server, l, maxConnections, d.guard.admitted, closingTime); err != nil {
		return fmt.Errorf("serve: %w", err)
	}
	return nil
}
