package reports

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"robots-audit/audit"
	"robots-audit/audit/table"
	"robots-audit/engine"
)

func TestParseSegments(t *testing.T) {
	t.Parallel()
	want := []Segment{{Name: "blog", Pattern: "/blog/"}, {Name: "shop, all", Pattern: "/*?cat=1,2"}, {Name: "rest", Pattern: `re:^/("x"|y)/`}}
	for _, text := range []string{
		"blog,/blog/\n\"shop, all\",\"/*?cat=1,2\"\nrest,\"re:^/(\"\"x\"\"|y)/\"\n",
		"\ufeffname,pattern\r\nblog,/blog/\r\n\r\n\"shop, all\",/*?cat=1,2\r\nrest,re:^/(\"x\"|y)/",
		"Segment\tURL pattern\nblog\t/blog/\nshop, all\t/*?cat=1,2\nrest\tre:^/(\"x\"|y)/\n",
		"# a comment\nblog = /blog/\n\n\"shop, all\" = /*?cat=1,2\n  rest=re:^/(\"x\"|y)/\n",
		"blog;/blog/\n\"shop, all\";/*?cat=1,2\nrest;re:^/(\"x\"|y)/\n",
		"URL,Segment,CTR,Pattern\nhttps://a.example/,blog,1%,/blog/\n/a,\"shop, all\",,\"/*?cat=1,2\"\n/b,rest,,\"re:^/(\"\"x\"\"|y)/\"\n",
		"\"blog\"\t\"/blog/\"\n\"shop, all\"\t\"/*?cat=1,2\"\nrest\tre:^/(\"x\"|y)/\n",
	} {
		if got, err := ParseSegments("s.csv", []byte(text), table.Options{}); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %q (%v)", text, got, err)
		}
	}
	for text, want := range map[string]string{
		"":                                "s.csv: it names no segment",
		"name,pattern\n":                  "s.csv: it names no segment",
		"a,/a\n\nb /b\n":                  `s.csv:3: "b /b" is no name and pattern`,
		"URL,segment,pattern\n/,a,/a,b":   "s.csv: line 2: 4 columns, but the table has 3",
		"a,/a\na = /b":                    `s.csv:2: "a" is a segment of line 1 already`,
		"a,\n":                            "s.csv:1: it has no pattern",
		",/a\n":                           "s.csv:1: it has no name",
		"name,pattern\nname,pattern":      `s.csv:2: the pattern "pattern" does not begin with /, with *`,
		"a,https://a.example/":            `s.csv:1: the pattern "https://a.example/" does not begin`,
		"a,re:(":                          `s.csv:1: "(" is not a regular expression`,
		"a,/a#b":                          "s.csv:1: a pattern cannot contain #",
		"(no segment),/a":                 "s.csv:1: a name is up to",
		strings.Repeat("n", 101) + ",/":   "s.csv:1: a name is up to",
		"a,/" + strings.Repeat("p", 2000): "s.csv:1: a pattern is up to",
		"a,/\x81":                         "s.csv: the text is not UTF-8",
	} {
		if list, err := ParseSegments("s.csv", []byte(text), table.Options{}); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%.40q: %v, %v; want %s", text, list, err, want)
		}
	}
}

