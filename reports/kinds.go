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
	kindBrief    = "brief"    // briefs/, brief.html: one printed page for clients; only on request
)

// Kinds are the names of the reports that are written by default, if Options.Reports names none.
func Kinds() []string { return []string{kindWorkbook, kindPage, kindEvidence} }

// Extras are the names of reports that are written only if Options.Reports names them. They do not
// replace other reports.
func Extras() []string { return []string{kindBrief} }

// CheckKinds returns an error if Options.Reports cannot have these names: there are none, one of
// them is unknown, or two are levels.
func CheckKinds(names []string) error {
	words := slices.Concat(Levels(), Kinds(), Extras())
	if len(names) == 0 {
		return fmt.Errorf("no report named; want one of %s, or one or more of %s", strings.Join(Levels(), ", "), strings.Join(words[len(Levels()):], ", "))
	}
	level := ""
	for _, name := range names {
		switch {
		case slices.Contains(Kinds(), name), slices.Contains(Extras(), name):
		case !slices.Contains(words, name):
			rest := "expected one of " + strings.Join(words, ", ")
			if meant := wording.Nearest(name, words); meant != "" {
				rest = "did you mean " + meant + "?"
			}
			return fmt.Errorf("unknown report %q: %s", name, rest)
		case level != "" && level != name:
			return fmt.Errorf("%s and %s exclude each other", level, name)
		default:
			level = name
		}
	}
	return nil
}

// WritesPages reports whether these names include the pages of sites.
func WritesPages(names []string) bool {
	level := levelOf(names)
	return (level == levelBlocked || level == levelAll) && slices.Contains(kindsOf(names), kindPage)
}

// writes reports whether the run writes a kind of report, for sites that get files at all; "" = a kind
// that is always available.
func (o *Options) writes(kind string) bool {
	return kind == "" || slices.Contains(kindsOf(o.Reports), kind)
}

// kindsOf returns the kinds that a list of Options.Reports selects, in the order of Kinds, then the
// extras.
func kindsOf(names []string) (kinds []string) {
	named := func(name string) bool { return slices.Contains(names, name) }
	for _, kind := range Kinds() {
		if named(kind) {
			kinds = append(kinds, kind)
		}
	}
	if kinds == nil {
		kinds = Kinds()
	}
	return append(kinds, extrasOf(names)...)
}

// extrasOf returns the names that are extras, each once.
func extrasOf(names []string) []string {
	return slices.DeleteFunc(Extras(), func(extra string) bool { return !slices.Contains(names, extra) })
}

// ordered returns a list of Options.Reports in a standard form: the level if it is not levelAll,
// the kinds if they are not all, and the extras; nil = all kinds.
func ordered(names []string) (list []string) {
	if level := levelOf(names); level != levelAll {
		list = append(list, level)
	}
	extras := extrasOf(names)
	if kinds := kindsOf(names); len(kinds) < len(Kinds())+len(extras) {
		return append(list, kinds...)
	}
	return append(list, extras...)
}

// checkReports is CheckKinds for a list that may be empty, which means all.
func checkReports(names []string) error {
	if len(names) == 0 {
		return nil
	}
	return CheckKinds(names)
}

// reportsNamed returns a list in a standard form that always names the level and the kinds.
func reportsNamed(names []string) []string {
	if level := levelOf(names); level != levelAll {
		return append([]string{level}, kindsOf(names)...)
	}
	return kindsOf(names)
}
