package serve

import (
	"context"
	"path/filepath"
	"sync"
	"testing"

	"robots-audit/reports"
)

// TestHolder requests more sites than fit into memory, from many goroutines: each gets its own records,
// whoever reads them, and the held sites stay within the limit.
func TestHolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "monday")
	sites := map[string]testSite{}
	for _, host := range []string{"a.example", "b.example", "c.example", "d.example", "e.example", "f.example"} {
		sites[host] = shop(30)
	}
	auditRun(t, dir, sites, reports.Options{})
	run, err := reports.OpenStored(dir, "0.1.0")
	noError(t, err)
	one := newHolder(1 << 30)
	if _, _, err := one.records(t.Context(), "one", run.Sites[0]); err != nil {
		t.Fatal(err)
	}
	h := newHolder(5 * one.bytes / 2) // room for two of them
	var askers sync.WaitGroup
	for i := range 8 {
		askers.Go(func() {
			for n := range 30 {
				site := run.Sites[(i*5+n)%len(run.Sites)]
				records, held, err := h.records(context.Background(), site.Base, site)
				if err != nil || !held {
					t.Errorf("%s: held %v, %v", site.Name, held, err)
					return
				}
				for rec, err := range records() {
					if err != nil || rec.Domain != site.Name {
						t.Errorf("%s: a record of %s, %v", site.Name, rec.Domain, err)
					}
				}
			}
		})
	}
	askers.Wait()
	kept := int64(0)
	for _, s := range h.sites {
		kept += s.records.Bytes()
	}
	if kept != h.bytes || kept > h.limit || len(h.sites) > 2 {
		t.Errorf("%d sites of %d bytes are held, %d are counted, %d allowed", len(h.sites), kept, h.bytes, h.limit)
	}
}
