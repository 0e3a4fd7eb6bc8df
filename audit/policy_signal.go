package audit

import (
	"strings"

	"robots-audit/engine"
	"robots-audit/engine/escape"
)

// signalsOf collects the usage preferences of a file.
func signalsOf(r *engine.Robots) []Signal {
	var list []Signal
	var groups []*engine.Group
	at := -1 // the group that the line stands in
	for line := range r.Lines() {
		if line.Group >= 0 {
			at = line.Group
		}
		if !strings.EqualFold(line.Field, "content-signal") && !strings.EqualFold(line.Field, "content-usage") {
			continue
		}
		if groups == nil {
			groups = r.Groups()
		}
		signal := Signal{Line: line.Number, Text: ownText(line.Field + ": " + line.Value)}
		if at >= 0 && at < len(groups) {
			signal.Tokens = ownTexts(groups[at].Tokens)
		}
		list = append(list, signal)
	}
	return list
}

// ownTexts makes texts of a file UTF-8, and copies that do not hold the file.
func ownTexts(list []string) []string {
	var own []string
	for _, s := range list {
		own = append(own, ownText(s))
	}
	return own
}

func ownText(s string) string { return strings.Clone(escape.ShowInvalid(s)) }
