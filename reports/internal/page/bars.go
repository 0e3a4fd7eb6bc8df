package page

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
	"robots-audit/reports/internal/layout"
	"robots-audit/reports/internal/site"
)

// viewBars is a table of bars. Its title states the finding.
type viewBars struct {
	Title string
	Rows  []viewBar
	More  int
}

type viewBar struct {
	Name                     string
	Key                      string // for filtering the URLs
	Line                     int
	Blocked, Allowed, Unsure int64 // of a directory
	Decided, Frees           int64 // of a rule
	Bar                      int64 // length
	BarBoth                  int64 // length for blocked and unsure together
	Share                    string
	NotKnown                 bool // Frees is not known
	Explanation              string
	Since, Note              string // of a rule, if there is a history
}

// viewDirectories are the directories with most blocked URLs, or the templates if there is only one
// directory. There is no such table if nothing is blocked or all URLs are in one place.
func (p *Site) viewDirectories(d *audit.Done) viewBars {
	var v viewBars
	if d.BlockedAny+d.Unknown == 0 {
		return v
	}
	list := p.site.Directories.Ranked()
	if len(list) < 2 {
		return p.viewTemplates()
	}
	v.Title = "Blocked by directory"
	const most = 25
	v.More = max(0, len(list)-most)
	for _, dir := range list[:min(len(list), most)] {
		allowed := dir.URLs - dir.Blocked - dir.Unclear
		key := ""
		if strings.HasPrefix(dir.Name, "/") { // not the row for all others together
			key = escape.Show(dir.Name)
		}
		v.Rows = append(v.Rows, viewBar{
			Name: site.DirectoryName(dir.Name), Key: key, Blocked: dir.Blocked, Allowed: allowed, Unsure: dir.Unclear, Share: wording.Percent(dir.Blocked, dir.URLs),
			Bar: layout.BarLength(dir.Blocked, dir.URLs), BarBoth: layout.BarLength(dir.Blocked+dir.Unclear, dir.URLs),
		})
	}
	return v
}

// viewTemplates are the templates with most blocked URLs.
func (p *Site) viewTemplates() viewBars {
	list := p.site.Templates.Ranked()
	var v viewBars
	if len(list) < 2 || slices.ContainsFunc(list, func(t *site.Template) bool { return t.Unclear != nil }) {
		return v
	}
	v.Title = "Blocked by template"
	const most = 25
	v.More = max(0, len(list)-most)
	for _, t := range list[:min(len(list), most)] {
		v.Rows = append(v.Rows, viewBar{
			Name: cmp.Or(t.Name, "(others)"), Blocked: t.BlockedAny, Allowed: t.URLs - t.BlockedAny, Share: wording.Percent(t.BlockedAny, t.URLs),
			Bar: layout.BarLength(t.BlockedAny, t.URLs),
		})
	}
	return v
}

// viewRules are the first of the rules that decide any URL, each with its share of all URLs
// found. The shares are not added up, since lines of several groups decide the same URLs.
func (p *Site) viewRules(d *audit.Done, every []site.RuleRow, deciding int) viewBars {
	var v viewBars
	top := every[:min(len(every), pageRules)]
	all := p.site.RuleTotals()
	if all.Lines == 0 {
		return v
	}
	v.More = deciding - len(top)
	if len(top) == 0 {
		return v
	}
	for _, r := range top {
		key := ""
		if site.Blocks(r.Rule) {
			key = ruleKey(&r)
		}
		since, note := p.ruleSince(&r)
		v.Rows = append(v.Rows, viewBar{
			Since: since, Note: note,
			Name: escape.Cut(r.Rule, longestRule), Line: r.Line, Key: key, Decided: r.Decided, Frees: r.Frees, NotKnown: r.Unknown != "",
			Bar: layout.BarLength(r.Decided, top[0].Decided), Share: wording.Percent(r.Decided, d.URLs), Explanation: site.RuleEffect(r.RuleCount, d.URLs),
		})
	}
	return v
}

// ruleKey names a rule for the filter of the URLs.
func ruleKey(r *site.RuleRow) string { return strconv.Itoa(r.Index) + ":" + strconv.Itoa(r.Line) }

// filters sets the options of the filters by rule and by directory.
func (p *Site) filters(v *siteView, rules []site.RuleRow) {
	const most = 200
	for _, r := range rules[:min(len(rules), most)] {
		if site.Blocks(r.Rule) {
			v.RuleFilter = append(v.RuleFilter, viewChoice{ruleKey(&r), "line " + strconv.Itoa(r.Line) + ", " + escape.Cut(r.Rule, 80)})
		}
	}
	for _, dir := range p.site.Directories.All() {
		if dir.Blocked+dir.Unclear > 0 {
			v.DirFilter = append(v.DirFilter, viewChoice{escape.Show(dir.Name), site.DirectoryName(dir.Name)})
		}
	}
	slices.SortFunc(v.DirFilter, func(a, b viewChoice) int { return strings.Compare(a.Value, b.Value) })
}
