package reports

import (
	"cmp"
	"encoding/json"
	"maps"
	"path"
	"slices"

	"robots-audit/audit"
	"robots-audit/engine/wording"
	"robots-audit/reports/internal/site"
	"robots-audit/reports/internal/summary"
)

// whyLost says why a finished site must be audited again; nil = all its files are as they were
// written.
func (r *Run) whyLost(line *summary.Line) *summary.Error {
	if line.Lost != nil {
		return line.Lost
	}
	if name := r.damagedFile(line); name != "" {
		return &summary.Error{Stage: audit.StageReport, Code: site.CodeReportDamaged, Detail: name + " is not as it was written"}
	}
	return nil
}

// summaryLine returns a line for the summaries. For a site whose files are lost, it says only that.
// The line itself keeps its checksums, which identify the files if they are restored.
func (r *Run) summaryLine(l *summary.Line) *summary.Line {
	if l.Lost == nil {
		return l
	}
	s := &summary.Line{
		Name: l.Name, Base: l.Base, Ordinal: l.Ordinal, State: audit.Undetermined, Why: site.Meaning(l.Lost.Code), Problems: 1, Finished: l.Finished,
		Blocked: make([]int64, len(r.Crawlers)), Lost: l.Lost,
	}
	nothing := &siteRun{run: r, site: &audit.Site{Name: l.Name, Crawlers: r.Crawlers}, errors: summary.Errors{List: []summary.Error{*l.Lost}}}
	s.Summary = nothing.entry(s, &audit.Done{})
	return s
}

// lostSite is a finished site that must be audited again.
type lostSite struct {
	journalEntry
	why *summary.Error // nil = its report could not be written the first time
}

// enterLost enters the sites that had to be audited again and were not, because the list no longer
// names them or the run was stopped.
func (r *Run) enterLost() error {
	lost := slices.SortedFunc(maps.Values(r.done.unaudited), func(a, b lostSite) int { return cmp.Compare(a.at, b.at) })
	for i, site := range lost {
		line, err := r.done.journal.readEntry(site.journalEntry)
		if err != nil {
			return err
		}
		if line.Lost = site.why; site.why != nil && i < maxListedLosses {
			r.warn(line.Name + " was not audited again, though " + site.why.Detail)
		}
		if err := r.done.append(line); err != nil {
			return err
		}
	}
	if more := len(lost) - maxListedLosses; more > 0 {
		r.warn("likewise " + wording.Plural(more, "further site") + "; summary.json names them")
	}
	return nil
}

// maxListedLosses bounds the lost sites that messages name; summary.json names all.
const maxListedLosses = 20

func (r *Run) warn(text string) {
	if r.Warn != nil {
		r.Warn(text)
	}
}

// recordsName is the file of a site's records, as messages name it.
func recordsName(base string) string { return path.Join("records", base+recordsExt) }

// emptySummary is the entry in summary.json for a site if only its name is known.
func emptySummary(name string) json.RawMessage {
	text, _ := json.Marshal(summary.Entry{Domain: name}) // strings and whole numbers: cannot fail
	return text
}
