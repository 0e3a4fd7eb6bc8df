package engine

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"robots-audit/engine/wording"
)

// maxChecked bounds the bytes of the edited files that are linted again, and so how
// many edits of one file are checked: all of them in a file of usual size.
const maxChecked = 1 << 17

// unchecked are the findings whose edits are not linted again: they write the same path in
// escapes, in up to a thousand lines of a file.
var unchecked = map[string]bool{"RUL014": true, "YA009": true}

// settleEdits takes back edits: all but one of a line, and those that leave the file no
// better. Advice that may block URLs says so first.
func (l *linter) settleEdits() {
	var offers []*Finding
	for i := range l.found {
		if f := &l.found[i]; f.Replacement != "" || f.Delete != nil {
			offers = append(offers, f)
		}
	}
	slices.SortStableFunc(offers, func(a, b *Finding) int {
		return cmp.Or(cmp.Compare(b.Severity, a.Severity), cmp.Compare(len(b.Delete), len(a.Delete)))
	})
	edited := map[int]string{} // by line: the finding whose edit it has
	left, found := maxChecked, weigh(l.found)
	for _, f := range offers {
		lines := f.Delete
		if lines == nil {
			lines = []int{f.Line}
		}
		if at := slices.IndexFunc(lines, func(n int) bool { return edited[n] != "" }); at >= 0 {
			f.takeBack(fmt.Sprintf("First make the edit for %s in line %d.", edited[lines[at]], lines[at]))
			continue
		}
		if f.Replacement != "" && !f.Harmless && f.ID != "DIR010" { // which says it of all its lines
			f.Fix = l.warning(f) + f.Fix
		}
		if !f.Harmless && !unchecked[f.ID] || f.ID == "RUL001" { // the other harmless ones bring nothing new
			if left -= len(l.text); left >= 0 && !l.worthIt(f, found) {
				f.takeBack("")
				continue
			}
		}
		for _, n := range lines {
			edited[n] = f.ID
		}
	}
}

// worthIt reports whether the file is better with the edit of a finding made; found are the
// findings without it. The split of DIR010 brings back lines that no one read, and a rule that
// is fixed may be one too many: such an edit stays, and says how many findings more there
// are then.
func (l *linter) worthIt(f *Finding, found weight) bool {
	with := l.weighWith(f)
	more := with.sum() - found.sum()
	if !f.Harmless && f.ID != "DIR010" {
		return more <= 0 && with.lighter(found)
	}
	if with[Critical] > found[Critical] { // RUL018
		f.Fix = closesFirst + strings.TrimPrefix(strings.TrimPrefix(f.Fix, blocksFirst), closesFirst)
	}
	if more > 0 {
		f.Fix += fmt.Sprintf(" After this edit there are %s.", wording.Plural(more, "further finding"))
	}
	return true
}

// takeBack has a finding offer no edit. instead is said in place of words that speak of a
// proved one.
func (f *Finding) takeBack(instead string) {
	if f.Harmless || unchecked[f.ID] {
		f.Fix = instead
	}
	f.Replacement, f.Delete, f.Harmless = "", nil, false
}

// weight is the number of findings by severity: one for each line that they are about.
type weight [Critical + 1]int

func weigh(found []Finding) (w weight) {
	for i := range found {
		f := &found[i]
		w[f.Severity] += max(len(f.Lines), 1) + f.More
	}
	return w
}

func (w weight) sum() (n int) {
	for _, findings := range w {
		n += findings
	}
	return n
}

// lighter reports whether the most severe findings that differ are fewer than in other.
func (w weight) lighter(other weight) bool {
	slices.Reverse(w[:])
	slices.Reverse(other[:])
	return slices.Compare(w[:], other[:]) < 0
}

// weighWith weighs the findings of the file with the edit of one of them made.
func (l *linter) weighWith(f *Finding) weight {
	o := l.LintOptions
	o.Reading = nil
	body := l.edited(f)
	if o.File != nil {
		file := *o.File
		if o.File = &file; file.Cached != nil {
			file.Cached = body
		}
	}
	again := newLinter(body, o, l.listed)
	again.asked = l.asked
	again.check()
	return weigh(again.found)
}

// edited is the file with the edit of a finding made.
func (l *linter) edited(f *Finding) []byte {
	body, at := make([]byte, 0, len(l.text)+len(f.Replacement)), 0
	for r := newLineReader(lenientProfile, l.text); r.next(); {
		switch {
		case f.Delete != nil && slices.Contains(f.Delete, r.number):
			body, at = append(body, l.text[at:r.start]...), r.offset
		case f.Delete == nil && r.number == f.Line:
			body, at = append(append(body, l.text[at:r.start]...), f.Replacement...), r.start+len(r.text)
		}
	}
	return append(body, l.text[at:]...)
}

