package crawl

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"robots-audit/crawl/internal/sitemap"
)

// TestSitemapDirectory checks the URLs of a sitemap against its directory.
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
		s := locationOf(c.asked, c.final)
		for _, loc := range strings.Fields(c.inside + " " + c.outside) {
			var n sitemap.Notes
			s.noteURL(&sitemap.URL{Loc: []byte(loc)}, []byte(loc), nil, &n)
			want := ""
			if strings.Contains(" "+c.outside+" ", " "+loc+" ") {
				want = NoteOutside
			}
			if got := noteCodes(n); got != want {
				t.Errorf("%s in %s (%s): notes %q, want %q", loc, c.asked, c.final, got, want)
			}
			n = nil
			if s.noteURL(&sitemap.URL{Loc: []byte(loc), Kind: sitemap.Image}, []byte(loc), nil, &n); n != nil {
				t.Errorf("%s as an image: notes %q", loc, noteCodes(n))
			}
		}
	}
}

// noteCounts returns the codes of notes with their counts, sorted.
func noteCounts(n []Note) string {
	var counts []string
	for _, one := range n {
		counts = append(counts, fmt.Sprintf("%s:%d", one.Code, one.Count))
	}
	slices.Sort(counts)
	return strings.Join(counts, " ")
}

// noteCodes returns the codes of notes in order.
func noteCodes(n []Note) string {
	var codes []string
	for _, one := range n {
		codes = append(codes, one.Code)
	}
	return strings.Join(codes, " ")
}
