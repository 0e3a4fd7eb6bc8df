// Package brief makes briefs for clients: one printed page for each site, and one for the run. A
// brief says what is wrong, how much of it, what to do, and what happens then. It has at most
// 150 words, explains its terms, and does not name this program.
package brief

import (
	"encoding/json"
	"fmt"
	"path"
	"path/filepath"
	"strings"
	"time"

	"robots-audit/audit"
	"robots-audit/engine/wording"
	"robots-audit/reports/internal/disk"
	"robots-audit/reports/internal/site"
	"robots-audit/reports/internal/summary"
)

// Sender is whose briefs they are.
type Sender struct {
	Name string `json:"name,omitempty"`
	Logo string `json:"logo,omitempty"` // URL of the scheme data, see Logo; "" = none
}

// Names of the files, relative to the run's folder.
const (
	Folder   = "briefs" // Folder/<base>.html for each site
	OfTheRun = "brief.html"
)

// Run makes the briefs of a run while its finished sites are added.
type Run struct {
	folder   *disk.Folder
	sender   Sender
	started  time.Time
	crawlers []audit.Crawler
	wanted   func(*summary.Site) bool // a brief of the site is made
	first    []item                   // of the run's brief
	further  int                      // sites with issues that are not in first
	made     bool                     // there is a brief of a site
}

// NewRun returns the briefs of a run. wanted says of which sites there is one.
func NewRun(folder *disk.Folder, sender Sender, started time.Time, crawlers []audit.Crawler, wanted func(*summary.Site) bool) *Run {
	return &Run{folder: folder, sender: sender, started: started, crawlers: crawlers, wanted: wanted}
}

// maxItems is the number of issues of a brief at most.
const maxItems = 3

// AddSite writes a site's brief to the temporary folder. Sites come most severe first.
func (r *Run) AddSite(s *summary.Site) error {
	if s.State != audit.OK {
		if len(r.first) < maxItems {
			r.first = append(r.first, siteItem(s))
		} else {
			r.further++
		}
	}
	if !r.wanted(s) {
		return nil
	}
	if !r.made {
		if err := r.folder.FS.MkdirAll(r.folder.TempPath(Folder)); err != nil {
			return err
		}
		r.made = true
	}
	return r.write(s, r.folder.TempPath(Folder))
}

// MakeSite writes the brief of one site in its place.
func (r *Run) MakeSite(s *summary.Site) error {
	if err := r.folder.FS.MkdirAll(r.folder.Path(Folder)); err != nil {
		return err
	}
	return r.write(s, r.folder.Path(Folder))
}

func (r *Run) write(s *summary.Site, folder string) error {
	return disk.WriteFile(r.folder.FS, filepath.Join(folder, s.Base+".html"), r.folder.TempPath(s.Base+".brief"), r.page(r.ofSite(s)))
}

// Finish writes the run's brief, and gives those of the sites their final names.
func (r *Run) Finish(run *summary.Run) error {
	fs, folder := r.folder.FS, r.folder.Path(Folder)
	if err := fs.Remove(folder); err != nil {
		return err
	}
	if r.made {
		if err := fs.Rename(r.folder.TempPath(Folder), folder); err != nil {
			return err
		}
	}
	return disk.WriteFile(fs, r.folder.Path(OfTheRun), r.folder.TempPath(OfTheRun), r.page(r.ofRun(run)))
}

// SiteFile is the file of a site's brief, relative to the run's folder.
func SiteFile(base string) string { return path.Join(Folder, base+".html") }

// ofSite is what the brief of a site says.
func (r *Run) ofSite(s *summary.Site) *content {
	c := &content{Title: audit.DisplayName(s.Name), Lead: s.Entry.Why, Chart: r.siteChart(s)}
	if c.Lead == "" {
		c.Lead = s.Why
	}
	if s.Unknown > 0 {
		c.Note = wording.URLs(s.Unknown) + wording.Verb(s.Unknown, " has", " have") + " no clear verdict."
	}
	for i := range s.Entry.ToDo[:min(len(s.Entry.ToDo), maxItems)] {
		c.Items = append(c.Items, itemOf(&s.Entry.ToDo[i], s.Entry.Origin))
	}
	c.Lead, c.asks = strings.CutSuffix(c.Lead, " Is this intended?")
	if len(c.Items) > 0 { // they have the details
		c.Lead = firstSentence(c.Lead)
		if first, _, more := strings.Cut(c.Lead, ": "); more {
			c.Lead = first + "."
		}
	}
	c.further, c.noun = len(s.Entry.ToDo)+s.Entry.ToDoMore-len(c.Items), "issue"
	return c
}

