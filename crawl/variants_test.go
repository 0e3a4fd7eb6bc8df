package crawl

import (
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestRobotsVariants(t *testing.T) {
	a := newTestAuthority(t)
	var secure http.HandlerFunc = func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, rules) }
	plain := func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Host == "www.gone.test":
			http.NotFound(w, r)
		case strings.Contains(r.UserAgent(), "Googlebot"):
			io.WriteString(w, "# for you\n")
		case strings.Contains(r.UserAgent(), "blocked"):
			w.WriteHeader(403)
		case r.Host == "moved.test":
			http.Redirect(w, r, "https://moved.test/robots.txt", http.StatusMovedPermanently)
		default:
			io.WriteString(w, rules)
		}
	}
	c := &Client{Retries: -1, RootCAs: a.pool, ConnectTo: []string{
		":80:" + serve(t, plain),
		"moved.test:443:" + serveTLS(t, &tls.Config{Certificates: []tls.Certificate{a.issue(t, "moved.test", time.Now().Add(time.Hour))}}, secure),
		":443:127.0.0.1:1", ":8080:127.0.0.1:1"}}
	c.Cache = cacheAt(t, newTestClock(), filepath.Join(t.TempDir(), "cache.db"))
	all := Variants{UserAgents: []string{"Mozilla/5.0 (compatible; Googlebot/2.1)", "a browser", "blocked"}, Scheme: true, WWW: true}
	for origin, want := range map[string][]string{
		"http://example.test": {
			"user_agent http://example.test 200  body", "user_agent http://example.test 200  ", "user_agent http://example.test 403 http_status error",
			"scheme https://example.test 0 connect_refused error", "www http://www.example.test 200  ", "www https://www.example.test 0 connect_refused error",
		},
		"http://gone.test": {
			"user_agent http://gone.test 200  body", "user_agent http://gone.test 200  ", "user_agent http://gone.test 403 http_status error",
			"scheme https://gone.test 0 connect_refused error", "www http://www.gone.test 404 http_status error", "www https://www.gone.test 0 connect_refused error",
		},
		"https://moved.test/robots.txt": {
			"user_agent https://moved.test 200  ", "user_agent https://moved.test 200  ", "user_agent https://moved.test 200  ",
			"scheme http://moved.test 200  ", "www https://www.moved.test 0 connect_refused error", "www http://www.moved.test 200  ",
		},
		"http://www.blog.example.co.uk": {
			"user_agent http://www.blog.example.co.uk 200  body", "user_agent http://www.blog.example.co.uk 200  ", "user_agent http://www.blog.example.co.uk 403 http_status error",
			"scheme https://www.blog.example.co.uk 0 connect_refused error", "www http://blog.example.co.uk 200  ", "www https://blog.example.co.uk 0 connect_refused error",
		},
	} {
		for range 2 { // the second time, the first answer is from the cache
			s := c.Site()
			first := s.Robots(t.Context(), origin)
			var got []string
			for _, other := range s.RobotsVariants(t.Context(), origin, first, all) {
				got = append(got, fmt.Sprintf("%s %s %d %s %s", other.Kind, other.Origin, other.File.Status, other.File.Code, other.Differs))
			}
			s.Close()
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s: %s", origin, diff)
			}
		}
	}
	s := c.Site()
	defer s.Close()
	for origin, n := range map[string]int{"http://blog.example.test": 1, "http://192.0.2.1": 1, "http://example.test:8080": 1, "http://example.test": 3, "nonsense": 0} {
		if got := s.RobotsVariants(t.Context(), origin, new(RobotsFile), Variants{Scheme: true, WWW: true}); len(got) != n {
			t.Errorf("%s: %d variants, want %d: %+v", origin, len(got), n, got)
		}
	}
	if got := s.RobotsVariants(t.Context(), "http://example.test", &RobotsFile{FromCache: true}, Variants{}); got != nil {
		t.Errorf("nothing was asked for: %+v", got)
	}
}

// Two error answers are compared by their status.
func TestDiffers(t *testing.T) {
	file := func(status int, code, sum string) *RobotsFile {
		return &RobotsFile{Outcome: Outcome{Status: status, Code: code, SHA256: sum}}
	}
	for _, tt := range []struct {
		a, b *RobotsFile
		want string
	}{
		{file(200, "", "1"), file(200, "", "1"), ""},
		{file(200, "", "1"), file(200, "", "2"), "body"},
		{file(200, "", "1"), file(204, "", "1"), "status"},
		{file(404, CodeHTTPStatus, "1"), file(404, CodeHTTPStatus, "2"), ""},
		{file(404, CodeHTTPStatus, ""), file(403, CodeHTTPStatus, ""), "status"},
		{file(200, "", "1"), file(0, CodeTimeout, ""), "error"},
	} {
		if got := differs(tt.a, tt.b); got != tt.want {
			t.Errorf("%v and %v: %q, want %q", tt.a, tt.b, got, tt.want)
		}
	}
}

// TestSameSite distinguishes hosts of one registered domain from others.
func TestSameSite(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"example.com", "cdn.img.example.com", true},
		{"www.example.co.uk", "example.co.uk", true},
		{"example.co.uk", "other.co.uk", false},
		{"example.com", "www.youtube.com", false},
		{"a.github.io", "b.github.io", false},
		{"192.0.2.1", "192.0.2.1", true},
		{"192.0.2.1", "198.51.2.1", false},
		{"localhost", "localhost", true},
		{"localhost", "example.com", false},
	} {
		if SameSite(c.a, c.b) != c.same || SameSite(c.b, c.a) != c.same {
			t.Errorf("%s and %s: not %v", c.a, c.b, c.same)
		}
	}
}
