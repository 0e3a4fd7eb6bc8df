package changes

import (
	"fmt"
	"regexp"
	"strings"

	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
)

// bounded is text of limited length, in which every entry is complete or missing.
type bounded struct {
	strings.Builder
	limit int
}

// roomForMore is reserved for the sentences that say what was omitted.
const roomForMore = 400

// add adds text formatted as by fmt.Sprintf, if there is space.
func (b *bounded) add(format string, args ...any) bool {
	text := fmt.Sprintf(format, args...)
	if b.Len()+len(text) > b.limit-roomForMore {
		return false
	}
	b.WriteString(text)
	return true
}

// force adds a sentence that says what was omitted, as long as there is any space.
func (b *bounded) force(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); b.Len()+len(text) <= b.limit {
		b.WriteString(text)
	}
}

// table adds a table or a list: its head, at most most rows, and the number of the others.
func (b *bounded) table(head string, rows, most int, row func(int) string) {
	if !b.add("%s", head) {
		return
	}
	told := 0
	for told < min(rows, most) && b.add("%s", row(told)) {
		told++
	}
	if more := rows - told; more > 0 {
		b.force("\n%s more.\n", wording.Thousands(more))
	}
	b.force("\n")
}

// markdownText escapes text so that it contains no markup and no links except code between backticks, as in the
// sentences of package model.
func markdownText(s string) string {
	parts := strings.Split(s, "`")
	var b strings.Builder
	for i, part := range parts {
		switch {
		case len(parts)%2 == 1 && i%2 == 1:
			b.WriteString(escape.Code(part))
			continue
		case i > 0 && len(parts)%2 == 0:
			b.WriteString("\\`")
		}
		b.WriteString(unlinked(part, "\\*_~#<>[]&"))
	}
	return b.String()
}

// linked are words that sites turn into links to any address.
var linked = regexp.MustCompile(`(?i)://|www\.|mailto:|xmpp:`)

// unlinked is escape.Markdown, where also words that sites turn into links become code, without a stop at their end.
func unlinked(s, signs string) string {
	words := strings.Split(s, " ")
	for i, word := range words {
		if linked.MatchString(word) {
			bare := strings.TrimRight(word, ".,;:")
			words[i] = escape.Code(bare) + word[len(bare):]
			continue
		}
		words[i] = escape.Markdown(word, signs)
	}
	return strings.Join(words, " ")
}

// markdownRow is a row of a table. A bar within text is escaped, in code too.
func markdownRow(cells ...string) string {
	for i, cell := range cells {
		cells[i] = strings.ReplaceAll(cell, "|", "\\|")
	}
	return "| " + strings.Join(cells, " | ") + " |\n"
}

// markdownNumber is a number in a table; zero is blank, so that other numbers are easy to see.
func markdownNumber(n int64) string {
	if n == 0 {
		return ""
	}
	return wording.Thousands(n)
}
