package jsonline

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// TestLines compares the lines with those of a simple reader. It has short and long lines, line
// ends at the ends of reads, and sources that return any number of bytes.
func TestLines(t *testing.T) {
	var texts []string
	for _, sizes := range [][]int{{}, {0}, {1, 0, 0, 2}, {readSize - 1, 5}, {readSize, 0, 5}, {readSize + 1, 7}, {readSize / 2, readSize / 2, readSize/2 - 1, 3}, {3 * readSize, 1, 2*readSize - 2, 9}, {10, 5*readSize + 17, 4, 4, 200_000}} {
		var lines []string
		for i, n := range sizes {
			lines = append(lines, strings.Repeat(string(rune('a'+i)), n))
		}
		text := strings.Join(lines, "\n")
		texts = append(texts, text, text+"\n", "\xEF\xBB\xBF"+text)
	}
	for _, most := range []int{2, readSize / 2, 3 * readSize, 1 << 20} {
		for i, text := range texts {
			want := plainLines(text, most)
			for name, from := range map[string]io.Reader{
				"whole": strings.NewReader(text), "halves": iotest.HalfReader(strings.NewReader(text)),
				"with the error": iotest.DataErrReader(strings.NewReader(text)), "bytes": iotest.OneByteReader(strings.NewReader(text)),
			} {
				if got := allLines(t, from, most); !slices.Equal(got, want) {
					t.Errorf("text %d, %s, lines of %d bytes: %d lines, want %d", i, name, most, len(got), len(want))
				}
			}
		}
	}
}

// plainLines reads lines in the simple way.
func plainLines(text string, most int) (lines []string) {
	in := bufio.NewReader(strings.NewReader(strings.TrimPrefix(text, "\xEF\xBB\xBF")))
	for {
		line, err := in.ReadString('\n')
		line = strings.TrimSuffix(line, "\n")
		if len(line) > most {
			line = "too long"
		}
		lines = append(lines, line)
		if err != nil {
			return lines
		}
	}
}

// allLines reads all lines with reused memory.
func allLines(t *testing.T, from io.Reader, most int) (lines []string) {
	in := NewLines(from, most)
	var buf []byte
	for {
		line, tooLong, err := in.Read(buf)
		buf = line
		if tooLong {
			line = []byte("too long")
		}
		lines = append(lines, string(line))
		if err != nil {
			if !errors.Is(err, io.EOF) {
				t.Error(err)
			}
			return lines
		}
	}
}

// TestLinesError: an error comes after the data before it, and reading ends if a source returns
// nothing.
func TestLinesError(t *testing.T) {
	broken := errors.New("broken")
	for _, size := range []int{3, 3 * readSize} {
		in := NewLines(io.MultiReader(strings.NewReader("a\n"+strings.Repeat("b", size)), iotest.ErrReader(broken)), 1<<20)
		if line, _, err := in.Read(nil); string(line) != "a" || err != nil {
			t.Errorf("%q, %v", line, err)
		}
		if line, _, err := in.Read(nil); !bytes.Equal(line, bytes.Repeat([]byte("b"), size)) || err != broken {
			t.Errorf("%d bytes, %v", len(line), err)
		}
	}
	if _, _, err := NewLines(nothing{}, 9).Read(nil); err != io.ErrNoProgress {
		t.Error(err)
	}
}

type nothing struct{}

func (nothing) Read([]byte) (int, error) { return 0, nil }
