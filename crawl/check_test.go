package crawl

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"

	"robots-audit/crawl/errno"
)

var errLease = errors.New("the lease is over")

// lease is valid until it is lost, or until it was checked most times.
type lease struct {
	lost  atomic.Bool
	asked atomic.Int32
	most  int32 // 0 = any number
}

func (l *lease) check() error {
	if n := l.asked.Add(1); l.most > 0 && n >= l.most {
		l.lost.Store(true)
	}
	if l.lost.Load() {
		return errLease
	}
	return nil
}

// requests counts the requests of a server, and reports those that come after the lease was
// lost.
type requests struct {
	t     *testing.T
	lease *lease
	seen  atomic.Int32
	onWay atomic.Int32 // requests that may have been sent before the lease was lost, and arrive after it
}

// newLease returns a lease, and the requests of a server that knows it.
func newLease(t *testing.T, most int32) (*lease, *requests) {
	l := &lease{most: most}
	return l, &requests{t: t, lease: l}
}

func (q *requests) come(what string) {
	q.seen.Add(1)
	if q.lease.lost.Load() && q.onWay.Add(-1) < 0 {
		q.t.Errorf("%s is asked for when the lease is lost", what)
	}
}

// TestLeaseLostAtAnyTime ends the lease at each check, whatever is requested from a site
// at that time. No request may arrive afterwards, and the site is interrupted.
func TestLeaseLostAtAnyTime(t *testing.T) {
	a := newTestAuthority(t)
	pages := func(q *requests) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			q.come(r.URL.Path)
			switch r.URL.Path {
			case "/robots.txt":
				http.Redirect(w, r, "/rules.txt", http.StatusFound)
			case "/busy":
				w.WriteHeader(http.StatusServiceUnavailable)
			case "/index.xml":
				fmt.Fprintf(w, `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>http://%s/a.xml</loc></sitemap><sitemap><loc>http://%s/b.xml</loc></sitemap></sitemapindex>`, r.Host, r.Host)
			case "/a.xml", "/b.xml":
				io.WriteString(w, `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"></urlset>`)
			case "/":
				w.Header().Set("Content-Type", "text/html")
				io.WriteString(w, anchors("/1", "/2"))
			}
		}
	}
	plain := func(t *testing.T, q *requests) *Client { return led(serve(t, pages(q))) }
	for _, tt := range []struct {
		name  string
		serve func(t *testing.T, q *requests) *Client
		ask   func(ctx context.Context, s *Site)
		seen  int32 // requests while the lease is valid
		least int32 // minimum number of checks of the lease
	}{
		{"robots.txt with a redirect", plain, func(ctx context.Context, s *Site) { s.Robots(ctx, "http://example.test") }, 2, 4},
		{"tries", func(t *testing.T, q *requests) *Client {
			c := plain(t, q)
			c.Retries = 2
			return c
		}, func(ctx context.Context, s *Site) {
			b, _ := s.open(ctx, "http://example.test/busy", limits{})
			b.Close()
		}, 3, 5},
		{"sitemaps", plain, func(ctx context.Context, s *Site) {
			for range s.Sitemaps(ctx, []DeclaredSitemap{{URL: "http://example.test/index.xml"}}, SitemapBudget{}) {
			}
		}, 3, 5},
		{"links", plain, func(ctx context.Context, s *Site) {
			for range s.Links(ctx, []string{"http://example.test/"}, LinkBudget{}, func(string) bool { return true }) {
			}
		}, 3, 5},
		{"GET", plain, func(ctx context.Context, s *Site) { s.Peek(ctx, "http://example.test/busy") }, 1, 3},
		{"HTTP/2", func(t *testing.T, q *requests) *Client {
			address := serveTLS(t, &tls.Config{Certificates: []tls.Certificate{a.issue(t, "example.test", time.Now().Add(time.Hour))}}, pages(q))
			q.onWay.Store(1) // a write next to a request, such as an acknowledgement of settings, may lose it
			return &Client{RootCAs: a.pool, Retries: -1, ConnectTo: []string{":443:" + address}}
		}, func(ctx context.Context, s *Site) { s.Robots(ctx, "https://example.test") }, 2, 5},
		{"FTP", func(t *testing.T, q *requests) *Client {
			site := &ftpSite{files: map[string]string{"/robots.txt": rules}}
			address := serveRaw(t, func(c net.Conn) { site.talk(&tellingConn{c, q}) })
			return &Client{Retries: -1, ConnectTo: []string{":21:" + address}}
		}, func(ctx context.Context, s *Site) { s.Robots(ctx, "ftp://example.test") }, 0, 10},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for most := int32(1); ; most++ {
				l, q := newLease(t, most)
				s := tt.serve(t, q).Site()
				ctx, end := WithCheck(t.Context(), l.check)
				tt.ask(ctx, s)
				s.Close()
				if !l.lost.Load() {
					if ctx.Err() != nil || q.seen.Load() < tt.seen || most <= tt.least {
						t.Errorf("with a lease: %v, %d requests, asked for it %d times", context.Cause(ctx), q.seen.Load(), l.asked.Load())
					}
					end()
					return
				}
				if context.Cause(ctx) != errLease || l.asked.Load() != most {
					t.Errorf("lost at %d: %v, asked for %d times", most, context.Cause(ctx), l.asked.Load())
				}
				end()
			}
		})
	}
}

