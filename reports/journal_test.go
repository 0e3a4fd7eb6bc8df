package reports

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"robots-audit/reports/internal/disk"
	"robots-audit/reports/internal/summary"
)

// journalText is the text of a packed journal, as other programs unpack it.
func journalText(t testing.TB, dir string) string {
	t.Helper()
	return string(unpack(t, readText(t, dir, journalName)))
}

const packedExt = ".zst"

// beside is a journal with the packed file next to its file of lines.
func beside(lines string) journalFiles {
	return journalFiles{disk: disk.OS{}, temp: disk.OS{}, lines: lines, packed: lines + packedExt}
}

// packedJournal writes a packed journal of sites and closes it. Lines are long, so that a block has few.
func packedJournal(t *testing.T, sites int) (name string) {
	t.Helper()
	name = filepath.Join(t.TempDir(), journalFile)
	j, err := newJournal(disk.OS{}, name)
	noError(t, err)
	for i := range sites {
		noError(t, j.append(longLine(t, i)))
	}
	packJournal(t, j)
	return name
}

func longLine(t *testing.T, i int) []byte {
	t.Helper()
	of := fmt.Sprintf("site-%02d.example", i)
	line, err := sealedLine(&summary.Line{Name: of, Base: of, Ordinal: i, Why: strings.Repeat("x", packedBlock/4), Summary: emptySummary(of)})
	noError(t, err)
	return line
}

func packJournal(t *testing.T, j *journal) {
	t.Helper()
	z, err := zstd.NewWriter(nil)
	noError(t, err)
	noError(t, j.packAs(z, beside(j.name), j.name+".temp"))
}

// ordinals are the ordinals of the lines of a journal, in their order.
func ordinals(t *testing.T, j *journal) (list []int) {
	t.Helper()
	for i := range j.entries {
		line, err := j.read(i)
		noError(t, err)
		list = append(list, line.Ordinal)
	}
	return list
}

// A journal is packed, resumed, and packed again: no line is lost or repeated.
func TestJournalPacked(t *testing.T) {
	t.Parallel()
	name := packedJournal(t, 7)
	if _, err := os.Stat(name); !os.IsNotExist(err) {
		t.Errorf("the lines that are packed are there, too: %v", err)
	}
	want := []int{0, 1, 2, 3, 4, 5, 6}
	for range 2 {
		j, err := openJournal(beside(name), t.TempDir())
		noError(t, err)
		noError(t, j.append(longLine(t, len(want))))
		want = append(want, len(want))
		if got := ordinals(t, j); !slices.Equal(got, want) || j.unread() != "" {
			t.Errorf("lines of %v, want %v; unread %q", got, want, j.unread())
		}
		j.release() // killed: appended lines are there
		if j, err = openJournal(beside(name), t.TempDir()); err != nil {
			t.Fatal(err)
		}
		checkEqual(t, "after a kill: lines of", ordinals(t, j), want)
		packJournal(t, j)
		if j, err = readJournal(beside(name), t.TempDir()); err != nil {
			t.Fatal(err)
		}
		if got := ordinals(t, j); !slices.Equal(got, want) || j.missing {
			t.Errorf("packed again: lines of %v, want %v", got, want)
		}
		j.release()
	}
}

// A damaged packed journal loses the lines from there on, and says so.
func TestJournalPackedDamaged(t *testing.T) {
	t.Parallel()
	name := packedJournal(t, 9) // three lines a block
	file := readBytes(t, name+packedExt)
	magic := []byte{0x28, 0xb5, 0x2f, 0xfd} // the first bytes of a frame
	second := bytes.Index(file[1:], magic) + 1
	third := bytes.Index(file[second+1:], magic) + second + 1
	if n := bytes.Count(file, magic); n != 3 {
		t.Fatalf("%d blocks", n)
	}
	damaged := func(at int) []byte {
		text := bytes.Clone(file)
		text[at] ^= 0x55
		return text
	}
	all := []int{0, 1, 2, 3, 4, 5, 6, 7, 8}
	for what, c := range map[string]struct {
		text []byte
		want []int
		told string
	}{
		"nothing":                      {file, all, ""},
		"empty":                        {nil, nil, ""},
		"the first's number":           {damaged(0), nil, "all lines after line 0"},
		"the second's number":          {damaged(second + 1), all[:3], "all lines after line 3"},
		"the head of the second":       {damaged(second + 4), all[:3], "all lines after line 3"},
		"the checksum of the second":   {damaged(third - 3), all[:4], "all lines after line 4"}, // each line has its own, and lines read before are used
		"the checksum of the last":     {damaged(len(file) - 1), all[:7], "all lines after line 7"},
		"cut":                          {file[:third+9], all[:6], "all lines after line 6"},
		"none of ours":                 {[]byte("a text"), nil, "all lines after line 0"},
		"something before":             {append([]byte("a text"), file...), nil, "all lines after line 0"},
		"something after":              {append(bytes.Clone(file), "a text"...), all, "all lines after line 9"},
		"a line that is not as it was": {[]byte(packed(t, bytes.ReplaceAll(unpack(t, string(file)), []byte("site-04"), []byte("site-94")))), []int{0, 1, 2, 3, 5, 6, 7, 8}, "1 line"},
	} {
		t.Run(what, func(t *testing.T) {
			noError(t, os.WriteFile(name+packedExt, c.text, 0o644))
			j, err := readJournal(beside(name), t.TempDir())
			noError(t, err)
			defer j.release()
			if got := ordinals(t, j); !slices.Equal(got, c.want) || j.unread() != c.told {
				t.Errorf("lines of %v, unread %q; want %v, %q", got, j.unread(), c.want, c.told)
			}
		})
	}
}
