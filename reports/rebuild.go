package reports

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine/wording"
	"robots-audit/reports/internal/disk"
	"robots-audit/reports/internal/site"
	"robots-audit/reports/internal/summary"
)

// Effects of damaged or missing files of a run:
//
//	damage                                    Rebuild                                 Open with Resume
//	workbook, page, evidence, summary         made again                              the site is audited again
//	records gone, cut, changed, another's     the site is unknown, LossError          the site is audited again
//	all records gone                          nothing is written, LossError           all sites are audited again
//	records the journal does not know         used if complete; Warn                  the site is audited again
//	records of a later audit than its line    used; Warn: a resumed run was cut off   the site is audited again
//	a further file in records                 Warn; LossError if it cannot be read    left alone
//	a journal line that cannot be read        the site is made from its records;      the site is audited again; Warn
//	  or the journal gone                     Warn; LossError if run.json counts
//	                                          more sites than are known, or does not
//	                                          count them
//	run.json gone or damaged                  an error, nothing is written            an error, nothing is written
//
// The line of a lost site stays in the journal, and its workbook, page and evidence
// stay where they are: once its records are restored, Rebuild gives the full result.

// LossError lists the sites and files of a run that could not be recovered.
type LossError struct {
	Losses    []string // the first of them: one for each file or site, with the reason
	More      int      // number of losses that are not listed
	Untouched bool     // no summary was written, since it would contain less than the existing one
}

// Error lists the losses, one a line.
func (e *LossError) Error() string {
	text := strings.Join(e.Losses, "\n")
	if e.More > 0 {
		text += fmt.Sprintf("\nand %d more", e.More)
	}
	return text
}

func (e *LossError) addLoss(format string, args ...any) {
	if len(e.Losses) == maxListedLosses {
		e.More++
		return
	}
	e.Losses = append(e.Losses, fmt.Sprintf(format, args...))
}

// Rebuilt is the result of making a run's reports again.
type Rebuilt struct {
	Totals
	Worst      []WorstSite // as in Run.Worst
	Unfinished bool        // the run never finished: there may be more sites to audit
}

// Rebuild makes all reports of the run in o.Dir again from its records: the same bytes if the program is the same. It only reads
// records. A site whose records cannot be read is reported as unknown, and its old workbook stays. After all others are made, a
// *LossError names it. Rebuild uses the options Dir, Warn, AllSheets, Brief and the extras of Reports; the others come from the
// run. It compares Version with the run's: ErrNewer if a newer release made the run, "" = no comparison.
func (o Options) Rebuild() (Rebuilt, error) {
	m, err := o.manifest()
	if err == nil {
		err = m.checkWriter(o.Version)
	}
	if err != nil {
		return Rebuilt{}, fmt.Errorf("%s: %w", o.Dir, err)
	}
	return rebuild(o.asOf(m), m)
}

// manifest reads the run.json of the run in o.Dir. The error is ErrNoRun if there is no run, and
// ErrNoManifest if only run.json is missing.
func (o *Options) manifest() (*manifest, error) {
	m, err := readManifest(filepath.Join(o.Dir, "run.json"))
	if err == nil && m == nil {
		err = ErrNoRun
		folder := disk.Folder{FS: disk.NewRoot(o.Dir), Dir: o.Dir}
		if holdsSites(folder) {
			err = ErrNoManifest
		}
		folder.Close()
	}
	return m, err
}

// asOf returns the options with all settings of a run's manifest.
func (o Options) asOf(m *manifest) Options {
	o.Rows, o.AllSheets, o.Formats, o.CSVMark, o.Reports, o.SingleFile, o.Version, o.Crawlers, o.Segments, o.Started = m.Rows, o.AllSheets || m.AllSheets, m.Formats, m.CSVMark, ordered(append(slices.Clone(m.Reports), extrasOf(o.Reports)...)), m.SingleFile, m.Version, m.Crawlers, m.Segments, m.Started
	o.Settings = map[string]any{}
	for key, value := range m.Settings {
		o.Settings[key] = value
	}
	return o
}

// takeNotes takes over the facts about the run that a manifest has in addition to the options.
func (r *Run) takeNotes(m *manifest) {
	r.listProblems, r.listProblemCount, r.unfinished, r.stopped, r.ended, r.remarks = m.ListProblems, len(m.ListProblems)+m.ListProblemsMore, m.Unfinished, m.Stopped, m.Finished != nil, m.Remarks
}

