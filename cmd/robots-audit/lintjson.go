package main

import (
	"bufio"
	"encoding/json"
	"io"

	"robots-audit/engine"
)

// lintJSON writes findings as JSON Lines.
type lintJSON struct{ out io.Writer }

// fileFinding is a finding with the file it is in, and what was decided about it.
type fileFinding struct {
	File string `json:"file"`
	engine.Finding
	Fingerprint string    `json:"fingerprint"`       // the same as long as the line is, wherever it moves
	Ignored     *decision `json:"ignored,omitempty"` // it does not count, as somebody decided
	Known       bool      `json:"known,omitempty"`   // it does not count: it is in the baseline
}

// decision is why a finding is ignored.
type decision struct {
	Reason string `json:"reason"` // "" = none was given
	By     string `json:"by"`     // where it is written: "robots.txt:3"
}

func (j *lintJSON) file(name string, findings []lintFinding) error {
	out := bufio.NewWriter(j.out)
	enc := json.NewEncoder(escaped{out})
	enc.SetEscapeHTML(false)
	for _, f := range findings {
		written := fileFinding{File: name, Finding: f.Finding, Fingerprint: f.fingerprint, Known: f.known}
		if f.ignored != nil {
			written.Ignored = &decision{f.ignored.Reason, f.ignored.By}
		}
		if err := enc.Encode(written); err != nil {
			return err
		}
	}
	return out.Flush()
}

func (j *lintJSON) end([]string) error { return nil }
