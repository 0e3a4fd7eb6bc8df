package health

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestProxy holds that what a proxy passes on is answered by a name alone that the server was given: an
// address in Host may be the proxy's own.
func TestProxy(t *testing.T) {
	address, end := served(t, New(time.Now, time.Hour, "test"), "audit.internal", "192.0.2.7")
	for _, header := range []string{"X-Forwarded-For", "Forwarded", "Via", "X-Real-Ip", ""} {
		for _, host := range []string{"", "localhost", "192.0.2.7", "[::1]:7071", "audit.internal", "Audit.internal:7071", "other.example"} {
			for _, path := range []string{"/healthz", "/metrics"} {
				r, err := http.NewRequest("GET", "http://"+address+path, nil)
				if err != nil {
					t.Fatal(err)
				}
				if r.Host = host; header != "" {
					r.Header.Set(header, "192.0.2.1")
				}
				answer, err := http.DefaultTransport.RoundTrip(r)
				if err != nil {
					t.Fatal(err)
				}
				body, err := io.ReadAll(answer.Body)
				answer.Body.Close()
				if err != nil {
					t.Fatal(err)
				}
				named := strings.HasPrefix(strings.ToLower(host), "audit.internal")
				if refused := answer.StatusCode == http.StatusMisdirectedRequest; refused != (!named && (header != "" || host == "other.example")) {
					t.Errorf("%s of %q with %q: %s", path, host, header, answer.Status)
				} else if refused && header != "" && !strings.Contains(string(body), "A proxy must pass the Host header on") {
					t.Errorf("%s of %q with %q: %s", path, host, header, body)
				}
			}
		}
	}
	if err := end(); err != nil {
		t.Error(err)
	}
}
