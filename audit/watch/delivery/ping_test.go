package delivery

import (
	"context"
	"crypto/x509"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// newPing starts a server, and returns a ping to it and the requests that it gets.
func newPing(t *testing.T, handler http.HandlerFunc) (p *Ping, requests func() []string) {
	var mu sync.Mutex
	var seen []string
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		seen = append(seen, r.Method+" "+r.RequestURI+" "+r.UserAgent())
		mu.Unlock()
		handler(w, r)
	}))
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	t.Cleanup(s.Close)
	roots := x509.NewCertPool()
	roots.AddCert(s.Certificate())
	return &Ping{URL: Secret(s.URL + "/" + pathSecret), Internal: true, Roots: roots}, func() []string {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(seen)
	}
}

// TestPing: the event is the end of the path; a query stays.
func TestPing(t *testing.T) {
	p, requests := newPing(t, func(http.ResponseWriter, *http.Request) {})
	base := string(p.URL)
	var want []string
	for _, c := range []struct {
		end   string // of the configured URL
		about Event
		path  string
	}{
		{"", RunBegan, "/start"}, {"", RunComplete, ""}, {"", RunFailed, "/fail"},
		{"/", RunComplete, "/"}, {"/", RunFailed, "/fail"}, {"?a=b%2Fc", RunFailed, "/fail?a=b%2Fc"}, {"/%2F", RunBegan, "/%2F/start"},
	} {
		p.URL = Secret(base + c.end)
		if err := p.Send(t.Context(), c.about); err != nil {
			t.Errorf("%s %q: %v", c.end, c.about, err)
		}
		want = append(want, "GET /"+pathSecret+c.path+" robots-audit")
	}
	if got := requests(); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestPingFails: one retry, unless it is of no use; the error is in plain words and without secrets.
func TestPingFails(t *testing.T) {
	old, oldPause := pingTime, pingPause
	pingPause = time.Millisecond
	t.Cleanup(func() { pingTime, pingPause = old, oldPause })
	answers := func(status int, text string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Location", "https://elsewhere.example/"+pathSecret)
			w.WriteHeader(status)
			io.WriteString(w, text)
		}
	}
	dead, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	deadURL := Secret("https://" + dead.Addr().String() + "/" + pathSecret)
	dead.Close()
	for _, c := range []struct {
		name    string
		handler http.HandlerFunc
		change  func(p *Ping)
		tries   int // requests that arrive
		want    string
	}{
		{"error", answers(503, "no "+pathSecret+"/fail today"), nil, 2, "HOST answered 503: no (secret)/fail today"},
		{"unknown", answers(404, "not found"), nil, 1, "HOST answered 404: not found"},
		{"redirect", answers(302, ""), nil, 1, "HOST answered 302, a redirect, which is not followed. Configure the final URL"},
		{"hanging", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, func(*Ping) { pingTime = 300 * time.Millisecond }, 2, "HOST: no answer in time"},
		{"cut short", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, nil, 2, "HOST: it closed the connection"},
		{"dead", answers(200, ""), func(p *Ping) { p.URL = deadURL }, 0, "HOST: the connection was refused"},
		{"private", answers(200, ""), func(p *Ping) { p.Internal = false }, 0, "HOST has a private or special address. Set internal = true to allow it"},
		{"untrusted", answers(200, ""), func(p *Ping) { p.Roots = x509.NewCertPool() }, 0, "HOST: its certificate is not trusted: x509: certificate signed by unknown authority"},
		{"no URL", answers(200, ""), func(p *Ping) { p.URL = "https://h/%zz" + pathSecret }, 0, "the URL cannot be read"},
	} {
		t.Run(c.name, func(t *testing.T) {
			pingTime = old // a server that answers may take longer under load
			p, requests := newPing(t, c.handler)
			if c.change != nil {
				c.change(p)
			}
			began := time.Now()
			err := p.Send(t.Context(), RunFailed)
			if err == nil {
				t.Fatal("no error")
			}
			host := strings.TrimSuffix(strings.TrimPrefix(string(p.URL), "https://"), "/"+pathSecret)
			if got := strings.ReplaceAll(err.Error(), host, "HOST"); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
			if n := len(requests()); n != c.tries {
				t.Errorf("%d requests, want %d", n, c.tries)
			}
			t.Logf("%v: %v", err, time.Since(began).Round(time.Millisecond))
		})
	}
	p, requests := newPing(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	pingTime = time.Minute
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if err := p.Send(ctx, RunFailed); err == nil || len(requests()) != 1 {
		t.Errorf("after the end of its context: %v, %d requests", err, len(requests()))
	}
}

func TestPingCheck(t *testing.T) {
	for given, want := range map[Secret]string{
		"https://hc.example/" + pathSecret: "", "http://hc.example/" + pathSecret: "url: use https. http is only allowed for a host with internal = true",
		"hc.example/" + pathSecret: "url: write https://…", "https://a:" + pathSecret + "@hc.example/": "url: it has a user or a password, which are not sent. Remove them", "https:// /" + pathSecret: "url: write https://…",
	} {
		got := ""
		if err := (&Ping{URL: given}).Check(); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %q, want %q", string(given), got, want)
		}
	}
}
