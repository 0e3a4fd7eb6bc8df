package crawl

import (
	"bytes"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// flood answers a request with a start, and then with a piece for as long as a
// client reads.
func flood(start, piece string) func(net.Conn) {
	block := bytes.Repeat([]byte(piece), 1+(32<<10)/len(piece)) // bytes, since a string would be copied for each Write and counted as ours
	return func(c net.Conn) {
		if !readRequest(c) {
			return
		}
		for out := []byte(start); ; out = block {
			if _, err := c.Write(out); err != nil {
				return
			}
		}
	}
}

// Endless answers are cut at a limit: of memory, and so of time. The rest is
// not waited for.
func TestAnswersWithoutAnEnd(t *testing.T) {
	const ok = "HTTP/1.1 200 OK\r\n"
	for _, tt := range []struct {
		name      string
		talk      func(net.Conn)
		code      string
		truncated bool
	}{
		{"header lines", flood(ok, "X-More: of it\r\n"), CodeHeadersTooLarge, false},
		{"one header line", flood(ok+"X-More: ", "x"), CodeHeadersTooLarge, false},
		{"a status line", flood("HTTP/1.1 200 ", "x"), CodeHeadersTooLarge, false},
		{"lines of robots.txt", flood(ok+"\r\n"+rules, "# more of nothing\n"), "", true},
		{"one line of robots.txt", flood(ok+"\r\n"+rules, "#"), "", true},
		{"trailers of chunks", flood(ok+"Transfer-Encoding: chunked\r\n\r\n1\r\n#\r\n0\r\n", "X-More: of it\r\n"), CodeBodyIncomplete, false},
		{"extensions of chunks", flood(ok+"Transfer-Encoding: chunked\r\n\r\n", "1;x="+strings.Repeat("x", 1000)+"\r\n#\r\n"), CodeBodyIncomplete, false},
		{"chunks of one byte", flood(ok+"Transfer-Encoding: chunked\r\n\r\n", "1\r\n#\r\n"), "", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := led(serveRaw(t, tt.talk))
			c.Timeout = 2 * time.Minute
			start := time.Now()
			var f *RobotsFile
			const most = 4 << 20 // in total, including the server's part
			spent := allocated(most, func() { f = robots(t, c) })
			if f.Code != tt.code || f.Truncated != tt.truncated || len(f.Body) > defaultMaxRobots {
				t.Errorf("got code %q, truncated %v, %d bytes (%s)", f.Code, f.Truncated, len(f.Body), f.Detail)
			}
			if took := time.Since(start); took >= c.Timeout {
				t.Errorf("took %v: the limit ends it, not the timeout", took)
			}
			if spent > most {
				t.Errorf("%d KB were allocated", spent>>10)
			}
		})
	}
}

// bigGzip is a gzip file of one member that inflates to the start, n MiB of
// blanks and the end.
func bigGzip(start string, n int, end string) string {
	return gzipped(start + strings.Repeat(" ", n<<20) + end)
}

// TestSitemapMemoryOverTheWire reads files from a server that could use much
// memory. The total of allocations counts, including the server's part. A small
// total means that nothing of such a file is kept.
func TestSitemapMemoryOverTheWire(t *testing.T) {
	const budget = 8 << 20 // of the bombs, an eighth of their inflated size
	const one = `<url><loc>` + home + `/1</loc></url>`
	bomb := bigGzip(`<urlset `+ns+`>`+one, 64, `</urlset>`)
	if ratio := 64 << 20 / len(bomb); ratio < 900 {
		t.Fatalf("a bomb of %d:1", ratio)
	}
	var laughs strings.Builder
	laughs.WriteString(`<!DOCTYPE urlset SYSTEM "` + home + `/secret.dtd" [<!ENTITY l0 "lol">`)
	for i := range 12 {
		fmt.Fprintf(&laughs, `<!ENTITY l%d "%s">`, i+1, strings.Repeat(fmt.Sprintf("&l%d;", i), 10))
	}
	laughs.WriteString(`<!ENTITY file SYSTEM "file:///etc/hostname"><!ENTITY web SYSTEM "` + home + `/secret.txt"><!ENTITY % all SYSTEM "` + home + `/secret.ent">%all;]>`)
	laughs.WriteString(`<urlset ` + ns + `><url><loc>` + home + `/&l12;&file;&web;</loc></url>` + one + `</urlset>`)

	for _, tt := range []struct {
		name   string
		answer http.HandlerFunc
		code   string
		urls   int64
		notes  string
		bytes  int64 // the budget; 0 = the default
	}{
		{"gzip bomb", page(200, bomb), CodeBodyTooLarge, 1, "", budget},
		{"gzip bomb as Content-Encoding", encoded("gzip", bomb), CodeBodyTooLarge, 1, "", budget},
		{"gzip bomb in gzip", page(200, gzipped(bomb)), CodeBodyTooLarge, 1, NoteNestedGzip, budget},
		{"billion laughs and external entities", page(200, laughs.String()), "", 2, NoteDeclaredEntity, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var secrets atomic.Int32
			c := led(serve(t, func(w http.ResponseWriter, r *http.Request) {
				if strings.HasPrefix(r.URL.Path, "/secret") {
					secrets.Add(1)
				}
				tt.answer(w, r)
			}))
			var locs []string
			var file *SitemapFile
			most := uint64(4 << 20)
			if raced {
				most = 40 << 20 // a pool then drops some of its windows
			}
			spent := allocated(most, func() {
				s := c.Site()
				defer s.Close()
				locs, file = nil, nil
				for item := range s.Sitemaps(t.Context(), []DeclaredSitemap{{URL: home + "/s.xml"}}, SitemapBudget{Bytes: tt.bytes}) {
					if item.URL != nil {
						locs = append(locs, string(item.URL.Loc))
					} else if file == nil {
						file = item.File
					}
				}
			})
			if notes := noteCodes(file.Notes); file.Code != tt.code || file.URLs != tt.urls || notes != tt.notes || file.Truncated != (tt.code == CodeBodyTooLarge) {
				t.Errorf("got code %q, %d URLs, notes %q, truncated %v (%s)", file.Code, file.URLs, notes, file.Truncated, file.Detail)
			}
			if tt.bytes > 0 && file.Bytes > tt.bytes {
				t.Errorf("%d bytes were read, over the limit", file.Bytes)
			}
			found := false
			for _, loc := range locs {
				found = found || loc == home+"/1"
				if len(loc) > 64<<10 || strings.Contains(loc, "lol") {
					t.Errorf("a URL of %d bytes: %.60s", len(loc), loc)
				}
			}
			if !found || secrets.Load() != 0 {
				t.Errorf("the URL before the trouble was found: %v; %d requests for what entities name", found, secrets.Load())
			}
			if spent > most {
				t.Errorf("%d KB were allocated", spent>>10)
			}
		})
	}
}
