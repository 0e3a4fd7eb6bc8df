package main

import (
	"bufio"
	"encoding/json"
	"io"

	"robots-audit/audit"
	"robots-audit/engine"
)

// lintJSON writes findings as JSON Lines.
type lintJSON struct{ out io.Writer }

// fileFinding is a finding with the file it is in.
type fileFinding struct {
	File string `json:"file"`
	engine.Finding
}

func (j *lintJSON) file(name string, findings []engine.Finding) error {
	out := bufio.NewWriter(j.out)
	enc := json.NewEncoder(escaped{out})
	enc.SetEscapeHTML(false)
	for _, f := range findings {
		if err := enc.Encode(fileFinding{audit.HideCredentials(name), f}); err != nil {
			return err
		}
	}
	return out.Flush()
}

func (j *lintJSON) end([]string) error { return nil }
