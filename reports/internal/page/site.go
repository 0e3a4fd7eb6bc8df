package page

import (
	"path"
	"slices"

	"robots-audit/audit"
	"robots-audit/engine"
	"robots-audit/reports/internal/disk"
	"robots-audit/reports/internal/layout"
	"robots-audit/reports/internal/site"
	"robots-audit/reports/internal/summary"
)

// Bounds of the lists of a site's page; the workbook has them completely.
const (
	pageSitemaps = 300
	pageHops     = 100
	pageProblems = 200
	pageLines    = 3000 // lines of robots.txt files
	pageRules    = 30
	pageFindings = 150
)

// Site is the page of one site while its records arrive.
type Site struct {
	Options
	site      *site.Site
	folder    *disk.Folder
	base      string // of the page's name
	version   string // of the program
	committed bool   // the files have their final names
	size      int64  // of the page, in bytes

	blocked    blockedRows
	hops       bounded[hop]
	sitemaps   bounded[sitemap]
	problems   bounded[audit.Problem]
	findings   bounded[finding]
	past       bounded[pastURL]
	scratch    []byte
	details    []string       // of the line that was processed last
	lastEffect string         // effect of its last rule
	texts      []string       // lines of the site's own robots.txt, for links to the editor
	lint       site.LineNotes // texts about lines from the listed findings
}

// Options are the options that the pages of a run share.
type Options struct {
	NoWorkbooks bool // there are no workbooks to link to
	OnDemand    bool // some sites may have neither workbook nor page: these are made from the records on demand
	SingleFile  bool // index.html contains the pages of the sites; no page has other files

	Editor string // address of the editor of a site's robots.txt; "" = there is none, as for a file
}

// NewSite returns the page of a site, which is written as base.html in the run's folder of pages,
// with rows next to it in base.rows.
func NewSite(of *site.Site, folder *disk.Folder, base, version string) *Site {
	p := &Site{site: of, folder: folder, base: base, version: version}
	p.blocked = blockedRows{rowFiles: rowFiles{disk: folder.FS, dir: folder.TempPath(base + ".rows"), inline: inlineRows}, file: of.FileOf}
	if crawler := of.HitsCrawler(); crawler >= 0 {
		p.blocked.hits = func(u *audit.URL) int64 { return u.HitsOf(crawler) }
	}
	p.blocked.foot = p.blocked.endReadings
	return p
}

// bounded is a list of limited length, with the number of the other entries.
type bounded[T any] struct {
	List []T
	More int
}

func (b *bounded[T]) append(v T, limit int) {
	if len(b.List) >= limit {
		b.More++
		return
	}
	b.List = append(b.List, v)
}

// hop is one request for a robots.txt.
type hop struct {
	Origin, URL, Location, Address, Trouble string
	Step, Status                            int
	Millis                                  float64
	Type                                    string // of the last answer
	Bytes                                   int64
	Last                                    bool
	Means                                   []site.AnswerMeaning
}

// sitemap is a sitemap that was read.
type sitemap struct {
	No, Status                                 int
	URL, NamedBy, Trouble, Format, Self, Notes string
	Entries, Tested, LeftOut, Blocked          int64 // Blocked: for the crawler with the highest number
	Read                                       bool  // part of it could be read
}

// Robots adds the requests for a robots.txt.
func (p *Site) Robots(r *audit.Robots) {
	hops := site.Hops(r)
	for i, sent := range hops {
		h := hop{Origin: r.Origin, Step: i + 1, URL: sent.URL, Status: sent.Status, Location: sent.Location, Address: sent.Address, Trouble: site.FormatProblem(sent.Code, ""), Millis: sent.Millis}
		if h.Last = i == len(hops)-1; h.Last {
			h.Type, h.Bytes, h.Means = r.File.Type, r.File.Bytes, p.site.AnswerMeanings(r)
			if r.File.Given {
				h.Trouble = site.NotAsked
			} else if r.File.Code != "" {
				h.Trouble = site.FormatProblem(r.File.Code, r.File.Detail)
			}
		}
		p.hops.append(h, pageHops)
	}
}

// Sitemap adds a sitemap.
func (p *Site) Sitemap(s *audit.Sitemap) {
	line := sitemap{
		No: s.Index + 1, Status: s.Status, URL: s.URL, NamedBy: site.NamedBy(s), Trouble: site.FormatProblem(s.Code, s.Detail), Format: s.Format,
		Self: site.SelfBlocked(p.site.KnownSelf(s), p.site.Crawlers), Notes: site.SitemapNotes(s), Entries: s.URLs, Tested: s.Tested, LeftOut: site.Total(s.LeftOut), Read: site.SitemapWasRead(s),
	}
	for _, n := range s.Blocked {
		line.Blocked = max(line.Blocked, n)
	}
	p.sitemaps.append(line, pageSitemaps)
}

