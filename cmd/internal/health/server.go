package health

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"robots-audit/reports/serve/localhttp"
)

// maxConnections limits open connections: see localhttp.Serve. That many can be open without a
// request when many clients reconnect as soon as they are disconnected.
const maxConnections = 256

// Listen listens on an address, host and port. Without a host this is loopback; for all interfaces,
// users write 0.0.0.0 or [::].
func Listen(address string) (net.Listener, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("health: %w", err)
	}
	l, err := net.Listen("tcp", net.JoinHostPort(cmp.Or(host, "127.0.0.1"), port))
	if err != nil {
		return nil, fmt.Errorf("health: %w", err)
	}
	return l, nil
}

// Serve serves a listener until ctx ends, and closes it; the error is nil then. hosts are the Host
// names that it accepts besides IP addresses and localhost.
func (h *Health) Serve(ctx context.Context, l net.Listener, hosts []string) error {
	return Pages{Check: h.Check, Metrics: h.metrics.registry, Where: "hosts in [health]"}.Serve(ctx, l, hosts)
}

// Pages are the contents of the pages of a schedule, or of anything else.
type Pages struct {
	Check   func() (text string, ok bool) // for /healthz
	Metrics prometheus.Gatherer           // for /metrics
	Where   string                        // the setting with the server's names
}

// Serve is Health.Serve for any pages.
func (p Pages) Serve(ctx context.Context, l net.Listener, hosts []string) error {
	server := &http.Server{
		Handler:           p.handler(hosts),
		ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second, WriteTimeout: 30 * time.Second, IdleTimeout: time.Minute,
		MaxHeaderBytes: 16 << 10,
	}
	healthz := func(r *http.Request) bool { return r.URL.Path == "/healthz" }
	if err := localhttp.Serve(ctx, server, l, maxConnections, healthz, 3*time.Second); err != nil {
		return fmt.Errorf("health: %w", err)
	}
	return nil
}

func (p Pages) handler(hosts []string) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, r *http.Request) {
		text, ok := p.Check()
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		if ok {
			text = "ok\n" + text
		} else {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		io.WriteString(w, text)
	})
	mux.Handle("GET /metrics", promhttp.HandlerFor(p.Metrics, promhttp.HandlerOpts{MaxRequestsInFlight: 4, Timeout: 10 * time.Second}))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Cache-Control", "no-store")
		// There is no token here. A proxy that does not forward Host sends an address instead.
		if forwarded := localhttp.Forwarded(r); !localhttp.Known(r.Host, hosts) || forwarded && localhttp.Known(r.Host, nil) {
			text := "this server does not answer to this name. See " + p.Where
			if forwarded {
				text += ". A proxy must pass the Host header on as it is, with one of these names"
			}
			http.Error(w, text, http.StatusMisdirectedRequest)
			return
		}
		mux.ServeHTTP(w, r)
	})
}