// What advice begins with that may block URLs.
const (
	blocksFirst = "Check first: this may block URLs that are allowed now. "
	closesFirst = "Check first: this blocks the whole site. "
)

// warning says of the replacement of a line that it may block URLs; "" = it is
// proved that it does not.
func (l *linter) warning(f *Finding) string {
	n := l.lineAt(f.Line)
	e := edit{lintLine: n, text: f.Replacement}
	after := newLineReader(lenientProfile, e.text)
	after.next()
	blocks := slices.DeleteFunc(l.flips(e), func(p *Profile) bool { return after.kind == lineAllow && l.reader(p).onlyAllows(e) })
	switch {
	case len(blocks) == 0:
		return ""
	case after.kind == lineDisallow && after.value != "" && strings.Trim(after.value, "/*") == "":
		return closesFirst
	}
	return blocksFirst
}

// onlyAllows reports whether an edit does no more than add an allow rule to the groups
// of a line, by which nothing can be blocked.
func (r *reader) onlyAllows(e edit) bool {
	if r.Access != Parsed || r.Profile.WildcardConflict {
		return false
	}
	r.markLines()
	mark := r.marks[e.number-1]
	k := lineAllow
	switch kind(mark & markKind) {
	case lineAgent, lineDisallow:
		return false
	case lineAllow:
		i, _ := r.ruleAt(e.number)
		if mark&markOpen != 0 && len(r.Profile.appendRanked(nil, 0, &r.rules[i])) > 0 {
			return false
		}
	}
	return r.keepsGroups([]int{e.number}, &k)
}

// rewriting are the findings whose fix changes the text of their line, also where no edit is offered.
var rewriting = map[string]bool{
	"FMT003": true, "FMT010": true, "DIR003": true, "DIR008": true, "DIR009": true, "DIR010": true, "GRP002": true, "GRP007": true, "GRP008": true, "GRP010": true, "GRP011": true,
	"RUL001": true, "RUL002": true, "RUL010": true, "RUL011": true, "RUL015": true, "RUL016": true, "RUL022": true,
	"SM001": true, "SM020": true, "YA004": true, "YA005": true,
}

// compatible are the findings whose fix can be made beside that of another finding of the line:
// it is about other lines, or about more than robots.txt.
var compatible = map[string]bool{"GRP005": true, "GRP006": true, "RUL007": true, "RUL018": true, "RUL022": true, "AI001": true, "AI002": true, "AI003": true, "AI004": true, "DIR005": true}

// causedBy are findings that often come from another one of the same line, whose fix is the first to make.
var causedBy = map[string]string{"SM001": "FMT003", "RUL001": "FMT003", "RUL002": "FMT003", "DIR003": "FMT003", "GRP003": "GRP011", "GRP005": "GRP007"}

// settleFixes leaves a line one fix: what several findings say to do with it would contradict.
func (l *linter) settleFixes() {
	leads := map[int]*Finding{} // by line
	for i := range l.found {
		f := &l.found[i]
		if lead := leads[f.Line]; f.canLead() && (lead == nil || f.leads(lead)) {
			leads[f.Line] = f
		}
	}
	for i := range l.found {
		f := &l.found[i]
		lead := leads[f.Line]
		if lead == nil || lead.ID == f.ID || f.Fix == "" {
			continue
		}
		if causedBy[f.ID] != lead.ID && (compatible[f.ID] || !lead.edits() && lead.Severity < f.Severity) {
			continue
		}
		what := "fix "
		if lead.edits() {
			what = "make the edit for "
		}
		f.takeBack("")
		f.Fix = fmt.Sprintf("First %s%s in line %d.", what, lead.ID, lead.Line)
	}
}

// edits reports whether an edit is offered.
func (f *Finding) edits() bool { return f.Replacement != "" || f.Delete != nil }

// canLead reports whether the fix of a finding may be that of its line.
func (f *Finding) canLead() bool { return f.Line > 0 && f.Fix != "" && (f.edits() || rewriting[f.ID]) }

// leads reports whether the fix of a finding goes before that of another one which can lead. The more
// severe one does, unless it has no edit and the edit of the other takes its cause away.
func (f *Finding) leads(other *Finding) bool {
	switch {
	case causedBy[other.ID] == f.ID && !other.edits():
		return true
	case causedBy[f.ID] == other.ID && !f.edits(), f.Severity != other.Severity:
		return causedBy[f.ID] != other.ID && f.Severity > other.Severity
	}
	return f.edits() && !other.edits()
}
