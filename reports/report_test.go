package reports

import (
	"fmt"
	"testing"

	"golang.org/x/sync/errgroup"

	"robots-audit/audit"
)

// TestSideBySide finishes reports while others are finished and records come
// in: the files are those of a run in which one follows the other. Small
// sites, whose records are held, and large ones are among them.
func TestSideBySide(t *testing.T) {
	t.Parallel()
	const sites = 24
	records := make([][]audit.Record, sites)
	for i := range records {
		records[i] = siteRecords(fmt.Sprintf("site-%d.example", i), i, i*i*3)
	}

	one := t.TempDir()
	r := openRun(t, testOptions(one))
	for _, list := range records {
		writeAll(t, r, list)
	}
	closeRun(t, r)

	side := t.TempDir()
	r = openRun(t, testOptions(side))
	var finishing errgroup.Group
	finishing.SetLimit(4)
	for at := 0; ; at++ { // the records of all sites in turns
		more := false
		for _, list := range records {
			if at >= len(list) {
				continue
			}
			more = true
			report, err := r.Add(list[at])
			if err != nil {
				t.Fatal(err)
			}
			if report != nil {
				finishing.Go(report.Finish)
			}
		}
		if !more {
			break
		}
	}
	if err := finishing.Wait(); err != nil {
		t.Fatal(err)
	}
	if got := r.Totals().Sites; got != sites {
		t.Errorf("%d sites are finished, want %d", got, sites)
	}
	closeRun(t, r)
	sameFolder(t, folder(t, one), folder(t, side), journalName)
}
