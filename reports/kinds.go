package reports

import (
	"fmt"
	"slices"
	"strings"

	"robots-audit/engine/wording"
)

// The reports that Options.Reports may name. summary.json, summary.md, run.json and the
// records are always there: other reports are made from them.
const (
	kindWorkbook = "workbook" // <site>.xlsx, summary.xlsx
	kindPage     = "page"     // pages/, index.html
	kindEvidence = "evidence" // evidence/
)

// Kinds are the names of all reports that Options.Reports may name.
func Kinds() []string { return []string{kindWorkbook, kindPage, kindEvidence} }

// CheckKinds returns an error that says which of the names is none of Options.Reports,
// or that there is none.
func CheckKinds(names []string) error {
	if len(names) == 0 {
		return fmt.Errorf("no report named; want one or more of %s", strings.Join(Kinds(), ", "))
	}
	for _, name := range names {
		if slices.Contains(Kinds(), name) {
			continue
		}
		rest := "want " + strings.Join(Kinds(), ", ")
		if meant := wording.Nearest(name, Kinds()); meant != "" {
			rest = "did you mean " + meant + "?"
		}
		return fmt.Errorf("there is no report %q: %s", name, rest)
	}
	return nil
}

// writes reports whether the reports of a kind are written; "" stands for one that is
// always offered.
func (o *Options) writes(kind string) bool {
	return kind == "" || len(o.Reports) == 0 || slices.Contains(o.Reports, kind)
}

// kindsOf are the kinds that a list of Options.Reports stands for.
func kindsOf(names []string) []string {
	if len(names) == 0 {
		return Kinds()
	}
	return names
}

// ordered returns the kinds that are named, in the order of Kinds; nil = all.
func ordered(names []string) (kinds []string) {
	for _, kind := range Kinds() {
		if slices.Contains(names, kind) {
			kinds = append(kinds, kind)
		}
	}
	if len(kinds) == len(Kinds()) {
		return nil
	}
	return kinds
}
