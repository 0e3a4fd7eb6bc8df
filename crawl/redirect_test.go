package crawl

import (
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"robots-audit/crawl/internal/weburl"
)

// hops redirects n times, then answers.
func hops(n int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if i, _ := strconv.Atoi(r.URL.Query().Get("hop")); i < n {
			http.Redirect(w, r, fmt.Sprintf("/hop?hop=%d", i+1), http.StatusFound)
			return
		}
		io.WriteString(w, rules)
	}
}

// toward redirects to a Location once; any other host or path answers.
func toward(status int, location string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Host == "example.test" && r.URL.Path == "/robots.txt" && r.URL.RawQuery == "" {
			w.Header()["Location"] = []string{location}
			w.WriteHeader(status)
			return
		}
		io.WriteString(w, r.Host+r.RequestURI)
	}
}

func TestRobotsFollowsFiveRedirects(t *testing.T) {
	for n := range 8 {
		f := robots(t, led(serve(t, hops(n))))
		if n <= 5 {
			if f.Code != "" || f.Status != 200 || f.Redirects() != n || string(f.Body) != rules {
				t.Errorf("%d redirects: got code %q, status %d, %d redirects, body %q", n, f.Code, f.Status, f.Redirects(), f.Body)
			}
			continue
		}
		if f.Code != CodeTooManyRedirects || f.Status != 302 || len(f.Hops) != 6 || len(f.Body) != 0 {
			t.Errorf("%d redirects: got code %q, status %d, %d hops, body %q", n, f.Code, f.Status, len(f.Hops), f.Body)
		}
	}
}

func TestRedirectTargets(t *testing.T) {
	tests := []struct {
		location string
		code     string
		body     string // host and path of the final response
	}{
		{location: "/other.txt", body: "example.test/other.txt"},
		{location: "other.txt?a=b", body: "example.test/other.txt?a=b"},
		{location: "?x", body: "example.test/robots.txt?x"},
		{location: "//www.example.test/robots.txt", body: "www.example.test/robots.txt"},
		{location: "HTTP://WWW.Example.Test/Robots.TXT", body: "www.example.test/Robots.TXT"},
		{location: "http://www.example.test", body: "www.example.test/"},
		{location: "http://user:secret@www.example.test/#top", body: "www.example.test/"},
		{location: "/a b?c d\"<é", body: "example.test/a%20b?c%20d%22%3C%C3%A9"},
		{location: "http://bücher.test/", body: "xn--bcher-kva.test/"},
		{location: "", code: CodeBadRedirect},
		{location: "file:///etc/hostname", code: CodeBadRedirect},
		{location: "ftp://example.test/robots.txt", code: CodeBadRedirect},
		{location: "javascript:alert(1)", code: CodeBadRedirect},
		{location: "mailto:a@example.test", code: CodeBadRedirect},
		{location: "http:///robots.txt", code: CodeBadRedirect},
		{location: "http://[::1", code: CodeBadRedirect},
		{location: "http://bücher.test:80/", body: "xn--bcher-kva.test/"}, // the default port is dropped (URL Standard 4.4, port state)
		{location: `\\www.example.test\a\..\other.txt`, body: "www.example.test/other.txt"},
		{location: "/a/./b/%2E./\tother.txt", body: "example.test/a/other.txt"},
		{location: "/a|b%2Fc", body: "example.test/a%7Cb%2Fc"},
		{location: "http://b\u200e\u202e.test/", code: CodeBadRedirect},
		{location: "http://example.test:port/", code: CodeBadRedirect},
		{location: "/%zz?%&%4", body: "example.test/%25zz?%&%4"},
		{location: "/100%", body: "example.test/100%25"},
		{location: "/" + strings.Repeat("a", weburl.MaxLength), code: CodeBadRedirect},
		{location: "/robots.txt", code: CodeRedirectLoop},
		{location: "http://EXAMPLE.test/robots.txt#again", code: CodeRedirectLoop},
	}
	for _, tt := range tests {
		t.Run(weburl.Truncate(tt.location, 40), func(t *testing.T) {
			f := robots(t, led(serve(t, toward(301, tt.location))))
			if f.Code != tt.code || string(f.Body) != tt.body {
				t.Fatalf("got code %q, body %q; want %q, %q (%s)", f.Code, f.Body, tt.code, tt.body, f.Detail)
			}
			if tt.code != "" && (f.Status != 301 || len(f.Hops) != 1 || f.Hops[0].Code != tt.code) {
				t.Errorf("got status %d, hops %+v; want the redirect itself", f.Status, f.Hops)
			}
			for _, h := range f.Hops {
				if strings.Contains(h.URL, "secret") || strings.Contains(h.URL, "#") || strings.Contains(h.URL, "ü") {
					t.Errorf("asked for %s", h.URL)
				}
			}
		})
	}
}

