package sitemap

import (
	"archive/tar"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"

	"golang.org/x/text/encoding/charmap"
)

// readContent reads a body to its end as a sitemap's content.
func readContent(body io.Reader, url, mime string, limit int64) (text string, c *Content, err error) {
	c = NewContent(body, url, mime, limit)
	b, err := io.ReadAll(c)
	c.Free()
	return string(b), c, err
}

// codes returns the codes of notes.
func codes(n Notes) (codes []string) {
	for _, one := range n {
		codes = append(codes, one.Code)
	}
	return codes
}

func inUTF16(s string, bigEndian bool) string {
	var b strings.Builder
	for _, u := range utf16.Encode([]rune(s)) {
		if lo, hi := byte(u), byte(u>>8); bigEndian {
			b.Write([]byte{hi, lo})
		} else {
			b.Write([]byte{lo, hi})
		}
	}
	return b.String()
}

// tarOf is the beginning of a tar archive with a sitemap.
func tarOf(text string) string {
	var b bytes.Buffer
	z := tar.NewWriter(&b)
	z.WriteHeader(&tar.Header{Name: "sitemap.xml", Size: int64(len(text))})
	io.WriteString(z, text)
	z.Flush()
	return b.String()
}

func inUTF32(s string, bigEndian bool) string {
	var b []byte
	for _, r := range s {
		if bigEndian {
			b = binary.BigEndian.AppendUint32(b, uint32(r))
		} else {
			b = binary.LittleEndian.AppendUint32(b, uint32(r))
		}
	}
	return string(b)
}

