package page

import (
	"cmp"
	"encoding/json"
	"strings"

	"robots-audit/audit/compare"
	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
	"robots-audit/reports/changes/internal/model"
	"robots-audit/reports/internal/layout"
)

// Bounds of the sections of all sites together. Later sections have a few of each.
const (
	pageSamples  = 4_000
	pageFileRows = 6_000
)

// view is the content of the page, in its order.
type view struct {
	layout.Head
	Heading  string
	Sides    []side
	Lead     string
	Notes    []string
	Changed  string // number of sites in words
	Tiles    []tile
	Single   bool    // there is only one site, so no choice
	Counts   []class // columns of the table of sites
	Bars     *bars   // of all sites; nil = the only site has its own
	Known    int64
	Grades   []compare.Severity
	Clicks   bool // some changed URLs have clicks
	Shown    int  // number of sites in the table
	More     int
	Same     *same // sites without changes; nil = none
	Sections []*section
	Left     bool // sites with changes have no section
	Version  string
}

// side is a run, or the file that replaced its robots.txt.
type side struct {
	Name, Path string
	Facts      []string
}

// tile is a total that filters the sites.
type tile struct {
	class
	Count int64
}

// same are the sites without changes.
type same struct {
	Title string
	Names []string
	More  int
}

// class is a kind of change of URLs, with its name and its meaning.
type class struct {
	key, name string
	short     [2]string
	why       string
	of        func(*compare.Totals) *int64
}

// Short is the name in two lines for a table's head: "newly", "Blocked".
func (c class) Short() [2]string { return c.short }

func (c class) Class() string { return c.key }
func (c class) Name() string  { return c.name }
func (c class) Why() string   { return c.why }

// alwaysShown is the number of first classes that always have a column.
const alwaysShown = 2

var classes = []class{
	{"newly_blocked", "newly blocked", [2]string{"newly", "Blocked"}, "Allowed before and blocked now, for at least one crawler. Counts URLs of both sides", func(t *compare.Totals) *int64 { return &t.NewlyBlocked }},
	{"newly_allowed", "newly allowed", [2]string{"newly", "Allowed"}, "Blocked before and allowed now, for at least one crawler. Counts URLs of both sides", func(t *compare.Totals) *int64 { return &t.NewlyAllowed }},
	{"now_unclear", "now unclear", [2]string{"now", "Unclear"}, "No clear verdict any more, for at least one crawler", func(t *compare.Totals) *int64 { return &t.NowUnclear }},
	{"clear_again", "clear again", [2]string{"clear", "Again"}, "No clear verdict before, but now, for at least one crawler", func(t *compare.Totals) *int64 { return &t.ClearAgain }},
	{"appeared", "appeared", [2]string{"", "Appeared"}, "The URL is only in the newer side", func(t *compare.Totals) *int64 { return &t.Appeared }},
	{"appeared_blocked", "appeared and blocked", [2]string{"appeared,", "Blocked"}, "The URL is only in the newer side, and it is blocked", func(t *compare.Totals) *int64 { return &t.AppearedBlocked }},
	{"vanished", "vanished", [2]string{"", "Vanished"}, "The URL is only in the older side", func(t *compare.Totals) *int64 { return &t.Vanished }},
}

// view collects the content of the page.
func (p *Page) view(of *model.Comparison) (*view, error) {
	t := &of.Totals
	v := &view{
		Heading: heading(of), Sides: []side{sideOf("Before", &of.Old), sideOf("Now", &of.New)}, Lead: of.Lead(), Known: t.Known,
		Notes: of.AllNotes(), Sections: p.sections, Left: p.left, Version: of.Version,
		Changed: wording.Thousands(t.SitesChanged) + " of " + wording.Plural(t.Sites, "site") + " changed",
		Grades:  []compare.Severity{compare.Critical, compare.High, compare.Medium, compare.Info},
	}
	for i, c := range classes {
		n := *c.of(&t.Totals)
		v.Tiles = append(v.Tiles, tile{c, n})
		if i < alwaysShown || n > 0 {
			v.Counts = append(v.Counts, c)
		}
	}
	var counts []string
	for _, c := range v.Counts {
		counts = append(counts, c.key)
	}
	v.bound()
	ids := map[*model.Entry]string{}
	for i, s := range p.sections {
		s.ID, s.Open = sectionID(i), len(p.sections) <= 3
		s.link()
		ids[s.entry] = s.ID
		v.Clicks = v.Clicks || s.Clicks
	}
	v.addBars(p, ids)
	var rows []tableRow
	for _, e := range of.Sites {
		switch {
		case !e.Changed:
			v.addSame(e)
		case len(rows) < tableSites:
			rows = append(rows, tableRow{e, ids[e]})
		default:
			v.More++
		}
	}
	v.Shown = len(rows)
	if v.Single = t.Sites == 1 && len(v.Sections) == 1; v.Single {
		v.Sections[0].Lead = ""
	}
	if v.Same != nil {
		v.Same.Title = wording.Plural(len(v.Same.Names)+v.Same.More, "site") + ": nothing changed"
	}
	text, err := json.Marshal(map[string]any{"rows": rows})
	if err != nil {
		return nil, err
	}
	setup, err := json.Marshal(map[string]any{"rows": len(rows), "inline": tableSites, "perFile": 1, "files": 0, "folder": "", "clicks": v.Clicks, "counts": counts})
	if err != nil {
		return nil, err
	}
	v.Head = kind().Head("robots.txt: "+v.Changed, escape.JSON(text), escape.JSON(setup), false)
	return v, nil
}

