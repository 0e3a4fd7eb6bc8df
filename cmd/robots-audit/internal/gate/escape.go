package gate

import (
	"fmt"
	"regexp"
	"strings"

	"robots-audit/engine/escape"
)

// cell is code in a table cell, where a bar needs a backslash. Parsers differ on a bar that has one
// already, so such a text is escaped as HTML.
func cell(s string) string {
	if strings.Contains(s, `\|`) {
		return "<code>" + entities(s) + "</code>"
	}
	return strings.ReplaceAll(escape.Code(s), "|", `\|`)
}

// plainCell is plain for a table cell.
func plainCell(s string) string { return words(s, cell) }

// plain is a text without Markdown in it. Words that GitHub and GitLab turn into links, references
// or emoji become code.
func plain(s string) string { return words(s, escape.Code) }

// linked are words that would become a link or an emoji.
var linked = regexp.MustCompile(`://|www\.|@[^.]+\.|:[A-Za-z0-9_+-]+:`)

// listed is the start of a list or a heading at the start of a line, before its last character.
var listed = regexp.MustCompile(`^([0-9]*)([-+=.)])`)

func words(s string, code func(string) string) string {
	s = escape.Show(s)
	list := strings.Split(s, " ")
	for i, word := range list {
		if linked.MatchString(word) || escape.Markdown(word, "") != word {
			bare := strings.TrimRight(word, ".,;")
			if !strings.HasPrefix(bare, ":") { // of :emoji:
				bare = strings.TrimSuffix(bare, ":")
			}
			list[i] = code(bare) + word[len(bare):]
			continue
		}
		list[i] = strings.ReplaceAll(escape.Markdown(word, "\\`*_~#<>[]&"), "|", `\|`)
	}
	return listed.ReplaceAllString(strings.Join(list, " "), `$1\$2`)
}

// entities escapes as HTML the punctuation that Markdown interprets, and what makes an address a
// link.
func entities(s string) string {
	var b strings.Builder
	for _, r := range escape.Show(s) {
		if strings.ContainsRune("\\`*_{}[]<>()#+-.!|~&@:^$=\"'", r) {
			fmt.Fprintf(&b, "&#%d;", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}
