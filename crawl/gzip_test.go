package crawl

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"strings"
	"sync/atomic"
	"testing"
)

// flow answers a request with a start and then with n bytes of pieces, and
// counts the bytes it could send.
func flow(start string, piece string, n int64, sent *atomic.Int64) func(net.Conn) {
	block := bytes.Repeat([]byte(piece), 1+(32<<10)/len(piece))
	return func(c net.Conn) {
		if !readRequest(c) {
			return
		}
		io.WriteString(c, start)
		for left := n; left > 0; {
			wrote, err := c.Write(block)
			sent.Add(int64(wrote))
			if left -= int64(wrote); err != nil {
				return
			}
		}
	}
}

// gzipHead is a member's header; emptyBlock a stored block of deflate without a byte.
const (
	gzipHead   = "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
	emptyBlock = "\x00\x00\x00\xff\xff"
)

// bulky is a member of n bytes of a gzip header's extra field.
func bulky(n int) string {
	var size [2]byte
	binary.LittleEndian.PutUint16(size[:], uint16(n))
	return "\x1f\x8b\x08\x04\x00\x00\x00\x00\x00\xff" + string(size[:]) + strings.Repeat("x", n) + gzipped("")[10:]
}

// TestCompressionOfNothing reads compressed bodies with no or hardly any
// content that continue: they end at a limit of bytes on the wire, long before
// the server's end.
func TestCompressionOfNothing(t *testing.T) {
	const (
		most   = 1 << 20  // maximum to read
		socket = 16 << 20 // maximum in buffers of the system
		more   = 64 << 20 // size of the server's body
	)
	const encoded = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\n\r\n"
	const plain = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
	none := gzipped("")
	for _, tt := range []struct {
		name, start, piece string
		code               string // for a sitemap
		robots             string // for a robots.txt; "-" = not decompressed there
		empty              bool   // empty members are noted
	}{
		{"empty members", encoded, none, CodeBadEncoding, CodeBadEncoding, true},
		{"empty members of long headers", encoded, bulky(60_000), CodeBadEncoding, CodeBadEncoding, true},
		{"empty blocks", encoded + gzipHead, emptyBlock, CodeBadEncoding, CodeBadEncoding, false},
		{"empty members after content", encoded + gzipped("User-agent: *\n"), none, CodeBadEncoding, CodeBadEncoding, true},
		{"empty blocks after content", encoded + gzipped("User-agent: *\n") + gzipHead, emptyBlock, CodeBodyTooLarge, "", false},
		{"empty members within gzip", strings.Replace(encoded, "gzip", "gzip, gzip", 1) + gzipHead, stored(strings.Repeat(none, 100)), CodeBadEncoding, CodeBadEncoding, true},
		{"empty members in a file", plain, none, CodeSitemapBroken, "-", true},
		{"empty blocks in a file", plain + gzipHead, emptyBlock, CodeBodyTooLarge, "-", false},
		{"empty members in a file gzipped twice", plain + gzipHead, stored(strings.Repeat(none, 100)), CodeSitemapBroken, "-", true},
		{"empty members in an encoded file", encoded + gzipHead, stored(strings.Repeat(none, 100)), CodeSitemapBroken, "-", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var sent atomic.Int64
			c := led(serveRaw(t, flow(tt.start, tt.piece, more, &sent)))
			c.MaxRobots = most
			s := c.Site()
			defer s.Close()
			var file *SitemapFile
			const memory = 8 << 20 // including the server's part
			spent := allocated(memory, func() {
				sent.Store(0)
				for item := range s.Sitemaps(t.Context(), []DeclaredSitemap{{URL: home + "/s.xml.gz"}}, SitemapBudget{Bytes: most}) {
					if item.File != nil {
						file = item.File
					}
				}
			})
			count := int64(0)
			for _, n := range file.Notes {
				if n.Code == "empty_gzip_members" {
					count = n.Count
				}
			}
			if file.Code != tt.code || file.Detail == "" || file.Wire > most+gzipOverhead+1 || tt.empty != (count > 0) || count > 2000 || spent > memory {
				t.Errorf("sitemap: %s (%s), %d bytes of the wire, %d empty members, %d KB allocated", file.Code, file.Detail, file.Wire, count, spent>>10)
			}
			if tt.robots != "-" {
				f := s.Robots(t.Context(), home)
				if f.Code != tt.robots || f.Wire > most+gzipOverhead+1 || f.Truncated != (tt.robots == "") {
					t.Errorf("robots.txt: %q (%s), %d bytes of the wire, truncated %v, %q", f.Code, f.Detail, f.Wire, f.Truncated, f.Body)
				}
				for p := range s.Links(t.Context(), []string{home + "/"}, LinkBudget{Bytes: most}, func(string) bool { return true }) {
					if p.Code != tt.code {
						t.Errorf("page: %q (%s)", p.Code, p.Detail)
					}
				}
			}
			if n := sent.Load(); n > 3*(most+socket) {
				t.Errorf("%d bytes were sent", n)
			}
		})
	}
}

// stored returns a deflate block with uncompressed text.
func stored(text string) string {
	n := uint16(len(text))
	return string([]byte{0, byte(n), byte(n >> 8), byte(^n), byte(^n >> 8)}) + text
}

// TestEmptyMembersPassed checks that a few empty members are skipped anywhere,
// and noted from the second on.
func TestEmptyMembersPassed(t *testing.T) {
	none := gzipped("")
	text := gzipped(`<urlset `+ns+`>`) + none + gzipped(`<url><loc>`+home+`/1</loc></url></urlset>`)
	for want, body := range map[int64]string{0: text, 3: none + text + none, 1000: text + strings.Repeat(none, 999)} {
		for how, header := range map[string]string{"file": "", "encoding": "gzip"} {
			c := answers{"/s": encoded(header, body)}.serve(t)
			steps := walked(t, c, SitemapBudget{}, "/s")
			notes := ""
			if want > 0 {
				notes = fmt.Sprintf("empty_gzip_members:%d", want)
			}
			if len(steps) != 1 || steps[0].code != "" || steps[0].urls != 1 || steps[0].notes != notes {
				t.Errorf("%s: %+v, want notes %q", how, steps, notes)
			}
		}
	}
}
