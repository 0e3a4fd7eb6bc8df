package reports

import (
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine/escape"
)

// viewBars is a table of bars under a title that states the finding.
type viewBars struct {
	Title string
	Rows  []viewBar
	More  int
}

type viewBar struct {
	Name                     string
	Key                      string // for the filter of the URLs
	Line                     int
	Blocked, Allowed, Unsure int64 // a directory's
	Decided, Frees           int64 // a rule's
	Bar                      int64 // length
	BarBoth                  int64 // of blocked and unsure together
	Share, Sum               string
	Words                    string
}

// viewDirectories are the directories with most blocked URLs.
func (b *siteBook) viewDirectories(d *audit.Done) viewBars {
	list := b.directories.ranked()
	var v viewBars
	if len(list) == 0 {
		return v
	}
	v.Title = directoryTitle(list, d)
	const most = 25
	v.More = max(0, len(list)-most)
	for _, dir := range list[:min(len(list), most)] {
		allowed := dir.urls - dir.blocked - dir.unclear
		key := ""
		if strings.HasPrefix(dir.name, "/") { // not all others together
			key = escape.Show(dir.name)
		}
		v.Rows = append(v.Rows, viewBar{
			Name: directoryName(dir.name), Key: key, Blocked: dir.blocked, Allowed: allowed, Unsure: dir.unclear, Share: percent(dir.blocked, dir.urls),
			Bar: barLength(dir.blocked, dir.urls), BarBoth: barLength(dir.blocked+dir.unclear, dir.urls),
		})
	}
	return v
}

// viewRules are the rules that decide most, with the share of decided URLs
// that they have together with those above them.
func (b *siteBook) viewRules(d *audit.Done, top []ruleRow, deciding int) viewBars {
	var v viewBars
	all, _ := b.idleRules()
	if all == 0 {
		return v
	}
	v.More = deciding - len(top)
	v.Title = ruleTitle(top, deciding, all)
	if len(top) == 0 {
		return v
	}
	every, _ := b.topRules(all)
	sum, so := int64(0), int64(0)
	for _, r := range every {
		sum += r.Decided
	}
	for _, r := range top {
		so += r.Decided
		key := ""
		if blocks(r.Rule) {
			key = b.ruleKey(r.origin, r.Line)
		}
		v.Rows = append(v.Rows, viewBar{
			Name: escape.Cut(r.Rule, longestRule), Line: r.Line, Key: key, Decided: r.Decided, Frees: r.Frees,
			Bar: barLength(r.Decided, top[0].Decided), Sum: percent(so, sum), Words: ruleWords(r.RuleCount, d.URLs),
		})
	}
	return v
}

// ruleKey names a rule for the filter of the URLs.
func (b *siteBook) ruleKey(origin string, line int) string {
	for _, r := range b.robots {
		if r != nil && r.Origin == origin {
			return itoa(r.Index) + ":" + itoa(line)
		}
	}
	return "0:" + itoa(line)
}

// filters are the choices of the filters by rule and by directory.
func (v *siteView) filters(b *siteBook) {
	const most = 200
	rules, _ := b.topRules(most)
	for _, r := range rules {
		if blocks(r.Rule) {
			v.RuleFilter = append(v.RuleFilter, viewChoice{b.ruleKey(r.origin, r.Line), "line " + itoa(r.Line) + ", " + escape.Cut(r.Rule, 80)})
		}
	}
	for _, dir := range b.directories.order {
		if dir.blocked+dir.unclear > 0 {
			v.DirFilter = append(v.DirFilter, viewChoice{escape.Show(dir.name), directoryName(dir.name)})
		}
	}
	slices.SortFunc(v.DirFilter, func(a, b viewChoice) int { return strings.Compare(a.Value, b.Value) })
}
