package reports

import (
	"fmt"
	"slices"
	"testing"

	"golang.org/x/sync/errgroup"

	"robots-audit/audit"
)

// TestSideBySide finishes reports while others are finished and records come in, with URLs in
// different batches. The files are those of a run that does one site after the other. There are
// small sites, whose records are buffered, and large ones.
func TestSideBySide(t *testing.T) {
	t.Parallel()
	const sites = 24
	records := make([][]audit.Record, sites)
	for i := range records {
		records[i] = siteRecords(fmt.Sprintf("site-%d.example", i), i, i*i*3)
	}

	one := writeRun(t, testOptions(t.TempDir()), records...)
	side := t.TempDir()
	r := openRun(t, testOptions(side))
	for i := range records {
		records[i] = inBatches(records[i], 7)
	}
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
			noError(t, err)
			if report != nil {
				finishing.Go(report.Finish)
			}
		}
		if !more {
			break
		}
	}
	noError(t, finishing.Wait())
	checkEqual(t, "sites are finished", r.Totals().Sites, sites)
	closeRun(t, r)
	sameFolder(t, folder(t, one), folder(t, side), journalName)
}

// inBatches are records with at most n URLs each.
func inBatches(records []audit.Record, n int) (list []audit.Record) {
	for _, rec := range records {
		if rec.URLs == nil {
			list = append(list, rec)
			continue
		}
		for part := range slices.Chunk(rec.URLs.List, n) {
			list = append(list, audit.Record{Domain: rec.Domain, URLs: &audit.URLs{List: part}})
		}
	}
	return list
}
