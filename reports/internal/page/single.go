package page

import (
	"path"

	"robots-audit/audit"
	"robots-audit/reports/internal/disk"
	"robots-audit/reports/internal/summary"
)

// Bounds of a single file with the pages of the sites. Mail servers accept about 25 MB; a browser
// accepts more.
const (
	singleRows  = 5_000    // rows of a page's large table
	singleSites = 500      // pages of sites
	singleBytes = 50 << 20 // of these pages, before their markup is escaped
)

// sitePages are the pages of sites within index.html. Each is a document of its own in a frame,
// since the ids of two pages in one document would collide.
type sitePages struct {
	list  []sitePage
	bytes int64
	more  int // sites whose pages stay in their folder
}

// sitePage is a page to be included; its text is read when it is written.
type sitePage struct {
	Name, ID string
	file     string
	disk     disk.FS
}

// pageID is the id of a site's page in index.html.
func pageID(base string) string { return "page-" + base }

// add adds the page of a finished site.
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
