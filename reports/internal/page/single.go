package page

import (
	"path"

	"robots-audit/audit"
	"robots-audit/reports/internal/disk"
	"robots-audit/reports/internal/summary"
)

// Bounds of a single file that holds the pages of the sites. Mail servers take some
// 25 MB; a browser takes more.
const (
	singleRows  = 5_000    // rows of a page's large table
	singleSites = 500      // pages of sites
	singleBytes = 50 << 20 // of these pages, before their markup is escaped
)

// sitePages are the pages of sites that index.html holds: each is a document of its own,
// in a frame, since two pages on one would have each other's names.
type sitePages struct {
	list  []sitePage
	bytes int64
	more  int // sites whose pages are left in their folder
}

// sitePage is a page to be held; its text is read when it is written.
type sitePage struct {
	Name, ID string
	file     string
	disk     disk.FS
}

// pageID is the name that index.html has for a site's page.
func pageID(base string) string { return "page-" + base }

// add takes the page of a finished site.
func (s *sitePages) add(p *Index, l *summary.Site) {
	if !p.SingleFile || l.Page == 0 {
		return
	}
	if len(s.list) >= singleSites || s.bytes+l.Page > singleBytes {
		s.more++
		return
	}
	s.bytes += l.Page
	s.list = append(s.list, sitePage{audit.DisplayName(l.Name), pageID(l.Base), p.folder.Path(path.Join("pages", l.Base+".html")), p.folder.FS})
}

// Text reads the page.
func (s sitePage) Text() (string, error) {
	text, err := disk.ReadFile(s.disk, s.file, singleBytes)
	return string(text), err
}
