package reports

import (
	"slices"

	"robots-audit/audit"
	"robots-audit/reports/internal/summary"
)

// The levels decide which sites get files while the run goes on. Of other sites only the records
// are written, from which Demand makes files later. A million workbooks are 40 GB, and hardly any
// of them is opened.
const (
	levelNone    = "none"    // no site, and neither summary.xlsx nor index.html
	levelSummary = "summary" // no site
	levelBlocked = "blocked" // sites that need attention, see wanted
	levelAll     = "all"     // all sites; the default
)

// Levels are the levels for Options.Reports, which may name one of them in addition to Kinds.
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

// level is the level of the run.
func (o *Options) level() string { return levelOf(o.Reports) }

// writesOfRun reports whether the run's own file of a kind is written: summary.xlsx or index.html.
func (o *Options) writesOfRun(kind string) bool {
	return o.level() != levelNone && o.writes(kind)
}

// ofSites reports whether files of sites are made while the run goes on.
func (o *Options) ofSites() bool { return o.level() == levelBlocked || o.level() == levelAll }

// WritesAll reports whether names stand for all kinds of reports of all sites.
func WritesAll(names []string) bool { return len(ordered(names)) == len(extrasOf(names)) }

// onDemand reports whether some sites may have only records.
func (o *Options) onDemand() bool { return o.level() != levelAll }

// wanted reports whether files of the site are made; false is final. d is nil until the site's
// audit has ended.
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

// leaveOut drops the files of the site that were begun: only its records remain.
func (s *siteRun) leaveOut() {
	for _, out := range s.outputs {
		out.Discard()
	}
	s.outputs, s.recordOutputs, s.leftOut = nil, nil, true
}

// siteFiles returns the files and folders that the site may have.
func (s *siteRun) siteFiles() []string {
	files := s.run.siteFiles(s.base)
	if s.leftOut {
		return files[:1]
	}
	return files
}

// removeEarlier removes files of an earlier audit of a site that gets no files this time: readers
// would take them for files of the new records.
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

// wasMade reports whether a site had files in addition to its records when its line was written.
func wasMade(line *summary.Line) bool {
	return line.Workbook > 0 || line.Page > 0 || len(line.Sums) > 1
}
