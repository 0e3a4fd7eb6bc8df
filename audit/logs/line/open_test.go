package line

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"
)

// lines returns combined lines with the numbers from up to before to.
func lines(from, to int) string {
	var b strings.Builder
	for i := from; i < to; i++ {
		fmt.Fprintf(&b, "203.0.113.5 - - [10/Oct/2024:13:55:36 +0000] \"GET /%d HTTP/1.1\" 200 1 \"-\" \"A/1\"\n", i)
	}
	return b.String()
}

// packed compresses a text with gzip.
func packed(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write([]byte(text))
	w.Close()
	return b.String()
}

// read reads a file wholly.
func read(t *testing.T, name string, o Options) (targets []string, c Counts, sum Sum, err error) {
	t.Helper()
	f, err := Open(name, o)
	if err != nil {
		return nil, c, Sum{}, err
	}
	defer f.Close()
	next := int64(1)
	for b, e := range f.Blocks() {
		if err = e; err != nil {
			break
		}
		if b.First != next {
			t.Errorf("a block begins with line %d, not %d", b.First, next)
		}
		before := c.Lines
		var part Counts
		b.Parse(&part, func(r *Request) { targets = append(targets, string(r.Target)) })
		b.Free()
		c.Add(&part)
		next += c.Lines - before
	}
	return targets, c, f.Sum(), err
}

