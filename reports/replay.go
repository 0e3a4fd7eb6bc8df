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

// replayed is what came of making the report of one site again, from the file of its
// records. Nothing of it is told before its turn, see Run.addReplayed.
type replayed struct {
	recordsFile
	made     *summary.Line // of the new journal; nil = there is none
	err      error         // why the file is of no use, or the report could not be written
	code     string        // of err
	warnings []string
	broken   error // the old journal cannot be read: the run cannot be made again
}

// replay makes the report of the site of a file again. Any goroutine may do it.
func (r *Run) replay(f recordsFile) *replayed {
	p := &replayed{recordsFile: f, code: site.CodeRecordsDamaged}
	p.warn = func(text string) { p.warnings = append(p.warnings, text) }
	p.demanded = f.line != nil && wasMade(f.line) // by Demand, or since the run's level has it so
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
		s.err = err // what it has on disk is of no use
		s.discard()
	}
	p.made, p.err = nil, err
	return p
}

// addReplayed appends the line of a site to the new journal. A file that cannot be used is
// added to the losses; ok says whether the report was made.
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

// errForeignFile says that a file in the folder of records is of no site of the run.
var errForeignFile = errors.New("no file of the run")

// recordsFile is a file of records that is read again.
type recordsFile struct {
	run      *Run
	base     string
	line     *summary.Line // what the journal says of it; nil = nothing
	demanded bool          // the site's files are made whatever the run's level
	warn     func(string)
	of       *audit.Site // as the file says; nil = it says nothing that can be
	site     *siteRun    // what is made of it; nil = nothing was begun
}

// read gives the site all records of the file but the last one, which it returns: so no
// file has its final name yet. An error says what is wrong with the file.
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

// facts is what the journal says of the file.
func (f *recordsFile) facts() (w fileFacts) {
	if l := f.line; l != nil {
		w = fileFacts{size: l.Records, sum: l.Sums[recordsName(f.base)]}
		if !f.run.ended {
			w.ended = l.End()
		}
	}
	return w
}

// check compares the site that the file names with the file's own name, and its
// crawlers with the run's.
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

// recoverFault turns a panic into an error. It may come of records that are
// well-formed but that no audit writes, and so costs this site its report alone.
func (f *recordsFile) recoverFault(err *error) {
	if fault := recover(); fault != nil {
		*err = f.errorf("%.200s", fmt.Sprint(fault))
	}
}

// errorf returns an error that names the file.
func (f *recordsFile) errorf(format string, args ...any) error {
	return fmt.Errorf(recordsName(f.base)+": "+format, args...)
}
