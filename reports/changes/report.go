package changes

import (
	"errors"
	"fmt"
	"iter"

	"github.com/gofrs/flock"

	"robots-audit/audit/compare"
	"robots-audit/reports/changes/internal/book"
	"robots-audit/reports/changes/internal/model"
	"robots-audit/reports/changes/internal/page"
	"robots-audit/reports/internal/disk"
)

// Options are the settings of a report. Dir must be set.
type Options struct {
	Dir      string // created if it is missing; an older comparison in it is replaced
	Old, New Run
	Version  string // of the program
	JSONOnly bool   // write only changes.json

	disk    disk.FS                                    // tests use one that is full
	outputs []func(*disk.Folder) (model.Output, error) // tests use only those that are fast; nil = all
}

// allOutputs begin the files of a report: see files.
var allOutputs = []func(*disk.Folder) (model.Output, error){newPage, newBook, newJSON, newMarkdown}

// jsonOnly is the list for Options.JSONOnly.
var jsonOnly = []func(*disk.Folder) (model.Output, error){newJSON}

// Report is a comparison's folder while it is written. Only one goroutine uses it.
type Report struct {
	Comparison
	folder  disk.Folder
	lock    *flock.Flock
	outputs []model.Output
	made    bool // all files are complete, under temporary names
}

// newOutputs begins the files of a list.
func newOutputs(r *Report, list []func(*disk.Folder) (model.Output, error)) ([]model.Output, error) {
	var outputs []model.Output
	for _, begin := range list {
		out, err := begin(&r.folder)
		if err != nil {
			for _, out := range outputs {
				out.Discard()
			}
			return nil, err
		}
		outputs = append(outputs, out)
	}
	return outputs, nil
}

func newPage(folder *disk.Folder) (model.Output, error) { return page.New(folder), nil }

func newBook(folder *disk.Folder) (model.Output, error) { return book.New(folder), nil }

// Temp is the folder for the temporary files of the comparison itself.
func (r *Report) Temp() string { return r.folder.Temp }

// AddSite adds the comparison of a site, to its end, and returns the compared site. An error of the
// comparison, or of writing, ends the report: call Discard.
func (r *Report) AddSite(items iter.Seq2[compare.Item, error]) (*compare.Site, error) {
	site, err := gather(items, len(r.Sites), r.outputs...)
	if err != nil {
		return nil, err
	}
	r.Add(site)
	return site.Site, nil
}

// gather reads the comparison of a site to its end, and passes it on to outputs. number is the
// site's position in the list.
func gather(items iter.Seq2[compare.Item, error], number int, outputs ...model.Output) (*model.Site, error) {
	var gathering *model.Gathering
	for item, err := range items {
		switch {
		case err != nil:
			return nil, err
		case item.Begin != nil:
			gathering = model.Gather(item.Begin)
			err = each(outputs, func(out model.Output) error { return out.Begin(item.Begin) })
		case item.Flip != nil:
			gathering.Flip(item.Flip)
			err = each(outputs, func(out model.Output) error { return out.Flip(item.Flip) })
		case item.Site != nil:
			site := gathering.End(item.Site, number)
			return site, each(outputs, func(out model.Output) error { return out.End(site) })
		}
		if err != nil {
			return nil, err
		}
	}
	return nil, errors.New("changes: a comparison without an end")
}

// each calls do for each output, until the first error.
func each(outputs []model.Output, do func(model.Output) error) error {
	for _, out := range outputs {
		if err := do(out); err != nil {
			return err
		}
	}
	return nil
}

// Finish completes all files, so that Close only has to rename them, which takes no time. Calling
// it is optional.
func (r *Report) Finish() error {
	if r.made {
		return nil
	}
	r.Sort()
	if err := each(r.outputs, func(out model.Output) error { return out.Finish(&r.Comparison) }); err != nil {
		return fmt.Errorf("%s: %w", r.folder.Dir, err)
	}
	r.made = true
	return nil
}

// Close completes all files, and replaces an older comparison with them. After an error the folder
// is as before.
func (r *Report) Close() error {
	if err := r.Finish(); err != nil {
		r.Discard()
		return err
	}
	err := replace(r.folder, func() error { return each(r.outputs, model.Output.Commit) })
	if err != nil {
		r.Discard()
		return fmt.Errorf("%s: %w", r.folder.Dir, err)
	}
	r.folder.FS.Remove(r.folder.Temp) // best effort: the next comparison empties it
	return errors.Join(r.lock.Unlock(), r.folder.Close())
}

// Discard removes unfinished files, and unlocks the folder. It may be called after Close, and then
// does nothing.
func (r *Report) Discard() {
	if !r.lock.Locked() {
		return
	}
	for _, out := range r.outputs {
		out.Discard()
	}
	r.folder.FS.Remove(r.folder.Temp) // best effort: an error was returned already
	r.lock.Unlock()
	r.folder.Close()
}
