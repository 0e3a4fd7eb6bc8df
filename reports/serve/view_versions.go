package serve

import (
	"time"

	"robots-audit/audit/compare"
	"robots-audit/reports/changes"
	"robots-audit/reports/internal/sidebyside"
)

// versionsView are the versions that a site has served, and the changes between two of them.
type versionsView struct {
	Site string `json:"site"`
	Run  string `json:"run"`
	versions
	Old   *version      `json:"old,omitempty"` // versions that are compared; left out = there are no two versions
	New   *version      `json:"new,omitempty"`
	Note  string        `json:"note,omitempty"` // why there is no comparison
	Known int64         `json:"known_urls,omitempty"`
	Took  float64       `json:"took_ms,omitempty"`
	Told  *changes.Told `json:"told,omitempty"`

	Diff   *diffView    `json:"-"`
	Strip  []stripPart  `json:"-"`
	Width  int          `json:"-"` // runs in the strip
	Totals []flipCount  `json:"-"`
	By     []crawlerRow `json:"-"`
	Link   string       `json:"-"`
	Edit   string       `json:"-"`
}

// diffView is a robots.txt side by side.
type diffView struct {
	Origin string
	sidebyside.File
}

// stripPart is one run or several in the strip of answers.
type stripPart struct {
	At, Width int
	Class     string
}

// flipCount is the number of URLs with one kind of change.
type flipCount struct {
	Name  string
	Class string
	Count int64
}

// crawlerRow has the changes for a crawler.
type crawlerRow struct {
	Crawler string
	compare.CrawlerTotals
}

// viewVersions shows the versions of a site's robots.txt.
func (d *Desk) viewVersions(e *exchange) error {
	r, site := e.run, e.site
	leave, err := d.work.enter(e.r.Context())
	if err != nil {
		return err
	}
	defer leave()
	old, new := e.query("old"), e.query("new")
	of, err := d.versions(e.r.Context(), site.Name, old, new)
	if err != nil {
		return err
	}
	link := d.o.siteLink(r.Key, site.Base)
	v := versionsView{Site: site.Name, Run: r.Key, versions: *of, Link: link + "/versions", Edit: link + "/edit"}
	v.strip()
	if err := v.choose(old, new); err != nil {
		return err
	}
	if n := len(v.Answers) - maxAnswerSpans; n > 0 {
		v.Answers, v.More = v.Answers[:maxAnswerSpans], n
	}
	if v.Old != nil {
		if err := v.compare(e); err != nil {
			return err
		}
	}
	return e.show("versions.html", "Versions of robots.txt", "Versions", v)
}

// choose selects the versions to compare: the requested ones, or the latest two.
func (v *versionsView) choose(old, new string) error {
	if len(v.Versions) == 0 {
		v.Note = "No run here has a robots.txt of this site."
		return nil
	}
	is := &v.Versions[0]
	if new != "" {
		if is = v.find(new); is == nil {
			return errNoVersion
		}
	}
	var was *version
	if old != "" {
		if was = v.find(old); was == nil {
			return errNoVersion
		}
	} else {
		was = v.before(is)
	}
	switch {
	case was == nil && len(v.Versions) == 1 && v.Runs == 1:
		v.Note = "Only one run here has this site. There is nothing to compare."
	case was == nil && len(v.Versions) == 1:
		v.Note = "The site served the same robots.txt in all runs."
	case was == nil:
		v.Note = "This is the oldest version. Choose two versions to compare."
	case !was.Kept || !is.Kept:
		v.Note = "The text of one version was not stored. The two cannot be compared."
	default:
		v.Old, v.New = was, is
	}
	return nil
}

// before is the version that the site served before the last time that it served another one; nil = no run
// is known that found one.
func (v *versions) before(of *version) *version {
	met := false
	for i := range v.Answers {
		switch s := &v.Answers[i]; {
		case s.Version == of.Number:
			met = true
		case met && s.Version > 0:
			return v.find(s.SHA256)
		}
	}
	return nil
}

// compare computes the changes by the new version for the URLs of the run.
func (v *versionsView) compare(e *exchange) error {
	began := time.Now()
	s, err := e.editing()
	if err != nil {
		return err
	}
	v.Told, err = changes.Tell(compare.Sides(s.proposed(v.Old.body), s.proposed(v.New.body), compare.Options{}))
	if err != nil {
		return err
	}
	site := v.Told.Site
	v.Took = float64(time.Since(began).Microseconds()) / 1000
	if site.New != nil {
		v.Known = site.New.URLs
	}
	if own := site.Own(); own != nil && len(own.Diff) > 0 {
		v.Diff = &diffView{own.Name, sidebyside.New(own)}
	}
	t := &site.Totals
	for _, c := range []flipCount{{"newly blocked", "newly_blocked", t.NewlyBlocked}, {"newly allowed", "newly_allowed", t.NewlyAllowed}, {"now unclear", "", t.NowUnclear}, {"clear again", "", t.ClearAgain}} {
		if c.Class != "" || c.Count > 0 {
			v.Totals = append(v.Totals, c)
		}
	}
	for i, f := range site.Flips {
		if f.Flips() > 0 {
			v.By = append(v.By, crawlerRow{site.Crawlers[i].Label, f})
		}
	}
	return nil
}

// strip draws the answers, oldest on the left.
func (v *versionsView) strip() {
	v.Width = v.Runs
	at := v.Runs
	for _, s := range v.Answers {
		at -= s.Runs
		v.Strip = append(v.Strip, stripPart{at, s.Runs, s.Class})
	}
}
