package crawl

import (
	"fmt"
	"strings"
	"testing"
)

// TestReadSitemapPlaces checks that each note has the place of its first case: line, column and byte
// point to the text that is given. The file is longer than a window before and behind it.
func TestReadSitemapPlaces(t *testing.T) {
	const head = "<?xml version=\"1.0\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" xmlns:news=\"http://www.google.com/schemas/sitemap-news/0.9\" xmlns:image=\"http://www.google.com/schemas/sitemap-image/1.1\">\n"
	cases := []struct{ code, entry, at string }{
		{NoteEmptyLoc, "<url><loc></loc></url>", "<loc></loc>"},
		{NoteMissingLoc, "<url><lastmod>2026-01-01</lastmod></url>", "<url><lastmod>2026-01-01"},
		{NoteSeveralLocs, "<url><loc>https://a.example/x</loc><loc>https://a.example/twice</loc></url>", "<loc>https://a.example/twice"},
		{NoteMisplacedLoc, "<url>\n https://a.example/misplaced</url>", "https://a.example/misplaced"},
		{NoteMalformedXML, "<url><loc>https://a.example/x</loc></b></url>", "</b>"},
		{NoteMixed, "<sitemap><loc>https://a.example/child.xml</loc></sitemap>", "<loc>https://a.example/child.xml"},
		{NoteUndefinedEntity, "<url><loc>https://a.example/&nosuch;</loc></url>", "<loc>https://a.example/&nosuch;"},
		{NoteRawAmpersand, "<url><loc>https://a.example/?a&b</loc></url>", "<loc>https://a.example/?a&b"},
		{NoteInvalidUTF8, "<url><loc>https://a.example/\xff</loc></url>", "<loc>https://a.example/\xff"},
		{NoteControlCharacter, "<url><loc>https://a.example/\x01</loc></url>", "<loc>https://a.example/\x01"},
		{NoteSpaceInLoc, "<url><loc>https://a.example/x y</loc></url>", "<loc>https://a.example/x y"},
		{NoteInvisible, "<url><loc>\u200bhttps://a.example/x</loc></url>", "<loc>\u200b"},
		{NoteInvalidLastMod, "<url><loc>https://a.example/x</loc>\n<lastmod>yesterday</lastmod></url>", "<lastmod>yesterday"},
		{NoteFutureLastMod, "<url><loc>https://a.example/x</loc><lastmod>9999-01-01</lastmod></url>", "<lastmod>9999"},
		{NoteIncompleteNews, "<url><loc>https://a.example/x</loc><news:news></news:news></url>", "<news:news>"},
		{NoteIncompleteImage, "<url><loc>https://a.example/x</loc>\n<image:image><image:title>x</image:title></image:image></url>", "<image:image><image:title>x<"},
		{NoteIncompleteLink, "<url><loc>https://a.example/x</loc>\n<link rel=\"alternate\" hreflang=\"de\"/></url>", "<link rel"},
		{NoteNoURL, "<url><loc>nothing at all</loc></url>", "<loc>nothing at all"},
		{NoteNoHost, "<url><loc>https:///x</loc></url>", "<loc>https:///x"},
		{NoteNotHTTP, "<url><loc>mailto:a@a.example</loc></url>", "<loc>mailto:"},
		{NoteRelativeLoc, "<url><loc>/relative</loc></url>", "<loc>/relative"},
		{NoteUnresolved, "<url><loc>https://a.example/a/../b</loc></url>", "<loc>https://a.example/a/../b"},
		{NoteLongLoc, "<url><loc>https://a.example/" + strings.Repeat("l", 3000) + "</loc></url>", "<loc>https://a.example/llll"},
		{NoteBadEscape, "<url><image:image><image:loc>https://a.example/i</image:loc></image:image><loc>https://a.example/%zz</loc></url>", "<loc>https://a.example/%zz"},
		{NoteFragment, "<url>\n\n<loc>https://a.example/x#y</loc></url>", "<loc>https://a.example/x#y"},
		{NoteNotWellFormed, "<url><loc>https://a.example/<<x</loc></url>", "<<x"},
	}
	var many strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&many, "  <url><loc>https://a.example/%d</loc></url>\n", i)
	}
	for _, c := range cases {
		for _, before := range []string{"", many.String()} {
			text := head + before + c.entry + "\n" + many.String() + "</urlset>\n"
			file := ReadSitemap(strings.NewReader(text), "sitemap.xml")
			var found *Note
			for i := range file.Notes {
				if file.Notes[i].Code == c.code {
					found = &file.Notes[i]
				}
			}
			if found == nil {
				t.Errorf("%s: not noted: %v", c.code, file.Notes)
				continue
			}
			want := int64(strings.Index(text, c.at))
			if c.code == NoteNotWellFormed {
				want++ // the byte that cannot be there
			}
			line := int64(strings.Count(text[:want], "\n") + 1)
			column := want - int64(strings.LastIndexByte(text[:want], '\n'))
			if found.Byte != want+1 || found.Line != line || found.Column != column {
				t.Errorf("%s: %d:%d, byte %d; want %d:%d, byte %d", c.code, found.Line, found.Column, found.Byte, line, column, want+1)
			}
		}
	}
}

// TestIsSitemap checks what is a sitemap by its first bytes.
func TestIsSitemap(t *testing.T) {
	for text, want := range map[string]bool{
		"":                                   false,
		"User-agent: *\nhttps://a.example/x": false,
		"# https://a.example/\nDisallow: /":  false,
		"https://a.example/x\n":              true,
		"\n# pages\nhttps://a.example/x":     true,
		"<urlset>":                           true,
		"\xef\xbb\xbf<?xml version=\"1.0\"?>\n<!-- x --><s:sitemapindex xmlns:s=\"x\">": true,
		"<rdf:RDF>":             true,
		"<rss version=\"2.0\">": true,
		"<!DOCTYPE html><html>": false,
		"\xff\xfe<\x00u\x00r\x00l\x00s\x00e\x00t\x00>\x00": true,
		gzipped("<urlset><url>"):                           true,
		gzipped("User-agent: *"):                           false,
		gzipped("<urlset><url>")[:30]:                      true,
	} {
		if got := IsSitemap([]byte(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
