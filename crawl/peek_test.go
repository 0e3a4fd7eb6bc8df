package crawl

import (
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// TestPeek requests one URL, only by GET, from servers of every kind, and checks the
// Outcome.
func TestPeek(t *testing.T) {
	long := strings.Repeat("x", 100_000)
	tests := []struct {
		name     string
		answer   func(w http.ResponseWriter, r *http.Request)
		status   int
		code     string
		location string
	}{
		{"a page", func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, long) }, 200, "", ""},
		{"a redirect", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/b#c", http.StatusMovedPermanently) }, 301, "", "http://example.test/b"},
		{"no Location", func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(302) }, 302, CodeBadRedirect, ""},
		{"gone", func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(410) }, 410, CodeHTTPStatus, ""},
		{"another answer to HEAD", func(w http.ResponseWriter, r *http.Request) {
			if r.Method == "HEAD" {
				w.WriteHeader(200)
				return
			}
			http.Redirect(w, r, "/b", http.StatusPermanentRedirect)
		}, 308, "", "http://example.test/b"},
		{"too much to do", func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(429) }, 429, CodeHTTPStatus, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var methods []string
			c := led(serve(t, func(w http.ResponseWriter, r *http.Request) {
				methods = append(methods, r.Method)
				test.answer(w, r)
			}))
			c.Retries = -1
			s := c.Site("example.test")
			defer s.Close()
			for range 2 {
				out := s.Peek(t.Context(), "http://example.test/a")
				if out.Status != test.status || out.Code != test.code || len(out.Hops) != 1 || out.Hops[0].Location != test.location || out.Bytes != 0 {
					t.Errorf("got %+v", out)
				}
			}
			if want := []string{"GET", "GET"}; !slices.Equal(methods, want) {
				t.Errorf("asked by %v, want %v", methods, want)
			}
		})
	}
	s := new(Client).Site()
	defer s.Close()
	if out := s.Peek(t.Context(), "mailto:a"); out.Code != CodeBadURL || len(out.Hops) != 0 {
		t.Errorf("no URL: got %+v", out)
	}
}
