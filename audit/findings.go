package audit

import (
	"strings"

	"robots-audit/engine"
	"robots-audit/engine/escape"
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
	Counted bool     `json:"counted,omitempty"` // URLs is a count; false where it is no question of URLs, or nobody asked about obeys the line
	URLs    int64    `json:"urls,omitempty"`    // known URLs that it touches
	Samples []string `json:"samples,omitempty"` // the first few of them
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
func (s *Severities) Add(f *Finding) {
	n := int64(1 + f.More)
	switch f.Severity {
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

// text makes all texts of the finding UTF-8, so that they are the same once
// they were written as JSON and read again, and the line its own, so that the
// finding does not hold the whole file.
func (f *Finding) text() {
	f.Text = strings.Clone(f.Text)
	for _, s := range []*string{&f.Text, &f.What, &f.Why, &f.Fix, &f.Replacement} {
		*s = escape.ShowInvalid(*s)
	}
	for i := range f.Samples {
		f.Samples[i] = escape.ShowInvalid(f.Samples[i])
	}
}
