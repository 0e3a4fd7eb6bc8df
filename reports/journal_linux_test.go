package reports

import (
	"os"
	"path/filepath"
	"testing"

	"robots-audit/reports/internal/disk"
	"robots-audit/reports/internal/summary"
)

// A disk that is full for a while loses no line of the journal.
func TestJournalFull(t *testing.T) {
	t.Parallel()
	full, err := os.OpenFile("/dev/full", os.O_RDWR, 0)
	noError(t, err)
	defer full.Close()
	name := filepath.Join(t.TempDir(), "journal")
	j, err := newJournal(disk.OS{}, name)
	noError(t, err)
	room := j.file
	for i, site := range []string{"a.example", "b.example", "c.example"} {
		j.file = full
		if site == "c.example" {
			j.file = room
		}
		if err := j.append(lineOf(t, site, i)); err != nil {
			t.Fatalf("%s: %v", site, err)
		}
		if line, err := j.read(i); err != nil || line.Name != site {
			t.Errorf("line %d is %+v (%v)", i, line, err)
		}
	}
	noError(t, j.close())
	if j, err = openJournal(beside(name), t.TempDir()); err != nil || len(j.entries) != 3 {
		t.Fatalf("%d lines (%v)", len(j.entries), err)
	}
	j.file.Close()

	// If the disk stays full, the run returns an error at its end.
	if j, err = openJournal(beside(name), t.TempDir()); err != nil {
		t.Fatal(err)
	}
	j.file.Close()
	j.file = full
	noError(t, j.append(lineOf(t, "d.example", 0)))
	if err := j.close(); err == nil {
		t.Error("closing a journal with lines that no disk took must fail")
	}
}

// lineOf is a journal line for a site with only a name.
func lineOf(t *testing.T, site string, ordinal int) []byte {
	t.Helper()
	text, err := sealedLine(&summary.Line{Name: site, Base: site, Ordinal: ordinal, Summary: emptySummary(site)})
	noError(t, err)
	return text
}
