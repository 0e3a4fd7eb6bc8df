package audit

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"robots-audit/crawl"
)

// asked is a server for all hosts that records its requests.
type asked struct {
	mu     sync.Mutex
	urls   []string // host and path, in order
	links  bool     // links are followed
	answer func(w http.ResponseWriter, r *http.Request)
}

func (a *asked) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	a.urls = append(a.urls, r.Host+r.URL.Path)
	a.mu.Unlock()
	a.answer(w, r)
}

// TestListedFiles requests no page of a sitemap that may be a sitemap itself if robots.txt blocks this program.
func TestListedFiles(t *testing.T) {
	server := &asked{answer: func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/robots.txt":
			fmt.Fprint(w, "User-agent: *\nDisallow: /private/\nSitemap: http://shop.de/s.xml\nSitemap: http://shop.de/t.xml\nSitemap: http://shop.de/private/u.xml\n")
		case "/s.xml":
			fmt.Fprint(w, urlset("http://shop.de/private/feed.xml"))
		default:
			fmt.Fprint(w, urlset("http://shop.de/open/feed.xml"))
		}
	}}
	server.run(t, "http://shop.de")
	slices.Sort(server.urls)
	checkEqual(t, "requests", server.urls, []string{"shop.de/open/feed.xml", "shop.de/private/u.xml", "shop.de/robots.txt", "shop.de/s.xml", "shop.de/t.xml"})
}

// hosts returns the requested hosts except one, each once.
func (a *asked) hosts(but string) []string {
	var hosts []string
	for _, url := range a.urls {
		if host, _, _ := strings.Cut(url, "/"); host != but && !slices.Contains(hosts, host) {
			hosts = append(hosts, host)
		}
	}
	return hosts
}

// run audits sites against the server.
func (a *asked) run(t *testing.T, list string) []Record {
	t.Helper()
	auditor := served(t, "Googlebot", a.ServeHTTP)
	auditor.Client.ConnectTo = append(auditor.Client.ConnectTo, ":443:127.0.0.1:1", ":81:127.0.0.1:1")
	if a.links {
		auditor.Links = new(crawl.LinkBudget)
	}
	var records []Record
	for rec := range auditor.All(t.Context(), Domains(strings.NewReader(list))) {
		if rec.Robots != nil || rec.Sitemap != nil || rec.Problem != nil || rec.Done != nil {
			records = append(records, rec)
		}
	}
	return records
}

// TestManyForeignHosts has one site that names sitemaps on thousands of other hosts, in every
// possible way. Requests go only to as many hosts as one site's URLs may use, each for its
// robots.txt first. The others are reported.
func TestManyForeignHosts(t *testing.T) {
	t.Parallel()
	const hosts = 2000
	others := func(write func(url string)) {
		for i := range hosts {
			write(fmt.Sprintf("http://h%d.example/s.xml", i))
		}
	}
	const index = `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`
	for name, tt := range map[string]struct {
		answer func(w http.ResponseWriter, r *http.Request)
		left   string // Detail of the sitemaps left out
		each   int    // or their number, one record for each
	}{
		"Sitemap lines": {func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/robots.txt" {
				others(func(url string) { fmt.Fprintf(w, "Sitemap: %s\n", url) })
			}
		}, "1,985 sitemaps on 1,985 other hosts not read: the limit is 16 origins for one site (h15.example, h16.example, h17.example, h18.example, h19.example, …)", 0},
		"children of an index": {func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/sitemap.xml" {
				io.WriteString(w, index)
				others(func(url string) { fmt.Fprintf(w, "<sitemap><loc>%s</loc></sitemap>", url) })
				io.WriteString(w, "</sitemapindex>")
				return
			}
			http.NotFound(w, r)
		}, "1,985 sitemaps on 1,985 other hosts not read: the limit is 16 origins for one site (h15.example, h16.example, h17.example, h18.example, h19.example, …)", 0},
		"redirects of its own sitemaps": {func(w http.ResponseWriter, r *http.Request) {
			switch r.URL.Path {
			case "/robots.txt":
				for i := range 60 {
					fmt.Fprintf(w, "Sitemap: http://a.example/%d.xml\n", i)
				}
			default:
				http.Redirect(w, r, "http://h"+strings.TrimSuffix(r.URL.Path[1:], ".xml")+".example/s.xml", http.StatusFound)
			}
		}, "", 45},
		"ports of its own host": {func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/robots.txt" {
				for i := range hosts {
					fmt.Fprintf(w, "Sitemap: http://a.example:%d/s.xml\n", 1000+i)
				}
			}
		}, "1,985 sitemaps on 1,985 other hosts not read: the limit is 16 origins for one site (a.example:1015, a.example:1016, a.example:1017, a.example:1018, a.example:1019, …)", 0},
	} {
		t.Run(name, func(t *testing.T) {
			server := &asked{answer: func(w http.ResponseWriter, r *http.Request) {
				if r.Host == "a.example" {
					tt.answer(w, r)
				} else if r.URL.Path == "/s.xml" {
					io.WriteString(w, urlset("http://a.example/1"))
				} else {
					http.NotFound(w, r)
				}
			}}
			records := server.run(t, "http://a.example")
			foreign := server.hosts("a.example")
			if len(foreign) > 15 {
				t.Errorf("%d other hosts were asked", len(foreign))
			}
			for _, host := range foreign {
				first := slices.IndexFunc(server.urls, func(url string) bool { return strings.HasPrefix(url, host+"/") })
				if server.urls[first] != host+"/robots.txt" {
					t.Errorf("%s was asked for %s first", host, server.urls[first])
				}
			}
			left, problems := []string{}, 0
			for _, rec := range records {
				if rec.Sitemap != nil && rec.Sitemap.Code == "sitemap_origins" {
					left = append(left, rec.Sitemap.Detail)
				}
				if rec.Problem != nil && rec.Problem.Code == "sitemap_origins" {
					problems++
				}
			}
			if tt.each > 0 {
				if len(left) != tt.each || problems != tt.each {
					t.Errorf("%d sitemaps left out and %d problems, want %d", len(left), problems, tt.each)
				}
			} else if diff := cmp.Diff([]string{tt.left}, left); diff != "" || problems != 1 {
				t.Errorf("%d problems; %s", problems, diff)
			}
			if done := records[len(records)-1].Done; done.State != Warn && done.State != Undetermined {
				t.Errorf("the site is %s: %s", done.State, done.Why)
			}
		})
	}
}

