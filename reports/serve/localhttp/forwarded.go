package localhttp

import (
	"net/http"
	"strings"
)

// Forwarded reports whether a proxy has passed a request on. Such a proxy may put its own address into
// Host, so that the request seems to come from this machine.
func Forwarded(r *http.Request) bool {
	for name := range r.Header {
		if name == "Forwarded" || name == "Via" || name == "X-Real-Ip" || strings.HasPrefix(name, "X-Forwarded-") {
			return true
		}
	}
	return false
}

// Encrypted reports whether the browser used https, as far as the server knows: directly, or by the header
// of the nearest proxy.
func Encrypted(r *http.Request) bool {
	if r.TLS != nil {
		return true
	}
	proto, _, _ := strings.Cut(r.Header.Get("X-Forwarded-Proto"), ",")
	if proto == "" {
		first, _, _ := strings.Cut(r.Header.Get("Forwarded"), ",")
		for pair := range strings.SplitSeq(first, ";") {
			if name, value, _ := strings.Cut(strings.TrimSpace(pair), "="); strings.EqualFold(name, "proto") {
				proto = strings.Trim(value, `"`)
			}
		}
	}
	return strings.EqualFold(strings.TrimSpace(proto), "https")
}
