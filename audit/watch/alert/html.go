package alert

import (
	_ "embed"
	"html/template"
	"strings"

	"robots-audit/engine/wording"
)

//go:embed message.html
var page string

var pageTemplate = template.Must(template.New("message").Funcs(template.FuncMap{"thousands": wording.Thousands[int]}).Parse(page))

// HTML is the message as a self-contained page for mail. It stays readable if a mail program
// removes its styles, and in dark mode.
func (m Message) HTML() string {
	var b strings.Builder
	err := pageTemplate.Execute(&b, struct {
		Message
		Title    string
		Sections []section
		TestNote string
	}{m, m.Subject(), m.sections(), TestNote})
	if err != nil { // cannot happen: the writer never fails, and the data always has the same type
		panic(err)
	}
	return b.String()
}
