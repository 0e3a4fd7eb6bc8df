package main

import (
	"cmp"
	"fmt"
	"io"

	"robots-audit/cmd/robots-audit/internal/codequality"
	"robots-audit/engine"
	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
)

// lintQuality writes GitLab's Code Quality report. Ignored and known findings are not in it, since
// the format has no place for a decision.
type lintQuality struct {
	out    io.Writer
	root   string // the folder to which file names are relative
	uri    string // of the only file, for code review; "" = use its name
	issues []codequality.Issue
}

// qualities are GitLab's names for severities.
var qualities = [...]codequality.Severity{engine.Info: codequality.Info, engine.Warning: codequality.Minor, engine.Error: codequality.Major, engine.Critical: codequality.Critical}

func (q *lintQuality) file(name string, findings []lintFinding) error {
	for _, f := range findings {
		if !f.isNew() {
			continue
		}
		text := f.What
		if f.More > 0 {
			text += fmt.Sprintf(" (and %s more)", wording.Thousands(f.More))
		}
		q.issues = append(q.issues, codequality.New(q.root, cmp.Or(q.uri, name), f.Line, f.ID, f.fingerprint, escape.Printable(f.ID+": "+text+". "+f.Fix), qualities[f.Severity]))
	}
	return nil
}

func (q *lintQuality) end([]string) error { return codequality.Write(q.out, q.issues) }
