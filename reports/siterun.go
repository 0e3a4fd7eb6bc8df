package reports

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"robots-audit/audit"
	"robots-audit/reports/internal/crawls"
	"robots-audit/reports/internal/enforced"
	"robots-audit/reports/internal/site"
	"robots-audit/reports/internal/summary"
)

// maxOrigins bounds the robots.txt files of one site; an audit fetches far fewer.
const maxOrigins = 10000

// siteRun is one site whose records arrive. The records of a small site are buffered until all have
// come: the data, buffers and outputs of its report are in memory only while it is made. Records of
// a large site are written as they come.
type siteRun struct {
	run           *Run
	base          string
	site          *audit.Site
	buffered      []audit.Record // not written yet
	bufferedBytes int            // approximate size of buffered
	data          *site.Site     // nil = all records so far are buffered
	outputs       []siteOutput
	recordOutputs []site.Output // outputs again, in the type that data needs
	records       recordWriter
	bodies        []int         // indexes of the robots.txt files whose bodies are in the evidence
	ownBody       []byte        // body of the site's own robots.txt; nil = too long, only in the evidence
	robots        *audit.Robots // the site's own, without body
	hops          int           // redirects to it
	errors        summary.Errors
	shared        site.Shared
	notesEdited   bool                  // see keepNotes
	listed        func(url string) bool // see audit.Past; nil = there is no list
	watcher       Watcher               // nil = no watcher
	demanded      bool                  // its files are made whatever the run's level
	leftOut       bool                  // no files of it are made, see wanted
	warn          func(string)          // called with a sentence about a problem of the run itself
	err           error                 // the first write error: the report is lost, the run goes on
}

func newSiteRun(r *Run, of *audit.Site) *siteRun {
	s := &siteRun{run: r, base: fileBase(of.Name), site: of, warn: r.warn}
	s.records = recordWriter{run: r, base: s.base}
	return s
}

// write passes a record to all outputs.
func (s *siteRun) write(rec audit.Record) {
	if rec.Problem != nil {
		s.errors.AddProblem(rec.Problem)
	}
	if s.err != nil {
		return
	}
	if rec.URLs != nil && s.listed != nil {
		for i := range rec.URLs.List {
			rec.URLs.List[i].Listed = s.listed(rec.URLs.List[i].Loc)
		}
	}
	rec, err := s.records.write(rec)
	s.seen(rec)
	if rec.Robots != nil {
		if i := rec.Robots.Index; i < 0 || i >= maxOrigins {
			s.fail(fmt.Errorf("robots.txt no. %d of one site", i))
			return
		}
		err = cmp.Or(err, s.saveRobots(rec.Robots))
	}
	s.data.AddRecord(rec, s.recordOutputs...)
	if rec.Robots != nil && rec.Robots.Index == 0 {
		s.shared.AddRobots(rec.Robots)
		s.robots, s.hops = s.data.Robots(0), rec.Robots.File.Redirects()
	}
	if rec.Findings != nil {
		s.shared.AddFindings(rec.Findings.List)
	}
	for _, out := range s.outputs {
		err = cmp.Or(err, out.Err())
	}
	if err = cmp.Or(s.err, err); err != nil { // s.err comes from reading robots.txt back
		s.fail(err)
	}
}

// fail gives the report up and removes its files.
func (s *siteRun) fail(err error) {
	s.err = err
	s.discard()
}

// finish makes the site's report and returns its journal line. If the report could not be written,
// the line says so, and files of an earlier report stay unchanged.
func (s *siteRun) finish(d *audit.Done) *summary.Line {
	line := s.complete(d)
	if s.err != nil {
		line.Records, line.Workbook, line.Page, line.Differing, line.Policy, line.Asked, line.Sums = 0, 0, 0, 0, "", nil, nil
		line.State, line.Ground, line.Why = audit.Undetermined, "", "the report could not be written: "+s.err.Error()
		line.Problems++
		s.errors.AddProblem(&audit.Problem{Stage: audit.StageReport, Code: writeCode(s.err), Detail: s.err.Error()})
	}
	line.Summary = s.entry(line, d)
	s.discard()
	return line
}

// complete makes the site's files, and its line without the summary; s.err says whether all of them
// exist.
func (s *siteRun) complete(d *audit.Done) *summary.Line {
	s.begin(d)
	if !s.leftOut && !s.wanted(d) {
		s.leaveOut()
	}
	line := &summary.Line{
		Name: s.site.Name, Base: s.base, Ordinal: s.site.Ordinal, State: d.State, Ground: d.Ground, Why: d.Why,
		URLs: d.URLs, BlockedURLs: d.BlockedAny, Blocked: d.Blocked, Unknown: d.Unknown, LeftOut: d.LeftOut, Problems: d.Problems, Findings: d.Findings, Effects: d.Effects, Shared: &s.shared,
		Finished: d.Finished.UTC().Format(time.RFC3339Nano), Millis: float64(d.Finished.Sub(s.site.Started).Microseconds()) / 1000,
	}
	line.Clicks, line.Worst = d.Clicks, summary.WorstOf(s.site.Crawlers, d, s.data)
	if s.data != nil {
		line.Hits, _ = s.data.LeadHits(d)
		policy := enforced.New(s.data, d)
		line.Asked = treatedOf(policy)
		s.data.Lead = leadOf(policy)
		if s.data.Crawls != nil {
			of := crawls.New(s.data.Crawls)
			line.Logs = &summary.Crawled{Requests: of.Requests}
			for _, c := range of.Crawlers {
				line.Logs.Disobeyed += c.Own.Disobeyed
			}
		}
	}
	if s.err == nil {
		s.err = s.commit(line, d)
		if s.err == nil && s.watcher != nil {
			s.watcher.Kept()
		}
	}
	return line
}

// commit completes the site's temporary files and renames them: first evidence, then
// records, then those of the outputs in reverse order.
func (s *siteRun) commit(line *summary.Line, d *audit.Done) error {
	s.err = s.records.end()
	for _, out := range s.outputs {
		if s.err == nil { // also from reading robots.txt back
			s.err = out.Finish(d)
		}
	}
	if s.err != nil {
		return s.err
	}
	line.Differing, line.Policy = s.data.Differing, s.data.Policy(d).Summary()
	if err := s.commitEvidence(); err != nil {
		return err
	}
	var err error
	if line.Records, err = s.records.commit(); err != nil {
		return err
	}
	for _, out := range slices.Backward(s.outputs) {
		if err := out.Commit(line); err != nil {
			return err
		}
	}
	if s.leftOut {
		if err := s.removeEarlier(); err != nil {
			return err
		}
	}
	line.Sums, err = s.run.checksums(s.siteFiles())
	return err
}

// discard removes the site's temporary files.
func (s *siteRun) discard() {
	if s.data == nil {
		return
	}
	s.records.discard()
	for _, out := range s.outputs {
		out.Discard()
	}
	if s.err != nil { // otherwise it has been renamed
		s.run.folder.FS.Remove(s.tempEvidenceDir()) // best effort: the folder is emptied when the run ends
	}
}
