package main

import (
	"context"
	"fmt"
	"net"

	"github.com/prometheus/client_golang/prometheus"

	"robots-audit/audit/fleet"
	"robots-audit/cmd/internal/health"
)

// serve serves /healthz and /metrics of a fleet until ctx ends, if an address is given; wait
// returns then.
func serve(ctx context.Context, address string, conn *fleet.Conn) (wait func() error, err error) {
	if address == "" {
		return func() error { return nil }, nil
	}
	l, err := health.Listen(address)
	if err != nil {
		return nil, fmt.Errorf("-listen %s: %w", address, err)
	}
	metrics := prometheus.NewRegistry()
	metrics.MustRegister(fleet.NewCollector(conn))
	host, _, _ := net.SplitHostPort(address)
	pages := health.Pages{Metrics: metrics, Where: "-listen", Check: func() (string, bool) {
		if !conn.NATS.IsConnected() {
			return "no node of the fleet answers\n", false
		}
		return "connected to " + conn.NATS.ConnectedAddr() + "\n", true
	}}
	served := make(chan error, 1)
	go func() { served <- pages.Serve(ctx, l, []string{host}) }()
	return func() error { return <-served }, nil
}
