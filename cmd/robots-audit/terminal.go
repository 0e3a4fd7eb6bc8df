package main

import (
	"fmt"
	"io"
	"strings"

	"robots-audit/audit"
	"robots-audit/engine/escape"
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