// TestForeignRobots reads a sitemap on another host only where that host's
// robots.txt lets this program.
func TestForeignRobots(t *testing.T) {
	robots := map[string]string{
		"open.example":   "User-agent: *\nDisallow: /x\n",
		"shut.example":   "User-agent: *\nDisallow: /s\n",
		"us.example":     "User-agent: robots-audit\nDisallow: /\n\nUser-agent: *\nDisallow:\n",
		"others.example": "User-agent: *\nDisallow: /\n\nUser-agent: robots-audit\nDisallow: /x\n",
	}
	names := []string{"open", "shut", "us", "others", "none", "broken", "gone"}
	server := &asked{answer: func(w http.ResponseWriter, r *http.Request) {
		switch text, ok := robots[r.Host]; {
		case r.URL.Path == "/s.xml" || r.URL.Path == "/t.xml":
			io.WriteString(w, urlset("http://a.example/"+r.Host))
		case r.Host == "a.example" && r.URL.Path == "/robots.txt":
			io.WriteString(w, "User-agent: *\nDisallow: /\nSitemap: http://www.a.example/t.xml\n") // its own are read for its owner
			for _, name := range names {
				fmt.Fprintf(w, "Sitemap: http://%s.example/s.xml\n", name)
			}
			io.WriteString(w, "Sitemap: http://a.example/moved.xml\nSitemap: http://dead.example:81/s.xml\n")
		case r.URL.Path == "/moved.xml":
			http.Redirect(w, r, "http://shut.example/s.xml", http.StatusFound)
		case ok && r.URL.Path == "/robots.txt":
			io.WriteString(w, text)
		case r.Host == "broken.example":
			w.WriteHeader(503)
		case r.Host == "gone.example":
			panic(http.ErrAbortHandler)
		default:
			http.NotFound(w, r)
		}
	}}
	got := map[string]string{}
	for _, rec := range server.run(t, "http://a.example") {
		if rec.Sitemap != nil {
			got[strings.TrimPrefix(rec.Sitemap.URL, "http://")] = fmt.Sprintf("%d %s %s", rec.Sitemap.URLs, rec.Sitemap.Code, rec.Sitemap.Detail)
		}
	}
	want := map[string]string{
		"www.a.example/t.xml":   "1  ",
		"open.example/s.xml":    "1  ",
		"shut.example/s.xml":    "0 disallowed by line 2 of the robots.txt of http://shut.example",
		"us.example/s.xml":      "0 disallowed by line 2 of the robots.txt of http://us.example",
		"others.example/s.xml":  "1  ",
		"none.example/s.xml":    "1  ",
		"broken.example/s.xml":  "0 disallowed the robots.txt of http://broken.example could not be read: HTTP 503",
		"gone.example/s.xml":    "0 disallowed the robots.txt of http://gone.example could not be read: the connection was closed without an answer",
		"a.example/moved.xml":   "0 disallowed by line 2 of the robots.txt of http://shut.example",
		"dead.example:81/s.xml": "0 connect_refused the robots.txt of http://dead.example:81: dial tcp 127.0.0.1:1: connect: connection refused",
	}
	checkEqual(t, "sitemaps", got, want)
	for _, url := range []string{"shut.example/s.xml", "us.example/s.xml", "broken.example/s.xml", "gone.example/s.xml"} {
		if slices.Contains(server.urls, url) {
			t.Errorf("%s was asked for", url)
		}
	}
}
