package engine

import "fmt"

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
		if f.Line == 0 || f.Fix == "" || lead == nil || lead.ID == f.ID || compatible[f.ID] && causedBy[f.ID] != lead.ID || !lead.edits() && lead.Severity < f.Severity && causedBy[f.ID] != lead.ID {
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
