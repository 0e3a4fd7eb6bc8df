package serve

import (
	"net/url"
	"strings"
	"time"

	"robots-audit/audit/watch/alert"
	"robots-audit/audit/watch/history"
)

// change has the alerts with one cause, in one state: open, or ended by one run. A run raised them. They are on one
// site, or on all sites that got the same new robots.txt in place of the same old one.
type change struct {
	effect
	Sites []effect `json:"sites,omitempty"` // the same by site, if there are several
}

// effect has the alerts of one site, or of all sites of a cause. Then its site and its links are of the first one.
type effect struct {
	Site     string   `json:"site"`
	Run      string   `json:"run"`                // run that raised them
	Alerts   []string `json:"alerts"`             // IDs, most severe first, and last those that follow from others
	Compared string   `json:"compared,omitempty"` // page of the comparison of the run
	Versions string   `json:"versions,omitempty"` // page with robots.txt before and after
	Blocked  string   `json:"search,omitempty"`   // search for the blocked URLs
	Logs     string   `json:"logs,omitempty"`     // page of the access logs that show it
	Link     string   `json:"link,omitempty"`     // page of the site in the run; left out = its folder was removed
	Newest   string   `json:"newest,omitempty"`   // then the page of the site in the newest run

	List []alertView `json:"-"`
}

// groupAlerts groups alerts by the run and the site that raised them, and by the run that ended them. The groups
// are in the order of their first alerts.
func groupAlerts(list []history.Alert) (groups [][]history.Alert) {
	type key struct{ site, raised, ended string }
	at := map[key]int{}
	for _, a := range list {
		k := key{a.Site, a.Raised, a.EndedRun}
		n, known := at[k]
		if !known {
			n = len(groups)
			at[k], groups = n, append(groups, nil)
		}
		groups[n] = append(groups[n], a)
	}
	return groups
}

func newEffect(group []history.Alert, now time.Time) effect {
	alert.SortChange(group)
	c := effect{Site: group[0].Site, Run: group[0].Raised}
	for i := range group {
		c.Alerts, c.List = append(c.Alerts, group[i].ID), append(c.List, newAlertView(&group[i], now))
	}
	return c
}

// editOf is the edit behind some alerts; ok = false if none is known.
func editOf(ids []string, edits map[string]history.Edit) (edit history.Edit, ok bool) {
	for _, id := range ids {
		if edit, ok = edits[id]; ok {
			return edit, true
		}
	}
	return edit, false
}

// addCauses adds the alerts by cause. edits are those behind open alerts.
func (v *alertsView) addCauses(list []history.Alert, edits map[string]history.Edit, now time.Time) {
	type cause struct { // an edit of robots.txt that a run found
		run string
		history.Edit
	}
	at := map[cause]int{}
	for _, group := range groupAlerts(list) {
		of := newEffect(group, now)
		edit, known := editOf(of.Alerts, edits)
		k := cause{of.Run, edit}
		place, more := at[k]
		switch {
		case group[0].EndedRun != "" && len(v.Resolved) < maxEnded:
			v.Resolved = append(v.Resolved, change{effect: of})
		case group[0].EndedRun != "":
			v.More = true
		case known && more:
			v.Changes[place].add(of)
		default:
			if known {
				at[k] = len(v.Changes)
			}
			v.Changes = append(v.Changes, change{effect: of})
		}
	}
}

// add adds another site that has the same cause.
func (c *change) add(of effect) {
	if c.Sites == nil {
		c.Sites = []effect{c.effect}
	}
	c.Sites = append(c.Sites, of)
	c.Alerts, c.List = append(c.Alerts[:len(c.Alerts):len(c.Alerts)], of.Alerts...), append(c.List[:len(c.List):len(c.List)], of.List...)
}

