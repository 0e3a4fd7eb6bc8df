package sitemap

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"robots-audit/crawl/internal/wellformed"
)

// scanned is the complete result of a scanner for a file.
type scanned struct {
	URLs   []string // "loc http://…"
	Dates  []string // their lastmods
	Langs  []string // of alternates: "'de'"; "+" marks the first URL of an entry
	Format string
	Alien  bool
	Broken bool
	Notes  map[string]int64
	Fault  wellformed.Fault // with NoteNotWellFormed
}

var kindNames = [...]string{Page: "loc", Child: "sitemap", Alternate: "hreflang", Image: "image", Video: "video"}

// scanAll scans a file to its end.
func scanAll(r io.Reader) scanned {
	s := NewScanner(r)
	defer s.Free()
	got := scanned{Notes: map[string]int64{}}
	for s.Next() {
		line := kindNames[s.URL.Kind] + " " + string(s.URL.Loc)
		got.Dates = append(got.Dates, string(s.URL.LastMod))
		lang := string(s.URL.Lang)
		if s.URL.Lang != nil {
			lang = "'" + lang + "'"
		}
		if s.URL.First {
			lang = "+" + lang
		}
		got.Langs = append(got.Langs, lang)
		if s.URL.TooLong {
			line += fmt.Sprintf(" (too_long, %d bytes)", len(s.URL.Loc))
		}
		got.URLs = append(got.URLs, line)
	}
	got.Format, got.Alien, got.Broken = s.Format, s.NotSitemap, s.Broken != ""
	for _, n := range s.Notes {
		got.Notes[n.Code] = n.Count
		if n.Code == NoteNotWellFormed {
			got.Fault = wellformed.Fault{Byte: n.Byte, Line: n.Line, Reason: n.Detail}
		}
	}
	return got
}

// chunked are ways in which the bytes of a file may arrive.
var chunked = map[string]func(io.Reader) io.Reader{
	"whole":       func(r io.Reader) io.Reader { return r },
	"bytewise":    iotest.OneByteReader,
	"in halves":   iotest.HalfReader,
	"with an end": iotest.DataErrReader,
}

const ns = `xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"`

// urlset wraps entries in a sitemap.
func urlset(entries string) string { return `<urlset ` + ns + `>` + entries + `</urlset>` }

// The alternates of an entry come with their hreflang, and the first URL of an entry is marked.
func TestHreflang(t *testing.T) {
	link := func(lang, href string) string {
		return `<xhtml:link rel="alternate" hreflang="` + lang + `" href="` + href + `"/>`
	}
	for _, c := range []struct{ name, file, want string }{
		{"the usual form", urlset("<url><loc>http://a.test/</loc>" + link("de", "http://a.test/de") + link("x-default", "http://a.test/") + "</url><url><loc>http://a.test/2</loc></url>"), "+ 'de' 'x-default' +"},
		{"links before loc", urlset("<url>" + link("de", "http://a.test/de") + "<loc>http://a.test/</loc></url>"), "+'de' "},
		{"white space, empty, none", urlset("<url><loc>http://a.test/</loc>" + link(" en\n", "http://a.test/e") + link("", "http://a.test/f") + `<xhtml:link rel="alternate" href="http://a.test/g"/></url>`), "+ 'en' '' "},
		{"no URL", urlset("<url><loc>http://a.test/</loc>" + link("de", " ") + link("fr", "http://a.test/f") + "</url>"), "+ 'fr'"},
		{"very long", urlset("<url><loc>http://a.test/</loc>" + link(strings.Repeat("de", 100), "http://a.test/d") + "</url>"), "+ '" + strings.Repeat("de", 32) + "'"},
		{"an entry that is not closed", urlset("<url><loc>http://a.test/</loc>" + link("de", "http://a.test/d") + "<url><loc>http://a.test/2</loc>" + link("fr", "http://a.test/f") + "</url>"), "+ 'de' + 'fr'"},
		{"more URLs than wait", urlset("<url><loc>http://a.test/</loc>" + strings.Repeat(link("de", "http://a.test/d"), 2*maxFound) + "</url><url>" + link("fr", "http://a.test/f") + "</url>"), "+" + strings.Repeat(" 'de'", 2*maxFound) + " +'fr'"},
		{"a list", "http://a.test/\nhttp://a.test/2\n", "+ +"},
	} {
		for how, chunk := range chunked {
			if got := strings.Join(scanAll(chunk(strings.NewReader(c.file))).Langs, " "); got != c.want {
				t.Errorf("%s, %s: %q, want %q", c.name, how, got, c.want)
			}
		}
	}
}

