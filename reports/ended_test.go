package reports

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// TestRemoveHalfWritten removes the files of the sites in progress at several moments, like a
// program that ends at once, while the run continues for a while. Files with final names must be
// complete, and the other sites are audited again.
func TestRemoveHalfWritten(t *testing.T) {
	t.Parallel()
	want := folder(t, straightRun(t))
	records := threeSites()
	step := 5
	if raced {
		step = 15
	}
	for at := 0; at < len(records); at += step {
		dir := t.TempDir()
		r := openRun(t, testOptions(dir))
		writeAll(t, r, records[:at])
		var removal sync.WaitGroup
		removal.Go(func() { RemoveHalfWritten(dir) })
		if at%2 == 0 { // or in the middle of the next step
			removal.Wait()
		}
		for _, rec := range records[at:] {
			r.Write(rec) // it fails, or the site's report does
		}
		removal.Wait()
		kill(t, r)
		for name, text := range folder(t, dir) {
			if name != journalName && name != linesName && name != "run.json" && text != want[name] {
				t.Errorf("after %d records: %s is not as it should be: %d bytes", at, name, len(text))
			}
		}
		for _, name := range []string{"tmp", endedFiles} {
			if _, err := os.Stat(filepath.Join(dir, hidden, name)); !os.IsNotExist(err) {
				t.Errorf("after %d records: %s: %v", at, name, err)
			}
		}

		resume(t, testOptions(dir), threeSites())
		got := folder(t, dir)
		sameFolder(t, maps.Clone(want), got, journalName, "run.json")
		for name := range got {
			if strings.Contains(name, endedFiles+"/") {
				t.Errorf("after %d records: left behind: %s", at, name)
			}
		}
		if t.Failed() {
			return
		}
	}
}
