package reports

import (
	"errors"
	"fmt"
	"io/fs"
	"time"

	"robots-audit/audit"
	"robots-audit/reports/internal/site"
	"robots-audit/reports/internal/summary"
)

// replayed is the result of making one site's report again from the file of its records. Nothing is
// reported before the site's turn, see Run.addReplayed.
type replayed struct {
	recordsFile
	made     *summary.Line // of the new journal; nil = none
	err      error         // why the file is unusable, or the report could not be written
	code     string        // of err
	warnings []string
	broken   error // the old journal cannot be read: the run cannot be made again
}

// replay makes the report of a file's site again. Any goroutine may call it.
func (r *Run) replay(f recordsFile) *replayed {
	p := &replayed{recordsFile: f, code: site.CodeRecordsDamaged}
	p.warn = func(text string) { p.warnings = append(p.warnings, text) }
	p.demanded = f.line != nil && wasMade(f.line) // by Demand, or because of the run's level
	done, err := p.read()
	if s := p.site; s != nil {
		if err == nil {
			p.made, err = p.finish(done)
		}
		if err == nil && s.err == nil {
			return p
		}
		if err == nil {
			p.code, err = writeCode(s.err), fmt.Errorf("its report could not be written: %w", s.err)
		}
		s.err = err // its data on disk is unusable
		s.discard()
	}
	p.made, p.err = nil, err
	return p
}

// addReplayed appends the line of a site to the new journal. It adds an unusable file to the
// losses; ok says whether the report was made.
func (r *Run) addReplayed(p *replayed, loss *LossError) (ok bool, err error) {
	for _, text := range p.warnings {
		r.warn(text)
	}
	line, code := p.line, p.code
	switch {
	case p.err == nil:
		return true, r.done.append(p.made)
	case errors.Is(p.err, errForeignFile):
		r.warn(p.err.Error() + "; it is left out")
		return false, nil
	case errors.Is(p.err, fs.ErrNotExist):
		code = site.CodeRecordsMissing
	}
	if line == nil && p.of == nil {
		loss.addLoss("%v; the journal knows no site of that name", p.err)
		return false, nil
	}
	if line == nil {
		line = &summary.Line{Name: p.of.Name, Base: p.base, Ordinal: p.of.Ordinal, Summary: emptySummary(p.of.Name), Finished: r.Started.Format(time.RFC3339Nano)}
	}
	line.Lost = &summary.Error{Stage: audit.StageReport, Code: code, Detail: p.err.Error()}
	loss.addLoss("%s: %s: %v", line.Name, code, p.err)
	return false, r.done.append(line)
}

// errForeignFile says that a file in the folder of records belongs to no site of the run.
var errForeignFile = errors.New("no file of the run")

// recordsFile is a file of records that is read again.
type recordsFile struct {
	run      *Run
	base     string
	line     *summary.Line // its line in the journal; nil = none
	demanded bool          // the site's files are made whatever the run's level
	warn     func(string)
	of       *audit.Site // from the file itself; nil = it has no valid site
	site     *siteRun    // the site's report; nil = not begun
}

// read gives the site all records of the file except the last one, which it returns, so that no
// file gets its final name yet. An error says what is wrong with the file.
func (f *recordsFile) read() (done *audit.Done, err error) {
	defer f.recoverFault(&err)
	later := func() {
		f.warn(f.of.Name + ": its records are of a later audit than the journal knows; they are taken")
	}
	for rec, err := range checkedRecords(f.run.sourceDisk, f.run.recordsPath(f.base), f.facts(), later) {
		if err == nil && f.of == nil {
			if err := f.check(rec.Site); err != nil {
				return nil, err
			}
			f.site = newSiteRun(f.run, rec.Site)
			f.site.demanded, f.site.warn = f.demanded, f.warn
		}
		switch {
		case err != nil:
			return nil, f.errorf("%w", err)
		case rec.Done != nil:
			return rec.Done, nil
		}
		f.site.addRecord(rec)
	}
	return nil, f.errorf("the records break off before the site's end")
}

// facts returns what the journal recorded about the file.
func (f *recordsFile) facts() (w fileFacts) {
	if l := f.line; l != nil {
		w = fileFacts{size: l.Records, sum: l.Sums[recordsName(f.base)]}
		if !f.run.ended {
			w.ended = l.End()
		}
	}
	return w
}

// check compares the site in the file with the file's own name, and its crawlers with the run's.
func (f *recordsFile) check(of *audit.Site) error {
	own := fileBase(of.Name)
	switch {
	case own != f.base && f.line == nil:
		return fmt.Errorf("%s: %w: it holds records of %.200s, which lie in %s", recordsName(f.base), errForeignFile, of.Name, recordsName(own))
	case own != f.base || f.line != nil && f.line.Name != of.Name:
		return f.errorf("it holds the records of %.200s", of.Name)
	}
	asked, had := site.Specs(f.run.Crawlers), site.Specs(of.Crawlers)
	if fmt.Sprint(asked) != fmt.Sprint(had) {
		return f.errorf("it asks about other crawlers than run.json")
	}
	f.of = of
	return nil
}

// finish makes the site's report.
func (f *recordsFile) finish(done *audit.Done) (line *summary.Line, err error) {
	defer f.recoverFault(&err)
	line = f.site.finish(done)
	return line, nil
}

// recoverFault turns a panic into an error. Records that are well-formed but that no audit writes
// may cause it; only this site's report fails.
func (f *recordsFile) recoverFault(err *error) {
	if fault := recover(); fault != nil {
		*err = f.errorf("%.200s", fmt.Sprint(fault))
	}
}

// errorf returns an error that names the file.
func (f *recordsFile) errorf(format string, args ...any) error {
	return fmt.Errorf(recordsName(f.base)+": "+format, args...)
}
