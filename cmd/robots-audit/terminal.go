package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/term"

	"robots-audit/audit"
	"robots-audit/engine/escape"
	"robots-audit/reports"
)

// This file owns what may reach a terminal: names of files, URLs and what is
// fetched from elsewhere pass through it.

// onOneLine is escape.Printable for the columns of a table.
func onOneLine(s string) string { return strings.ReplaceAll(escape.Printable(s), "\t", " ") }

// named is onOneLine for the name of a file or a URL as it was given: without
// the name and password that it may hold.
func named(s string) string { return onOneLine(audit.HideCredentials(s)) }

// complain tells what went wrong, on lines of its own.
func complain(w io.Writer, form string, args ...any) {
	for line := range strings.SplitSeq(audit.HideCredentials(fmt.Sprintf(form, args...)), "\n") {
		fmt.Fprintf(w, "%s\n", escape.Printable(line))
	}
}

// escaped writes JSON so that it is safe for a terminal, too. A Write holds
// whole characters.
type escaped struct{ w io.Writer }

func (e escaped) Write(p []byte) (int, error) {
	if _, err := e.w.Write(escape.TerminalJSON(p)); err != nil {
		return 0, err
	}
	return len(p), nil
}

// width is the number of columns of the terminal that w is; 0 = it is none.
func width(w io.Writer) int {
	f, ok := w.(*os.File)
	if !ok {
		return 0
	}
	columns, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return columns
}

// takesSequences reports whether output goes to a terminal that does what escape sequences say.
func takesSequences(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && os.Getenv("TERM") != "dumb" && term.IsTerminal(int(f.Fd())) && obeys(f)
}

// maxWorst is the number of sites that the last lines of a run name.
const maxWorst = 3

// printOutcome writes the last lines of a run: how its sites are, which are the first
// to look at and why, a line each, and where the reports are.
func printOutcome(w io.Writer, totals reports.Totals, worst []reports.WorstSite, dir string) {
	fmt.Fprintln(w, totals.Headline())
	columns := width(w)
	for _, of := range worst[:min(len(worst), maxWorst)] {
		fmt.Fprintln(w, fitted(of, columns))
	}
	fmt.Fprintf(w, "Reports: %s\n%s", onOneLine(firstFiles(dir)), offer(columns, dir))
}

// offer says how to look at a run in a browser, to whoever sits at a terminal. 0 = nobody does.
func offer(columns int, dir string) string {
	if columns == 0 {
		return ""
	}
	if strings.ContainsFunc(dir, func(r rune) bool {
		return !strings.ContainsRune("/._-", r) && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}) {
		dir = "'" + strings.ReplaceAll(dir, "'", `'\''`) + "'"
	}
	return onOneLine("To look, search and try an edit of robots.txt in a browser: robots-audit serve "+dir) + "\n"
}

// fitted says of a site why it is to be looked at: as all reports do, or more briefly
// where a terminal has too few columns for that. 0 = there is no terminal.
func fitted(of reports.WorstSite, columns int) string {
	line := onOneLine("  " + of.Name + ": " + of.Why)
	if columns == 0 || utf8.RuneCountInString(line) < columns {
		return line
	}
	brief := []rune(onOneLine("  " + of.Name + ": " + of.Brief))
	if len(brief) < columns {
		return string(brief)
	}
	return string(brief[:max(0, columns-2)]) + "…"
}
