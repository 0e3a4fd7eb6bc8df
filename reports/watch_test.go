package reports

import (
	"bytes"
	"sync"
	"testing"

	"robots-audit/audit"
)

// watchedSite is a Watcher that keeps its records as JSON Lines.
type watchedSite struct {
	mu   sync.Mutex
	text []byte
	kept bool
}

func (w *watchedSite) Add(rec audit.Record) {
	w.mu.Lock()
	defer w.mu.Unlock()
	rec.Domain = ""
	w.text = audit.Encode(w.text, rec)
}

func (w *watchedSite) Kept() { w.kept = true }

// The watcher of a site, small or large, gets the records that are read from its file, with the
// past in the first one. For a site whose report could not be written, Kept is not called.
func TestWatch(t *testing.T) {
	t.Parallel()
	sites := map[string]*watchedSite{}
	watch := func(o *Options) {
		o.Watch = func(site *audit.Site) Watcher {
			sites[site.Name] = &watchedSite{}
			return sites[site.Name]
		}
	}
	dir := pastRun(t, 3000, watch)
	run, err := OpenStored(dir, "1.9.0")
	noError(t, err)
	for _, site := range run.Sites {
		var stored []byte
		for rec, err := range site.Records() {
			noError(t, err)
			rec.Domain = ""
			stored = audit.Encode(stored, rec)
		}
		seen := sites[site.Name]
		if seen == nil || !seen.kept || !bytes.Equal(seen.text, stored) {
			t.Errorf("%s: seen: %v; want the %d bytes of its records", site.Name, seen != nil, len(stored))
		}
		if site.Name == "example.com" && !bytes.Contains(stored, []byte(`"past":`)) {
			t.Errorf("%s: its past is missing", site.Name)
		}
	}

	o := testOptions(t.TempDir())
	watch(&o)
	r := openRun(t, o)
	records := siteRecords("lost.example", 0, 3)
	records[1].Robots.Index = maxOrigins // an index that no report can have
	writeAll(t, r, records)
	writeAll(t, r, siteRecords("small.example", 1, 3))
	closeRun(t, r)
	if sites["lost.example"].kept || !sites["small.example"].kept {
		t.Errorf("kept: %v of a site without files, %v of one with them", sites["lost.example"].kept, sites["small.example"].kept)
	}
}
