package audit

import (
	"bytes"
	"errors"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"robots-audit/audit/table"
)

// TestReadKnownLongLines skips lines that are too long, and rows made too long by a stray quotation
// mark, and reports their numbers. Later lines are read.
func TestReadKnownLongLines(t *testing.T) {
	long := "http://a.example/" + strings.Repeat("x", longestLine)
	fits := "http://a.example/" + strings.Repeat("y", longestLine-100)
	for _, c := range []struct {
		name, text string
		urls       int64
		skipped    string
	}{
		{"a list", "http://a.example/1\n" + long + "\n" + fits + "\nhttp://a.example/2\n", 3, "line 2: longer than 65536 bytes"},
		{"the first line", long + "\nhttp://a.example/2\n", 1, "line 1: longer than 65536 bytes"},
		{"the last line", "http://a.example/1\n" + long, 1, "line 2: longer than 65536 bytes"},
		{"a table", "URL,Clicks\n" + long + ",1\n" + fits + ",2\nhttp://a.example/2,3\n", 2, "line 2: longer than 65536 bytes"},
		{"many", strings.Repeat(long+"\n", 12) + "http://a.example/1", 1, "line 1: longer than 65536 bytes; line 2; line 3; line 4; line 5; and 7 more"},
		{"an open quotation mark", "URL,Note\n\"http://a.example/1,x\n" + strings.Repeat("http://a.example/2,yz\n", 4000), 4000 - (longestLine-23)/22 - 1, "line 2: longer than 65536 bytes, or with a quotation mark that is not closed"},
		{"a cell of two lines", "URL,Note\nhttp://a.example/1,\"x\ny\"\nhttp://a.example/2,z\n", 2, ""},
		{"a quotation mark in a list", "http://a.example/\"1\nhttp://a.example/2\n", 2, ""},
	} {
		k, err := readKnown(strings.NewReader(c.text), "")
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if got := k.TooLong.String(); k.URLs != c.urls || got != c.skipped {
			t.Errorf("%s: %d URLs, %q; want %d, %q", c.name, k.URLs, got, c.urls, c.skipped)
		}
	}
}

// TestReadKnownWithoutEnd stops at a line without an end, and keeps no more of it than a buffer.
func TestReadKnownWithoutEnd(t *testing.T) {
	big := repeated(bytes.Repeat([]byte("x"), 1<<20))
	least := uint64(math.MaxUint64)
	for range 3 { // other parts of the process also use memory; a real excess occurs every time
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, err := readKnown(big, ""); !errors.Is(err, table.ErrEndless) {
			t.Error(err)
		}
		runtime.ReadMemStats(&after)
		if least = min(least, after.TotalAlloc-before.TotalAlloc); least <= 1<<20 {
			break
		}
	}
	t.Logf("%d bytes of memory", least)
	if least > 1<<20 {
		t.Errorf("%d bytes of memory", least)
	}
}

// repeated reads its bytes over and over.
type repeated []byte

func (r repeated) Read(p []byte) (int, error) { return copy(p, r), nil }

// TestReadKnownWithoutUser drops names and passwords: verdicts do not depend on
// them, and reports are not to show them.
func TestReadKnownWithoutUser(t *testing.T) {
	k := knownOf(t, "https://n4me:s3cr3t@a.example:8443/x@y?z\nhttps://a.example/@\n")
	var got []string
	for loc := range k.urlsOf("a.example") {
		got = append(got, string(loc))
	}
	if want := []string{"https://a.example:8443/x@y?z", "https://a.example/@"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