func TestSitemapContent(t *testing.T) {
	const text = `<?xml version="1.0"?><urlset><url><loc>http://a.test/é</loc></url></urlset>`
	latin := func(label string) string {
		s, _ := charmap.ISO8859_1.NewEncoder().String(strings.Replace(text, "?>", ` encoding="`+label+`"?>`, 1))
		return s
	}
	cyrillic, _ := charmap.Windows1251.NewEncoder().String(`<?xml version='1.0' encoding='windows-1251'?><loc>http://a.test/страница</loc>`)
	member := gzipped(text)
	for _, c := range []struct {
		name, body, url, mime string
		want                  string
		notes                 []string
		broken                bool
	}{
		{name: "plain", body: text, want: text},
		{name: "empty", body: "", url: "http://a.test/s.xml.gz"},
		{name: "one byte", body: "<", want: "<"},
		// gzip, recognized by its content.
		{name: "gzip", body: member, url: "http://a.test/s.xml.gz", want: text},
		{name: "gzip by another name", body: member, url: "http://a.test/s.xml", want: text},
		{name: "named .gz only", body: text, url: "http://a.test/s.XML.gz?x", want: text, notes: []string{NoteNotGzip}},
		{name: "gzip in gzip", body: gzipped(member), want: text, notes: []string{NoteNestedGzip}},
		{name: "gzip in gzip in gzip", body: gzipped(gzipped(member)), want: member, notes: []string{NoteNestedGzip}},
		{name: "two members", body: member + gzipped("<!-- -->"), want: text + "<!-- -->"},
		{name: "empty members", body: gzipped("") + gzipped("") + member + gzipped(""), want: text},
		{name: "garbage after gzip", body: member + "<!-- cached 2026 -->", want: text, notes: []string{NoteGzipGarbage}},
		{name: "zeros after gzip", body: member + strings.Repeat("\x00", 700), want: text, notes: []string{NoteGzipGarbage}},
		{name: "gzip cut off", body: gzipped(strings.Repeat(text, 2000))[:len(gzipped(strings.Repeat(text, 2000)))-9], want: strings.Repeat(text, 2000), broken: true},
		{name: "gzip with a wrong checksum", body: member[:len(member)-8] + "\x00\x00\x00\x00\x00\x00\x00\x00", want: text, broken: true},
		{name: "gzip header only", body: member[:5], broken: true},
		// Files of other kinds.
		{name: "ZIP", body: "PK\x03\x04\x14\x00" + text, url: "http://a.test/s.xml.gz", notes: []string{NoteUnsupported}},
		{name: "PDF in gzip", body: gzipped("%PDF-1.7\n" + text), notes: []string{NoteUnsupported}},
		{name: "tar in gzip", body: gzipped(tarOf(text)), url: "http://a.test/s.tar.gz", notes: []string{NoteUnsupported}},
		{name: "tar", body: tarOf(text), notes: []string{NoteUnsupported}},
		{name: "tar, cut off before its mark", body: tarOf(text)[:tarOffset], want: tarOf(text)[:tarOffset]},
		{name: "a list with the mark of tar", body: "http://a.test/" + strings.Repeat("x", tarOffset-14) + tarMark, want: "http://a.test/" + strings.Repeat("x", tarOffset-14) + tarMark},
		// Charsets.
		{name: "UTF-8 with a mark", body: byteOrderMark + text, want: byteOrderMark + text},
		{name: "UTF-16 LE with a mark", body: "\xff\xfe" + inUTF16(text, false), want: byteOrderMark + text, notes: []string{NoteNotUTF8}},
		{name: "UTF-16 BE with a mark", body: "\xfe\xff" + inUTF16(text, true), mime: "text/xml; charset=utf-8", want: byteOrderMark + text, notes: []string{NoteNotUTF8}},
		{name: "UTF-16 LE", body: inUTF16(text, false), want: text, notes: []string{NoteNotUTF8}},
		{name: "UTF-16 BE", body: inUTF16(text, true), want: text, notes: []string{NoteNotUTF8}},
		{name: "UTF-16 text", body: inUTF16("http://a.test/", false), want: "http://a.test/", notes: []string{NoteNotUTF8}},
		{name: "UTF-32 LE with a mark", body: "\xff\xfe\x00\x00" + inUTF32(text, false), want: byteOrderMark + text, notes: []string{NoteNotUTF8}},
		{name: "UTF-32 BE with a mark", body: "\x00\x00\xfe\xff" + inUTF32(text, true), want: byteOrderMark + text, notes: []string{NoteNotUTF8}},
		{name: "UTF-32 LE", body: inUTF32(text, false), want: text, notes: []string{NoteNotUTF8}},
		{name: "UTF-32 BE", body: inUTF32(text, true), want: text, notes: []string{NoteNotUTF8}},
		{name: "Latin 1 by its declaration", body: latin("ISO-8859-1"), mime: "application/xml; charset=utf-8", want: strings.Replace(text, "?>", ` encoding="ISO-8859-1"?>`, 1), notes: []string{NoteNotUTF8}},
		{name: "windows-1251 by its declaration", body: cyrillic, want: `<?xml version='1.0' encoding='windows-1251'?><loc>http://a.test/страница</loc>`, notes: []string{NoteNotUTF8}},
		{name: "declaration after white space", body: strings.Repeat("\n", 40) + cyrillic, want: strings.Repeat("\n", 40) + `<?xml version='1.0' encoding='windows-1251'?><loc>http://a.test/страница</loc>`, notes: []string{NoteNotUTF8}},
		{name: "Latin 1 by its Content-Type", body: "http://a.test/\xe9", mime: `text/plain; charset="ISO-8859-1"`, want: "http://a.test/é", notes: []string{NoteNotUTF8}},
		{name: "gzipped windows-1251", body: gzipped(cyrillic), want: `<?xml version='1.0' encoding='windows-1251'?><loc>http://a.test/страница</loc>`, notes: []string{NoteNotUTF8}},
		{name: "ASCII is UTF-8", body: "http://a.test/é", mime: "text/plain; charset=us-ascii", want: "http://a.test/é"},
		{name: "UTF-16 in name only", body: `<?xml version="1.0" encoding="utf-16"?>` + text, want: `<?xml version="1.0" encoding="utf-16"?>` + text, notes: []string{NoteUnknownCharset}},
		{name: "unknown charset", body: text, mime: "text/xml; charset=klingon", want: text, notes: []string{NoteUnknownCharset}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for how, chunk := range chunked {
				got, r, err := readContent(chunk(strings.NewReader(c.body)), c.url, c.mime, 1<<20)
				if got != c.want || (err != nil) != c.broken || err == ErrTooLarge || !slices.Equal(codes(r.Notes), c.notes) {
					t.Errorf("%s:\n got %.300q %v %v\nwant %.300q %v, broken %v", how, got, r.Notes, err, c.want, c.notes, c.broken)
				}
			}
		})
	}
}