// linkCauses adds the links to causes, and the time of the newest run.
func (d *Desk) linkCauses(v *alertsView, list []change, edits map[string]history.Edit) {
	known, _ := d.runs.list() // without runs there are no links; the page of runs shows the error
	if len(known) > 0 {
		v.Newest = known[0].Started
	}
	runs := runsByKey(known)
	newest := map[string]string{} // runs in place of removed ones
	link := func(c *effect) {
		d.linkEffect(c, runs[c.Run], edits)
		if c.Link != "" {
			return
		}
		key, asked := newest[c.Run]
		if !asked {
			key = newestLike(known, c.Run)
			newest[c.Run] = key
		}
		if r, err := d.runs.find(key); key != "" && err == nil {
			if _, site, err := r.site(c.Site); err == nil {
				c.Newest = d.o.siteLink(key, site.Base)
			}
		}
	}
	for i := range list {
		for k := range list[i].Sites {
			link(&list[i].Sites[k])
		}
		link(&list[i].effect)
	}
}

// linkEffect adds the links to what there is of the run that raised alerts; run is nil if it is unknown.
func (d *Desk) linkEffect(c *effect, run *listed, edits map[string]history.Edit) {
	if run == nil {
		return
	}
	if run.Compared != "" {
		c.Compared = run.Compared + "#site-" + url.PathEscape(c.Site)
	}
	if !run.readable() {
		return
	}
	c.Link = d.o.siteLink(c.Run, c.Site)
	if edit, ok := editOf(c.Alerts, edits); ok {
		c.Versions = c.Link + "/versions?" + url.Values{"old": {edit.Old}, "new": {edit.New}}.Encode()
	}
	if first := &c.List[0]; first.URLs > 0 && blocking[first.Condition] {
		c.Blocked = d.o.runLink(c.Run) + "/search?" + url.Values{"site": {c.Site}, "blocked": {"any"}}.Encode()
	}
	if alert.FromLogs(c.List[0].Condition) {
		c.Logs = c.Link + "/logs"
	}
}

// blocking are the conditions that say that URLs are blocked.
var blocking = map[string]bool{"AL01": true, "AL02": true, "AL09": true}

// First is the most severe alert of the first site.
func (c effect) First() alertView { return c.List[0] }

// Others are the other alerts of a site.
func (c effect) Others() []alertView { return c.List[1:] }

// Others are the other alerts of the first site.
func (c change) Others() []alertView {
	if c.Sites != nil {
		return c.Sites[0].Others()
	}
	return c.effect.Others()
}

// Next is the first thing to do; "" = it needs a comparison, and there is none.
func (c effect) Next() string {
	next := c.List[0].Next
	if c.Compared == "" && strings.Contains(next, "comparison") {
		return ""
	}
	return next
}

// Class is the style of the most severe alert.
func (c effect) Class() string { return c.List[0].Class }

// Left is the number of alerts that are not accepted.
func (c effect) Left() int { return c.count(func(a *alertView) bool { return a.Accepted.IsZero() }) }

// Acceptable is the number of these that can be accepted.
func (c effect) Acceptable() int {
	return c.count(func(a *alertView) bool { return a.Accepted.IsZero() && a.Acceptable })
}

// Never reports whether one of the alerts cannot be accepted at all.
func (c effect) Never() bool { return c.count(func(a *alertView) bool { return !a.Acceptable }) > 0 }

func (c effect) count(is func(*alertView) bool) (n int) {
	for i := range c.List {
		if is(&c.List[i]) {
			n++
		}
	}
	return n
}

// Note is the note of all alerts; "" = they have none, or different ones.
func (c effect) Note() string { return common(c.List, func(a *alertView) string { return a.Note }) }

// Owner is the owner of all alerts; "" = they have none, or different ones.
func (c effect) Owner() string { return common(c.List, func(a *alertView) string { return a.Owner }) }

// common is the text that all alerts have; "" = they have different ones.
func common(list []alertView, text func(*alertView) string) string {
	for i := range list {
		if text(&list[i]) != text(&list[0]) {
			return ""
		}
	}
	return text(&list[0])
}