// Pages are counted by the first segment that they match, so every page once: in the sheet, in
// Summary and in summary.json, and the same when the reports are made again.
func TestSegments(t *testing.T) {
	t.Parallel()
	segments := []Segment{{Name: "pages", Pattern: "/blog/page/"}, {Name: "blog", Pattern: "/blog/"}, {Name: "parameters", Pattern: "/*?"}, {Name: "html", Pattern: "/*.html$"}, {Name: "odd", Pattern: "re:^/[0-9]+$"}, {Name: "empty", Pattern: "/never/"}}
	records := judged(t, "Googlebot,Bingbot", engine.File{Status: 200, Body: []byte("user-agent: *\ndisallow: /blog\nallow: /blog/a\ndisallow: /*?\n\nuser-agent: Bingbot\ndisallow: /blog/page/\n")},
		"/blog/a", "/blog/b", "/blog/page/1", "/blog/c?x=1", "/x?y=2", "/z.html", "/z.html?q", "/17", "/17a", "/%62log/d")
	for i := range records[2].URLs.List {
		records[2].URLs.List[i].Weight = audit.Weight{Clicks: int64(10 + i), ClicksGiven: true}
	}
	records[len(records)-1].Done.Clicks = 145
	o := Options{Dir: t.TempDir(), Started: start, Crawlers: records[0].Site.Crawlers, Segments: segments}
	writeRun(t, o, records)
	f := openBook(t, o.Dir, "example.com.xlsx")
	rows := sheetRows(t, f, "Segments")
	got := columns(rows, "Segment", "URLs", "URLs blocked", "Blocked for Googlebot", "Blocked for Bingbot", "Clicks", "Clicks on blocked URLs", "Pattern")
	want := `pages | 1 | 1 | 1 | 1 | 12 | 12 | /blog/page/
blog | 4 | 2 | 2 | 0 | 53 | 24 | /blog/
parameters | 2 | 2 | 2 | 0 | 30 | 30 | /*?
html | 1 | 0 | 0 | 0 | 15 | 0 | /*.html$
odd | 1 | 0 | 0 | 0 | 17 | 0 | re:^/[0-9]+$
empty | 0 | – | – | – | 0 | 0 | /never/
(no segment) | 1 | 0 | 0 | 0 | 18 | 0 | 
`
	checkText(t, got, want)
	entries := entriesOf(t, o.Dir)
	if len(entries) != 1 || len(entries[0].Segments) != 7 {
		t.Fatalf("summary.json: %+v", entries)
	}
	blog := entries[0].Segments[1]
	checkEqual(t, "summary.json", fmt.Sprintf("%s %d %d %s %d %d", blog.Name, blog.URLs, blog.BlockedURLs, blog.Blocked, blog.Clicks, blog.BlockedClicks), `blog 4 2 {"Googlebot":2,"Bingbot":0} 53 24`)
	checkRebuilt(t, o.Dir)

	var mismatch *MismatchError
	o.Resume, o.Segments = true, segments[:2]
	if _, err := Open(o); !errors.As(err, &mismatch) || !strings.Contains(err.Error(), "segments: the run has") {
		t.Errorf("resumed with other segments: %v", err)
	}
	if _, err := Open(Options{Dir: t.TempDir(), Started: start, Crawlers: o.Crawlers, Segments: []Segment{{Name: "a", Pattern: "/a"}, {Name: "a", Pattern: "/b"}}}); err == nil || !strings.Contains(err.Error(), `segment "a": there are two of that name`) {
		t.Errorf("two segments of one name: %v", err)
	}
}

// The pages that a line blocks are also counted by segment.
func TestSegmentsOfCauses(t *testing.T) {
	t.Parallel()
	segments := []Segment{{Name: "blog", Pattern: "/blog/"}, {Name: "shop", Pattern: "/shop/"}}
	records := judged(t, "Googlebot", engine.File{Status: 200, Body: []byte("user-agent: *\ndisallow: /*?\ndisallow: /shop/\n")}, "/blog/a?b", "/shop/", "/shop/a?b", "/shop/b?c", "/?")
	o := Options{Dir: t.TempDir(), Started: start, Crawlers: records[0].Site.Crawlers, Segments: segments}
	writeRun(t, o, records)
	cells := columns(sheetRows(t, openBook(t, o.Dir, "example.com.xlsx"), "To do"), "Line", "Segments")
	if want := "3 | shop 3\n2 | blog 1; (no segment) 1"; !strings.Contains(cells, want) {
		t.Errorf("%q, want %q", cells, want)
	}
}
