package reports

import "robots-audit/audit"

// Watcher gets the records of one site exactly as a reader of the run's folder will get them, so
// that a history need not read them again. Only one goroutine at a time uses it, and it must not
// block: the report waits for it.
type Watcher interface {
	// Add gets the next record. Batches of URLs are reused once it returns.
	Add(rec audit.Record)
	// Kept is called once all files of the site have their final names: the folder now contains the
	// records that Add got. Otherwise it is not called.
	Kept()
}

// watch gets the watcher of the site before the first record is written.
func (s *siteRun) watch() {
	if s.run.Watch != nil && !s.run.rebuild {
		s.watcher = s.run.Watch(s.site)
	}
}

// seen passes a record to the watcher, if there is one.
func (s *siteRun) seen(rec audit.Record) {
	if s.watcher != nil {
		s.watcher.Add(rec)
	}
}
