package book

import (
	"iter"
	"sync"
	"time"

	"robots-audit/audit"
	"robots-audit/engine/wording"
	"robots-audit/reports/internal/disk"
	"robots-audit/reports/internal/site"
	"robots-audit/reports/internal/summary"
	"robots-audit/reports/internal/xlsx"
)

// Options are the options that the workbooks of a run share.
type Options struct {
	Folder    *disk.Folder
	Crawlers  []audit.Crawler
	Started   time.Time // of the run: the creation time of its workbooks
	AllRows   bool      // rows of every URL, not only of blocked ones
	AllSheets bool      // every sheet and column, not only the important ones
	Segments  bool      // the user has named segments
	RowLimit  int       // rows of a sheet, including the header
}

// Sites makes the workbooks of the sites of a run, which share their sheets and their design.
type Sites struct {
	Options
	template *xlsx.Template
	sheets   []sheetDefinition
	with     func(siteKind) *Sites // for sites of that kind, once there is one
}

// siteKind is what a site has beyond others: its workbook has further sheets or columns for it.
type siteKind struct {
	past, logged, asked bool // a history, access logs, answers in the names of crawlers
}

func kindOf(s *site.Site) siteKind {
	return siteKind{s.Past != nil, s.Logs != nil, s.Site.Asked != nil}
}

// NewSites makes the template of the workbooks.
func NewSites(o Options) *Sites {
	var mu sync.Mutex
	kinds := map[siteKind]*Sites{}
	with := func(k siteKind) *Sites {
		mu.Lock()
		defer mu.Unlock()
		if kinds[k] == nil {
			kinds[k] = o.sites(k)
		}
		return kinds[k]
	}
	s := with(siteKind{})
	s.with = with
	return s
}

// sites makes the template of the workbooks of sites of that kind.
func (o Options) sites(k siteKind) *Sites {
	s := &Sites{Options: o}
	described := sheetOptions{Options: o, siteKind: k}
	if leading := audit.Leading(o.Crawlers); k.logged && leading != nil {
		described.hitter, described.hitsOf = leading[0], o.Crawlers[leading[0]].Label
	}
	s.sheets = siteSheets(&described)
	var kinds []*xlsx.SheetKind
	for _, sheet := range s.sheets {
		kinds = append(kinds, sheet.kind)
	}
	design := o.design(summaryLayout(), kinds)
	design.NoLater = k.past
	s.template = xlsx.NewTemplate(design)
	return s
}

// SheetNames returns the names of the sheets that a site's workbook may have, in their order.
func (s *Sites) SheetNames() []string {
	names := []string{s.template.Summary.Name}
	for _, sheet := range s.with(siteKind{true, true, true}).sheets {
		names = append(names, sheet.kind.Name)
	}
	return names
}

// design returns the design of a workbook with this summary sheet and these sheets.
func (o *Options) design(summary xlsx.SummaryLayout, sheets []*xlsx.SheetKind) xlsx.Design {
	return xlsx.Design{
		Creator: "robots-audit", Title: "robots.txt audit", Created: o.Started, Summary: summary, Sheets: sheets,
		PrintNote: printNote,
		MoreRows: func(rows int64) string {
			return wording.Thousands(rows) + " more rows stand in the site's records alone"
		},
	}
}

// printNote says that a sheet has more rows than are printed.
func printNote(printed, rows int64) string {
	return "First " + wording.Thousands(printed) + " of " + wording.Thousands(rows) + " rows"
}

