package layout

import (
	"html/template"
	"strings"

	"robots-audit/engine/escape"
)

// Ticked writes a sentence in which what stands between backticks is code. A site's text may
// have backticks of its own, which is no harm but to the look, since every piece is escaped.
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
