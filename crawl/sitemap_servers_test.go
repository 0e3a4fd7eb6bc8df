package crawl

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

const ns = `xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"`

// answers are the pages of a test server by path; others are 404.
type answers map[string]http.HandlerFunc

// xmlFile answers with a file; "BASE" in it is the server's own origin.
func xmlFile(file string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/xml")
		io.WriteString(w, strings.ReplaceAll(file, "BASE", "http://"+r.Host))
	}
}

// index and pages are sitemaps of the given paths.
func index(paths ...string) http.HandlerFunc { return xmlFile(indexOf("sitemap", paths...)) }
func pages(paths ...string) http.HandlerFunc { return xmlFile(indexOf("url", paths...)) }

func indexOf(entry string, paths ...string) string {
	root := map[string]string{"url": "urlset", "sitemap": "sitemapindex"}[entry]
	var b strings.Builder
	fmt.Fprintf(&b, "<%s %s>", root, ns)
	for _, p := range paths {
		if strings.HasPrefix(p, "/") && !strings.HasPrefix(p, "//") {
			p = "BASE" + p
		}
		fmt.Fprintf(&b, "<%s><loc>%s</loc></%[1]s>", entry, p)
	}
	fmt.Fprintf(&b, "</%s>", root)
	return b.String()
}

// step is a File without values that differ between runs, and with its URLs.
type step struct {
	path   string // of the sitemap, or its whole URL if that is elsewhere
	from   string // path of its parent
	line   int
	depth  int
	code   string
	format string
	urls   int64
	unread int64
	notes  string   // codes in order
	locs   []string // paths of its URLs
}

const home = "http://example.test"

// walked reads sitemaps of example.test, served by the handler.
func walked(t testing.TB, c *Client, budget SitemapBudget, declared ...string) []step {
	t.Helper()
	s := c.Site()
	defer s.Close()
	var from []DeclaredSitemap
	for i, d := range declared {
		if strings.HasPrefix(d, "/") && !strings.HasPrefix(d, "//") {
			d = home + d
		}
		from = append(from, DeclaredSitemap{URL: d, Line: i + 1})
	}
	var steps []step
	var locs []string
	for item := range s.Sitemaps(context.Background(), from, budget) {
		if item.URL != nil {
			if item.Sitemap != len(steps) {
				t.Errorf("a URL of sitemap %d while reading %d", item.Sitemap, len(steps))
			}
			locs = append(locs, strings.TrimPrefix(string(item.URL.Loc), home))
			continue
		}
		f := item.File
		if f.Index != len(steps) || item.Sitemap != f.Index {
			t.Errorf("Index %d of file %d", f.Index, len(steps))
		}
		one := step{path: strings.TrimPrefix(f.URL, home), line: f.Line, depth: f.Depth, code: f.Code, format: f.Format, urls: f.URLs, unread: f.Unread, locs: locs}
		if f.Parent >= 0 {
			one.from = steps[f.Parent].path
		}
		one.notes = noteCounts(f.Notes)
		steps = append(steps, one)
		locs = nil
	}
	return steps
}

func (a answers) serve(t testing.TB) *Client {
	return led(serve(t, func(w http.ResponseWriter, r *http.Request) {
		if h := a[r.URL.RequestURI()]; h != nil {
			h(w, r)
			return
		}
		http.NotFound(w, r)
	}))
}

func redirect(path string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, path, http.StatusFound) }
}