// write writes a file of a temporary folder.
func write(t *testing.T, name, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestPacked reads the same lines from files of each form.
func TestPacked(t *testing.T) {
	dir := t.TempDir()
	text := lines(0, 30000) // several blocks
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	var want Sum
	for _, c := range []struct{ name, data string }{
		{"plain", text},
		{"gzip", packed(text)},
		{"members", packed(text[:1000]) + packed("") + packed(text[1000:])},
		{"zstd", string(z.EncodeAll([]byte(text), nil))},
		{"without newline at the end", strings.TrimSuffix(text, "\n")},
		{"with BOM", "\xef\xbb\xbf" + text},
		{"CRLF", strings.ReplaceAll(text, "\n", "\r\n")},
	} {
		targets, counts, sum, err := read(t, write(t, filepath.Join(dir, c.name), c.data), Options{})
		if err != nil || len(targets) != 30000 || counts.Lines != 30000 || targets[29999] != "/29999" {
			t.Errorf("%s: %d requests of %d lines, %v", c.name, len(targets), counts.Lines, err)
		}
		switch c.name {
		case "plain":
			want = sum
		case "gzip", "members", "zstd":
			if sum != want {
				t.Errorf("%s: another sum than the plain file", c.name)
			}
		}
	}
	// A file of bzip2, which Go cannot write.
	bz, err := base64.StdEncoding.DecodeString(bzip2Lines)
	if err != nil {
		t.Fatal(err)
	}
	if targets, _, _, err := read(t, write(t, filepath.Join(dir, "bzip2"), string(bz)), Options{}); err != nil || !slices.Equal(targets, []string{"/0", "/1"}) {
		t.Errorf("bzip2: %v, %v", targets, err)
	}
}

// TestDamaged reads files that cannot be read to their end: what is before is kept.
func TestDamaged(t *testing.T) {
	dir := t.TempDir()
	data := packed(lines(0, 200000))
	broken := []byte(data)
	for i := len(data) / 2; i < len(data); i++ {
		broken[i] ^= 0x55
	}
	for _, c := range []struct{ name, data, want string }{
		{"cut.gz", data[:len(data)/2], "the gzip file is cut off after line "},
		{"broken.gz", string(broken), "the gzip data is damaged after line "},
	} {
		name := write(t, filepath.Join(dir, c.name), c.data)
		targets, counts, _, err := read(t, name, Options{})
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if len(targets) < 10000 || !strings.HasSuffix(err.Error(), fmt.Sprint(" ", counts.Lines)) {
			t.Errorf("%s: %d lines, %d requests, %v", c.name, counts.Lines, counts.Requests, err)
		}
	}
	short := write(t, filepath.Join(dir, "short.gz"), "\x1f\x8b\x08") // one of many rotated files may be so
	if _, c, _, err := read(t, short, Options{}); c.Lines != 0 || err == nil || err.Error() != "the gzip file is cut off after line 0" {
		t.Errorf("short.gz: %d lines, %v", c.Lines, err)
	}
	for _, c := range []struct{ name, data, want string }{
		{"none", "", "no such file"},
		{"a.zip", "PK\x03\x04rest", "zip files cannot be read. Expected text, gzip, zstd or bzip2"},
		{"a.xz", "\xfd7zXZ\x00", "xz files cannot be read. Expected text, gzip, zstd or bzip2"},
	} {
		name := filepath.Join(dir, c.name)
		if c.data != "" {
			write(t, name, c.data)
		}
		if _, err := Open(name, Options{}); err == nil || err.Error() != name+": "+c.want {
			t.Errorf("%s: %v", c.name, err)
		}
		if err := Readable(name); err == nil || err.Error() != name+": "+c.want {
			t.Errorf("%s, before it is read: %v", c.name, err)
		}
	}
	if targets, c, _, err := read(t, write(t, filepath.Join(dir, "empty"), ""), Options{}); len(targets) != 0 || c.Lines != 0 || err != nil {
		t.Errorf("empty file: %v, %d lines, %v", targets, c.Lines, err)
	}
}

// TestLongLines reads lines that are longer than the limit, and than a block.
func TestLongLines(t *testing.T) {
	long := func(n int) string {
		return strings.Replace(lines(7, 8), "/7", "/"+strings.Repeat("x", n), 1)
	}
	for _, c := range []struct {
		max, length int
		long        int64
	}{{0, 1 << 19, 0}, {0, 1 << 20, 1}, {0, 9 << 20, 1}, {200, 300, 1}, {3 << 20, 5 << 19, 0}, {3 << 20, 1 << 22, 1}} {
		for _, end := range []string{lines(8, 9), ""} {
			text := lines(0, 2) + long(c.length) + long(c.length) + end
			_, got, _, err := read(t, write(t, t.TempDir()+"/a.log", text), Options{MaxLine: c.max})
			var failed int64
			if e := got.Errors[TooLong]; e != nil {
				failed = e.Lines
				if diff := cmp.Diff([]Example{{3, TooLong}, {4, TooLong}}, e.First); diff != "" {
					t.Error(diff)
				}
			}
			if want := int64(4 + strings.Count(end, "\n")); err != nil || got.Lines != want || failed != 2*c.long || got.Requests != want-2*c.long {
				t.Errorf("limit %d, lines of %d: %d lines, %d requests, %d too long, %v", c.max, c.length, got.Lines, got.Requests, failed, err)
			}
		}
	}
}

// TestDirectives reads a file whose "#Fields" changes, with other blocks between.
func TestDirectives(t *testing.T) {
	var b strings.Builder
	want := 0
	for i := range 6 {
		b.WriteString([]string{"#Fields: date time cs-uri-stem sc-status\r\n", "#Fields: sc-status cs-uri-stem date time x\r\n"}[i%2])
		for n := range 20000 * (i % 3) {
			want++
			if i%2 == 0 {
				fmt.Fprintf(&b, "2024-03-12 15:22:28 /a%d/#Fields: 200\r\n", n)
			} else {
				fmt.Fprintf(&b, "404 /b%d 2024-03-12 15:22:28 -\r\n", n)
			}
		}
	}
	text := strings.ReplaceAll(b.String(), "/#Fields: 200", "/#Fields:x 200")
	name := write(t, t.TempDir()+"/u_ex.log", text)
	targets, c, _, err := read(t, name, Options{})
	if err != nil || len(targets) != want || c.Empty != 6 || len(c.Errors) > 0 {
		t.Errorf("%d requests, not %d; %d comments, %v, %v", len(targets), want, c.Empty, c.Errors, err)
	}
	for _, target := range targets {
		if target[0] != '/' {
			t.Fatal(target)
		}
	}
}

// TestPipe reads lines of a pipe when they come.
func TestPipe(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	stdin := os.Stdin
	os.Stdin = r
	defer func() { os.Stdin = stdin }()
	w.WriteString(lines(0, 1) + "203.0.113.5 - - [10/Oct")
	f, err := Open("-", Options{})
	if err != nil || f.Format != "combined" {
		t.Fatal(f, err)
	}
	var got []string
	for b, err := range f.Blocks() {
		if err != nil {
			t.Fatal(err)
		}
		b.Parse(&Counts{}, func(r *Request) { got = append(got, string(r.Target)) })
		switch len(got) {
		case 1: // the first line is here before the second was written
			w.WriteString("/2024:13:55:36 +0000] \"GET /1 HTTP/1.1\" 200 1 \"-\" \"A/1\"\n")
		case 2:
			w.Close()
		}
	}
	if !slices.Equal(got, []string{"/0", "/1"}) {
		t.Error(got)
	}
}

// TestFiles finds the files of names, globs and folders.
func TestFiles(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a/access.log", "a/access.log.1", "a/access.log.2.gz", "a/b/other", "a/.hidden", "a/.git/x", "a/book.xlsx", "a/page.HTML", "empty/.x"} {
		write(t, filepath.Join(dir, name), "x")
	}
	if err := os.Symlink(filepath.Join(dir, "a/b/other"), filepath.Join(dir, "a/link")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		patterns string
		want     string // "error: …" = an error
	}{
		{"a", "a/access.log a/access.log.1 a/access.log.2.gz a/b/other a/link"},
		{"a/access.log.1 a/access.log*", "a/access.log.1 a/access.log a/access.log.2.gz"},
		{"a/book.xlsx -", "a/book.xlsx -"},
		{"a/*", "a/access.log a/access.log.1 a/access.log.2.gz a/b/other a/book.xlsx a/link a/page.HTML"},
		{"a/none", "error: a/none: no such file. Expected an access log, a folder of logs, or a pattern like access.log*"},
		{"a/none*", "error: a/none*: no such file. Expected an access log, a folder of logs, or a pattern like access.log*"},
		{"a/link a", "a/link a/access.log a/access.log.1 a/access.log.2.gz a/b/other"},
		{"empty", "error: empty: the folder has no access log"},
	} {
		var patterns []string
		for p := range strings.FieldsSeq(c.patterns) {
			if p != "-" {
				p = filepath.Join(dir, p)
			}
			patterns = append(patterns, p)
		}
		var folders Folders
		files, err := folders.Files(patterns)
		got := strings.Join(files, " ")
		if err != nil {
			got = "error: " + err.Error()
		}
		if got = strings.ReplaceAll(got, dir+"/", ""); got != c.want {
			t.Errorf("%s: %s, not %s", c.patterns, got, c.want)
		}
		found := c.patterns == "a" || c.patterns == "a/link a"
		if c.patterns != "a/*" && (folders.Found[filepath.Join(dir, "a/b/other")] != found || len(folders.Skipped) > 0 != found) || folders.Found[filepath.Join(dir, "a/link")] != (c.patterns == "a") {
			t.Errorf("%s: found %v, skipped %q", c.patterns, folders.Found, folders.Skipped)
		}
	}
}

