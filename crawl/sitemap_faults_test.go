package crawl

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

// TestSitemapFaults reads single sitemaps with errors in them or in how they
// are sent.
func TestSitemapFaults(t *testing.T) {
	const one = `<urlset ` + ns + `><url><loc>` + home + `/1</loc></url></urlset>`
	big := func(entry string, n, size int) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			io.WriteString(w, "<!--"+strings.Repeat(" ", size)+"--><"+entry+"set "+ns+">")
			for i := range n {
				fmt.Fprintf(w, "<%s><loc>%s/%d</loc></%[1]s>", entry, home, i)
			}
			io.WriteString(w, "</"+entry+"set>")
		}
	}
	answer := func(body string, header ...string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			for i := 0; i < len(header); i += 2 {
				w.Header().Set(header[i], header[i+1])
			}
			io.WriteString(w, body)
		}
	}
	for _, c := range []struct {
		name   string
		path   string
		answer http.HandlerFunc
		budget SitemapBudget
		want   SitemapFile // compared: Code, Format, Gzip, URLs, Bytes if not 0, Truncated, and codes of Notes
		locs   int
	}{
		{name: "50,000 URLs", answer: big("url", 50_000, 0), want: SitemapFile{Format: "urlset", URLs: 50_000}, locs: 50_000},
		{name: "50,001 URLs", answer: big("url", 50_001, 0), want: outcome(CodeSitemapTooBig, SitemapFile{Format: "urlset", URLs: 50_001, Notes: []Note{{Code: CodeSitemapTooBig}}}), locs: 50_001},
		{name: "51 MB", answer: big("url", 1, 51<<20), want: outcome(CodeSitemapTooBig, SitemapFile{Format: "urlset", URLs: 1, Notes: []Note{{Code: CodeSitemapTooBig}}}), locs: 1},
		{name: "50,001 sitemaps in an index", answer: answer("<sitemapindex " + ns + ">" + strings.Repeat("<sitemap><loc>http://example.test/s</loc></sitemap>", 50_001) + "</sitemapindex>"),
			want: outcome(CodeSitemapTooBig, SitemapFile{Format: "index", URLs: 50_001, Notes: []Note{{Code: NoteRepeated}, {Code: CodeSitemapTooBig}}})},
		{name: "an index of long URLs", answer: func(w http.ResponseWriter, r *http.Request) {
			io.WriteString(w, "<sitemapindex "+ns+">")
			for i := range 600 {
				fmt.Fprintf(w, "<sitemap><loc>%s/%d%s</loc></sitemap>", home, i, strings.Repeat("x", 8000))
			}
			io.WriteString(w, "</sitemapindex>")
		}, want: outcome(CodeSitemapBudget, SitemapFile{Format: "index", URLs: 600, Notes: []Note{{Code: NoteLongLoc}, {Code: CodeSitemapBudget}}})},
		{name: "gzip", path: "/s.xml.gz", answer: answer(gzipped(one)), want: SitemapFile{Format: "urlset", Gzip: true, URLs: 1}, locs: 1},
		{name: "no URL in its entries", answer: answer("<urlset " + ns + "><url><lastmod>2026-01-02</lastmod></url></urlset>"), want: SitemapFile{Format: "urlset", Notes: []Note{{Code: NoteMissingLoc}}}},
		{name: "cut off before its first URL", answer: answer("<urlset " + ns + "><url><loc>"), want: outcome(CodeSitemapBroken, SitemapFile{Format: "urlset", Notes: []Note{{Code: NoteNotWellFormed}}})},
		{name: "named .gz only", path: "/s.xml.gz", answer: answer(one), want: SitemapFile{Format: "urlset", URLs: 1, Notes: []Note{{Code: NoteNotGzip}}}, locs: 1},
		{name: "gzip as Content-Encoding of what is named .gz", path: "/s.xml.gz", answer: answer(gzipped(one), "Content-Encoding", "gzip"), want: SitemapFile{Format: "urlset", URLs: 1}, locs: 1},
		{name: "gzip and Content-Encoding", path: "/s.xml.gz", answer: answer(gzipped(gzipped(one)), "Content-Encoding", "gzip"), want: SitemapFile{Format: "urlset", Gzip: true, URLs: 1}, locs: 1},
		{name: "gzip cut off", answer: answer(gzipped(one)[:60]), want: outcome(CodeSitemapBroken, SitemapFile{Gzip: true})},
		{name: "gzipped text", path: "/s.txt.gz", answer: answer(gzipped(home + "/1\r\n" + home + "/2")), want: SitemapFile{Format: "text", Gzip: true, URLs: 2}, locs: 2},
		{name: "a text list cut off", answer: answer(home+"/1\n"+home+"/2\n"+home+"/thr", "Content-Length", "100"), want: outcome(CodeBodyIncomplete, SitemapFile{Format: "text", URLs: 2}), locs: 2},
		{name: "Latin 1 by its Content-Type", answer: answer("<urlset "+ns+"><url><loc>"+home+"/\xe9</loc></url></urlset>", "Content-Type", "text/xml; charset=ISO-8859-1"),
			want: SitemapFile{Format: "urlset", URLs: 1, Notes: []Note{{Code: NoteNotUTF8}}}, locs: 1},
		{name: "a soft 404", answer: answer("<!DOCTYPE html><html><body>Not found</body></html>", "Content-Type", "text/html"), want: outcome(CodeNotASitemap, SitemapFile{})},
		{name: "a budget of URLs", answer: big("url", 50_000, 0), budget: SitemapBudget{URLs: 10}, want: outcome(CodeURLBudget, SitemapFile{Format: "urlset", URLs: 11}), locs: 10},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := c.path
			if path == "" {
				path = "/sitemap"
			}
			client := answers{path: c.answer}.serve(t)
			s := client.Site()
			defer s.Close()
			locs := 0
			var got *SitemapFile
			for item := range s.Sitemaps(t.Context(), []DeclaredSitemap{{URL: home + path}}, c.budget) {
				if item.URL != nil {
					locs++
				} else if got == nil {
					got = item.File
				}
			}
			summary := func(f SitemapFile) string {
				return fmt.Sprintf("code %q format %q gzip %v URLs %d notes %s", f.Code, f.Format, f.Gzip, f.URLs, noteCodes(f.Notes))
			}
			if summary(*got) != summary(c.want) || locs != c.locs {
				t.Errorf("%d URLs, %s\nwant %d, %s", locs, summary(*got), c.locs, summary(c.want))
			}
			if got.Truncated != (c.want.Code == CodeBodyTooLarge || c.want.Code == CodeURLBudget) {
				t.Errorf("Truncated %v", got.Truncated)
			}
			if c.want.Code == CodeBodyTooLarge && got.Bytes > 1<<20 {
				t.Errorf("%d bytes read, over the limit", got.Bytes)
			}
			if c.want.Code == CodeSitemapTooBig && strings.HasPrefix(c.name, "50,001 ") && got.Detail != "50,001 entries, but only 50,000 are allowed" {
				t.Error(got.Detail)
			}
			if c.want.Code != "" && got.Detail == "" {
				t.Error("no words about it")
			}
		})
	}
}

// outcome makes the Outcome of a file with a code.
func outcome(code string, f SitemapFile) SitemapFile {
	f.Code = code
	return f
}
