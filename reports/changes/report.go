package changes

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"os"

	"robots-audit/audit/compare"
	"robots-audit/reports/changes/internal/model"
	"robots-audit/reports/internal/disk"
)

// Options are the settings of a report. Dir must be set.
type Options struct {
	Dir      string // made where it is missing
	Old, New Run
	Version  string // of the program
}

// Report is a comparison's folder that is being written.
type Report struct {
	Comparison
	folder  disk.Folder
	outputs []model.Output
}

// hidden is the folder of temporary files within a comparison's folder.
const hidden = ".robots-audit"

// Open begins a report.
func Open(o Options) (*Report, error) {
	r := &Report{Comparison: Comparison{Old: o.Old, New: o.New, Version: o.Version}, folder: disk.Folder{FS: disk.OS{}, Dir: o.Dir}}
	r.folder.Temp = r.folder.Path(hidden)
	if err := os.MkdirAll(r.folder.Temp, 0o755); err != nil {
		return nil, err
	}
	r.outputs = newOutputs(r)
	return r, nil
}

// newOutputs lists the files that are made, in their order.
func newOutputs(r *Report) []model.Output {
	return []model.Output{}
}

// Temp is the folder for the temporary files of the comparison itself.
func (r *Report) Temp() string { return r.folder.Temp }

// AddSite adds the comparison of a site, to its end, and returns what was found. An error of the
// comparison, or of writing, ends the report: Discard is to be called.
func (r *Report) AddSite(items iter.Seq2[compare.Item, error]) (*compare.Site, error) {
	var gathering *model.Gathering
	for item, err := range items {
		switch {
		case err != nil:
			return nil, err
		case item.Begin != nil:
			gathering = model.Gather(item.Begin)
			err = r.each(func(out model.Output) error { return out.Begin(item.Begin) })
		case item.Flip != nil:
			gathering.Flip(item.Flip)
			err = r.each(func(out model.Output) error { return out.Flip(item.Flip) })
		case item.Site != nil:
			site := gathering.End(item.Site, len(r.Sites))
			r.Add(site)
			return item.Site, r.each(func(out model.Output) error { return out.End(site) })
		}
		if err != nil {
			return nil, err
		}
	}
	return nil, errors.New("changes: a comparison without an end")
}

// each does something with each output, to the first error.
func (r *Report) each(do func(model.Output) error) error {
	for _, out := range r.outputs {
		if err := do(out); err != nil {
			return err
		}
	}
	return nil
}

// Close completes all files.
func (r *Report) Close() error {
	r.Sort()
	for _, out := range r.outputs {
		if err := out.Finish(&r.Comparison); err != nil {
			r.Discard()
			return fmt.Errorf("%s: %w", r.folder.Dir, err)
		}
	}
	for _, out := range r.outputs {
		if err := out.Commit(); err != nil {
			r.Discard()
			return err
		}
	}
	return os.RemoveAll(r.folder.Temp)
}

// Discard removes what was written and not completed.
func (r *Report) Discard() {
	for _, out := range r.outputs {
		out.Discard()
	}
	os.RemoveAll(r.folder.Temp) // best effort: an error was told already
}

// Gates are the kinds of change by which Totals.Fails goes, as -fail-on has them.
func Gates() []string { return []string{"flip", "newly-blocked", "change", "never"} }

// Fails reports whether anything of a kind of change was found: any flip, a page that is
// newly blocked, or any change at all, a URL that has appeared or vanished included.
func (t *Totals) Fails(gate string) bool {
	switch gate {
	case "flip":
		return t.Flips() > 0
	case "newly-blocked":
		return t.NewlyBlocked > 0
	case "change":
		return t.SitesChanged > 0
	}
	return false
}

// Print prints what was found in a line.
func (r *Report) Print(w io.Writer) {
	t := &r.Totals
	fmt.Fprintf(w, "%d sites, %d changed: %d newly blocked, %d newly allowed\n", t.Sites, t.SitesChanged, t.NewlyBlocked, t.NewlyAllowed)
}
