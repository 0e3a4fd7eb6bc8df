package audit

import (
	"robots-audit/audit/internal/findings"
	"robots-audit/engine"
)

// Findings are what the owner of one robots.txt should know about it: what the
// file alone shows, and what it does to the known URLs.
type Findings struct {
	Origin int       `json:"origin"` // Robots.Index
	List   []Finding `json:"list"`   // in the order of the lines, those about the file as a whole first
}

// Finding is a finding of the engine's catalogue with the known URLs that it
// touches. All its texts are UTF-8: other bytes of the file stand as \xNN.
type Finding struct {
	engine.Finding
	Counted bool   `json:"counted,omitempty"` // URLs is a count; false where it is no question of URLs, or no one asked about obeys the line
	Touched string `json:"touched,omitempty"` // what URLs counts, in words: "decided by this line"; "" = nothing

	// URLs is the number of known URLs that the finding touches. Each counts once,
	// however many crawlers, lines or sitemaps have to do with it. Where URLs show the
	// finding, they are those of which What speaks. Where the file alone shows it,
	// they are those that its line, or one of its lines, decides for one of the
	// crawlers asked about; where it says that the line changes no verdict, those that
	// the line matches for one of them. Those of the findings that More stands for are
	// not among them.
	URLs    int64    `json:"urls,omitempty"`
	Samples []string `json:"samples,omitempty"` // the first few of them

	// Flips is the number of known URLs whose verdict is another one for what the
	// finding speaks of: they would get another one, for at least one of the crawlers
	// asked about, if it were fixed. FlipsKnown says that it is all of them; else
	// there may be more, and 0 says nothing. Of a few findings of a file, the URLs
	// are tested against the file as it should be (Replacement).
	Flips      int64 `json:"flips,omitempty"`
	FlipsKnown bool  `json:"flips_known,omitempty"`
}

// Effect is the severity of a finding by what it does to the known URLs of an audit:
// where it is measured that the finding changes the verdict on none, it is Info at most.
func (f *Finding) Effect() engine.Severity {
	if f.Flips == 0 && f.FlipsKnown {
		return engine.Info
	}
	return f.Severity
}

// Severities counts findings, those included that were left out for their
// number (engine.Finding.More).
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

// emitFindings emits what is to be said about each robots.txt, and counts it.
func (s *site) emitFindings() {
	s.done.Findings, s.done.Effects = &Severities{}, &Severities{}
	for _, o := range s.origins {
		if o.findings == nil {
			continue
		}
		if o.index == 0 {
			s.checkTarget(o, o.name+"/", findings.HomePage)
			s.compareRobots()
		}
		s.makeMatrix(o)
		found := o.findings.Findings(s.fileOrigin(o) != o) // what the file alone shows is told once
		list := make([]Finding, len(found))
		for i := range found {
			list[i] = Finding(found[i])
			s.done.Findings.Add(&list[i])
			s.done.Effects.add(s.effect(&list[i]), int64(1+list[i].More))
			s.noteGravest(o, &list[i])
		}
		o.findings = nil // the loop may take a while to come for the record
		s.emit(Record{Findings: &Findings{Origin: o.index, List: list}})
	}
}