// Each wrong changefreq and priority is noted, with its entry.
func TestHints(t *testing.T) {
	for name, values := range map[string][]string{
		"changefreq": {"biweekly", "Daily", "daily, weekly", "daily<!-- -->x", "0.5", ""},
		"priority":   {"1.5", "1.01", "-0.1", "0,5", "50%", "high", "1e-1", ".", "+", "--1", "0.5.1", " "},
	} {
		for how, chunk := range chunked {
			s := NewScanner(chunk(strings.NewReader(urlset(hints(name, values...) + "<url><" + name + "/><loc>http://a.test/2</loc></url>"))))
			for s.Next() {
			}
			if n := s.Notes; len(n) != 1 || n[0].Code != "invalid_"+name || n[0].Count != int64(len(values)+1) || n[0].Detail != "http://a.test/h ("+values[0]+")" || len(n[0].More) != maxMore {
				t.Errorf("%s, %s: %v", name, how, n)
			}
			s.Free()
		}
	}
}

// Each link that crawlers ignore is noted, with what it lacks.
func TestIncompleteLinks(t *testing.T) {
	for link, want := range map[string]string{
		`rel="alternate" href="http://a.test/d?a&amp;b"`:       "http://a.test/d?a&b (no hreflang)",
		`rel="alternate" hreflang="de"`:                        "http://a.test/ (no href)",
		`rel="alternate" hreflang="de" href=" "`:               "http://a.test/ (no href)",
		`rel="alternate"`:                                      "http://a.test/ (no hreflang, no href)",
		`hreflang="de" href="http://a.test/d"`:                 "http://a.test/d (no rel)",
		`href="http://a.test/d"`:                               "http://a.test/d (no rel, no hreflang)",
		`rel="canonical" hreflang="de" href="http://a.test/d"`: `http://a.test/d (rel is "canonical")`,
		`rel="alternat" media="x" href="http://a.test/d"`:      `http://a.test/d (rel is "alternat")`,
		`rel="Alternate" hreflang="de" href="http://a.test/d"`: "",
		`rel='alternate' hreflang='' href='http://a.test/d'`:   "", // an invalid code
		`rel="alternate" media="x" href="http://m.a.test/"`:    "",
		`rel="alternate" href="android-app://a.test/http/x/"`:  "",
		`rel="alternate" href="ios-app://1/http/x/"`:           "",
		`rel="canonical" href="http://a.test/d"`:               "",
	} {
		for how, chunk := range chunked {
			s := NewScanner(chunk(strings.NewReader(urlset("<url><loc>http://a.test/</loc><link " + link + "/></url>"))))
			for s.Next() {
			}
			got := ""
			for _, n := range s.Notes {
				got += n.Detail
			}
			if got != want || len(s.Notes) > 1 {
				t.Errorf("%s, %s: %v, want %s", link, how, s.Notes, want)
			}
			s.Free()
		}
	}
}

func TestScanner(t *testing.T) {
	defer func() { now = time.Now }()
	now = func() time.Time { return time.Date(2026, 3, 3, 12, 0, 0, 0, time.UTC) }
	for _, c := range scannerCases {
		t.Run(c.name, func(t *testing.T) {
			for how, chunk := range chunked {
				got := scanAll(chunk(strings.NewReader(c.file)))
				for i, date := range got.Dates {
					got.URLs[i] = strings.TrimSpace(got.URLs[i] + " " + date)
				}
				if !slices.Equal(got.URLs, c.urls) {
					t.Errorf("%s: URLs\n%s\nwant\n%s", how, strings.Join(got.URLs, "\n"), strings.Join(c.urls, "\n"))
				}
				notes := []string{}
				for code := range got.Notes {
					notes = append(notes, code)
				}
				slices.Sort(notes)
				if strings.Join(notes, " ") != c.notes {
					t.Errorf("%s: notes %q, want %q", how, notes, c.notes)
				}
				format := c.format
				if format == "" {
					format = "urlset"
				}
				if got.Format != strings.TrimPrefix(format, "none") {
					t.Errorf("%s: format %q, want %q", how, got.Format, format)
				}
				if got.Broken != c.broken {
					t.Errorf("%s: broken %v, want %v", how, got.Broken, c.broken)
				}
			}
		})
	}
}
