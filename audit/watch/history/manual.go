package history

import (
	"fmt"
	"strings"
)

// manualHead begins the manual.
const manualHead = `The history of the runs of "robots-audit schedule" is HISTORY/history.db, one file of
SQLite (https://sqlite.org). Any SQL tool can read it, also while a run is entered:

  sqlite3 -readonly -box HISTORY/history.db "SELECT * FROM runs"

Read the views below: their names and columns do not change. The tables behind them can
change. Times are UTC, as text that sorts: "2026-11-22T06:00:00Z".
`

// Summary is the output of "robots-audit help history": the names of the views and of Queries.
func Summary() string {
	var b strings.Builder
	b.WriteString(manualHead)
	b.WriteString("\nViews, with a row for:\n")
	for _, v := range views {
		fmt.Fprintf(&b, "  %-15s  %s\n", v.name, lowerFirst(strings.TrimPrefix(v.about, "One row for ")))
	}
	b.WriteString("\nQuestions with a ready query, which \"robots-audit help history all\" prints and explains:\n")
	for _, q := range Queries {
		question, _, _ := strings.Cut(q.Question, "?")
		fmt.Fprintf(&b, "  %-17s  %s?\n", q.Name, question)
	}
	return b.String()
}

// Manual is the output of "robots-audit help history all": the views with their columns, and
// Queries.
func Manual() string {
	var b strings.Builder
	b.WriteString(manualHead)
	b.WriteString("\nViews:\n")
	for _, v := range views {
		fmt.Fprintf(&b, "\n  %s: %s\n", v.name, lowerFirst(v.about))
		width := 0
		for _, c := range v.columns {
			width = max(width, len(c.name))
		}
		for _, c := range v.columns {
			fmt.Fprintf(&b, "    %-*s  %s\n", width, c.name, c.about)
		}
	}
	b.WriteString("\nTen questions. Lines that begin with \".parameter\" are for sqlite3; put your own value in.\n")
	for _, q := range Queries {
		fmt.Fprintf(&b, "\n%s: %s\n%s\n\n", q.Name, q.Question, q.Rows)
		for _, p := range q.Parameters {
			fmt.Fprintf(&b, "  .parameter set :%s \"'%s'\"\n", p.Name, p.Example)
		}
		fmt.Fprintf(&b, "  %s;\n", strings.ReplaceAll(q.SQL, "\n", "\n  "))
	}
	return b.String()
}

// lowerFirst adapts a sentence for use after a colon, without its full stop.
func lowerFirst(s string) string {
	return strings.ToLower(s[:1]) + strings.TrimSuffix(s[1:], ".")
}
