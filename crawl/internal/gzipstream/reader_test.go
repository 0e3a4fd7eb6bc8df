package gzipstream

import (
	"bufio"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"robots-audit/crawl/internal/testfile"
)

func TestReader(t *testing.T) {
	reset := errors.New("reset")
	var r Reader // one for all: Reset leaves nothing of the stream before
	for _, c := range []struct {
		name    string
		in      io.Reader
		want    string
		empty   int64
		garbage bool
		err     error
	}{
		{name: "one member", in: strings.NewReader(testfile.Gzipped("a")), want: "a"},
		{name: "members", in: strings.NewReader(testfile.Gzipped("a") + testfile.Gzipped("") + testfile.Gzipped("b") + testfile.Gzipped("")), want: "ab", empty: 2},
		{name: "garbage", in: strings.NewReader(testfile.Gzipped("a") + "\x00\x00"), want: "a", garbage: true},
		{name: "the most without content", in: strings.NewReader(strings.Repeat(testfile.Gzipped(""), 1000)), empty: 1000},
		{name: "one more", in: strings.NewReader(strings.Repeat(testfile.Gzipped(""), 1001)), empty: 1001, err: errEmptyMembers},
		{name: "cut off", in: strings.NewReader(testfile.Gzipped("a")[:20]), want: "a", err: io.ErrUnexpectedEOF},
		{name: "an error of the input", in: io.MultiReader(strings.NewReader(testfile.Gzipped("a")), iotest.ErrReader(reset)), want: "a", err: reset},
		{name: "a whole one again", in: strings.NewReader(testfile.Gzipped("c")), want: "c"},
	} {
		r.Reset(bufio.NewReader(iotest.OneByteReader(c.in)))
		got, err := io.ReadAll(&r)
		if string(got) != c.want || r.Empty != c.empty || r.Garbage != c.garbage || !errors.Is(err, c.err) {
			t.Errorf("%s: %q, %d empty, garbage %v, %v", c.name, got, r.Empty, r.Garbage, err)
		}
	}
}
