package reports

import (
	"cmp"
	"encoding/json"
	"maps"
	"path"
	"slices"

	"robots-audit/audit"
)

// Codes of a finished site's files that are not there any more as they were
// written, in its errors with stage "report".
const (
	codeRecordsMissing = "records_missing" // there is no file of records
	codeRecordsDamaged = "records_damaged" // it is not as it was written, or another's
	codeReportDamaged  = "report_damaged"  // a file made of them is not as it was written
)

// unfit says why a finished site has to be audited again; nil = all its files
// are as the journal has them.
func (r *Run) unfit(line *journalLine) *siteError {
	if line.Lost != nil {
		return line.Lost
	}
	if name := r.damaged(line); name != "" {
		return &siteError{Stage: audit.StageReport, Code: codeReportDamaged, Detail: name + " is not as it was written"}
	}
	return nil
}

// shown is the line as summaries have it: of a site whose files are lost,
// nothing is known but that. The line itself keeps what it takes to know the
// files again, should they be put back.
func (l *journalLine) shown(r *Run) *journalLine {
	if l.Lost == nil {
		return l
	}
	s := &journalLine{
		Name: l.Name, Base: l.Base, Ordinal: l.Ordinal, State: string(audit.Undetermined), Why: meaning(l.Lost.Code), Problems: 1, Finished: l.Finished,
		Blocked: make([]int64, len(r.Crawlers)), Lost: l.Lost,
	}
	nothing := &siteRun{run: r, site: &audit.Site{Name: l.Name, Crawlers: r.Crawlers}, errors: siteErrors{list: []siteError{*l.Lost}}}
	s.Summary = nothing.summary(s, &audit.Done{})
	return s
}

// lostSite is a finished site that is to be audited again.
type lostSite struct {
	journalEntry
	why *siteError // nil = its report could not be written the first time
}

// enterLost enters the sites that were to be audited again and were not, since
// the list does not name them any more or the run was stopped.
func (r *Run) enterLost() error {
	lost := slices.SortedFunc(maps.Values(r.ledger.again), func(a, b lostSite) int { return cmp.Compare(a.at, b.at) })
	for i, site := range lost {
		line, err := r.ledger.journal.readEntry(site.journalEntry)
		if err != nil {
			return err
		}
		if line.Lost = site.why; site.why != nil && i < maxTold {
			r.warn(line.Name + " was not audited again, though " + site.why.Detail)
		}
		if err := r.ledger.enter(line); err != nil {
			return err
		}
	}
	if more := len(lost) - maxTold; more > 0 {
		r.warn("likewise " + plural(more, "further site") + "; summary.json names them")
	}
	return nil
}

// maxTold bounds what is said word for word about sites that are lost;
// summary.json names them all.
const maxTold = 20

func (r *Run) warn(text string) {
	if r.Warn != nil {
		r.Warn(text)
	}
}

// recordsName is the file of a site's records, as messages name it.
func recordsName(base string) string { return path.Join("records", base+recordsExt) }

// emptySummary is the entry of summary.json of a site of which only the name is known.
func emptySummary(name string) json.RawMessage {
	text, _ := json.Marshal(siteSummary{Domain: name}) // strings and whole numbers: cannot fail
	return text
}