// finding is a finding on a robots.txt.
type finding struct {
	audit.Finding
	State    audit.State // state with the colour and sign of its severity, or stateInfo
	Crawlers string      // crawlers that it affects
	Origin   string      // origin of its robots.txt, if that is not the site's own
	Edit     editLink
}

// stateInfo is for findings that do not look like a state of a site.
const stateInfo audit.State = "info"

// findingStates are the states with the colours and signs of the severities.
var findingStates = map[engine.Severity]audit.State{engine.Critical: audit.Critical, engine.Error: audit.Critical, engine.Warning: audit.Warn, engine.Info: stateInfo}

// Findings adds the findings on one robots.txt.
func (p *Site) Findings(f *audit.Findings) {
	p.findings.List = slices.Grow(p.findings.List, min(len(f.List), pageFindings-len(p.findings.List)))
	for _, of := range site.ByEffect(f) {
		found := finding{Finding: *of, State: findingStates[of.Severity], Crawlers: p.site.Concerned(f.Origin, of)}
		if f.Origin > 0 {
			found.Origin = p.site.OriginsOf(p.site.Robots(f.Origin))
		}
		found.Samples = found.Samples[:min(len(found.Samples), 3)]
		if len(p.findings.List) < pageFindings {
			said := found.ID + ", " + found.Severity.String() + ": " + found.What
			for _, line := range found.AboutLines() {
				p.lint.Add(f.Origin, line, said)
			}
			if f.Origin == 0 {
				found.Edit = p.editLink(site.FixOf(0, of), of.Line)
			}
		}
		p.findings.append(found, pageFindings)
	}
}

// URLs writes the rows of blocked and undecided pages.
func (p *Site) URLs(list []site.URL) {
	if p.SingleFile {
		p.blocked.inOne(singleRows)
	}
	p.blocked.addURLs(list)
	p.addPast(list)
}

// Page does nothing: only the workbook lists these pages.
func (p *Site) Page(*audit.Page) {}

// Problem adds a problem.
func (p *Site) Problem(problem *audit.Problem) { p.problems.append(*problem, pageProblems) }

// Err is the first write error; nothing is written after it.
func (p *Site) Err() error { return p.blocked.err }

// SiteFiles returns the files of a site, relative to the run's folder. The folder of rows does not
// always exist.
func SiteFiles(base string) []string {
	return []string{path.Join("pages", base+".html"), path.Join("pages", base+".rows")}
}

func (p *Site) temp() string { return p.folder.TempPath(p.base + ".html") }

// Finish writes the page as a temporary file.
func (p *Site) Finish(d *audit.Done) error {
	rows := p.blocked.end()
	if p.blocked.err != nil {
		return p.blocked.err
	}
	text, err := appendSite(disk.GetBuffer(), p.view(d, rows))
	defer disk.PutBuffer(text)
	if err != nil {
		return err
	}
	p.size = int64(len(text))
	return write(p.folder.FS, p.temp(), text)
}

// head returns the beginning and the end of the page. A page within a single file includes its
// style and script; all others share the Assets of their folder.
func (p *Site) head(title string, rows, setup []byte) layout.Head {
	if p.SingleFile {
		return pages().site.Head(title, rows, setup, false)
	}
	return pages().site.SharedHead(title, rows, setup)
}

// write writes a file of the run.
func write(fs disk.FS, name string, text []byte) error {
	out, err := fs.Create(name)
	if err != nil {
		return err
	}
	_, err = out.Write(text)
	if e := out.Close(); err == nil {
		err = e
	}
	return err
}

// Commit renames the page's files to their final names, the files that it refers to first, and sets
// the page's size in the site's line.
func (p *Site) Commit(line *summary.Line) error {
	fs, rows := p.folder.FS, p.folder.Path("pages", p.base+".rows")
	line.Page = p.size
	if err := fs.Remove(rows); err != nil {
		return err
	}
	if p.blocked.files > 0 {
		if err := fs.Rename(p.folder.TempPath(p.base+".rows"), rows); err != nil {
			return err
		}
	}
	err := fs.Rename(p.temp(), p.folder.Path("pages", p.base+".html"))
	p.committed = err == nil
	return err
}

// Discard removes the page's temporary files.
func (p *Site) Discard() {
	if p.committed {
		return
	}
	p.blocked.discard()
	p.folder.FS.Remove(p.temp()) // best effort: the folder is emptied when the run ends
}