// TestSitemapContentLimit checks the error at the limit, and only if there is
// more text.
func TestSitemapContentLimit(t *testing.T) {
	text := strings.Repeat("x", 1000)
	for _, c := range []struct {
		name, body string
		limit      int64
		bytes      int64
		tooLarge   bool
		broken     bool
	}{
		{"exactly", text, 1000, 1000, false, false},
		{"one over", text, 999, 999, true, false},
		{"gzip, exactly", gzipped(text), 1000, 1000, false, false},
		{"gzip, one over", gzipped(text), 999, 999, true, false},
		{"gzip in gzip, one over", gzipped(gzipped(text)), 999, 999, true, false},
		{"an outer gzip of nothing that counts", gzipped(strings.Repeat(gzipped(""), 10_000)), 1000, 0, false, true}, // rejected by their number, before their bytes count
	} {
		_, r, err := readContent(strings.NewReader(c.body), "", "", c.limit)
		if (err == ErrTooLarge) != c.tooLarge || (err != nil) != (c.tooLarge || c.broken) || r.Bytes != c.bytes {
			t.Errorf("%s: %d bytes, %v, want %d, too large %v, broken %v", c.name, r.Bytes, err, c.bytes, c.tooLarge, c.broken)
		}
	}
}

// TestSitemapContentError checks that the error of the body is returned.
func TestSitemapContentError(t *testing.T) {
	reset := errors.New("connection reset")
	for _, body := range []string{"<urlset>", gzipped("<urlset>"), gzipped("<urlset>")[:20], "\x1f\x8b\x08"} {
		_, _, err := readContent(io.MultiReader(strings.NewReader(body), iotest.ErrReader(reset)), "", "", 1<<20)
		if err != reset {
			t.Errorf("%q: error %v", body, err)
		}
	}
}

// TestSitemapMemory reads files that could use much memory: bombs, nesting,
// text and tags of 50 MB and more.
func TestSitemapMemory(t *testing.T) {
	if raced {
		t.Skip("what pools drop is allocated again")
	}
	const size = 20 << 20 // one bit for each of its tags would be too much
	bomb := gzipped("<urlset><url><loc>http://a.test/</loc></url>") + strings.Repeat(gzipped(strings.Repeat(" ", 1<<20)), 4*size>>20)
	repeat := func(start, piece string, size int64) func() io.Reader {
		return func() io.Reader {
			return io.MultiReader(strings.NewReader("<urlset><url>"+start), io.LimitReader(repeated(piece), size))
		}
	}
	huge := func(start, piece string) func() io.Reader { return repeat(start, piece, size) }
	long := func(start, piece string) func() io.Reader { return repeat(start, piece, size/5) }
	for _, c := range []struct {
		name string
		body func() io.Reader
	}{
		{"gzip bomb", func() io.Reader { return strings.NewReader(bomb) }},
		{"gzip bomb in gzip", func() io.Reader { return strings.NewReader(gzipped(bomb)) }},
		{"nesting", huge("", "<a>")},
		{"nesting of entries", long("", "<url>")},
		{"entries left open", long("", "<url><loc>http://a.test/")},
		{"one loc", huge("<loc>", "http://a.test/")},
		{"one CDATA section", long("<loc><![CDATA[", "http://a.test/")},
		{"one tag", huge("<a b='", "x>")},
		{"one end tag", long("</", "x")},
		{"one attribute of a link", long("<xhtml:link rel='alternate' href='", "x")},
		{"one comment", long("<!--", "- ")},
		{"one document type", long("<!DOCTYPE ", "<!ENTITY a 'b'>")},
		{"one entry of many links", long("", "<xhtml:link rel='alternate' href='http://a.test/'/>")},
		{"one reference", long("<loc>&#", "0")},
		{"many members", func() io.Reader {
			return io.LimitReader(repeated(strings.Repeat(gzipped(""), 200)), size/10)
		}},
		{"UTF-16", func() io.Reader { return io.LimitReader(repeated("<\x00a\x00>\x00"), size/5) }},
		{"lines", func() io.Reader {
			return io.MultiReader(strings.NewReader("http://a.test/\n"), io.LimitReader(repeated("x"), size/5))
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			const most = 512 << 10
			least := uint64(math.MaxUint64)
			for range 3 { // the rest of the process counts too: a real excess occurs each time
				body := c.body()
				for range 2 { // so that the pools are empty
					runtime.GC()
				}
				percent := debug.SetGCPercent(-1) // all allocations stay and are counted
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				r := NewContent(body, "", "", size)
				s := NewScanner(r)
				for s.Next() {
				}
				s.Free()
				r.Free()
				runtime.ReadMemStats(&after)
				debug.SetGCPercent(percent)
				if least = min(least, after.TotalAlloc-before.TotalAlloc); least <= most {
					return
				}
			}
			t.Errorf("%d KB allocated in all", least>>10)
		})
	}
}
