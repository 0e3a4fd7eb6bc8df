package reports

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"robots-audit/audit"
	"robots-audit/reports/internal/site"
	"robots-audit/reports/internal/summary"
)

// maxOrigins bounds the robots.txt files of one site; an audit asks for far fewer.
const maxOrigins = 10000

// siteRun is one site whose records come in. The records of a small site are
// held until all are there, so that what its report is made of is in memory for
// as long as it takes to make it; those of a large one are written as they come.
type siteRun struct {
	run           *Run
	base          string
	site          *audit.Site
	buffered      []audit.Record // not written yet
	bufferedBytes int            // that they take, about
	data          *site.Site     // nil = the site's records are held
	outputs       []siteOutput
	siteOutputs   []site.Output // the same
	records       recordWriter
	ownBody       []byte        // body of the site's own robots.txt, where it is short; nil = see the evidence
	robots        *audit.Robots // the site's own, without body
	hops          int           // redirects to it
	errors        summary.Errors
	shared        site.Shared
	err           error // the first trouble of writing: the report is lost, the run goes on
}

func newSiteRun(r *Run, of *audit.Site) *siteRun {
	s := &siteRun{run: r, base: fileBase(of.Name), site: of}
	s.records = recordWriter{run: r, base: s.base}
	return s
}

// write takes a record into everything that is made of it.
func (s *siteRun) write(rec audit.Record) {
	if rec.Problem != nil {
		s.errors.AddProblem(rec.Problem)
	}
	if s.err != nil {
		return
	}
	rec, err := s.records.write(rec)
	if rec.Robots != nil {
		if i := rec.Robots.Index; i < 0 || i >= maxOrigins {
			s.fail(fmt.Errorf("robots.txt no. %d of one site", i))
			return
		}
		err = cmp.Or(err, s.saveRobots(rec.Robots))
	}
	s.data.AddRecord(rec, s.siteOutputs...)
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
	if err = cmp.Or(s.err, err); err != nil { // s.err: of reading robots.txt back
		s.fail(err)
	}
}

// fail gives the report up: what is lost takes no room.
func (s *siteRun) fail(err error) {
	s.err = err
	s.discard()
}

// finish puts everything of the site into its place and returns its line of
// the journal. What could not be written leaves the old files as they were.
func (s *siteRun) finish(d *audit.Done) *summary.Line {
	s.begin(true)
	line := &summary.Line{
		Name: s.site.Name, Base: s.base, Ordinal: s.site.Ordinal, State: d.State, Why: d.Why,
		URLs: d.URLs, BlockedURLs: d.BlockedAny, Blocked: d.Blocked, Unknown: d.Unknown, LeftOut: d.LeftOut, Problems: d.Problems, Findings: d.Findings, Shared: &s.shared,
		Finished: d.Finished.UTC().Format(time.RFC3339Nano), Millis: float64(d.Finished.Sub(s.site.Started).Microseconds()) / 1000,
	}
	if s.err == nil {
		s.err = s.commit(line, d)
	}
	if s.err != nil {
		line.Records, line.Workbook, line.Page, line.Differing, line.Policy, line.Sums = 0, 0, 0, 0, "", nil
		line.State, line.Why = audit.Undetermined, "the report could not be written: "+s.err.Error()
		line.Problems++
		s.errors.AddProblem(&audit.Problem{Stage: audit.StageReport, Code: writeCode(s.err), Detail: s.err.Error()})
	}
	line.Summary = s.entry(line, d)
	s.discard()
	return line
}

// commit writes what is not on disk yet and renames the site's files: evidence,
// records, and last what the outputs have made, the workbook after all others.
func (s *siteRun) commit(line *summary.Line, d *audit.Done) error {
	s.err = s.records.end()
	for _, out := range s.outputs {
		if s.err == nil { // also of reading robots.txt back
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
	line.Sums, err = s.run.checksums(s.base)
	return err
}

// discard removes what the site has on disk beside its finished files.
func (s *siteRun) discard() {
	if s.data == nil {
		return
	}
	s.records.discard()
	for _, out := range s.outputs {
		out.Discard()
	}
	if s.err != nil { // otherwise it is in its place
		s.run.folder.FS.Remove(s.tempEvidenceDir()) // best effort: the folder is emptied when the run ends
	}
}
