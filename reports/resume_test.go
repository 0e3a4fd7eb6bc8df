package reports

import (
	"io"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"robots-audit/audit"
)

// kill leaves a run as kill -9 does: nothing is closed, the lock is gone.
func kill(t *testing.T, r *Run) {
	t.Helper()
	noError(t, r.done.journal.file.Close())
	noError(t, r.lock.Unlock())
}

// TestResume kills a run after each of its records in turn and resumes it.
func TestResume(t *testing.T) {
	want := folder(t, straightRun(t))
	records := threeSites()
	for at := range records {
		if raced && at%4 != 0 {
			continue // each takes three seconds with it
		}
		t.Run(strconv.Itoa(at), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			r := openRun(t, testOptions(dir))
			writeAll(t, r, threeSites()[:at])
			done := map[string]bool{}
			for _, rec := range records[:at] {
				if rec.Done != nil {
					done[rec.Domain] = true
				}
			}
			kill(t, r)
			journal, err := os.OpenFile(filepath.Join(dir, hidden, journalFile), os.O_APPEND|os.O_WRONLY, 0)
			noError(t, err)
			io.WriteString(journal, `{"name":"example.com","base":"exam`) // torn by the kill
			journal.Close()

			o := testOptions(dir)
			o.Resume = true
			o.Started = start.AddDate(0, 0, 1) // later; the run keeps its own
			o.Settings["workers"] = "99"
			r = openRun(t, o)
			for _, rec := range threeSites() {
				if r.Skip(rec.Domain) != done[rec.Domain] {
					t.Fatalf("killed after %d records: Skip(%s) = %v", at, rec.Domain, !done[rec.Domain])
				}
				if !done[rec.Domain] {
					writeAll(t, r, []audit.Record{rec})
				}
			}
			closeRun(t, r)
			got := folder(t, dir)
			sameFolder(t, maps.Clone(want), got, journalName, "run.json")
		})
	}
}
