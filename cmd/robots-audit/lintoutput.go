package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"robots-audit/cmd/internal/cli"
	"robots-audit/engine"
	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
)

// lintText writes findings for people in at most four lines. The first has position, severity, ID
// and message, as compilers do. The others are the line of the file, the reason, and the fix.
// Reason and fix are written once per file and ID, since a file may have a hundred findings of one
// kind.
type lintText struct {
	out    io.Writer
	colour bool
}

// severityColours are the ANSI codes of the colours of severities.
var severityColours = [...]string{engine.Info: "36", engine.Warning: "33", engine.Error: "31", engine.Critical: "1;31"}

func (t *lintText) paint(code, text string) string {
	if !t.colour {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

func (t *lintText) file(name string, findings []lintFinding) error {
	out := bufio.NewWriter(t.out)
	explained := map[string]bool{}
	for i := range findings {
		if !findings[i].isNew() {
			continue
		}
		f := &findings[i].Finding
		position := cli.Named(name)
		if f.Line > 0 {
			position = fmt.Sprintf("%s:%d:%d", position, f.Line, f.Column)
		}
		more := ""
		if f.More > 0 {
			more = fmt.Sprintf(" (and %s more %s)", wording.Thousands(f.More), f.ID)
		}
		fmt.Fprintf(out, "%s: %s %s: %s%s %s\n", t.paint("1", position), t.paint(severityColours[f.Severity], f.Severity.String()),
			f.ID, escape.Printable(f.What), more, t.paint("2", "["+strings.Join(f.Profiles, ", ")+"]"))
		if f.Line > 0 && f.Text != "" {
			fmt.Fprintf(out, "    %s\n", t.marked(f))
		}
		var fix []string
		if key := f.ID + f.Why + f.Fix; !explained[key] {
			explained[key] = true
			fmt.Fprintf(out, "    Why: %s\n", escape.Printable(f.Why))
			fix = append(fix, escape.Printable(f.Fix))
		}
		if f.Replacement != "" {
			fix = append(fix, t.replacement(f))
		}
		if fix != nil {
			fmt.Fprintf(out, "    Fix: %s\n", strings.Join(fix, " "))
		}
	}
	return out.Flush()
}

func (t *lintText) end([]string) error { return nil }

// maxColumns limits the characters of a line that are shown.
const maxColumns = 100

// marked is the line, with the position in colour.
func (t *lintText) marked(f *engine.Finding) string {
	from := min(max(f.Column-1, 0), len(f.Text))
	to := min(max(f.EndColumn-1, from), len(f.Text))
	before, marked, after := []rune(escape.Printable(f.Text[:from])), []rune(escape.Printable(f.Text[from:to])), []rune(escape.Printable(f.Text[to:]))
	if most := maxColumns / 2; len(before) > most {
		before = append([]rune("…"), before[len(before)-most:]...)
	}
	if columns := maxColumns - len(before); len(marked) > columns {
		marked, after = append(marked[:columns:columns], '…'), nil
	} else if len(marked)+len(after) > columns {
		after = append(after[:columns-len(marked):columns-len(marked)], '…')
	}
	return string(before) + t.paint(severityColours[f.Severity], string(marked)) + string(after)
}

// replacement is the fixed line, or lines.
func (t *lintText) replacement(f *engine.Finding) string {
	lines := replacementLines(f)
	for i, line := range lines {
		shown := []rune(escape.Printable(line))
		if len(shown) > maxColumns {
			shown = append(shown[:maxColumns:maxColumns], '…')
		}
		lines[i] = t.paint("32", string(shown))
	}
	return wording.Verb(len(lines), "New line: ", "New lines: ") + strings.Join(lines, " ⏎ ")
}

// replacementLines are the lines that replace a line, mostly one.
func replacementLines(f *engine.Finding) []string {
	return strings.FieldsFunc(f.Replacement, func(c rune) bool { return c == '\n' || c == '\r' })
}

type lintJSON struct{ out io.Writer }

// fileFinding is a finding with its file, and the decision about it.
type fileFinding struct {
	File string `json:"file"`
	engine.Finding
	Fingerprint string    `json:"fingerprint"`       // does not change when the line moves
	Ignored     *decision `json:"ignored,omitempty"` // it does not count, because the team decided so
	Known       bool      `json:"known,omitempty"`   // it does not count, because it is in the baseline
}

// decision is why a finding is ignored.
type decision struct {
	Reason string `json:"reason"` // "" = none was given
	By     string `json:"by"`     // where it is written, such as "robots.txt:3"
}

func (j *lintJSON) file(name string, findings []lintFinding) error {
	out := bufio.NewWriter(j.out)
	enc := json.NewEncoder(cli.Escaped{W: out})
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

// summary counts the findings of each severity and those left out.
func (run *lintRun) summary(named, unread int) string {
	if unread == named {
		return "no file was linted"
	}
	var parts []string
	for s := engine.Critical; ; s-- {
		if n := run.counts[s]; n > 0 && (s == engine.Error || s == engine.Warning) {
			parts = append(parts, wording.Plural(n, s.String()))
		} else if n > 0 {
			parts = append(parts, wording.Thousands(n)+" "+s.String())
		}
		if s == engine.Info {
			break
		}
	}
	text := wording.Plural(named-unread, "file") + ": " + strings.Join(parts, ", ")
	switch {
	case parts == nil && run.ignored+run.known > 0:
		text += "nothing else found"
	case parts == nil:
		text += "nothing found"
	}
	if run.ignored > 0 {
		text += fmt.Sprintf("; %s ignored", wording.Thousands(run.ignored))
	}
	if run.known > 0 {
		text += fmt.Sprintf("; %s known from %s", wording.Thousands(run.known), cli.OnOneLine(run.baselineName))
	}
	if run.writeBaseline != "" {
		text += "; written to " + cli.OnOneLine(run.writeBaseline)
	}
	if run.missing > 0 {
		text += fmt.Sprintf("; %s %s not found", wording.Plural(run.missing, "file"), wording.Verb(run.missing, "was", "were"))
	}
	if unread -= run.missing; unread > 0 {
		text += fmt.Sprintf("; %s could not be read", wording.Plural(unread, "file"))
		if run.fix {
			text += " or written"
		}
	}
	return text
}
