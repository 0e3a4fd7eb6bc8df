package book

import (
	"slices"

	"robots-audit/audit/compare"
	"robots-audit/engine"
)

// pair is a row of two files side by side: a changed line, or an unchanged line near one.
type pair struct {
	change           *compare.Line // nil = the line is the same in both files
	oldLine, newLine int           // 0 = the line is not in that file
	old, new         string
}

// context is the number of lines that are shown before and after changed lines.
const context = 3

// sideBySide lays out two files: the changed lines, and the lines around them. Lines of the old
// file are where they would be in the new one, and a moved line is at its new position.
func sideBySide(o *compare.Origin, yield func(*pair)) {
	if len(o.Diff) == 0 {
		return
	}
	oldChanges, newChanges := map[int]*compare.Line{}, map[int]*compare.Line{}
	for i := range o.Diff {
		l := &o.Diff[i]
		if l.OldLine > 0 {
			oldChanges[l.OldLine] = l
		}
		if l.NewLine > 0 {
			newChanges[l.NewLine] = l
		}
	}
	old, new := linesOf(o.Old), linesOf(o.New)
	var waiting []pair // unchanged lines that may come before a changed one
	after := 0         // number of unchanged lines still to show after a changed one
	show := func(p pair) {
		for i := range waiting {
			yield(&waiting[i])
		}
		waiting = waiting[:0]
		yield(&p)
		after = context
	}
	i, j := 1, 1
	for i <= len(old) || j <= len(new) {
		was, is := oldChanges[i], newChanges[j]
		switch {
		case was != nil && i <= len(old):
			if was.NewLine == 0 {
				show(pair{was, i, 0, was.Old, ""})
			}
			i++
		case is != nil && j <= len(new):
			show(pair{is, is.OldLine, j, is.Old, is.New})
			j++
		case i > len(old) || j > len(new): // the files do not match the diff
			return
		default:
			alike := pair{nil, i, j, old[i-1], new[j-1]}
			switch {
			case after > 0:
				yield(&alike)
				after--
			case len(waiting) == context:
				waiting = append(slices.Delete(waiting, 0, 1), alike)
			default:
				waiting = append(waiting, alike)
			}
			i++
			j++
		}
	}
}

// linesOf returns the lines of a file, as the engine counts them.
func linesOf(a *compare.Answer) (lines []string) {
	if a == nil {
		return nil
	}
	every := engine.Profile{Limit: -1}
	for l := range every.Parse(a.Body).Lines() {
		lines = append(lines, l.Text)
	}
	return lines
}