// TestBinary counts lines of no text, and keeps escape sequences of terminals as they are.
func TestBinary(t *testing.T) {
	text := "\x00\x01\x02\n" + strings.Replace(lines(1, 2), "A/1", "A\x1b[31m\x00/1", 1) + "garbage\n\x7fELF\x02\x01\n"
	targets, c, _, err := read(t, write(t, t.TempDir()+"/a", text), Options{})
	if err != nil || !slices.Equal(targets, []string{"/1"}) || c.Errors[Binary].Lines != 2 || c.Errors[Fields].Lines != 1 {
		t.Error(targets, c.Errors, err)
	}
}

// TestCounts keeps the examples with the lowest numbers.
func TestCounts(t *testing.T) {
	var all Counts
	for _, first := range []int64{40, 20, 1, 30} {
		c := Counts{Lines: 3}
		for i := range int64(3) {
			c.fail(Fields, first+i)
		}
		all.Add(&c)
	}
	want := &ErrorCount{Lines: 12, First: []Example{{1, Fields}, {2, Fields}, {3, Fields}, {20, Fields}, {21, Fields}}}
	if diff := cmp.Diff(want, all.Errors[Fields]); diff != "" || all.Lines != 12 {
		t.Error(diff)
	}
}

// bzip2Lines are lines(0, 2), compressed.
const bzip2Lines = "QlpoOTFBWSZTWS/P6gwAADVfgEAQUAv/ECLAxAoIAAQAIABqCqqflNJ6TEeoGnlAKqIZAAADRR0Qwss1XVc1ZolCGpyosyZpUeXb5JDXVYpbItlBanCaL1QrcpJOFpJmhoqyeHZwlLuuhu3el0MKMPr8/i7kinChIF+f1Bg="
