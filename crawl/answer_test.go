package crawl

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestAnswer requests URLs of servers of every kind once, and keeps what they say.
func TestAnswer(t *testing.T) {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	w.Write(bytes.Repeat([]byte("x"), 50<<20))
	w.Close()
	header := func(w http.ResponseWriter, fields ...string) {
		for i := 0; i < len(fields); i += 2 {
			w.Header().Add(fields[i], fields[i+1])
		}
	}
	for _, test := range []struct {
		name     string
		answer   func(w http.ResponseWriter, r *http.Request)
		status   int
		code     string
		bytes    int
		requests int
		final    string
	}{
		{"a page", func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "page") }, 200, "", 4, 1, "/a"},
		{"an error with a body", func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(503); io.WriteString(w, "error") }, 503, CodeHTTPStatus, 5, 1, "/a"},
		{"no content", func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(204) }, 204, "", 0, 1, "/a"},
		{"too long", func(w http.ResponseWriter, r *http.Request) { w.Write(make([]byte, answerBytes+1)) }, 200, "", answerBytes, 1, "/a"},
		{"as long as possible", func(w http.ResponseWriter, r *http.Request) { w.Write(make([]byte, answerBytes)) }, 200, "", answerBytes, 1, "/a"},
		{"too long an error", func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(403); w.Write(make([]byte, answerBytes+1)) }, 403, CodeHTTPStatus, answerBytes, 1, "/a"},
		{"a bomb", func(w http.ResponseWriter, r *http.Request) {
			header(w, "Content-Encoding", "gzip")
			w.Write(packed.Bytes())
		}, 200, "", answerBytes, 1, "/a"},
		{"broken", func(w http.ResponseWriter, r *http.Request) {
			header(w, "Content-Encoding", "gzip")
			io.WriteString(w, "no gzip")
		}, 200, CodeBadEncoding, 0, 1, "/a"},
		{"an unknown encoding", func(w http.ResponseWriter, r *http.Request) {
			header(w, "Content-Encoding", "br")
			io.WriteString(w, "x")
		}, 200, CodeBadEncoding, 0, 1, "/a"},
		{"a redirect", func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/a" {
				http.Redirect(w, r, "/b", http.StatusFound)
				return
			}
			io.WriteString(w, "b")
		}, 200, "", 1, 2, "/b"},
		{"a redirect that is not allowed", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/no", http.StatusMovedPermanently) }, 301, CodeDisallowed, 0, 1, "/no"},
		{"a loop", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/a", http.StatusFound) }, 302, CodeRedirectLoop, 0, 1, "/a"},
		{"many redirects", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.Path+"a", http.StatusFound) }, 302, CodeTooManyRedirects, 0, 1 + AnswerHops, "/aaaaaaa"},
		{"no target", func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(302) }, 302, CodeBadRedirect, 0, 1, "/a"},
		{"temporary error", func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(429) }, 429, CodeHTTPStatus, 0, 1, "/a"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var agents []string
			c := led(serve(t, func(w http.ResponseWriter, r *http.Request) {
				agents = append(agents, r.UserAgent())
				test.answer(w, r)
			}))
			s := c.Site("example.test")
			defer s.Close()
			for _, agent := range []string{"", "Some/1.0"} {
				agents = nil
				a := s.Answer(t.Context(), "http://example.test/a", agent, func(url string) bool { return !strings.HasSuffix(url, "/no") })
				if a.Status != test.status || a.Code != test.code || len(a.Body) != test.bytes || a.Bytes != int64(test.bytes) || a.Final() != "http://example.test"+test.final || a.Tries != 1 {
					t.Errorf("%+v, final %s", a.Outcome, a.Final())
				}
				if agent == "" {
					agent = c.userAgent()
				}
				if want := slices.Repeat([]string{agent}, test.requests); !slices.Equal(agents, want) || len(a.Hops) != test.requests {
					t.Errorf("requests %q, %d hops, want %q", agents, len(a.Hops), want)
				}
			}
		})
	}
	s := new(Client).Site()
	defer s.Close()
	for _, url := range []string{"mailto:a", "http://127.0.0.1:1/", "http://10.0.0.1/"} {
		if a := s.Answer(t.Context(), url, "", func(string) bool { return true }); a.Code != CodeBadURL && a.Code != CodeBlockedAddress || a.Final() != url || len(a.Body) > 0 {
			t.Errorf("%s: %+v", url, a)
		}
	}
}

