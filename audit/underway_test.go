package audit

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// counting counts, as a server, the requests that are under way for each host.
type counting struct {
	t    *testing.T
	mu   sync.Mutex
	now  map[string]int
	seen int // requests in all
}

// count counts a request until the function it returns is called.
func (c *counting) count(host string) (end func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.now == nil {
		c.now = map[string]int{}
	}
	c.seen++
	if c.now[host]++; c.now[host] > 1 {
		c.t.Errorf("%d requests at once to %s", c.now[host], host)
	}
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.now[host]--
	}
}

// gathering blocks its callers until all have come.
type gathering struct {
	mu   sync.Mutex
	left int
	all  chan struct{}
}

func newGathering(n int) *gathering { return &gathering{left: n, all: make(chan struct{})} }

func (g *gathering) wait(r *http.Request) {
	g.mu.Lock()
	if g.left--; g.left == 0 {
		close(g.all)
	}
	g.mu.Unlock()
	select {
	case <-g.all:
	case <-r.Context().Done():
	}
}

// A waiting site blocks no other one. With one worker, two hundred sites wait for their robots.txt,
// then for their sitemaps, then for the rest of these, all at the same time. Otherwise none would
// make progress. No host ever gets two requests at once.
func TestEveryWaitStandsAside(t *testing.T) {
	t.Parallel()
	const sites = 200
	counted := counting{t: t}
	robots, sitemap, rest := newGathering(sites), newGathering(sites), newGathering(sites)
	a := served(t, "Googlebot", func(w http.ResponseWriter, r *http.Request) {
		end := counted.count(r.Host)
		defer end()
		switch r.URL.Path {
		case "/robots.txt":
			robots.wait(r)
			io.WriteString(w, "User-agent: *\nDisallow: /x\nSitemap: http://"+r.Host+"/s.xml\n")
		case "/s.xml":
			sitemap.wait(r)
			page := urlset("http://"+r.Host+"/x", "http://"+r.Host+"/1")
			io.WriteString(w, page[:len(page)/2])
			w.(http.Flusher).Flush()
			rest.wait(r)
			io.WriteString(w, page[len(page)/2:])
		}
	})
	a.Client.Timeout = time.Minute
	for _, workers := range []int{1, 0} {
		*robots, *sitemap, *rest = *newGathering(sites), *newGathering(sites), *newGathering(sites)
		a.Workers = workers
		done, urls := 0, int64(0)
		for rec := range a.All(t.Context(), Domains(strings.NewReader(siteList(sites)))) {
			if rec.Done != nil {
				done++
				urls += rec.Done.URLs
			}
		}
		if done != sites || urls != 2*sites {
			t.Errorf("%d workers: %d sites done, %d URLs", workers, done, urls)
		}
	}
}

// Sites on one host that name sitemaps on the same few hosts send each host one request at a time,
// by the server's own count.
func TestOneRequestAtATime(t *testing.T) {
	t.Parallel()
	counted := counting{t: t}
	a := served(t, "Googlebot", func(w http.ResponseWriter, r *http.Request) {
		host, _, _ := strings.Cut(r.Host, ":")
		end := counted.count(host)
		time.Sleep(time.Millisecond)
		switch {
		case r.URL.Path != "/robots.txt":
			io.WriteString(w, urlset("http://"+r.Host+r.URL.Path+"/1"))
		case strings.HasPrefix(host, "cdn"):
			io.WriteString(w, "User-agent: *\nDisallow: /x\n")
		default:
			fmt.Fprintf(w, "Sitemap: http://%s/own.xml\nSitemap: http://cdn0.example/%s.xml\nSitemap: http://cdn1.example/%[2]s.xml\n", r.Host, host)
		}
		end() // before the end of the answer arrives: later events come after it
	})
	var list strings.Builder
	for i := range 40 {
		fmt.Fprintf(&list, "http://s%d.example\nhttp://s%d.example:8080\n", i, i)
	}
	a.Workers, a.Client.Timeout = 0, time.Minute
	a.Client.ConnectTo = append(a.Client.ConnectTo, ":8080:"+strings.TrimPrefix(a.Client.ConnectTo[0], ":80:"))
	done := 0
	for rec := range a.All(t.Context(), Domains(strings.NewReader(list.String()))) {
		if rec.Done != nil {
			done++
			if rec.Done.SitemapsRead != 3 {
				t.Errorf("%s: %d sitemaps read", rec.Domain, rec.Done.SitemapsRead)
			}
		}
	}
	if done != 80 || counted.seen < 5*80 {
		t.Errorf("%d sites done, %d requests", done, counted.seen)
	}
}
