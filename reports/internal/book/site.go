package book

import (
	"os"
	"time"

	"robots-audit/audit"
	"robots-audit/engine/wording"
	"robots-audit/reports/internal/disk"
	"robots-audit/reports/internal/site"
	"robots-audit/reports/internal/summary"
	"robots-audit/reports/internal/xlsx"
)

// Options are what the workbooks of a run have in common.
type Options struct {
	Folder   *disk.Folder
	Crawlers []audit.Crawler
	Started  time.Time // of the run: when its workbooks were made
	AllRows  bool      // rows of every URL, not only of those that a crawler may not fetch
	RowLimit int       // rows of a sheet, the header among them
}

// Sites makes the workbooks of the sites of a run, which have their sheets and
// their design in common.
type Sites struct {
	Options
	template *xlsx.Template
	sheets   []sheetDefinition
	layout   summaryLayout
}

// NewSites draws the workbooks.
func NewSites(o Options) (*Sites, error) {
	s := &Sites{Options: o, sheets: siteSheets(o.Crawlers, o.AllRows), layout: newSummaryLayout(len(o.Crawlers))}
	var kinds []*xlsx.SheetKind
	for _, sheet := range s.sheets {
		kinds = append(kinds, sheet.kind)
	}
	var err error
	s.template, err = xlsx.NewTemplate(o.design(s.layout.xlsxLayout(), kinds))
	return s, err
}

// SheetNames are the names of the sheets that a site's workbook may have, in
// their order.
func (s *Sites) SheetNames() []string {
	names := []string{s.template.Summary.Name}
	for _, sheet := range s.sheets {
		names = append(names, sheet.kind.Name)
	}
	return names
}

// design is that of all workbooks of the run.
func (o *Options) design(page xlsx.SummaryLayout, sheets []*xlsx.SheetKind) xlsx.Design {
	return xlsx.Design{
		Creator: "robots-audit", Title: "robots.txt audit", Created: o.Started, Summary: page, Sheets: sheets,
		MoreRows: func(rows int64) string {
			return wording.Thousands(rows) + " more rows stand in the site's records alone"
		},
	}
}

// Site is the workbook of one site while its records come in.
type Site struct {
	xlsx.Workbook
	shared    *Sites
	site      *site.Site
	base      string // of the file's name
	committed bool   // the file is in its place

	onURL      []func(*urlRow)
	onRobots   []func(*audit.Robots)
	onSitemap  []func(*audit.Sitemap)
	onProblem  []func(*audit.Problem)
	onFindings []func(*audit.Findings)
	onEnd      []func(*audit.Done)

	sources         sources
	cells           cellCache
	row             urlRow          // the one being written
	verdictRow      verdictRow      // likewise
	allRow          allRow          // likewise
	disagreementRow disagreementRow // likewise
	scratch         []byte
}

// Begin begins the workbook of a site, which is written as base.xlsx in the
// run's folder. whole says that all records of the site are there already.
func (s *Sites) Begin(of *site.Site, base string, whole bool) *Site {
	b := &Site{
		Workbook: xlsx.Workbook{Template: s.template, Disk: s.Folder.FS, SpillName: s.Folder.TempPath(base + ".spill"), RowLimit: s.RowLimit, Whole: whole},
		shared:   s, site: of, base: base,
	}
	for _, sheet := range s.sheets {
		b.Sheets = append(b.Sheets, sheet.begin(b))
	}
	return b
}

// URLs takes tested URLs: rows for every crawler that may not fetch one, or of
// which nobody can say.
func (b *Site) URLs(list []site.URL) {
	for i := range list {
		if u := &list[i]; u.Blocked || u.Unclear || b.shared.AllRows {
			b.writeURL(u)
		}
	}
	b.row.url = nil
}

// Robots takes the robots.txt of one origin.
func (b *Site) Robots(r *audit.Robots) {
	for _, write := range b.onRobots {
		write(r)
	}
}

// Sitemap takes a sitemap that was read.
func (b *Site) Sitemap(file *audit.Sitemap) {
	b.sources.setName(&b.Strings, file)
	for _, write := range b.onSitemap {
		write(file)
	}
}

// Problem takes a trouble of the site.
func (b *Site) Problem(p *audit.Problem) {
	for _, write := range b.onProblem {
		write(p)
	}
}

// Findings takes what is to be said about one robots.txt.
func (b *Site) Findings(f *audit.Findings) {
	for _, write := range b.onFindings {
		write(f)
	}
}

func (b *Site) temp() string { return b.shared.Folder.TempPath(b.base + ".xlsx") }

// Finish writes what can be told only at the site's end, and puts the workbook
// together beside its place.
func (b *Site) Finish(d *audit.Done) error {
	for _, end := range b.onEnd {
		end(d)
	}
	return b.Workbook.Finish(b.temp(), b.summary(d))
}

// Commit puts the workbook into its place, and says in the site's line how large it is.
func (b *Site) Commit(line *summary.Line) error {
	info, err := os.Stat(b.temp())
	if err != nil {
		return err
	}
	line.Workbook = info.Size()
	err = b.Disk.Rename(b.temp(), b.shared.Folder.Path(b.base+".xlsx"))
	b.committed = err == nil
	return err
}

// Discard gives back what an unfinished workbook holds, and removes what it has
// on disk beside its place.
func (b *Site) Discard() {
	b.Workbook.Discard()
	if !b.committed {
		b.Disk.Remove(b.temp()) // best effort: the folder is emptied when the run ends
	}
}
