package cli

import (
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"robots-audit/audit"
	"robots-audit/engine/escape"
)

// This file owns what may reach a terminal: names of files, URLs and what is
// fetched from elsewhere pass through it.

// OnOneLine is escape.Printable for the columns of a table.
func OnOneLine(s string) string { return strings.ReplaceAll(escape.Printable(s), "\t", " ") }

// Named is onOneLine for the name of a file or a URL as it was given: without
// the name and password that it may hold.
func Named(s string) string { return OnOneLine(audit.HideCredentials(s)) }

// Complain says what went wrong, on lines of its own, of which the first begins with the program's name.
func Complain(w io.Writer, form string, args ...any) {
	for line := range strings.SplitSeq(audit.HideCredentials(Current.Name+": "+fmt.Sprintf(form, args...)), "\n") {
		fmt.Fprintf(w, "%s\n", escape.Printable(line))
	}
}

// Escaped writes JSON so that it is safe for a terminal, too. A Write holds
// whole characters.
type Escaped struct{ W io.Writer }

func (e Escaped) Write(p []byte) (int, error) {
	if _, err := e.W.Write(escape.TerminalJSON(p)); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Width is the number of columns of the terminal that w is; 0 = it is none.
func Width(w io.Writer) int {
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

// TakesSequences reports whether output goes to a terminal that does what escape sequences say.
func TakesSequences(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && os.Getenv("TERM") != "dumb" && term.IsTerminal(int(f.Fd())) && obeys(f)
}
