package crawl

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"
)

// TestSitemapOddities has a server that sends unusual or invalid sitemaps. It
// checks the URLs that are found, letter by letter, and the notes.
func TestSitemapOddities(t *testing.T) {
	const head, tail = `<urlset ` + ns + `>`, `</urlset>`
	entry := func(loc string) string { return `<url><loc>` + home + loc + `</loc></url>` }
	one := head + entry("/1") + tail
	cyrillic, err := charmap.Windows1251.NewEncoder().String(`<?xml version="1.0" encoding="windows-1251"?>` + head + entry("/страница") + tail)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name  string
		body  string
		locs  []string // without the origin
		notes string   // "code:count", in order
		code  string
	}{
		// Compression (faults 20, 25).
		{"gzip in gzip in gzip", gzipped(gzipped(gzipped(head + strings.Repeat(entry("/1"), 100) + tail))), nil, "nested_gzip:1", CodeNotASitemap},
		{"a broken member after gzip", gzipped(one) + "\x1f\x8b\x08 no gzip", []string{"/1"}, "", CodeSitemapBroken},

		// Characters (fault 27).
		{"control characters", head + entry("/\x01x") + entry("/2") + tail, []string{"/%01x = /\x01x", "/2"}, "control_character:1 not_well_formed:1 unresolved_url:1", ""},
		{"invalid UTF-8", head + entry("/\xe9") + entry("/é") + tail, []string{"/%E9 = /\xe9", "/%C3%A9 = /é"}, "invalid_utf8:1 not_well_formed:1", ""},
		{"windows-1251", cyrillic, []string{"/%D1%81%D1%82%D1%80%D0%B0%D0%BD%D0%B8%D1%86%D0%B0 = /страница"}, "not_utf8:1", ""},

		// Names and syntax (fault 28).
		{"image:loc", `<urlset ` + ns + ` xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"><url><image:image><image:loc>` + home + `/i.png</image:loc></image:image><loc>` + home + `/1</loc></url>` + tail,
			[]string{"image /i.png", "/1"}, "", ""},

		// URLs (fault 29).
		{"relative, other hosts and schemes", head + `<url><loc>1</loc></url><url><loc>/2</loc></url><url><loc>http://other.test/3</loc></url><url><loc>mailto:a@b.test</loc></url>` + tail,
			[]string{"1", "/2 = /2", "http://other.test/3", "mailto:a@b.test"}, "not_a_url:1 not_http:1 other_host:1 relative_loc:1", ""},
		{"what is relative, and what is no URL", head + xmlLocs("/a", "./b", "../c", "?d", "e/f", "g.html", "//other.test/h", "n/a", "N/A", "-", "none", "1.0", "i j/k", "www.example.test/l", "example.test/m", "#n", "o.", "https//example.test/p", "rel2", "rel3?a=b", "Null", "undefined") + tail,
			[]string{"/a = /a", "/b = ./b", "/c = ../c", "/s.xml?d = ?d", "/e/f = e/f", "/g.html = g.html", "http://other.test/h = //other.test/h",
				"n/a", "N/A", "-", "none", "1.0", "i j/k", "www.example.test/l", "example.test/m", "#n", "o.", "https//example.test/p", "/rel2 = rel2", "/rel3?a=b = rel3?a=b", "Null", "undefined"},
			"not_a_url:13 other_host:1 relative_loc:9 space_in_loc:1", ""},
		{"not as they are asked for", head + entry("/./a") + entry("/b/../c") + entry("/%2E/d") + entry(`\e\f`) + entry("/g h") + entry("/i?j'k") + entry("/l#m") + entry("") + entry("?n") + tail,
			[]string{"/a = /./a", "/c = /b/../c", "/d = /%2E/d", `/e/f = \e\f`, "/g%20h = /g h", "/i?j%27k = /i?j'k", "/l", "/", "/?n = ?n"}, "fragment:1 space_in_loc:1 unresolved_url:6", ""},
		{"100 KB", head + entry("/"+strings.Repeat("x", 100_000)) + entry("/2") + tail, []string{"too_long, 2048 bytes", "/2"}, "long_loc:1", ""},
		{"user, international name, port, fragment", head + `<url><loc>http://user:pw@example.test/1</loc></url><url><loc>http://bücher.test/2</loc></url><url><loc>` + home + `:8080/3</loc></url>` + entry("/4#part") + tail,
			[]string{"/1 = http://user:pw@example.test/1", "http://xn--bcher-kva.test/2 = http://bücher.test/2", ":8080/3", "/4"}, "fragment:1 other_host:2", ""},
		{"no host", head + `<url><loc>http:///1</loc></url><url><loc>https://</loc></url><url><loc>http://?x</loc></url>` + tail,
			[]string{"http:///1", "https://", "http://?x"}, "no_host:3", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := answers{"/s.xml": func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, tt.body) }}.serve(t).Site()
			defer s.Close()
			var locs []string
			notes := ""
			for item := range s.Sitemaps(t.Context(), []DeclaredSitemap{{URL: home + "/s.xml"}}, SitemapBudget{}) {
				if u := item.URL; u != nil {
					loc := strings.TrimPrefix(string(u.Loc), home)
					if u.LeftOut != "" {
						loc = fmt.Sprintf("%s, %d bytes", u.LeftOut, len(u.Loc))
					} else if u.Kind != KindLoc {
						loc = u.Kind.String() + " " + loc
					}
					if u.Written != nil {
						loc += " = " + strings.TrimPrefix(string(u.Written), home)
					}
					locs = append(locs, loc)
					continue
				}
				notes += noteCounts(item.File.Notes)
				if item.File.Code != tt.code {
					t.Errorf("got code %q, want %q (%s)", item.File.Code, tt.code, item.File.Detail)
				}
			}
			if !slices.Equal(locs, tt.locs) || notes != tt.notes {
				t.Errorf("got %q, notes %q\nwant %q, notes %q", locs, notes, tt.locs, tt.notes)
			}
		})
	}
}

// Without a budget, a walk ends at five nested indexes (fault 23).
func TestSitemapsWithoutABottom(t *testing.T) {
	has := answers{}
	for i := range 12 { // each names the next one and its own sitemap
		has[fmt.Sprintf("/%d.xml", i)] = index(fmt.Sprintf("/%d.xml", i+1), fmt.Sprintf("/u%d.xml", i))
		has[fmt.Sprintf("/u%d.xml", i)] = pages(fmt.Sprintf("/page%d", i))
	}
	indexes, urls, last := 0, 0, ""
	for _, s := range walked(t, has.serve(t), SitemapBudget{}, "/0.xml") {
		if urls += len(s.locs); s.format == "index" {
			if indexes++; s.code != "" {
				last += s.path + " " + s.code
			}
		}
	}
	if indexes != defaultDepth+1 || urls != defaultDepth || last != "/5.xml "+CodeSitemapDepth {
		t.Errorf("%d indexes, %d URLs, ended by %q", indexes, urls, last)
	}
}

// xmlLocs returns an entry for each loc, unescaped.
func xmlLocs(locs ...string) string {
	return "<url><loc>" + strings.Join(locs, "</loc></url><url><loc>") + "</loc></url>"
}
