package reports

import "robots-audit/audit"

// Watcher sees the records of one site as whoever reads them from the run's folder will have
// them, so that what a history needs of a site need not be read again. It is used by one
// goroutine at a time, and waits for nobody: the report does.
type Watcher interface {
	// Add sees the next record. Batches of URLs are used again once it returns.
	Add(rec audit.Record)
	// Kept is called once all files of the site have their final names: what it saw is what
	// the folder holds. Otherwise it is not called at all.
	Kept()
}

// watch asks who sees the records of the site, before the first of them is written.
func (s *siteRun) watch() {
	if s.run.Watch != nil && !s.run.rebuild {
		s.watcher = s.run.Watch(s.site)
	}
}

// seen shows a record to the one who sees them.
func (s *siteRun) seen(rec audit.Record) {
	if s.watcher != nil {
		s.watcher.Add(rec)
	}
}
