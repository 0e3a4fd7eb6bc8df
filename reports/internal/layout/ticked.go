package layout

import (
	"html/template"
	"strings"

	"robots-audit/engine/escape"
)

// Ticked formats a sentence with code between backticks. A site's text may contain backticks, which
// affects only the look, since every piece is escaped.
func Ticked(s string) template.HTML {
	var b strings.Builder
	for i, piece := range strings.Split(escape.Show(s), "`") {
		text := template.HTMLEscapeString(piece)
		if i%2 == 1 {
			text = "<code><bdi>" + text + "</bdi></code>"
		}
		b.WriteString(text)
	}
	return template.HTML(b.String())
}
