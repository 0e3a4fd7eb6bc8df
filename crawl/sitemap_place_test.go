package crawl

import (
	"strings"
	"testing"
)

// TestSitemapDirectory holds the URLs of a sitemap to its directory.
func TestSitemapDirectory(t *testing.T) {
	for _, c := range []struct {
		asked, final string
		inside       string
		outside      string
	}{
		{"http://a.test/sitemap.xml", "http://a.test/sitemap.xml", "http://a.test/x http://a.test", ""},
		{"http://a.test/s/sitemap.xml?x=/y", "http://a.test/s/sitemap.xml", "http://a.test/s/ http://a.test/s/x/y http://a.test/%73/x", "http://a.test/ http://a.test/sx http://a.test/S/x http://a.test/?/s/"},
		{"http://a.test/s/1.xml", "http://a.test/t/1.xml", "http://a.test/s/x http://a.test/t/x", "http://a.test/u/x"},
		{"http://a.test/1.xml", "http://a.test/t/1.xml", "http://a.test/s/x", ""},
		{"http://a.test/%7Eme/1.xml", "http://a.test/%7Eme/1.xml", "http://a.test/~me/x http://a.test/%7eme/x", "http://a.test/~you/"},
	} {
		s := siteOf(c.asked, c.final)
		for _, loc := range strings.Fields(c.inside + " " + c.outside) {
			var n notes
			s.note(&SitemapURL{Loc: []byte(loc)}, &n)
			want := ""
			if strings.Contains(" "+c.outside+" ", " "+loc+" ") {
				want = NoteOutside
			}
			if got := strings.Join(n.codes(), " "); got != want {
				t.Errorf("%s in %s (%s): notes %q, want %q", loc, c.asked, c.final, got, want)
			}
			n = nil
			if s.note(&SitemapURL{Loc: []byte(loc), Kind: KindImage}, &n); n != nil {
				t.Errorf("%s as an image: notes %q", loc, n.codes())
			}
		}
	}
}

// TestDatetime knows what the W3C's note and the protocol's schema allow.
func TestDatetime(t *testing.T) {
	for _, good := range strings.Fields(`2026 2026-11 2026-11-22 2024-02-29 2000-02-29 2026-11-22T04:05Z 2026-11-22T04:05+01:00
		2026-11-22T04:05:06Z 2026-11-22T04:05:06.7-14:00 2026-11-22T04:05:06.123456789+00:00 2016-12-31T23:59:60Z 2026-11-22T04:05:06 2026-04-30 2026-11-22T04:05`) {
		if !isDatetime([]byte(good)) {
			t.Errorf("%s is none", good)
		}
	}
	for _, bad := range strings.Split(`x|26|20261122|2026-|2026-13|2026-00|2026-1|2026-11-|2026-11-31|2026-11-00|2026-02-29|1900-02-29|2026-11-22T|2026-11-22 04:05:06|2026-11-22T24:00Z|2026-11-22T04|`+
		`2026-11-22T04:60Z|2026-11-22T04:05:61Z|2026-11-22T04:05:06.Z|2026-11-22T04:05:06z|2026-11-22t04:05:06Z|2026-11-22T04:05:06+1:00|2026-11-22T04:05:06+0100|2026-11-22T04:05+15:00|`+
		`2026-11-22T04:05+01:60|2026-11-22T04:05ZZ|2026/11/22|22.11.2026|Tue, 10 Nov 2026 04:00:00 GMT|2026-11-22Z|`, "|") {
		if isDatetime([]byte(bad)) {
			t.Errorf("%q is one", bad)
		}
	}
}