// itemOf is an issue of a site with an origin. Of lines that can be deleted without blocking a URL, it says
// that alone: the reader decides whether they are intended.
func itemOf(c *site.Cause, origin string) item {
	of := item{What: c.What + ".", Do: c.Do, Then: c.Proof}
	if c.Kind != site.CauseLine {
		return of
	}
	names := site.LineNames(c.LineNumbers())
	file := "robots.txt"
	if c.Origin != origin {
		file = c.Origin + "/robots.txt"
	}
	of.What = strings.Replace(of.What, names[1:], names[1:]+" of "+file, 1) // after its capital
	if url := example(c, origin); url != "" {
		of.example = wording.Verb(int64(c.URLs.Num), ": `", ", such as `") + url + "`"
	}
	if c.Deletable {
		of.lines, of.listed = len(c.LineNumbers()), c.Listed > 0 && c.Leads
		of.Then = "This unblocks " + wording.URLs(int64(c.Frees.Num)) + ", perhaps others."
	}
	return of
}

// maxExample is the number of bytes of an example at most.
const maxExample = 60

// example is a short URL that an issue concerns, as a path if it is of the origin; "" = none.
func example(c *site.Cause, origin string) string {
	for _, url := range c.Examples {
		if path := strings.TrimPrefix(url, origin); len(path) > 1 && len(path) <= maxExample && !strings.Contains(path, "`") {
			return path
		}
	}
	return ""
}

// siteItem is a site as an issue of its run: the first of its own, without its rule and an example.
func siteItem(s *summary.Site) item {
	of := item{What: firstSentence(s.Why)}
	if len(s.Entry.ToDo) > 0 {
		of = itemOf(&s.Entry.ToDo[0], s.Entry.Origin)
	}
	of.Site = audit.DisplayName(s.Name)
	if before, after, ok := strings.Cut(of.What, " `"); ok && of.example != "" {
		_, after, _ = strings.Cut(after, "`")
		of.What, of.example = before+after, ""
	}
	of.What = of.Site + ": " + of.What
	return of
}

// ofRun is what the brief of the run says.
func (r *Run) ofRun(run *summary.Run) *content {
	t := &run.Totals
	c := &content{Title: wording.Plural(t.Sites, "site"), Lead: firstSentence(run.Overview.Sentences(*t)[1]), Items: r.first, further: r.further, noun: "site"}
	if len(c.Items) == 0 && t.Sites > 0 {
		c.Lead = "Nothing needs a change. " + c.Lead
	}
	if t.Sites > 0 {
		c.Chart = chart{Title: "Sites by state", Bars: []bar{newBar("",
			part{"critical", "", int64(t.Critical)}, part{"warning", "s", int64(t.Warn)}, part{"unknown", "", int64(t.Unknown)}, part{"OK", "", int64(t.OK)})}}
	}
	return c
}

// maxBars is the number of crawlers that a chart can show.
const maxBars = 4

// siteChart shows the URLs that are blocked, for each crawler, or in one bar if the numbers
// of all crawlers are equal. A crawler whose number is unknown has no bar.
func (r *Run) siteChart(s *summary.Site) chart {
	var blocked map[string]*int64
	if s.URLs == 0 || json.Unmarshal(s.Entry.Blocked, &blocked) != nil {
		return chart{}
	}
	if s.BlockedURLs == 0 {
		return chart{}
	}
	urls := wording.URLs(s.URLs)
	if s.Entry.AtLeast != "" {
		urls = "at least " + urls
	}
	c := chart{Title: "Of " + urls}
	alike := true
	for _, crawler := range r.crawlers {
		n := blocked[crawler.Label]
		if n == nil || !s.Entry.MeasuredFor(crawler.Label) {
			alike = false
			continue
		}
		c.Bars = append(c.Bars, newBar(crawler.Label, part{"blocked", "", *n}, part{"other", "", s.URLs - *n}))
		alike = alike && c.Bars[0].Parts[0].Count == *n
	}
	if alike && len(c.Bars) > 1 {
		one := bar{Parts: c.Bars[0].Parts}
		one.Text = wording.Thousands(one.Parts[0].Count) + " of " + urls + " blocked"
		return chart{Bars: []bar{one}}
	}
	if len(c.Bars) > maxBars {
		c.Title += fmt.Sprintf(", the first %d of %d crawlers", maxBars, len(c.Bars))
		c.Bars = c.Bars[:maxBars]
	}
	return c
}
