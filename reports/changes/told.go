package changes

import (
	"iter"

	"robots-audit/audit"
	"robots-audit/audit/compare"
	"robots-audit/reports/changes/internal/model"
	"robots-audit/reports/internal/site"
)

// Bounds of the lists that Tell has in addition to changes.json.
const (
	maxToldDirectories = 50
	maxToldTemplates   = 50
)

// Told is the comparison of one site, for a page that shows it at once. As JSON it is a site of
// changes.json, plus changed verdicts by directory and by template.
type Told struct {
	Site *compare.Site `json:"-"`
	of   *model.Site
	SiteData
	Directories     []compare.Section   `json:"directories"`
	DirectoriesMore int                 `json:"directories_more,omitempty"`
	Templates       []site.FlipTemplate `json:"templates"`
	TemplatesMore   int                 `json:"templates_more,omitempty"`
}

// Tell reads the comparison of a site to its end, and returns its data.
func Tell(items iter.Seq2[compare.Item, error]) (*Told, error) {
	var counting templateOutput
	of, err := gather(items, 0, &counting)
	if err != nil {
		return nil, err
	}
	t := &Told{Site: of.Site, of: of, SiteData: *siteJSON(of), Directories: []compare.Section{}, Templates: []site.FlipTemplate{}}
	for i, s := range of.Sections {
		if i == maxToldDirectories {
			t.DirectoriesMore = len(of.Sections) - i
			break
		}
		s.Path, s.Host = textJSON(s.Path), textJSON(s.Host)
		t.Directories = append(t.Directories, s)
	}
	list, more := counting.templates.Ranked(maxToldTemplates)
	for _, f := range list {
		f.Name, f.Example = textJSON(f.Name), textJSON(f.Example)
		t.Templates = append(t.Templates, f)
	}
	t.TemplatesMore = more
	return t, nil
}

// templateOutput counts the pages with changed verdicts by template.
type templateOutput struct{ templates site.FlipTemplates }

func (o *templateOutput) Begin(*compare.Site) error      { return nil }
func (o *templateOutput) End(*model.Site) error          { return nil }
func (o *templateOutput) Finish(*model.Comparison) error { return nil }
func (o *templateOutput) Commit() error                  { return nil }
func (o *templateOutput) Discard()                       {}

// Flip counts a page.
func (o *templateOutput) Flip(f *compare.Flip) error {
	if f.Appeared || !audit.IsPage(f.Kind) {
		return nil
	}
	blocked, allowed := false, false
	for i := range f.Verdicts {
		blocked = blocked || f.Verdicts[i].Class == compare.NewlyBlocked
		allowed = allowed || f.Verdicts[i].Class == compare.NewlyAllowed
	}
	if blocked || allowed {
		o.templates.Count(f.Loc, blocked, allowed)
	}
	return nil
}

// ChangeWords describes a change, as a sentence without its stop.
func ChangeWords(c *compare.Change) string { return model.ChangeWords(c) }
