package crawl

import (
	"bufio"
	"bytes"
	"context"
	"hash/maphash"
	"io"
	"regexp"

	"robots-audit/crawl/internal/sitemap"
)

// LintSitemap requests one sitemap as Sitemaps does, but none of those that it names. Its notes have
// the place of their first case, with the column in bytes.
func (s *Site) LintSitemap(ctx context.Context, url string) *SitemapFile {
	w := oneSitemap(ctx)
	w.site = s
	p := &sitemapRef{url: url, parent: -1}
	key, wanted, _ := w.choose(p)
	if !wanted {
		return &SitemapFile{Outcome: Outcome{URL: url, Code: CodeBadURL}}
	}
	file, _ := w.fetch(p, key)
	return file
}

// ReadSitemap is LintSitemap for a sitemap at hand with the name of a file. Its URL is not known, so
// that nothing is said about other hosts, schemes and directories than its own.
func ReadSitemap(body io.Reader, name string) *SitemapFile {
	const unknown = "https://sitemap.invalid/sitemap.xml" // RFC 2606: no entry has this host
	w := oneSitemap(context.Background())
	file := &SitemapFile{Parent: -1}
	own := locationOf(unknown, unknown)
	own.unknown = true
	q := &queue{walk: w, base: unknown}
	inflated, empty, why := w.readBody(body, name, "", file, q, own)
	if file.Bytes = inflated; why != nil {
		file.setError(why)
	}
	file.noteEmpty(empty)
	return file
}

// oneSitemap is a traversal that yields nothing.
func oneSitemap(ctx context.Context) *traversal {
	return &traversal{ctx: ctx, budget: SitemapBudget{}.WithDefaults(), yield: func(SitemapItem) bool { return true },
		read: map[uint64]string{}, seed: maphash.MakeSeed(), locating: true}
}

// sitemapHead is the length of the text by which IsSitemap decides.
const sitemapHead = 4 << 10

// sitemapRoot is a start tag that sitemaps and feeds have near their beginning.
var sitemapRoot = regexp.MustCompile(`<([\w.-]+:)?(urlset|sitemapindex|rss|feed|RDF)[\s/>]`)

// IsSitemap reports whether a file with these first bytes is a sitemap, a feed or a list of URLs,
// gzipped or not. A robots.txt is none of them.
func IsSitemap(head []byte) bool {
	c := sitemap.NewContent(bytes.NewReader(head), "", "", defaultBytes)
	defer c.Free()
	text, _ := bufio.NewReaderSize(c, sitemapHead).Peek(sitemapHead)
	text = bytes.TrimLeft(bytes.TrimPrefix(bytes.TrimLeft(text, " \t\r\n"), []byte("\xef\xbb\xbf")), " \t\r\n")
	if bytes.HasPrefix(text, []byte("<")) {
		return sitemapRoot.Match(text)
	}
	for line := range bytes.FieldsFuncSeq(text, func(r rune) bool { return r == '\n' || r == '\r' }) {
		if line = bytes.TrimLeft(line, " \t"); len(line) > 0 && line[0] != '#' {
			return sitemap.IsWeb(line)
		}
	}
	return false
}
