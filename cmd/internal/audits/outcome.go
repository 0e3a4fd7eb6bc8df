package audits

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"robots-audit/audit"
	"robots-audit/cmd/internal/cli"
	"robots-audit/engine/wording"
	"robots-audit/reports"
)

// MaxWorst limits the severe sites that the last lines of a run name, and also the unknown ones.
const MaxWorst = 3

// PrintOutcome prints the last lines of a run. They have the number of sites in each state, the
// most severe sites, the unknown ones with their reasons, and the location of the reports.
func PrintOutcome(w io.Writer, totals reports.Totals, worst []reports.WorstSite, dir string) {
	fmt.Fprintln(w, totals.Headline())
	columns := cli.Width(w)
	named := map[bool]int{} // by whether a site is unknown
	for _, of := range worst {
		unknown := of.State == audit.Undetermined
		if named[unknown]++; named[unknown] <= MaxWorst {
			fmt.Fprintln(w, fitted(of, columns))
		}
	}
	fmt.Fprintf(w, "Reports: %s\n%s", cli.OnOneLine(firstFiles(dir)), offer(columns, dir))
}

// offer explains on a terminal how to view a run in a browser. 0 = no terminal.
func offer(columns int, dir string) string {
	if columns == 0 {
		return ""
	}
	if strings.ContainsFunc(dir, func(r rune) bool {
		return !strings.ContainsRune("/._-", r) && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}) {
		dir = "'" + strings.ReplaceAll(dir, "'", `'\''`) + "'"
	}
	return cli.OnOneLine("Dashboard, search and editor in a browser: robots-audit serve "+dir) + "\n"
}

// fitted says why a site needs attention: as in all reports, or shorter if the terminal has few
// columns. 0 = no terminal.
func fitted(of reports.WorstSite, columns int) string {
	name := fmt.Sprintf("  %s (%s): ", of.Name, of.StateName())
	line := cli.OnOneLine(name + of.Why)
	if columns == 0 || utf8.RuneCountInString(line) < columns {
		return line
	}
	brief := []rune(cli.OnOneLine(name + of.Brief))
	if len(brief) < columns {
		return string(brief)
	}
	return string(brief[:max(0, columns-2)]) + "…"
}

// firstFiles names the files of a run that a user opens first, if they exist.
func firstFiles(out string) string {
	if strings.Contains(out, "://") { // a bucket that is no folder
		return out + "/index.html"
	}
	first := ""
	for _, name := range []string{"index.html", "summary.xlsx", "brief.html", "summary.md"} {
		name = filepath.Join(out, name)
		if _, err := os.Stat(name); err == nil && (first == "" || filepath.Base(name) != "summary.md") {
			first = wording.Join(first, name)
		}
	}
	if first == "" { // they cannot be accessed; a run has both unless they are turned off
		return filepath.Join(out, "index.html") + ", " + filepath.Join(out, "summary.xlsx")
	}
	return first
}
