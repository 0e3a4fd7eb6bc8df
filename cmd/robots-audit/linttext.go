package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"robots-audit/engine"
	"robots-audit/engine/escape"
)

// lintText writes findings for people, as compilers do: place, severity, what,
// the line with a mark, and what to do. Why and fix are said once a file and
// id, since a file may have a hundred findings of one kind.
type lintText struct {
	out    io.Writer
	colour bool
}

// severityColours are the codes of a terminal.
var severityColours = [...]string{engine.Info: "36", engine.Warning: "33", engine.Error: "31", engine.Critical: "1;31"}

func (t *lintText) paint(code, text string) string {
	if !t.colour {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

func (t *lintText) file(name string, findings []engine.Finding) error {
	out := bufio.NewWriter(t.out)
	said := map[string]bool{}
	for i := range findings {
		f := &findings[i]
		place := named(name)
		if f.Line > 0 {
			place = fmt.Sprintf("%s:%d:%d", place, f.Line, f.Column)
		}
		fmt.Fprintf(out, "%s: %s %s: %s %s\n", t.paint("1", place), t.paint(severityColours[f.Severity], f.Severity.String()),
			f.ID, escape.Printable(f.What), t.paint("2", "["+strings.Join(f.Profiles, ", ")+"]"))
		if f.Line > 0 && f.Text != "" {
			t.quote(out, f)
		}
		if key := f.ID + f.Why + f.Fix; !said[key] {
			said[key] = true
			fmt.Fprintf(out, "      = why: %s\n      = fix: %s\n", escape.Printable(f.Why), escape.Printable(f.Fix))
		}
		if f.More > 0 {
			fmt.Fprintf(out, "      = and %d more %s\n", f.More, f.ID)
		}
	}
	return out.Flush()
}

func (t *lintText) end([]string) error { return nil }

// window is the number of characters of a line that are shown.
const window = 100

// quote writes the line with a mark under the place, and the line as it should
// be where that is known.
func (t *lintText) quote(out io.Writer, f *engine.Finding) {
	from := min(max(f.Column-1, 0), len(f.Text))
	to := min(max(f.EndColumn-1, from), len(f.Text))
	before, marked, after := []rune(escape.Printable(f.Text[:from])), []rune(escape.Printable(f.Text[from:to])), []rune(escape.Printable(f.Text[to:]))
	if most := window / 2; len(before) > most {
		before = append([]rune("…"), before[len(before)-most:]...)
	}
	if room := window - len(before); len(marked) > room {
		marked, after = append(marked[:room:room], '…'), nil
	} else if len(marked)+len(after) > room {
		after = append(after[:room-len(marked):room-len(marked)], '…')
	}
	fmt.Fprintf(out, "%5d | %s%s%s\n", f.Line, string(before), string(marked), string(after))
	indent := strings.Map(func(c rune) rune {
		if c == '\t' {
			return c
		}
		return ' '
	}, string(before))
	mark := "^" + strings.Repeat("~", max(len(marked)-1, 0))
	fmt.Fprintf(out, "      | %s%s\n", indent, t.paint(severityColours[f.Severity], mark))
	if f.Replacement != "" {
		shown := []rune(escape.Printable(f.Replacement))
		if len(shown) > window {
			shown = append(shown[:window:window], '…')
		}
		fmt.Fprintf(out, "      + %s\n", t.paint("32", string(shown)))
	}
}