func TestRedirectStatuses(t *testing.T) {
	for _, status := range []int{300, 301, 302, 303, 304, 305, 306, 307, 308, 399} {
		f := robots(t, led(serve(t, toward(status, "/other.txt"))))
		if follows := status <= 303 && status != 300 || status == 307 || status == 308; follows != (f.Status == 200) {
			t.Errorf("%d: followed to status %d, code %q", status, f.Status, f.Code)
		} else if !follows && (f.Status != status || f.Code != CodeHTTPStatus) {
			t.Errorf("%d: got status %d, code %q", status, f.Status, f.Code)
		}
	}
}

func TestHopsTellTheStory(t *testing.T) {
	address := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Set-Cookie", "id=1")
		w.Header().Set("ETag", `"x"`)
		w.Header().Set("Retry-After", "7")
		w.Header().Set("Cache-Control", strings.Repeat("a", 3000))
		for range 20 {
			w.Header().Add("Via", "1.1 proxy")
		}
		hops(1)(w, r)
	})
	f := robots(t, led(address))
	if len(f.Hops) != 2 {
		t.Fatalf("got %d hops", len(f.Hops))
	}
	first, last := f.Hops[0], f.Hops[1]
	if first.URL != "http://example.test/robots.txt" || first.Status != 302 || first.Location != "http://example.test/hop?hop=1" || last.URL != first.Location || last.Status != 200 {
		t.Errorf("got hops %+v", f.Hops)
	}
	for _, h := range f.Hops {
		if h.Address != address || h.Started.IsZero() || h.Millis <= 0 {
			t.Errorf("got address %q, started %v, %v ms", h.Address, h.Started, h.Millis)
		}
		if h.Header.Get("Set-Cookie") != "" || h.Header.Get("ETag") != `"x"` || h.Header.Get("Retry-After") != "7" || len(h.Header.Get("Cache-Control")) != maxHeaderValue || len(h.Header["Via"]) != maxHeaderValues {
			t.Errorf("kept headers %v", h.Header)
		}
	}
	if f.Millis < first.Millis+last.Millis {
		t.Errorf("%v ms in all, less than its hops", f.Millis)
	}
}

func TestBadURLs(t *testing.T) {
	s := new(Client).Site()
	defer s.Close()
	for _, origin := range []string{"", "example.com", "ftps://example.com", "ftp://", "ftp:x", "http://", "http://exa mple.com", "http://[::1", "file:///etc", "http://a\x7fb.test", "http://" + strings.Repeat("a", weburl.MaxLength)} {
		f := s.Robots(t.Context(), origin)
		if f.Code != CodeBadURL || f.Status != 0 || len(f.Hops) != 0 {
			t.Errorf("%.40q: got code %q, status %d, %d hops", origin, f.Code, f.Status, len(f.Hops))
		}
	}
}

func TestRequestHeader(t *testing.T) {
	var got http.Header
	address := serve(t, func(w http.ResponseWriter, r *http.Request) { got = r.Header.Clone() })
	c := led(address)
	c.UserAgent = "robots-audit/1.0 (+https://example.com/bot)"
	robots(t, c)
	if got.Get("User-Agent") != c.UserAgent || got.Get("Accept-Encoding") != "gzip" || got.Get("Cookie") != "" || got.Get("Referer") != "" || !strings.HasPrefix(got.Get("Accept"), "text/plain") {
		t.Errorf("sent %v", got)
	}
}
