package compare

import (
	"slices"
	"strings"

	"robots-audit/engine"
	"robots-audit/engine/wording"
)

// reportedByFacts are the findings that other kinds of change report: the answer, encoding and size
// of the file, a blocked site, a blocked sitemap.
var reportedByFacts = []string{"FET", "LOC", "FMT001", "FMT002", "FMT004", "FMT005", "FMT006", "FMT007", "FMT009", "RUL018", "SM002"}

// addLint reports findings that appeared or disappeared. This version lints both files, so a new
// check does not cause a change. The same applies to findings from known URLs. Findings of severity
// info are skipped, because nothing is wrong. If there was no file before, only errors are
// reported.
func (c *comparison) addLint(o *Origin) {
	appeared := o.Old.class() == AnswerMissing || o.Old.class() == AnswerRead && o.Old.Kind != BodyText
	if o.New.Kind != BodyText || o.Old.Kind != BodyText && !appeared {
		return
	}
	var old, new []engine.Finding
	if o.Diff != nil || appeared {
		old, new = c.lint(c.old, o.Name), c.lint(c.new, o.Name)
	}
	if old, new = append(old, c.old.shownBy(o.Name)...), append(new, c.new.shownBy(o.Name)...); len(old)+len(new) == 0 {
		return
	}
	edited := map[int]int{} // new line by old line
	for _, l := range o.Diff {
		if l.Op == Edited {
			edited[l.OldLine] = l.NewLine
		}
	}
	gone, came := unmatched(old, new, func(f *engine.Finding) any { return strings.TrimSpace(f.Text) })
	goneAt := func(f *engine.Finding) any { return edited[f.Line] }
	byLine := map[any]int{}
	for _, f := range gone {
		byLine[[2]any{f.ID, goneAt(&f)}]++
	}
	came = slices.DeleteFunc(came, func(f engine.Finding) bool {
		return take(byLine, [2]any{f.ID, f.Line}) || appeared && f.Severity < engine.Error
	})
	stayed := map[any]int{}
	for _, f := range new {
		stayed[[2]any{f.ID, f.Line}]++
	}
	gone = slices.DeleteFunc(gone, func(f engine.Finding) bool { return take(stayed, [2]any{f.ID, goneAt(&f)}) })
	for _, kind := range engine.FindingKinds() {
		if list := of(kind.ID, came); list != nil {
			ch := Change{Kind: KindLint, What: kind.ID + " " + kind.Name, Finding: kind.ID, Before: "", After: findingWords(list), Severity: Info, Condition: ""}
			if list[0].Severity >= engine.Error {
				ch.Severity, ch.Condition, ch.Subjects = Medium, "AL12", []string{kind.ID}
			}
			c.add(ch)
		}
		if list := of(kind.ID, gone); list != nil {
			ch := Change{Kind: KindLint, What: kind.ID + " " + kind.Name, Finding: kind.ID, Before: findingWords(list), After: "", Severity: Info, Condition: ""}
			if list[0].Severity >= engine.Error {
				ch.Condition = ended
			}
			c.add(ch)
		}
	}
}

// lint lints a file of a side, without the findings that other changes report.
func (c *comparison) lint(s *judged, origin string) []engine.Finding {
	g := s.originNamed(origin)
	if g.kind != BodyText {
		return nil
	}
	list := s.answers.Lint(g.record.Index, nil, engine.LintOptions{URL: g.record.File.URL, MaxPerID: -1})
	return slices.DeleteFunc(list, func(f engine.Finding) bool { return isToldByFacts(f.ID) })
}

func isToldByFacts(id string) bool {
	return slices.ContainsFunc(reportedByFacts, func(prefix string) bool { return strings.HasPrefix(id, prefix) })
}

// unmatched returns the findings without a match on the other side, by id, text and whether it is
// an error. Findings below warning can match, but are not returned.
func unmatched(old, new []engine.Finding, text func(*engine.Finding) any) (gone, came []engine.Finding) {
	key := func(f *engine.Finding) any { return [3]any{f.ID, text(f), f.Severity >= engine.Error} }
	rest := func(list, others []engine.Finding) (rest []engine.Finding) {
		counts := map[any]int{}
		for i := range others {
			counts[key(&others[i])]++
		}
		for i := range list {
			if !take(counts, key(&list[i])) && list[i].Severity >= engine.Warning {
				rest = append(rest, list[i])
			}
		}
		return rest
	}
	return rest(old, new), rest(new, old)
}

// take uses up one count of a key; false = none is left.
func take(counts map[any]int, key any) bool {
	if counts[key] == 0 {
		return false
	}
	counts[key]--
	return true
}

// of returns the findings of an id, most severe first.
func of(id string, list []engine.Finding) (found []engine.Finding) {
	for _, f := range list {
		if f.ID == id {
			found = append(found, f)
		}
	}
	slices.SortStableFunc(found, func(a, b engine.Finding) int { return int(b.Severity) - int(a.Severity) })
	return found
}

// findingWords describe the first of some findings with the same id, and count the others.
func findingWords(list []engine.Finding) string {
	f := &list[0]
	words := f.What
	if f.Line > 0 {
		words = "line " + wording.Thousands(f.Line) + ": " + f.Text + " (" + f.What + ")"
	}
	if n := len(list) - 1; n > 0 {
		words += ". " + wording.Thousands(n) + " more"
	}
	return words
}
