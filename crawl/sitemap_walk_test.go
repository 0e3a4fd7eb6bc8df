package crawl

import (
	"context"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSitemaps(t *testing.T) {
	for _, c := range []struct {
		name     string
		has      answers
		declared []string
		budget   SitemapBudget
		want     []step
	}{
		{
			name:     "one sitemap, declared three times, and one that is not there",
			has:      answers{"/s.xml": pages("/1", "/2")},
			declared: []string{"/s.xml", "/s.xml", "/no.xml", " " + home + "/s.xml#x"},
			want: []step{
				{path: "/s.xml", line: 1, format: "urlset", urls: 2, locs: []string{"/1", "/2"}},
				{path: "/no.xml", line: 3, code: CodeHTTPStatus},
			},
		},
		{
			name: "indexes, depth first and in order",
			has: answers{
				"/i.xml": index("/a.xml", "/j.xml", "/d.xml"), "/a.xml": pages("/1"), "/j.xml": index("/b.xml", "/c.xml"),
				"/b.xml": pages("/2"), "/c.xml": pages("/3"), "/d.xml": pages("/4"), "/z.xml": pages("/5"),
			},
			declared: []string{"/i.xml", "/b.xml", "/z.xml"},
			want: []step{
				{path: "/i.xml", line: 1, format: "index", urls: 3},
				{path: "/a.xml", from: "/i.xml", depth: 1, format: "urlset", urls: 1, locs: []string{"/1"}},
				{path: "/j.xml", from: "/i.xml", depth: 1, format: "index", urls: 2, notes: "nested_index:1"},
				{path: "/b.xml", from: "/j.xml", depth: 2, format: "urlset", urls: 1, locs: []string{"/2"}},
				{path: "/c.xml", from: "/j.xml", depth: 2, format: "urlset", urls: 1, locs: []string{"/3"}},
				{path: "/d.xml", from: "/i.xml", depth: 1, format: "urlset", urls: 1, locs: []string{"/4"}},
				{path: "/z.xml", line: 3, format: "urlset", urls: 1, locs: []string{"/5"}},
			},
		},
		{
			name:     "loops: itself, and back over another",
			has:      answers{"/i.xml": index("/i.xml", "/j.xml"), "/j.xml": index("/i.xml", "/s.xml", "/s.xml", "/j.xml"), "/s.xml": pages("/1")},
			declared: []string{"/i.xml"},
			want: []step{
				{path: "/i.xml", line: 1, code: CodeSitemapLoop, format: "index", urls: 2, notes: "sitemap_loop:1"},
				{path: "/j.xml", from: "/i.xml", depth: 1, code: CodeSitemapLoop, format: "index", urls: 4, notes: "nested_index:1 sitemap_loop:2 sitemap_repeated:1"},
				{path: "/s.xml", from: "/j.xml", depth: 2, format: "urlset", urls: 1, locs: []string{"/1"}},
			},
		},
		{
			name:     "redirects to what was read",
			has:      answers{"/s.xml": pages("/1"), "/r.xml": redirect("/s.xml"), "/i.xml": index("/q.xml"), "/q.xml": redirect("/i.xml")},
			declared: []string{"/r.xml", "/s.xml", "/i.xml", "/q.xml"},
			want: []step{
				{path: "/r.xml", line: 1, format: "urlset", urls: 1, locs: []string{"/1"}},
				{path: "/i.xml", line: 3, format: "index", urls: 1},
				{path: "/q.xml", from: "/i.xml", depth: 1, code: CodeSitemapLoop, format: "index", notes: "sitemap_loop:1"},
			},
		},
		{
			name:     "two ways to one sitemap",
			has:      answers{"/a.xml": redirect("/s.xml"), "/b.xml": redirect("/s.xml"), "/s.xml": pages("/1")},
			declared: []string{"/a.xml", "/b.xml"},
			want: []step{
				{path: "/a.xml", line: 1, format: "urlset", urls: 1, locs: []string{"/1"}},
				{path: "/b.xml", line: 2, format: "urlset", notes: "sitemap_repeated:1"},
			},
		},
		{
			name: "nested too deep", budget: SitemapBudget{Depth: 1},
			has:      answers{"/0.xml": index("/1.xml"), "/1.xml": index("/2.xml", "/s.xml"), "/2.xml": index("/3.xml"), "/s.xml": pages("/1")},
			declared: []string{"/0.xml", "/s.xml"},
			want: []step{
				{path: "/0.xml", line: 1, format: "index", urls: 1},
				{path: "/1.xml", from: "/0.xml", depth: 1, code: CodeSitemapDepth, format: "index", urls: 2, unread: 2, notes: "nested_index:1 sitemap_depth:2"},
				{path: "/s.xml", line: 2, format: "urlset", urls: 1, locs: []string{"/1"}},
			},
		},
		{
			name: "more sitemaps than the budget allows", budget: SitemapBudget{Files: 3},
			has:      answers{"/i.xml": index("/1.xml", "/2.xml", "/3.xml", "/4.xml"), "/1.xml": pages("/1"), "/2.xml": pages("/2"), "/3.xml": pages("/3")},
			declared: []string{"/i.xml", "/5.xml", "/6.xml"},
			want: []step{
				{path: "/i.xml", line: 1, code: CodeSitemapBudget, format: "index", urls: 4, unread: 2, notes: "sitemap_budget:2"},
				{path: "/1.xml", from: "/i.xml", depth: 1, format: "urlset", urls: 1, locs: []string{"/1"}},
				{path: "/2.xml", from: "/i.xml", depth: 1, format: "urlset", urls: 1, locs: []string{"/2"}},
				{path: "/5.xml", code: CodeSitemapBudget, unread: 1},
			},
		},
		{
			name: "more URLs than the budget allows", budget: SitemapBudget{URLs: 3},
			has:      answers{"/1.xml": pages("/1", "/2"), "/2.xml": pages("/3", "/4"), "/3.xml": pages("/5")},
			declared: []string{"/1.xml", "/2.xml", "/3.xml"},
			want: []step{
				{path: "/1.xml", line: 1, format: "urlset", urls: 2, locs: []string{"/1", "/2"}},
				{path: "/2.xml", line: 2, code: CodeURLBudget, format: "urlset", urls: 2, unread: 1, locs: []string{"/3"}},
			},
		},
		{
			name: "the budget of URLs ends in an index", budget: SitemapBudget{URLs: 3},
			has: answers{
				"/i.xml": index("/1.xml", "/2.xml", "/3.xml", "/j.xml"), "/1.xml": pages("/1", "/2"), "/2.xml": pages("/3", "/4"),
			},
			declared: []string{"/i.xml", "/1.xml", "/5.xml"},
			want: []step{
				{path: "/i.xml", line: 1, format: "index", urls: 4},
				{path: "/1.xml", from: "/i.xml", depth: 1, format: "urlset", urls: 2, locs: []string{"/1", "/2"}},
				{path: "/2.xml", from: "/i.xml", depth: 1, code: CodeURLBudget, format: "urlset", urls: 2, unread: 3, locs: []string{"/3"}},
			},
		},
		{
			name: "just as many URLs as the budget allows", budget: SitemapBudget{URLs: 3},
			has:      answers{"/1.xml": pages("/1", "/2"), "/2.xml": pages("/3")},
			declared: []string{"/1.xml", "/2.xml"},
			want: []step{
				{path: "/1.xml", line: 1, format: "urlset", urls: 2, locs: []string{"/1", "/2"}},
				{path: "/2.xml", line: 2, format: "urlset", urls: 1, locs: []string{"/3"}},
			},
		},
		{
			name: "more bytes than the budget allows", budget: SitemapBudget{Bytes: 300},
			has:      answers{"/1.xml": pages("/1", "/2", "/3", "/4", "/5", "/6", "/7", "/8", "/9"), "/2.xml": pages("/1")},
			declared: []string{"/1.xml", "/2.xml"},
			want: []step{
				{path: "/1.xml", line: 1, code: CodeBodyTooLarge, format: "urlset", urls: 5, locs: []string{"/1", "/2", "/3", "/4", "/5"}},
				{path: "/2.xml", line: 2, format: "urlset", urls: 1, locs: []string{"/1"}},
			},
		},
		{
			name: "an index of sitemaps that fail", budget: SitemapBudget{Fails: 2},
			has: answers{
				"/i.xml": index("/no1.xml", "/a.xml", "mailto:x@y.test", "/j.xml", "/no2.xml", "/no3.xml", "/b.xml", "/c.xml"), "/a.xml": pages("/1"),
				"/j.xml": index("/no4.xml", "/no5.xml", "/d.xml"), "/d.xml": pages("/2"), "/z.xml": pages("/3"),
			},
			declared: []string{"/i.xml", "/z.xml"},
			want: []step{
				{path: "/i.xml", line: 1, format: "index", urls: 8, notes: "not_http:1"},
				{path: "/no1.xml", from: "/i.xml", depth: 1, code: CodeHTTPStatus},
				{path: "/a.xml", from: "/i.xml", depth: 1, format: "urlset", urls: 1, locs: []string{"/1"}},
				{path: "mailto:x@y.test", from: "/i.xml", depth: 1, code: CodeBadURL},
				{path: "/j.xml", from: "/i.xml", depth: 1, format: "index", urls: 3, notes: "nested_index:1"},
				{path: "/no4.xml", from: "/j.xml", depth: 2, code: CodeHTTPStatus},
				{path: "/no5.xml", from: "/j.xml", depth: 2, code: CodeHTTPStatus},
				{path: "/d.xml", from: "/j.xml", depth: 2, code: CodeSitemapFails},
				{path: "/no2.xml", from: "/i.xml", depth: 1, code: CodeHTTPStatus},
				{path: "/no3.xml", from: "/i.xml", depth: 1, code: CodeHTTPStatus},
				{path: "/b.xml", from: "/i.xml", depth: 1, code: CodeSitemapFails, unread: 1},
				{path: "/z.xml", line: 2, format: "urlset", urls: 1, locs: []string{"/3"}},
			},
		},
		{
			name: "a urlset in place of an index",
			has: answers{
				"/s.xml": pages("/a.xml", "/b.xml.gz", "/a.xml"), "/a.xml": pages("/1", "/2.xml"), "/b.xml.gz": index("/c.xml"), "/c.xml": pages("/3"),
				"/t.xml": pages("/p.xml", "/a2.xml"), "/p.xml": xmlFile("<text/>"), "/a2.xml": pages("/4"), // documents, and so not read
				"/u.xml": pages("/a3.xml", "/page"), "/a3.xml": pages("/5"),
				"/v.xml": pages("/feed.xml"), "/feed.xml": xmlFile("<rss version='2.0'><channel><item><link>http://example.test/6</link></item></channel></rss>"),
			},
			declared: []string{"/s.xml", "/t.xml", "/u.xml", "/v.xml"},
			want: []step{
				{path: "/s.xml", line: 1, format: "urlset", urls: 3, locs: []string{"/a.xml", "/b.xml.gz", "/a.xml"}},
				{path: "/a.xml", from: "/s.xml", depth: 1, format: "urlset", urls: 2, notes: "listed_as_page:1", locs: []string{"/1", "/2.xml"}},
				{path: "/b.xml.gz", from: "/s.xml", depth: 1, format: "index", urls: 1, notes: "listed_as_page:1 not_gzip:1"},
				{path: "/c.xml", from: "/b.xml.gz", depth: 2, format: "urlset", urls: 1, locs: []string{"/3"}},
				{path: "/t.xml", line: 2, format: "urlset", urls: 2, locs: []string{"/p.xml", "/a2.xml"}},
				{path: "/u.xml", line: 3, format: "urlset", urls: 2, locs: []string{"/a3.xml", "/page"}},
				{path: "/v.xml", line: 4, format: "urlset", urls: 1, locs: []string{"/feed.xml"}},
			},
		},
		{
			name:     "lines and children that are never asked for",
			has:      answers{"/i.xml": index("ftp://example.test/s.xml", "s.xml", "http://10.0.0.1/s.xml"), "/s.xml": pages("/1")},
			declared: []string{"s.xml", "", "//example.test/s.xml", "ftp://example.test/s.xml", "file:///etc/passwd", "http://169.254.169.254/latest", "http://[::1]:1/s.xml", "/i.xml"},
			want: []step{
				{path: "s.xml", line: 1, code: CodeBadURL},
				{path: "", line: 2, code: CodeBadURL},
				{path: "//example.test/s.xml", line: 3, code: CodeBadURL},
				{path: "ftp://example.test/s.xml", line: 4, code: CodeBadURL},
				{path: "file:///etc/passwd", line: 5, code: CodeBadURL},
				{path: "http://169.254.169.254/latest", line: 6, code: CodeBlockedAddress},
				{path: "http://[::1]:1/s.xml", line: 7, code: CodeBlockedAddress},
				{path: "/i.xml", line: 8, format: "index", urls: 3, notes: "not_http:1 other_host:1 relative_loc:1"},
				{path: "ftp://example.test/s.xml", from: "/i.xml", depth: 1, code: CodeBadURL},
				{path: "/s.xml", from: "/i.xml", depth: 1, format: "urlset", urls: 1, locs: []string{"/1"}},
				{path: "http://10.0.0.1/s.xml", from: "/i.xml", depth: 1, code: CodeBlockedAddress},
			},
		},
		{
			name: "URLs that the protocol does not allow",
			has: answers{"/s.xml": pages("/1", "http://other.test/", "https://example.test/", "http://EXAMPLE.test:80/2", "http://example.test.evil.test/", "3", "//example.test/4", "mailto:x@y.test",
				"http://u:p@example.test/5", "/"+strings.Repeat("a", 2027), "/"+strings.Repeat("a", 2028), "/"+strings.Repeat("ä", 2000), "/6#x")},
			declared: []string{"/s.xml"},
			want: []step{{path: "/s.xml", line: 1, format: "urlset", urls: 13, notes: "fragment:1 long_loc:1 not_a_url:1 not_http:1 other_host:2 other_scheme:1 relative_loc:1",
				locs: []string{"/1", "http://other.test/", "https://example.test/", "/2", ".evil.test/", "3", "/4", "mailto:x@y.test",
					"/5", "/" + strings.Repeat("a", 2027), "/" + strings.Repeat("a", 2028), "/" + strings.Repeat("%C3%A4", 2000), "/6"}}},
		},
		{
			name: "what is no sitemap",
			has: answers{"/1": xmlFile("<!DOCTYPE html><html><body><a href='/x'>404</a></body></html>"), "/2": xmlFile(""), "/3": xmlFile("hello"), "/4": xmlFile("<a/>"),
				"/5": xmlFile("<urlset " + ns + "/>"), "/6": xmlFile("\x89PNG\r\n\x1a\n\x00\x00"), "/7": xmlFile("<opml><a/></opml>"), "/8": xmlFile("<Head></head><opml/>")},
			declared: []string{"/1", "/2", "/3", "/4", "/5", "/6", "/7", "/8"},
			want: []step{
				{path: "/1", line: 1, code: CodeNotASitemap},
				{path: "/2", line: 2, code: CodeEmptyFile, notes: "empty_file:1"},
				{path: "/3", line: 3, code: CodeNotASitemap},
				{path: "/4", line: 4, code: CodeNotASitemap},
				{path: "/5", line: 5, format: "urlset", notes: "empty_sitemap:1"},
				{path: "/6", line: 6, code: CodeNotASitemap, notes: "unsupported_format:1"},
				{path: "/7", line: 7, code: CodeNotASitemap, notes: "unsupported_format:1"},
				{path: "/8", line: 8, code: CodeNotASitemap},
			},
		},
		{
			name: "bodies that break off",
			has: answers{"/1": xmlFile("<urlset " + ns + "><url><loc>BASE/1</loc></url><url><loc>BASE/2"),
				"/2": func(w http.ResponseWriter, r *http.Request) {
					w.Header().Set("Content-Length", "1000")
					io.WriteString(w, "<urlset "+ns+"><url><loc>"+home+"/1</loc></url>")
				}},
			declared: []string{"/1", "/2"},
			want: []step{
				{path: "/1", line: 1, code: CodeSitemapBroken, format: "urlset", urls: 1, notes: "not_well_formed:1", locs: []string{"/1"}},
				{path: "/2", line: 2, code: CodeBodyIncomplete, format: "urlset", urls: 1, locs: []string{"/1"}},
			},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, walked(t, c.has.serve(t), c.budget, c.declared...), cmp.AllowUnexported(step{})); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestSitemapsLeft leaves the loop at every step: nothing is requested after
// that.
func TestSitemapsLeft(t *testing.T) {
	var asked atomic.Int32
	all := answers{"/i.xml": index("/1.xml", "/2.xml"), "/1.xml": pages("/1", "/2"), "/2.xml": pages("/3")}
	for name, h := range all {
		all[name] = func(w http.ResponseWriter, r *http.Request) { asked.Add(1); h(w, r) }
	}
	c := all.serve(t)
	for items, requests := range []int32{1, 2, 2, 2, 3, 3} {
		asked.Store(0)
		s := c.Site()
		n := 0
		ctx, cancel := context.WithCancel(t.Context())
		for range s.Sitemaps(ctx, []DeclaredSitemap{{URL: home + "/i.xml"}}, SitemapBudget{}) {
			if n++; n > items {
				if items%2 == 0 {
					cancel() // the usual reason to leave a loop
				}
				break
			}
		}
		cancel()
		s.Close()
		if n != items+1 || asked.Load() != requests {
			t.Errorf("left after item %d: %d requests, want %d", n, asked.Load(), requests)
		}
	}
}

// TestSitemapsCancelled checks that the last file is the one in progress, with
// the code for it.
func TestSitemapsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	c := answers{
		"/1.xml": func(w http.ResponseWriter, r *http.Request) {
			io.WriteString(w, "<urlset "+ns+"><url><loc>"+home+"/1</loc></url>")
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		},
		"/2.xml": pages("/2"),
	}.serve(t)
	s := c.Site()
	defer s.Close()
	var last *SitemapFile
	for item := range s.Sitemaps(ctx, []DeclaredSitemap{{URL: home + "/1.xml"}, {URL: home + "/2.xml"}}, SitemapBudget{}) {
		if item.URL != nil {
			cancel()
		}
		last = item.File
	}
	cancel()
	if last == nil || last.Code != CodeCancelled || last.URLs != 1 || last.Unread != 1 || last.Index != 0 {
		t.Errorf("last item: %+v", last)
	}
}

// TestSitemapTroubleOfOne: the message about a single unread sitemap is a correct sentence.
func TestSitemapTroubleOfOne(t *testing.T) {
	for _, trouble := range troubles {
		for count, many := range map[int64]bool{1: false, 2: true} {
			f := SitemapFile{Notes: []Note{{Code: trouble.code, Count: count, Detail: "x"}}}
			words := f.worst().Error()
			if plural := strings.Contains(words, "sitemaps not") || strings.Contains(words, "entries"); plural && !many || !plural && many && trouble.code != CodeSitemapTooBig {
				t.Errorf("%d: %s", count, words)
			}
		}
	}
}
