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

// journalText is the text of a packed journal, as any other program unpacks it.
func journalText(t testing.TB, dir string) string {
	t.Helper()
	packed, err := os.ReadFile(filepath.Join(dir, journalName))
	if err != nil {
		t.Fatal(err)
	}
	z, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	text, err := z.DecodeAll(packed, nil)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

const packedExt = ".zst"

// beside is a journal whose packed file lies beside that of its lines.
func beside(lines string) journalFiles {
	return journalFiles{disk: disk.OS{}, temp: disk.OS{}, lines: lines, packed: lines + packedExt}
}

// packedJournal writes a packed journal of sites and closes it. Lines are long, so that a block has few.
func packedJournal(t *testing.T, sites int) (name string) {
	t.Helper()
	name = filepath.Join(t.TempDir(), journalFile)
	j, err := newJournal(disk.OS{}, name)
	if err != nil {
		t.Fatal(err)
	}
	for i := range sites {
		if err := j.append(longLine(t, i)); err != nil {
			t.Fatal(err)
		}
	}
	packJournal(t, j)
	return name
}

func longLine(t *testing.T, i int) []byte {
	t.Helper()
	of := fmt.Sprintf("site-%02d.example", i)
	line, err := sealedLine(&summary.Line{Name: of, Base: of, Ordinal: i, Why: strings.Repeat("x", packedBlock/4), Summary: emptySummary(of)})
	if err != nil {
		t.Fatal(err)
	}
	return line
}

func packJournal(t *testing.T, j *journal) {
	t.Helper()
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := j.packAs(z, beside(j.name), j.name+".temp"); err != nil {
		t.Fatal(err)
	}
}

// ordinals are those of the lines of a journal, in their order.
func ordinals(t *testing.T, j *journal) (list []int) {
	t.Helper()
	for i := range j.entries {
		line, err := j.read(i)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, line.Ordinal)
	}
	return list
}

// A journal is packed, gone on with, and packed again: no line is lost, and none comes twice.
func TestJournalPacked(t *testing.T) {
	name := packedJournal(t, 7)
	if _, err := os.Stat(name); !os.IsNotExist(err) {
		t.Errorf("the lines that are packed are there, too: %v", err)
	}
	want := []int{0, 1, 2, 3, 4, 5, 6}
	for range 2 {
		j, err := openJournal(beside(name), t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		if err := j.append(longLine(t, len(want))); err != nil {
			t.Fatal(err)
		}
		want = append(want, len(want))
		if got := ordinals(t, j); !slices.Equal(got, want) || j.unread() != "" {
			t.Errorf("lines of %v, want %v; unread %q", got, want, j.unread())
		}
		j.release() // killed: what was appended is there
		if j, err = openJournal(beside(name), t.TempDir()); err != nil {
			t.Fatal(err)
		}
		if got := ordinals(t, j); !slices.Equal(got, want) {
			t.Errorf("after a kill: lines of %v, want %v", got, want)
		}
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

// A packed journal that is damaged loses the lines of the block alone, and says so.
func TestJournalPackedDamaged(t *testing.T) {
	name := packedJournal(t, 9) // three lines a block
	packed, err := os.ReadFile(name + packedExt)
	if err != nil {
		t.Fatal(err)
	}
	second := bytes.Index(packed[1:], frameMagic) + 1
	third := bytes.Index(packed[second+1:], frameMagic) + second + 1
	if n := bytes.Count(packed, frameMagic); n != 3 {
		t.Fatalf("%d blocks", n)
	}
	damaged := func(at int) []byte {
		text := bytes.Clone(packed)
		text[at] ^= 0x55
		return text
	}
	for what, c := range map[string]struct {
		text []byte
		want []int
		told string
	}{
		"nothing":             {packed, []int{0, 1, 2, 3, 4, 5, 6, 7, 8}, ""},
		"empty":               {nil, nil, ""},
		"the first":           {damaged(second / 2), []int{3, 4, 5, 6, 7, 8}, "1 block of lines"},
		"the first's number":  {damaged(0), []int{3, 4, 5, 6, 7, 8}, "1 block of lines"},
		"the second":          {damaged(third - 3), []int{0, 1, 2, 6, 7, 8}, "1 block of lines"},
		"the second's number": {damaged(second + 1), []int{6, 7, 8}, "1 block of lines"}, // the first has it at its end
		"the last":            {damaged(len(packed) - 1), []int{0, 1, 2, 3, 4, 5}, "1 block of lines"},
		"cut":                 {packed[:third+9], []int{0, 1, 2, 3, 4, 5}, "1 block of lines"},
		"two":                 {append(damaged(second / 2)[:third:third], damaged(len(packed) - 1)[third:]...), []int{3, 4, 5}, "2 blocks of lines"},
		"none of ours":        {[]byte("a text"), nil, "1 block of lines"},
		"something before":    {append([]byte("a text"), packed...), []int{0, 1, 2, 3, 4, 5, 6, 7, 8}, "1 block of lines"},
	} {
		t.Run(what, func(t *testing.T) {
			if err := os.WriteFile(name+packedExt, c.text, 0o644); err != nil {
				t.Fatal(err)
			}
			j, err := readJournal(beside(name), t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			defer j.release()
			if got := ordinals(t, j); !slices.Equal(got, c.want) || j.unread() != c.told {
				t.Errorf("lines of %v, unread %q; want %v, %q", got, j.unread(), c.want, c.told)
			}
		})
	}
}

// Where the number with which frames begin stands within one by chance, that is read all the same.
func TestJournalPackedChance(t *testing.T) {
	name := filepath.Join(t.TempDir(), journalFile)
	block := append(longLine(t, 0), longLine(t, 1)...)
	var frames bytes.Buffer
	z, err := zstd.NewWriter(&frames) // a block that was flushed is stored where it is short: its bytes stand in the frame
	if err != nil {
		t.Fatal(err)
	}
	z.Write(block)
	z.Flush()
	z.Write(frameMagic)
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(frames.Bytes(), frameMagic); n != 2 {
		t.Fatalf("the number stands there %d times", n)
	}
	whole, err := os.ReadFile(packedJournal(t, 3) + packedExt)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name+packedExt, append(frames.Bytes(), whole...), 0o644); err != nil {
		t.Fatal(err)
	}
	j, err := readJournal(beside(name), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer j.release()
	if got := ordinals(t, j); !slices.Equal(got, []int{0, 1, 0, 1, 2}) || j.damagedBlocks != 0 || j.damaged != 1 {
		t.Errorf("lines of %v, unread %q", got, j.unread())
	}
}
