package page

import (
	"robots-audit/audit"
	"robots-audit/engine"
	"robots-audit/engine/escape"
	"robots-audit/reports/internal/site"
)

// Bounds of the history on a page; the workbook has it completely.
const (
	pagePast    = 100  // blocked URLs with a date or a note
	longestNote = 1000 // bytes of an owner note
)

// pastURL is a blocked URL with a date or a note.
type pastURL struct {
	URL, Crawlers, Since, Note string
}

// addPast keeps the blocked pages that have a date or an owner note.
func (p *Site) addPast(list []site.URL) {
	if p.site.Past == nil {
		return
	}
	for i := range list {
		u := &list[i]
		if !u.Page || !u.Blocked {
			continue
		}
		var id string
		id, p.scratch = audit.URLID(p.scratch, p.site.Robots(u.Origin).Origin, u.Loc)
		var since site.Since
		crawlers := ""
		for c, v := range u.Verdicts[:min(len(u.Verdicts), len(p.site.Crawlers))] {
			if v == engine.Disallow {
				since = since.Earlier(p.site.BlockedSince(u, id, c))
				if crawlers != "" {
					crawlers += ", "
				}
				crawlers += p.site.Crawlers[c].Label
			}
		}
		if note := p.site.Note(site.NoteURL, id); note != "" || !since.At.IsZero() {
			p.past.append(pastURL{escape.Cut(u.Loc, 1000), crawlers, since.String(), escape.Cut(note, longestNote)}, pagePast)
		}
	}
}

// ruleSince returns the date since which a rule exists, and its note; "" = no history.
func (p *Site) ruleSince(r *site.RuleRow) (since, note string) {
	if p.site.Past == nil || len(r.Crawlers) == 0 {
		return "", ""
	}
	id := p.site.RuleIDAt(r.Index, r.Line, r.Crawlers[0])
	_, changed := p.site.RulePast(id)
	return changed.String(), escape.Cut(p.site.Note(site.NoteRule, id), longestNote)
}
