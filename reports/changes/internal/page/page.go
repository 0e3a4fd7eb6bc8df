package page

import (
	"slices"

	"robots-audit/audit/compare"
	"robots-audit/reports/changes/internal/model"
	"robots-audit/reports/internal/disk"
)

// Bounds of the page; see the package comment.
const (
	tableSites   = 5_000
	sameNames    = 2_000 // sites that have not changed, by name
	sectionSites = 200
)

// Page is index.html while sites are added to it: a model.Output.
type Page struct {
	folder      *disk.Folder
	sections    []*section // the most important so far, in their order
	left        bool       // there was no space for one
	top         []bar      // directories of all sites, those with the most weight first
	weight      int64      // weight of all directories
	directories int
	done        bool // the file is complete under its temporary name
}

// New returns the page of a comparison's folder.
func New(folder *disk.Folder) *Page { return &Page{folder: folder} }

// name is the name of the page within its folder.
const name = "index.html"

// Begin does nothing: a site is added at its end.
func (p *Page) Begin(*compare.Site) error { return nil }

// Flip does nothing: package model collects the samples.
func (p *Page) Flip(*compare.Flip) error { return nil }

// End adds a site to the page, unless it has no changes or 200 others are more important.
func (p *Page) End(s *model.Site) error {
	if !s.Changed() {
		return nil
	}
	p.addBars(s)
	at, _ := slices.BinarySearchFunc(p.sections, s.Entry, func(of *section, e *model.Entry) int { return of.entry.Compare(e) })
	if at == sectionSites {
		p.left = true
		return nil
	}
	p.sections = slices.Insert(p.sections, at, newSection(s))
	if len(p.sections) > sectionSites {
		p.sections, p.left = slices.Delete(p.sections, sectionSites, sectionSites+1), true
	}
	return nil
}

// Finish writes the page under its temporary name.
func (p *Page) Finish(of *model.Comparison) error {
	v, err := p.view(of)
	if err != nil {
		return err
	}
	out, err := p.folder.FS.Create(p.folder.TempPath(name))
	if err != nil {
		return err
	}
	err = kind().Execute(out, v)
	if file, ok := out.(interface{ Sync() error }); ok && err == nil {
		err = file.Sync()
	}
	if e := out.Close(); err == nil {
		err = e
	}
	p.done = err == nil
	return err
}

// Commit renames the page to its final name.
func (p *Page) Commit() error {
	p.done = false
	return p.folder.FS.Rename(p.folder.TempPath(name), p.folder.Path(name))
}

// Discard removes the temporary file.
func (p *Page) Discard() {
	if p.done {
		p.folder.FS.Remove(p.folder.TempPath(name)) // best effort: the folder of such files is removed
	}
}
