package changes

import (
	"strings"
	"unicode/utf8"

	"robots-audit/engine/escape"
	"robots-audit/reports/changes/internal/model"
)

// maxOutcome is the number of sites that Outcome names, and of notes.
const maxOutcome = 3

// Outcome is what a terminal says of a report that is closed, in a few lines: the totals,
// what is to be known of the runs, and the first sites to look at with the reason why. columns is the width of the
// terminal; 0 = there is none, and lines are whole.
func (r *Report) Outcome(columns int) string {
	lines := []string{r.Totals.Headline()}
	notes := r.AllNotes()
	lines = append(lines, notes[:min(len(notes), maxOutcome)]...)
	for _, e := range r.Sites[:min(r.Totals.SitesChanged, maxOutcome)] {
		lines = append(lines, "  "+model.DisplayName(e.Name)+": "+e.Lead)
	}
	for i, line := range lines {
		line = strings.ReplaceAll(escape.Printable(line), "\t", " ")
		if columns > 1 && utf8.RuneCountInString(line) >= columns {
			line = string([]rune(line)[:columns-2]) + "…"
		}
		lines[i] = line + "\n"
	}
	return strings.Join(lines, "")
}
