package health

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestProxy checks that requests through a proxy need a known host name: an address in Host may be
// the proxy's own.
func TestProxy(t *testing.T) {
	address, end := served(t, New(time.Now, time.Hour, "test"), "audit.internal", "192.0.2.7")
	defer end()
	for _, header := range []string{"X-Forwarded-For", "Forwarded", "Via", "X-Real-Ip", ""} {
		for _, host := range []string{"", "localhost", "192.0.2.7", "[::1]:7071", "audit.internal", "Audit.internal:7071", "other.example"} {
			for _, path := range []string{"/healthz", "/metrics"} {
				status, body := ask(t, "GET", "http://"+address+path, host, header)
				named := strings.HasPrefix(strings.ToLower(host), "audit.internal")
				if refused := status == http.StatusMisdirectedRequest; refused != (!named && (header != "" || host == "other.example")) {
					t.Errorf("%s of %q with %q: %d", path, host, header, status)
				} else if refused && header != "" && !strings.Contains(body, "A proxy must pass the Host header on") {
					t.Errorf("%s of %q with %q: %s", path, host, header, body)
				}
			}
		}
	}
}