func rebuild(o Options, m *manifest) (Rebuilt, error) {
	r, err := openAs(o, true)
	if err != nil {
		return Rebuilt{}, err
	}
	r.takeNotes(m)
	loss := &LossError{}
	made, err := r.replayAll(m, loss)
	result := Rebuilt{Totals: r.Totals(), Unfinished: !r.ended || r.unfinished > 0 || r.stopped}
	switch {
	case err != nil:
	case len(loss.Losses) > 0 && (made == 0 || m.Sites != nil && result.Sites < *m.Sites):
		loss.Untouched = true
	default:
		err = r.Close()
		result.Worst = r.Worst()
		if len(loss.Losses) > 0 {
			err = errors.Join(loss, err)
		}
		return result, err
	}
	r.done.journal.release()
	if err == nil {
		err = loss
	}
	return Rebuilt{}, errors.Join(err, r.release())
}

// replayAll makes the report of every site that has records or a journal line, and appends its line
// to the new journal. It returns the number of sites whose reports are complete.
func (r *Run) replayAll(m *manifest, loss *LossError) (int, error) {
	old, err := readJournal(r.journal(), r.temp())
	if err != nil {
		return 0, err
	}
	defer old.close()
	last := map[string]int{} // the index of the last line of each site, by base
	for i := range old.entries {
		line, err := old.read(i)
		if err != nil {
			return 0, err
		}
		last[line.Base] = i
	}
	made, unknown, err := r.replayFiles(old, last, loss)
	if err != nil {
		return made, err
	}
	without, err := r.copyLines(old, last, loss)
	if err != nil {
		return made, err
	}
	r.checkJournal(old, m, unknown, loss)
	return made + without, nil
}

// replayFiles makes the reports of the sites that have a file of records, and removes them from
// last. unknown is the number of sites that the journal does not have.
func (r *Run) replayFiles(old *journal, last map[string]int, loss *LossError) (made, unknown int, err error) {
	files, err := r.folder.FS.ReadDir(r.path("records"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, 0, err
	}
	type known struct {
		base string
		at   int // index of its line in the old journal; -1 = none
	}
	sites := func(yield func(known) bool) {
		for _, file := range files {
			base, ok := strings.CutSuffix(file.Name(), recordsExt)
			if !ok {
				continue
			}
			at, ok := last[base]
			if !ok {
				at = -1
			}
			delete(last, base)
			if !yield(known{base, at}) {
				return
			}
		}
	}
	replay := func(of known) *replayed {
		f := recordsFile{run: r, base: of.base}
		if of.at >= 0 {
			line, err := old.read(of.at)
			if err != nil {
				return &replayed{broken: err}
			}
			f.line = line
		}
		return r.replay(f)
	}
	for p := range audit.InOrder(sites, replay) {
		if p.broken != nil {
			return made, unknown, p.broken
		}
		ok, err := r.addReplayed(p, loss)
		if err != nil {
			return made, unknown, err
		}
		if ok {
			made++
			if p.line == nil {
				unknown++
			}
		}
	}
	return made, unknown, nil
}

// copyLines appends the lines of sites without a file of records, in the order of the old journal.
// complete is the number of sites that never had one; the others are lost.
func (r *Run) copyLines(old *journal, last map[string]int, loss *LossError) (complete int, err error) {
	for i := range old.entries {
		line, err := old.read(i)
		if err != nil {
			return complete, err
		}
		if k, ok := last[line.Base]; !ok || k != i {
			continue
		}
		if line.Records == 0 && line.Lost == nil {
			complete++
		} else {
			line.Lost = &summary.Error{Stage: audit.StageReport, Code: site.CodeRecordsMissing, Detail: recordsName(line.Base) + ": the file is not there"}
			loss.addLoss("%s: %s: %s", line.Name, line.Lost.Code, line.Lost.Detail)
		}
		if err := r.done.append(line); err != nil {
			return complete, err
		}
	}
	return complete, nil
}

// checkJournal warns of lines that are missing in the old journal, or adds them to the losses if
// sites are missing with them. unknown is the number of sites that were made only from their
// records.
func (r *Run) checkJournal(old *journal, m *manifest, unknown int, loss *LossError) {
	const name = packedFile
	sites := r.Totals().Sites
	what := ""
	switch {
	case old.missing:
		what = "the file is not there"
	case old.unread() != "":
		what = old.unread() + " cannot be read"
	case old.torn && r.ended:
		what = "it breaks off"
	}
	switch {
	case m.Sites != nil && sites < *m.Sites:
		if what == "" {
			what = "it ends too early"
		}
		loss.addLoss("%s: %s, and of the %s that run.json counts %d could be found", name, what, wording.Plural(*m.Sites, "site"), sites)
	case what != "" && m.Sites == nil && r.ended:
		loss.addLoss("%s: %s; sites of which there are no records cannot be known", name, what)
	case what != "":
		r.warn(name + ": " + what + "; it is made again from the records")
	case unknown > 0:
		r.warn(wording.Plural(unknown, "site") + " of which the journal did not know; taken from their records")
	}
}