// addBars adds the directories of all sites with changed verdicts.
func (v *view) addBars(p *Page, ids map[*model.Entry]string) {
	if len(p.sections) < 2 {
		return
	}
	for i := range p.top {
		p.top[i].ID = ids[p.top[i].site]
	}
	if v.Bars = newBars(p.top, p.weight, v.Clicks); v.Bars != nil {
		v.Bars.More = p.directories - len(p.top)
	}
}

// heading says which runs were compared.
func heading(of *model.Comparison) string {
	if of.New.Robots != "" {
		return "What another robots.txt would change"
	}
	return "What changed between two runs"
}

// sideOf describes a side.
func sideOf(name string, r *model.Run) side {
	s := side{Name: name, Path: cmp.Or(r.Path, r.ID)}
	add := func(words string) { s.Facts = append(s.Facts, words) }
	if r.Robots != "" {
		s.Name, s.Path = "With the new file", r.Robots
		add("for the URLs of " + r.Path)
	}
	const minute = "2006-01-02 15:04"
	if !r.Started.IsZero() {
		words := "started " + r.Started.UTC().Format(minute) + " UTC"
		switch {
		case r.CutShort():
			words += ", stopped early"
		case !r.Finished.IsZero():
			words += ", finished " + r.Finished.UTC().Format(minute) + " UTC"
		}
		add(words)
	}
	if r.Version != "" {
		add("robots-audit " + r.Version)
	}
	if n := len(r.Crawlers); n > 0 {
		add("crawlers: " + model.Names(r.Crawlers))
	}
	return s
}

// addSame adds a site without changes.
func (v *view) addSame(e *model.Entry) {
	if v.Same == nil {
		v.Same = &same{}
	}
	if len(v.Same.Names) == sameNames {
		v.Same.More++
		return
	}
	name := model.DisplayName(e.Name)
	if e.Notes > 0 {
		name += " (with " + wording.Plural(e.Notes, "note") + " on the comparison: see changes.json)"
	}
	v.Same.Names = append(v.Same.Names, strings.Clone(name))
}

// bound keeps the sections of the first sites complete, as far as there is space, and gives later
// ones a few lines and samples each.
func (v *view) bound() {
	samples, rows := pageSamples, pageFileRows
	for _, s := range v.Sections {
		if s.Samples != nil {
			if len(s.Samples.Rows) > samples {
				s.Samples.trim(fewSamples)
			}
			samples -= len(s.Samples.Rows)
		}
		for _, f := range s.Files {
			if len(f.Rows) > rows {
				f.Trim(fewFileRows)
			}
			rows -= len(f.Rows)
		}
	}
}

// tableRow is a site's row of the large table, for the script: see templates/rows.js.
type tableRow struct {
	*model.Entry
	id string
}

// MarshalJSON writes the row's cells in their order.
func (r tableRow) MarshalJSON() ([]byte, error) {
	t := &r.Totals
	return json.Marshal([]any{
		model.DisplayName(r.Name), r.id, r.Severity(), strings.ReplaceAll(r.Lead, "`", ""), t.Weight,
		t.NewlyBlocked, t.NewlyAllowed, t.NowUnclear, t.ClearAgain, t.AppearedBlocked, t.Appeared, t.Vanished, t.Known,
	})
}