// TestAnswerPage reads header fields, cookies, directives and files of an answer.
func TestAnswerPage(t *testing.T) {
	c := led(serve(t, func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Type", "text/html; charset=iso-8859-1")
		h.Set("X-Robots-Tag", "gptbot: noindex")
		h.Set("Server", strings.Repeat("s", 5000))
		h.Set("X-Secret", "1")
		h.Add("Set-Cookie", "datadome=secret; Path=/")
		h.Add("Set-Cookie", "_pxhd=secret")
		h.Add("Set-Cookie", "session=secret")
		for i := range 20 {
			h.Add("Link", fmt.Sprintf("</%d>; rel=canonical", i))
		}
		w.WriteHeader(403)
		io.WriteString(w, "<base href=/dir/><title>\n Gr\xfc\xdfe  an alle </title><title>2</title><svg><title>3</title></svg><link rel=stylesheet href=a.css><script src=b.js></script><meta name=robots content=nofollow>")
	}))
	s := c.Site("example.test")
	defer s.Close()
	a := s.Answer(t.Context(), "http://example.test/", "", nil)
	page, title := a.Page()
	if title != "Grüße an alle" || !page.NoIndexFor("gptbot") || page.NoIndex || len(page.Directives) != 2 || page.Canonical != "http://example.test/0" ||
		!slices.Equal(page.Resources, []Resource{{"http://example.test/dir/a.css", KindCSS}, {"http://example.test/dir/b.js", KindJS}}) {
		t.Errorf("%q %+v", title, page)
	}
	if !slices.Equal(a.Cookies, []string{"_px", "datadome"}) || len(a.Header.Get("Server")) != maxHeaderValue || len(a.Header["Link"]) != maxHeaderValues || a.Header.Get("X-Secret") != "" || a.Header.Get("Set-Cookie") != "" {
		t.Errorf("%q %v", a.Cookies, a.Header)
	}
}

// TestAnswerTime: our own delay is no time of the server.
func TestAnswerTime(t *testing.T) {
	t.Parallel()
	c := led(serve(t, func(http.ResponseWriter, *http.Request) {}))
	c.Delay = 2 * time.Second
	s := c.Site("example.test")
	defer s.Close()
	start, spent := time.Now(), 0.0
	for range 2 {
		spent += s.Answer(t.Context(), "http://example.test/", "", nil).Millis
	}
	if waited := millis(time.Since(start)) - spent; waited < 500 || spent <= 0 {
		t.Errorf("%.0f ms of the server, %.0f ms of ours", spent, waited)
	}
}

// TestAnswerRetryAfter: after an answer that asks to come later, the next request waits for the next time, in whatever
// name, but not longer than a timeout. Then requests are as fast as before.
func TestAnswerRetryAfter(t *testing.T) {
	t.Parallel()
	status, after := http.StatusTooManyRequests, "0.3"
	c := led(serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Retry-After", after)
		w.WriteHeader(status)
	}))
	s := c.Site("example.test")
	defer s.Close()
	ask := func(agent string) time.Duration {
		start := time.Now()
		s.Answer(t.Context(), "http://example.test/", agent, nil)
		return time.Since(start)
	}
	ask("")
	status = http.StatusServiceUnavailable
	if waited := ask("A/1"); waited < 300*time.Millisecond {
		t.Errorf("after HTTP 429: %v", waited)
	}
	status, after = http.StatusOK, "86400"
	if waited := ask(""); waited < 300*time.Millisecond {
		t.Errorf("after HTTP 503: %v", waited)
	}
	if waited := ask(""); waited > c.timeout()/2 {
		t.Errorf("after HTTP 200: %v", waited)
	}
}
