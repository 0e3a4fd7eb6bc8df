package localhttp

import (
	"net/http"
	"strings"
)

// Forwarded reports whether a request shows that a proxy has passed it on. Such a proxy may put an
// address of its own into Host, so that it looks as if the request came from this machine.
func Forwarded(r *http.Request) bool {
	for name := range r.Header {
		if name == "Forwarded" || name == "Via" || name == "X-Real-Ip" || strings.HasPrefix(name, "X-Forwarded-") {
			return true
		}
	}
	return false
}

// Encrypted reports whether the browser has sent a request by https, as far as the server knows: to
// it, or by what the proxy closest to the browser says.
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
