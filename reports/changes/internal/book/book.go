package book

import (
	"os"

	"robots-audit/audit"
	"robots-audit/audit/compare"
	"robots-audit/engine/wording"
	"robots-audit/reports/changes/internal/model"
	"robots-audit/reports/internal/disk"
	"robots-audit/reports/internal/xlsx"
)

// Name is the name of the file.
const Name = "changes.xlsx"

// Book is changes.xlsx while it is written. It is a model.Output.
type Book struct {
	xlsx.Workbook
	folder *disk.Folder

	sites       xlsx.Sheet[siteRow]
	flips       xlsx.Sheet[flipRow]
	appeared    xlsx.Sheet[flipRow]
	robots      xlsx.Sheet[robotsRow]
	changes     xlsx.Sheet[changeRow]
	directories xlsx.Sheet[directoryRow]
	runs        xlsx.Sheet[settingRow]

	logged                       bool       // the current site has access logs
	site                         int        // number of the current site, in the order of the list
	files                        []files    // of all sites so far
	lines                        lineSets   // of all sites so far
	flipRows                     ranked     // kept until the end
	appearedRows                 ranked     // kept until the end
	changeRows                   [4]spool   // kept until the end, by severity
	flipColumns, appearedColumns []bool     // with a value
	top                          []section  // those with the most weight
	crawlers                     []crawler  // of all sites, in the order in which they first occur
	labels                       labelCache // of the site's crawlers
	names                        []string   // of all sites so far
	oldURLs                      sides      // URLs found by the old run
	newURLs                      sides
	row                          []byte // buffer for a row of a spool
	id                           []byte // buffer for a url_id
	committed                    bool
}

// sides are figures of one run.
type sides struct{ URLs, Blocked int64 }

// New begins a workbook in a folder.
func New(folder *disk.Folder) *Book {
	b := &Book{
		folder:      folder,
		sites:       xlsx.Sheet[siteRow]{Table: siteTable()},
		robots:      xlsx.Sheet[robotsRow]{Table: robotsTable()},
		directories: xlsx.Sheet[directoryRow]{Table: directoryTable()},
		runs:        xlsx.Sheet[settingRow]{Table: settingTable()},
	}
	b.flips.Table, b.appeared.Table, b.changes.Table = b.flipTable(), b.appearedTable(), b.changeTable()
	b.Sheets = []xlsx.AnySheet{&b.sites, &b.flips, &b.appeared, &b.robots, &b.changes, &b.directories, &b.runs}
	b.flipColumns, b.appearedColumns = make([]bool, len(b.flips.Columns)), make([]bool, len(b.appeared.Columns))
	b.Template = xlsx.NewTemplate(xlsx.Design{
		Creator: "robots-audit", Title: "robots.txt: what changed",
		Summary: xlsx.SummaryLayout{Name: summaryName}, Sheets: xlsx.KindsOf(b.Sheets),
		PrintNote: func(printed, rows int64) string {
			return "First " + wording.Thousands(printed) + " of " + wording.Thousands(rows) + " rows"
		},
		MoreRows: func(rows int64) string { return wording.Thousands(rows) + " more rows did not fit into this workbook" },
	})
	b.Disk, b.SpillName, b.Whole, b.RowLimit = folder.FS, folder.TempPath(Name+".spill"), true, xlsx.MaxRows
	b.flipRows.disk, b.appearedRows.disk = folder.FS, folder.FS
	b.flipRows.dir, b.appearedRows.dir = folder.Temp, folder.Temp
	for i := range b.changeRows {
		b.changeRows[i].disk, b.changeRows[i].dir = folder.FS, folder.Temp
	}
	return b
}

// Begin begins a site.
func (b *Book) Begin(site *compare.Site) error {
	b.site = len(b.names)
	b.names = append(b.names, audit.DisplayName(site.Name))
	b.labels.reset(site.Crawlers)
	b.logged = site.Hits != nil
	b.lines.begin()
	return nil
}

// End adds the data that is known at the end of a site.
func (b *Book) End(site *model.Site) error {
	b.lines.end(site.Site)
	b.files = append(b.files, filesOf(site.Site))
	b.addCrawlers(site.Site)
	for _, side := range []struct {
		of *compare.Side
		to *sides
	}{{site.Old, &b.oldURLs}, {site.New, &b.newURLs}} {
		if side.of != nil {
			side.to.URLs += side.of.URLs
			side.to.Blocked += side.of.Blocked
		}
	}
	of := &b.files[len(b.files)-1]
	for i := range site.Origins {
		if link := b.addOrigin(&site.Origins[i]); of.robots == "" {
			of.robots = link
		}
	}
	for i := range site.Sections {
		b.addSection(&site.Sections[i])
	}
	for i := range site.Changes {
		if err := b.addChange(&site.Changes[i]); err != nil {
			return err
		}
	}
	return b.Err()
}

// siteName is the cell with the name of a site, by its number.
func (b *Book) siteName(number int) xlsx.Cell { return b.Strings.Cell(b.names[number]) }

// Finish writes the parts that depend on all sites, and puts the workbook together.
func (b *Book) Finish(of *model.Comparison) error {
	b.writeSites(of)
	b.flips.Narrow(b.flipColumns)
	b.appeared.Narrow(b.appearedColumns)
	if err := b.flipRows.each(b.writeFlip(&b.flips)); err != nil {
		return err
	}
	if err := b.appearedRows.each(b.writeFlip(&b.appeared)); err != nil {
		return err
	}
	if err := b.writeChanges(); err != nil {
		return err
	}
	b.writeSettings(of)
	for _, s := range b.Sheets {
		if !s.Begun() && !s.Optional() {
			s.Open(&b.Workbook)
		}
	}
	b.closeSpools()
	summary := b.summary(of)
	b.Template.Created = of.New.Started // the only time in a workbook
	return b.Workbook.Finish(b.temp(), summary)
}

func (b *Book) temp() string { return b.folder.TempPath(Name) }

func (b *Book) closeSpools() {
	b.flipRows.close()
	b.appearedRows.close()
	for i := range b.changeRows {
		b.changeRows[i].close()
	}
}

// Commit gives the workbook its name.
func (b *Book) Commit() error {
	err := b.Disk.Rename(b.temp(), b.folder.Path(Name))
	b.committed = err == nil
	return err
}

// Discard releases the memory of an unfinished workbook, and removes its temporary files.
func (b *Book) Discard() {
	b.closeSpools()
	b.Workbook.Discard()
	if !b.committed {
		os.Remove(b.temp()) // best effort: the folder is emptied
	}
}
