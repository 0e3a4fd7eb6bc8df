package reports

import (
	"cmp"
	"fmt"
	"os"
	"time"

	"robots-audit/audit"
	"robots-audit/reports/internal/buffer"
)

// maxOrigins bounds the robots.txt files of one site; an audit asks for far fewer.
const maxOrigins = 10000

// siteRun is one site whose records come in. The records of a small site are
// held until all are there, so that what its report is made of is in memory for
// as long as it takes to make it; those of a large one are written as they come.
type siteRun struct {
	run     *Run
	base    string
	site    *audit.Site
	held    []audit.Record // not written yet
	holds   int            // bytes that they take, about
	own     []byte         // body of the site's own robots.txt, where it is short; nil = see the evidence
	buffers *buffers       // of who writes it just now
	book    *siteBook      // nil = the site's records are held
	page    *sitePage
	json    []byte         // records not compressed yet
	packed  []byte         // compressed, not on disk yet
	spilled int64          // compressed bytes on disk
	kept    map[int]string // file in the evidence folder, by robots.txt
	robots  *audit.Robots  // the site's own, without body
	hops    int            // redirects to it
	errors  siteErrors
	fleet   siteFleet
	err     error // the first trouble of writing: the report is lost, the run goes on
}

func newSiteRun(r *Run, site *audit.Site) *siteRun {
	return &siteRun{run: r, base: fileBase(site.Name), site: site}
}

// write takes a record into everything that is made of it.
func (s *siteRun) write(rec audit.Record) {
	if s.err != nil {
		if rec.Problem != nil {
			s.errors.add(rec.Problem)
		}
		return
	}
	rec = s.record(rec)
	switch {
	case rec.URLs != nil:
		s.book.addURLs(rec.URLs)
	case rec.Robots != nil:
		if i := rec.Robots.Index; i < 0 || i >= maxOrigins {
			s.err = fmt.Errorf("robots.txt no. %d of one site", i)
			break
		}
		s.keep(rec.Robots)
		s.book.addRobots(rec.Robots, s.kept[rec.Robots.Index])
		if rec.Robots.Index == 0 {
			s.fleet.addRobots(rec.Robots)
			s.robots, s.hops = s.book.origin(0), rec.Robots.File.Redirects()
		}
	case rec.Sitemap != nil:
		s.book.addSitemap(rec.Sitemap)
	case rec.Problem != nil:
		s.errors.add(rec.Problem)
		s.book.problems.AddRow(&s.book.Workbook, rec.Problem)
	case rec.Findings != nil:
		s.fleet.addFindings(rec.Findings.List)
		s.book.addFindings(rec.Findings)
	case rec.Rules != nil:
		s.book.counts = append(s.book.counts, rec.Rules)
	}
	if s.err == nil {
		s.err = cmp.Or(s.book.Err(), s.page.write(rec, s.site.Crawlers))
	}
	if s.err != nil {
		s.drop() // what is lost takes no room
	}
}

func (s *siteRun) tempRecords() string  { return s.run.temp(s.base + recordsExt) }
func (s *siteRun) tempWorkbook() string { return s.run.temp(s.base + ".xlsx") }
func (s *siteRun) tempEvidence() string { return s.run.temp(s.base + ".evidence") }

// finish puts everything of the site into its place and returns its line of
// the journal. What could not be written leaves the old files as they were.
func (s *siteRun) finish(d *audit.Done, b *buffers) *journalLine {
	s.begin(b, true)
	line := &journalLine{
		Name: s.site.Name, Base: s.base, Ordinal: s.site.Ordinal, State: string(d.State), Why: d.Why,
		URLs: d.URLs, BlockedURLs: d.BlockedAny, Blocked: d.Blocked, Unknown: d.Unknown, LeftOut: d.LeftOut, Problems: d.Problems, Findings: d.Findings, Fleet: &s.fleet,
		Finished: d.Finished.UTC().Format(time.RFC3339Nano), Millis: float64(d.Finished.Sub(s.site.Started).Microseconds()) / 1000,
	}
	if s.err == nil {
		s.err = s.place(line, d)
	}
	if s.err != nil {
		line.Records, line.Workbook, line.Page, line.Differing, line.Policy, line.Sums = 0, 0, 0, 0, "", nil
		line.State, line.Why = string(audit.Undetermined), "the report could not be written: "+s.err.Error()
		line.Problems++
		s.errors.add(&audit.Problem{Stage: audit.StageReport, Code: writeCode(s.err), Detail: s.err.Error()})
	}
	line.Summary = s.summary(line, d)
	s.drop()
	return line
}

// place writes what is not on disk yet and renames the site's files: evidence,
// records, and last the workbook.
func (s *siteRun) place(line *journalLine, d *audit.Done) error {
	r := s.run
	if err := s.book.done(d, s.tempWorkbook()); err != nil {
		return err
	}
	if s.err != nil {
		return s.err
	}
	if err := s.page.done(d, s.book, s.buffers, s.kept, s.body); err != nil {
		return err
	}
	records := r.path("records", s.base+recordsExt)
	complete := records
	if !r.rebuild {
		s.pack()
		s.spill()
		complete = s.tempRecords()
	}
	if s.err != nil {
		return s.err
	}
	if err := s.export(complete); err != nil {
		return err
	}
	info, err := os.Stat(s.tempWorkbook())
	if err != nil {
		return err
	}
	line.Workbook = info.Size()
	line.Differing, line.Policy = s.book.differing, s.book.policy.summary()
	if len(s.kept) > 0 || s.robots != nil {
		evidence := r.path("evidence", s.base)
		if err := r.disk.Remove(evidence); err != nil {
			return err
		}
		if err := r.disk.Rename(s.tempEvidence(), evidence); err != nil {
			return err
		}
	}
	if r.rebuild {
		info, err := os.Stat(records)
		if err != nil {
			return err
		}
		line.Records = info.Size()
	} else {
		line.Records = s.spilled
		if err := r.disk.Rename(s.tempRecords(), records); err != nil {
			return err
		}
	}
	for _, format := range r.Formats {
		if err := r.disk.Rename(s.tempExport(format), r.path(s.base+"."+format)); err != nil {
			return err
		}
	}
	if line.Page, err = s.page.place(); err != nil {
		return err
	}
	if err := r.disk.Rename(s.tempWorkbook(), r.path(s.base+".xlsx")); err != nil {
		return err
	}
	line.Sums, err = r.sums(s.base)
	return err
}

// drop removes what the site has on disk beside its finished files.
func (s *siteRun) drop() {
	if s.book == nil {
		return
	}
	buffer.Put(s.json)
	s.json = nil
	s.book.Discard()
	s.page.drop()
	if s.err == nil {
		return // all of them are in their places
	}
	names := []string{s.tempRecords(), s.tempWorkbook(), s.tempEvidence()}
	for _, format := range s.run.Formats {
		names = append(names, s.tempExport(format))
	}
	for _, name := range names {
		s.run.disk.Remove(name) // best effort: the folder is emptied when the run ends
	}
}
