package reports

import (
	"slices"

	"robots-audit/audit"
	"robots-audit/reports/internal/summary"
)

// The levels say of which sites files are made while the run goes on; of the others there
// are the records, from which Demand makes them later. A million workbooks are 40 GB, and
// nobody opens them.
const (
	levelNone    = "none"    // of no site, and neither summary.xlsx nor index.html
	levelSummary = "summary" // of no site
	levelBlocked = "blocked" // of those that somebody is to look at, see wanted
	levelAll     = "all"     // of all; what holds where no level is named
)

// Levels are the words that Options.Reports may name, one at most, beside Kinds.
func Levels() []string { return []string{levelNone, levelSummary, levelBlocked, levelAll} }

// levelOf is the level among names of Options.Reports.
func levelOf(names []string) string {
	for _, name := range names {
		if slices.Contains(Levels(), name) {
			return name
		}
	}
	return levelAll
}

// level is that of the run.
func (o *Options) level() string { return levelOf(o.Reports) }

// writesOfRun reports whether the run's own file of a kind is written: summary.xlsx or index.html.
func (o *Options) writesOfRun(kind string) bool {
	return o.level() != levelNone && o.writes(kind)
}

// ofSites reports whether files of sites are made while the run goes on.
func (o *Options) ofSites() bool { return o.level() == levelBlocked || o.level() == levelAll }

// WritesAll reports whether names stand for all kinds of reports of all sites.
func WritesAll(names []string) bool { return len(ordered(names)) == len(extrasOf(names)) }

// onDemand reports whether there may be sites of which there are records alone.
func (o *Options) onDemand() bool { return o.level() != levelAll }

// wanted reports whether files of the site are made: false = it is certain that they are not.
// While its end is not known, d is nil.
func (s *siteRun) wanted(d *audit.Done) bool {
	if s.demanded {
		return true
	}
	switch s.run.level() {
	case levelNone, levelSummary:
		return false
	case levelBlocked: // a site that could not be judged is never counted as fine
		return d == nil || d.State != audit.OK || d.BlockedAny > 0
	}
	return true
}

// leaveOut drops what was begun of the site's files: there are its records alone.
func (s *siteRun) leaveOut() {
	for _, out := range s.outputs {
		out.Discard()
	}
	s.outputs, s.recordOutputs, s.leftOut = nil, nil, true
}

// siteFiles are the files and folders that there may be of the site.
func (s *siteRun) siteFiles() []string {
	files := s.run.siteFiles(s.base)
	if s.leftOut {
		return files[:1]
	}
	return files
}

// removeEarlier removes the files of an earlier audit of the site, of which none are made
// this time: they would be taken for those of its new records.
func (s *siteRun) removeEarlier() error {
	if !s.run.Resume {
		return nil
	}
	for _, name := range s.run.siteFiles(s.base)[1:] {
		if err := s.run.folder.FS.Remove(s.run.path(name)); err != nil {
			return err
		}
	}
	return nil
}

// wasMade reports whether there were files of the site beside its records when its line
// was written.
func wasMade(line *summary.Line) bool {
	return line.Workbook > 0 || line.Page > 0 || len(line.Sums) > 1
}
