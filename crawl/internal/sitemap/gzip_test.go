package sitemap

import (
	"bufio"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestGzipReader(t *testing.T) {
	reset := errors.New("reset")
	var r GzipReader // one for all: Reset must remove everything of the previous stream
	for _, c := range []struct {
		name    string
		in      io.Reader
		want    string
		empty   int64
		garbage bool
		err     error
	}{
		{name: "one member", in: strings.NewReader(gzipped("a")), want: "a"},
		{name: "members", in: strings.NewReader(gzipped("a") + gzipped("") + gzipped("b") + gzipped("")), want: "ab", empty: 2},
		{name: "garbage", in: strings.NewReader(gzipped("a") + "\x00\x00"), want: "a", garbage: true},
		{name: "the most without content", in: strings.NewReader(strings.Repeat(gzipped(""), 1000)), empty: 1000},
		{name: "one more", in: strings.NewReader(strings.Repeat(gzipped(""), 1001)), empty: 1001, err: errEmptyMembers},
		{name: "cut off", in: strings.NewReader(gzipped("a")[:20]), want: "a", err: io.ErrUnexpectedEOF},
		{name: "an error of the input", in: io.MultiReader(strings.NewReader(gzipped("a")), iotest.ErrReader(reset)), want: "a", err: reset},
		{name: "a whole one again", in: strings.NewReader(gzipped("c")), want: "c"},
	} {
		r.Reset(bufio.NewReader(iotest.OneByteReader(c.in)))
		got, err := io.ReadAll(&r)
		if string(got) != c.want || r.Empty != c.empty || r.Garbage != c.garbage || !errors.Is(err, c.err) {
			t.Errorf("%s: %q, %d empty, garbage %v, %v", c.name, got, r.Empty, r.Garbage, err)
		}
	}
}
