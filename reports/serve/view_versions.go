package serve

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"
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
	OfRun   *version        `json:"of_run,omitempty"` // version that this run found; left out = it found none
	Changes []versionChange `json:"changes"`          // newest first
	Old     *version        `json:"old,omitempty"`    // versions that are compared; left out = there are no two versions
	New     *version        `json:"new,omitempty"`
	Note    string          `json:"note,omitempty"` // why there is no comparison
	Known   int64           `json:"known_urls,omitempty"`
	Took    float64         `json:"took_ms,omitempty"`
	Told    *changes.Told   `json:"told,omitempty"`
	Index   *indexing       `json:"index,omitempty"` // with status 202: the comparison is not ready yet

	flipTables

	Diff   *diffView      `json:"-"`
	Strip  []stripPart    `json:"-"`
	Width  int            `json:"-"` // runs in the strip
	Link   string         `json:"-"`
	Edit   string         `json:"-"`
	From   string         `json:"-"` // choice of the old version: a SHA-256, or thisRun
	To     string         `json:"-"`
	Lines  string         `json:"-"` // lines of the diff: allLines, changingLines, or "" for the default
	Poll   string         `json:"-"` // link to this view as data
	Before *versionChange `json:"-"` // the change before this one
	After  *versionChange `json:"-"`
}

// versionChange is the replacement of a version by another one.
type versionChange struct {
	At      time.Time `json:"at"`  // start of the first run that found the new version
	Old     string    `json:"old"` // SHA-256
	New     string    `json:"new"`
	OldName string    `json:"old_name"`
	NewName string    `json:"new_name"`
}

// key selects the change in a request.
func (c *versionChange) key() string { return c.At.UTC().Format(time.RFC3339) }

// Query selects the change in a link.
func (c *versionChange) Query() string { return "?at=" + c.key() }

// thisRun selects the robots.txt of the run in place of a SHA-256.
const thisRun = "run"

// Values for the lines of a diff. More different lines than fewLines are folded if the request does not say it.
const (
	allLines      = "all"
	changingLines = "changing"
	fewLines      = 20
)

// diffView is a robots.txt side by side.
type diffView struct {
	Origin    string
	Different int    // lines
	Only      bool   // lines that change no URL are folded
	Other     string // link to the other view of the lines; "" = it would show the same
	sidebyside.File
}

// stripPart is one run or several in the strip of answers.
type stripPart struct {
	At, Width int
	Class     string
}

// flipTables are the changed URLs of a comparison: all, and by crawler.
type flipTables struct {
	Totals []flipCount  `json:"-"`
	By     []crawlerRow `json:"-"`
}

func newFlipTables(site *compare.Site) (f flipTables) {
	t := &site.Totals
	for _, c := range []flipCount{{"newly blocked", "newly_blocked", t.NewlyBlocked}, {"newly allowed", "newly_allowed", t.NewlyAllowed}, {"now unclear", "", t.NowUnclear}, {"clear again", "", t.ClearAgain}} {
		if c.Class != "" || c.Count > 0 {
			f.Totals = append(f.Totals, c)
		}
	}
	for i, of := range site.Flips {
		if of.Flips() > 0 {
			f.By = append(f.By, crawlerRow{site.Crawlers[i].Label, of})
		}
	}
	return f
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
	leave, err := d.work.enter(e.r.Context())
	if err != nil {
		return err
	}
	old, new := e.query("old"), e.query("new")
	of, err := d.versions(e.r.Context(), e.site.Name, old, new)
	leave()
	if err != nil {
		return err
	}
	link := e.siteLink()
	v := versionsView{Site: e.site.Name, Run: e.run.Key, versions: *of, Link: link + "/versions", Edit: link + "/edit", Lines: e.query("lines")}
	v.strip()
	v.listChanges()
	if err := v.addOfRun(e); err != nil {
		return err
	}
	if err := v.choose(old, new, e.query("at")); err != nil {
		return err
	}
	v.neighbours(e.query("at"))
	if n := len(v.Answers) - maxAnswerSpans; n > 0 {
		v.Answers, v.More = v.Answers[:maxAnswerSpans], n
	}
	if v.Old != nil {
		if err := v.compare(e); err != nil {
			return err
		}
	}
	if v.Index != nil && e.wantsJSON() {
		return e.json(http.StatusAccepted, v)
	}
	return e.show("versions.html", "Versions of robots.txt", "Versions", v)
}

// listChanges lists the changes from one version to the next.
func (v *versionsView) listChanges() {
	v.Changes = []versionChange{}
	var is *version
	var since time.Time
	for i := range v.Answers {
		s := &v.Answers[i]
		was := v.find(s.SHA256)
		if was == nil {
			continue
		}
		if is != nil && was != is && len(v.Changes) < maxAnswerSpans {
			v.Changes = append(v.Changes, versionChange{since, was.SHA256, is.SHA256, was.Name, is.Name})
		}
		is, since = was, s.First
	}
}