// Site is the workbook of one site while its records arrive.
type Site struct {
	xlsx.Workbook
	shared    *Sites
	site      *site.Site
	base      string // of the file's name
	committed bool   // the file has its final name

	records    func() iter.Seq2[audit.Record, error] // see Begin
	recordsErr error                                 // of reading them
	number     int64                                 // of the current URL, in the order of the records
	findings   []*audit.Findings                     // on its robots.txt files
	sitemaps   []*audit.Sitemap                      // unless all sheets are requested

	absent     []absence // sheets that are omitted, once the site has ended
	onURL      []func(*urlRow)
	onRobots   []func(*audit.Robots)
	onSitemap  []func(*audit.Sitemap)
	onPage     []func(*audit.Page)
	onProblem  []func(*audit.Problem)
	onFindings []func(*audit.Findings)
	onEnd      []func(*audit.Done)

	sources         sources
	cells           cellCache
	row             urlRow                 // the one being written
	verdictRow      verdictRow             // the one being written
	allRow          allRow                 // the one being written
	disagreementRow disagreementRow        // the one being written
	details         []*site.VerdictDetails // of its crawlers
	timeline        *site.Timeline         // once its sheet is written; nil = there is none
	templateBars    int                    // of the chart of templates; 0 = there is none
	scratch         []byte
}

// Begin begins the workbook of a site, which becomes base.xlsx in the run's folder. whole = all
// records of the site are in memory already; records reads them again once they are complete.
func (s *Sites) Begin(of *site.Site, base string, whole bool, records func() iter.Seq2[audit.Record, error]) *Site {
	s = s.with(kindOf(of))
	b := &Site{
		Workbook: xlsx.Workbook{Template: s.template, Disk: s.Folder.FS, SpillName: s.Folder.TempPath(base + ".spill"), RowLimit: s.RowLimit, Edited: of.NotesEdited, Whole: whole},
		shared:   s, site: of, base: base, records: records,
	}
	for _, sheet := range s.sheets {
		b.Sheets = append(b.Sheets, sheet.begin(b))
	}
	return b
}

// URLs writes the rows of tested URLs: those that are blocked or have an unknown or undefined
// verdict, or all if AllRows is set.
func (b *Site) URLs(list []site.URL) {
	for i := range list {
		b.number++
		if u := &list[i]; u.Blocked || u.Unclear || b.shared.AllRows {
			b.writeURL(u)
		}
	}
	b.row.url = nil
}

// Robots writes the rows of one robots.txt.
func (b *Site) Robots(r *audit.Robots) {
	for _, write := range b.onRobots {
		write(r)
	}
}

// Sitemap writes the rows of a sitemap. Its URLs have been written before.
func (b *Site) Sitemap(file *audit.Sitemap) {
	b.sources.setName(&b.Strings, file)
	if !b.shared.AllSheets {
		b.sitemaps = append(b.sitemaps, file)
	}
	for _, write := range b.onSitemap {
		write(file)
	}
}

// Page writes the row of a URL that was requested while links were followed.
func (b *Site) Page(p *audit.Page) {
	for _, write := range b.onPage {
		write(p)
	}
}

// Problem writes the row of a problem.
func (b *Site) Problem(p *audit.Problem) {
	for _, write := range b.onProblem {
		write(p)
	}
}

// Findings writes the rows of the findings on one robots.txt.
func (b *Site) Findings(f *audit.Findings) {
	b.findings = append(b.findings, f)
	for _, write := range b.onFindings {
		write(f)
	}
}

// SiteFiles returns the files of a site, relative to the run's folder.
func SiteFiles(base string) []string { return []string{base + ".xlsx"} }

func (b *Site) temp() string { return b.shared.Folder.TempPath(b.base + ".xlsx") }

// Finish writes the parts that depend on the whole site, and puts the workbook together in a
// temporary file.
func (b *Site) Finish(d *audit.Done) error {
	for _, end := range b.onEnd {
		end(d)
	}
	if b.recordsErr != nil {
		return b.recordsErr
	}
	return b.Workbook.Finish(b.temp(), b.summary(d))
}

// Commit renames the workbook to its final name, and sets its size in the site's line.
func (b *Site) Commit(line *summary.Line) error {
	info, err := b.Disk.Lstat(b.temp())
	if err != nil {
		return err
	}
	line.Workbook = info.Size()
	err = b.Disk.Rename(b.temp(), b.shared.Folder.Path(b.base+".xlsx"))
	b.committed = err == nil
	return err
}

// Discard releases the buffers of an unfinished workbook, and removes its temporary files.
func (b *Site) Discard() {
	b.Workbook.Discard()
	if !b.committed {
		b.Disk.Remove(b.temp()) // best effort: the folder is emptied when the run ends
	}
}
