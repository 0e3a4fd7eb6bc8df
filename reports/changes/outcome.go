package changes

import (
	"strings"
	"unicode/utf8"

	"robots-audit/engine/escape"
	"robots-audit/reports/changes/internal/model"
)

// maxOutcome is the maximum number of sites, and of notes, in Outcome.
const maxOutcome = 3

// Outcome is the text for the terminal on a closed report, in a few lines: the totals, notes on the runs, and the
// first sites to look at with the reason. columns is the width of the terminal; 0 = no terminal, and lines are not
// cut.
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