// addOfRun adds the version that this run found. A history may not have it.
func (v *versionsView) addOfRun(e *exchange) error {
	if e.site.Damage != nil {
		return nil // the versions of other runs are shown
	}
	j, err := e.desk.judges.of(e.r.Context(), e.run, &e.site)
	if err != nil || j.own == "" {
		return err
	}
	f := &j.origins[j.own].File
	if f.SHA256 == "" || j.lacking(j.own) != "" {
		return nil
	}
	if v.OfRun = v.find(f.SHA256); v.OfRun == nil || !v.OfRun.Kept {
		started := e.stored.Started
		v.OfRun = &version{SHA256: f.SHA256, Name: "robots.txt of this run", First: started, Last: started, Periods: []period{{First: started, Last: started}}, Runs: 1, Bytes: f.Bytes, Kept: true, body: f.Body}
	}
	return nil
}

// chosen finds a version by its SHA-256, or that of this run.
func (v *versionsView) chosen(sum string) *version {
	if sum == thisRun || v.OfRun != nil && sum == v.OfRun.SHA256 {
		return v.OfRun
	}
	return v.find(sum)
}

// key selects a version in a request.
func (v *versionsView) key(of *version, asked string) string {
	if asked == thisRun || v.find(of.SHA256) == nil {
		return thisRun
	}
	return of.SHA256
}

// choose selects the versions to compare: the requested ones, those of a change at some time, or the latest two.
func (v *versionsView) choose(old, new, at string) error {
	if at != "" {
		i := slices.IndexFunc(v.Changes, func(c versionChange) bool { return c.key() == at })
		if i < 0 {
			return notFound("robots.txt did not change at this time")
		}
		old, new = v.Changes[i].Old, v.Changes[i].New
	}
	if len(v.Versions) == 0 {
		v.Note = "No run here has a robots.txt of this site."
		return nil
	}
	is := &v.Versions[0]
	if new != "" {
		if is = v.chosen(new); is == nil {
			return errNoVersion
		}
	}
	var was *version
	if old != "" {
		if was = v.chosen(old); was == nil {
			return errNoVersion
		}
	} else {
		was = v.before(is)
	}
	if v.To = v.key(is, new); was != nil {
		v.From = v.key(was, old)
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

// neighbours finds the changes before and after the one that is shown.
func (v *versionsView) neighbours(at string) {
	i := slices.IndexFunc(v.Changes, func(c versionChange) bool {
		return v.New != nil && c.Old == v.Old.SHA256 && c.New == v.New.SHA256 && (at == "" || c.key() == at)
	})
	if i < 0 {
		return
	}
	if i > 0 {
		v.After = &v.Changes[i-1]
	}
	if i+1 < len(v.Changes) {
		v.Before = &v.Changes[i+1]
	}
}

// compare computes the changes by the new version for the URLs of the run.
func (v *versionsView) compare(e *exchange) error {
	d, r, site, old, new := e.desk, e.run, e.site, v.Old.body, v.New.body
	key := strings.Join([]string{siteKey(r, &site), v.Old.SHA256, v.New.SHA256}, "\x00")
	of, err := d.compared.find(d, key, func(ctx context.Context) (*changes.Told, error) {
		s, err := d.editing(ctx, r, site)
		if err != nil {
			return nil, err
		}
		return changes.Tell(compare.Sides(s.proposed(old), s.proposed(new), compare.Options{}))
	})
	if err != nil {
		return err
	}
	patience := d.compared.patient
	if e.wantsJSON() {
		patience = max(patience, d.compared.long)
	}
	if !endsWithin(e.r.Context(), of.ended, patience) {
		v.Index = &indexing{Text: "The two versions are tested on all URLs of this run"}
		v.Poll = v.Link + "?" + e.r.URL.RawQuery
		return nil
	}
	if of.err != nil {
		return of.err
	}
	v.Told, v.Took = of.told, millis(of.took)
	v.tell()
	return nil
}

// tell shows the comparison.
func (v *versionsView) tell() {
	site := v.Told.Site
	if site.New != nil {
		v.Known = site.New.URLs
	}
	if own := site.Own(); own != nil && len(own.Diff) > 0 {
		v.diff(own)
	}
	v.flipTables = newFlipTables(site)
}

// diff shows the different lines of the robots.txt. Many of them are folded: most change no URL.
func (v *versionsView) diff(own *compare.Origin) {
	n := len(own.Diff)
	v.Diff = &diffView{Origin: own.Name, Different: n, File: sidebyside.Changing(own)}
	folded := v.Diff.Folded
	other := allLines
	if v.Diff.Only = v.Lines == changingLines || v.Lines != allLines && n > fewLines; !v.Diff.Only {
		other, v.Diff.File = changingLines, sidebyside.New(own)
	}
	if folded > 0 {
		v.Diff.Other = v.Link + "?" + url.Values{"old": {v.From}, "new": {v.To}, "lines": {other}}.Encode()
	}
	v.Diff.Folded = folded
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