// tellingConn reports each line that it reads.
type tellingConn struct {
	net.Conn
	q *requests
}

func (c *tellingConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if n > 0 {
		c.q.come(strings.TrimSpace(string(p[:n])))
	}
	return n, err
}

// TestLeaseLostWhileWaiting ends the lease while a request waits.
func TestLeaseLostWhileWaiting(t *testing.T) {
	// interrupted asks a site while the lease is valid at first.
	interrupted := func(t *testing.T, l *lease, s *Site, ask func(context.Context) *Outcome) {
		t.Helper()
		defer s.Close()
		ctx, end := WithCheck(t.Context(), l.check)
		defer end()
		out := ask(ctx)
		if out.Code != CodeCancelled || !strings.Contains(out.Detail, errLease.Error()) || context.Cause(ctx) != errLease {
			t.Errorf("got code %q (%s), the context's end is %v", out.Code, out.Detail, context.Cause(ctx))
		}
	}
	t.Run("for its turn", func(t *testing.T) {
		l, q := newLease(t, 0)
		arrived, answer := make(chan struct{}), make(chan struct{})
		c := led(serve(t, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/first" {
				close(arrived)
				<-answer
				return
			}
			q.come(r.URL.Path)
		}))
		c.Timeout = time.Minute
		var first sync.WaitGroup
		first.Go(func() {
			s := c.Site()
			defer s.Close()
			s.Peek(t.Context(), "http://example.test/first")
		})
		<-arrived
		s := c.Site()
		interrupted(t, l, s, func(ctx context.Context) (out *Outcome) {
			var second sync.WaitGroup
			second.Go(func() { out = s.Peek(ctx, "http://www.example.test/second") })
			for waits := false; !waits; { // for the host that the first is asking
				c.shared.hosts.mu.Lock()
				waits = c.shared.hosts.known["example.test"].users == 2
				c.shared.hosts.mu.Unlock()
			}
			if l.asked.Load() != 0 {
				t.Error("the lease is asked for before the wait")
			}
			l.lost.Store(true)
			close(answer)
			first.Wait()
			second.Wait()
			return out
		})
	})
	t.Run("for a name", func(t *testing.T) {
		l, q := newLease(t, 0)
		address := serveRaw(t, func(net.Conn) { q.come("a connection") })
		resolver, _ := nameServer(t, func(string, int) ([]string, dnsmessage.RCode) {
			l.lost.Store(true)
			return []string{"127.0.0.1"}, 0
		})
		host := "example.test:" + address[strings.LastIndexByte(address, ':')+1:]
		s := (&Client{resolver: resolver, Retries: -1}).Site(host)
		interrupted(t, l, s, func(ctx context.Context) *Outcome { return s.Peek(ctx, "http://"+host+"/") })
	})
	t.Run("for a handshake", func(t *testing.T) {
		l, q := newLease(t, 0)
		a := newTestAuthority(t)
		address := serveTLS(t, &tls.Config{GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
			l.lost.Store(true)
			c := a.issue(t, "example.test", time.Now().Add(time.Hour))
			return &c, nil
		}}, func(w http.ResponseWriter, r *http.Request) { q.come(r.URL.Path) })
		s := (&Client{RootCAs: a.pool, Retries: -1, ConnectTo: []string{":443:" + address}}).Site()
		interrupted(t, l, s, func(ctx context.Context) *Outcome { return s.Peek(ctx, "https://example.test/") })
	})
	for name, status := range map[string]int{"for another try": 503, "in a redirect": 302} {
		t.Run(name, func(t *testing.T) {
			l, q := newLease(t, 0)
			c := led(serve(t, func(w http.ResponseWriter, r *http.Request) {
				q.come(r.URL.Path)
				l.lost.Store(true)
				w.Header().Set("Location", "/further")
				w.WriteHeader(status)
			}))
			c.Retries = 3
			s := c.Site()
			interrupted(t, l, s, func(ctx context.Context) *Outcome { return &s.Robots(ctx, "http://example.test").Outcome })
			if q.seen.Load() != 1 {
				t.Errorf("%d requests", q.seen.Load())
			}
		})
	}
}

// TestLeaseLostUnsent: unsent data is dropped when the lease is lost, and not sent
// later. A site that has ended closes its connections as usual.
func TestLeaseLostUnsent(t *testing.T) {
	for _, lost := range []bool{true, false} {
		l := new(lease)
		arrived, ended := make(chan struct{}, 1), make(chan error, 1)
		address := serveRaw(t, func(c net.Conn) {
			if _, err := c.Read(make([]byte, 1)); err != nil {
				return
			}
			arrived <- struct{}{}
			_, err := io.Copy(io.Discard, c) // there is no answer
			ended <- err
		})
		c := led(address)
		c.Retries = -1
		s := c.Site()
		outer, cancel := context.WithCancel(t.Context())
		ctx, end := WithCheck(outer, l.check)
		var asked sync.WaitGroup
		asked.Go(func() {
			s.Peek(ctx, "http://example.test/")
			s.Close()
		})
		<-arrived
		if lost {
			cancel()
		} else {
			end()
		}
		asked.Wait()
		if err := <-ended; errno.Reset(err) != lost {
			t.Errorf("lost %v: the server sees %v", lost, err)
		}
		cancel()
		end()
	}
}
