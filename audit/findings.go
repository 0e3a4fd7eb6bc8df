package audit

import (
	"robots-audit/audit/internal/findings"
	"robots-audit/engine"
)

// Findings are the findings about one robots.txt: those of the file alone, and its effects on the
// known URLs.
type Findings struct {
	Origin int       `json:"origin"` // Robots.Index
	List   []Finding `json:"list"`   // in the order of the lines, those about the file as a whole first
}

// Finding is a finding of the engine's catalogue with the known URLs that it affects. All its texts
// are UTF-8: other bytes of the file become \xNN.
type Finding struct {
	engine.Finding
	Counted bool   `json:"counted,omitempty"` // URLs is a count; false if the finding is not about URLs, or no tested crawler obeys the line
	Touched string `json:"touched,omitempty"` // description of the counted URLs: "decided by this line"; "" = none

	// URLs is the number of known URLs that the finding affects. Each counts once, for any number
	// of crawlers, lines or sitemaps. If URLs show the finding, it counts the URLs that What is
	// about. If the file alone shows it, it counts the URLs that one of its lines decides for one
	// of the crawlers. If it says that the line changes no verdict, it counts the URLs that the
	// line matches for one of them. URLs of the findings that More counts are not included.
	URLs    int64    `json:"urls,omitempty"`
	Samples []string `json:"samples,omitempty"` // the first few of them

	// Flips is the number of known URLs whose verdict would change, for at least one of the
	// crawlers, if the finding were fixed. FlipsKnown says that the number is complete. Otherwise
	// there may be more, and 0 means nothing. For a few findings of a file, URLs are tested against
	// the corrected file (Replacement).
	Flips      int64 `json:"flips,omitempty"`
	FlipsKnown bool  `json:"flips_known,omitempty"`
}

// Effect is the severity of a finding by its effect on the known URLs of an audit. If measured to
// change no verdict, it is Info.
func (f *Finding) Effect() engine.Severity {
	if f.Flips == 0 && f.FlipsKnown {
		return engine.Info
	}
	return f.Severity
}

// Effect is the severity by which a finding counts in Effects: where there are no known URLs, nothing
// is measured.
func (d *Done) Effect(f *Finding) engine.Severity {
	if d.URLs == 0 {
		return f.Severity
	}
	return f.Effect()
}

// Severities counts findings, including those omitted because there were too many
// (engine.Finding.More).
type Severities struct {
	Critical int64 `json:"critical"`
	Error    int64 `json:"error"`
	Warning  int64 `json:"warning"`
	Info     int64 `json:"info"`
}

// Add counts a finding.
func (s *Severities) Add(f *Finding) { s.add(f.Severity, int64(1+f.More)) }

// add counts n findings of a severity.
func (s *Severities) add(severity engine.Severity, n int64) {
	switch severity {
	case engine.Critical:
		s.Critical += n
	case engine.Error:
		s.Error += n
	case engine.Warning:
		s.Warning += n
	default:
		s.Info += n
	}
}

// Total returns the number of all findings.
func (s Severities) Total() int64 { return s.Critical + s.Error + s.Warning + s.Info }

// emitFindings emits the findings about each robots.txt, and counts them.
func (s *site) emitFindings() {
	s.done.Findings, s.done.Effects = &Severities{}, &Severities{}
	for _, o := range s.origins {
		if o.findings == nil || o.left {
			continue
		}
		if o.index == 0 {
			s.checkTarget(o, o.name+"/", findings.HomePage)
			s.compareRobots()
			o.findings.SetElsewhere(o.name, s.noteWrongBases())
		}
		s.makeMatrix(o)
		found := o.findings.Findings(s.fileOrigin(o) != o) // origins with the same file share the findings of the file alone
		list := make([]Finding, len(found))
		for i := range found {
			list[i] = Finding(found[i])
			s.done.Findings.Add(&list[i])
			s.done.Effects.add(s.done.Effect(&list[i]), int64(1+list[i].More))
			s.noteGravest(o, &list[i])
		}
		o.findings = nil // free the memory: the loop may take the record late
		s.emit(Record{Findings: &Findings{Origin: o.index, List: list}})
	}
}
