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

// HTML is the message as a page without anything from elsewhere, for mail. It reads the
// same where a mail program takes its styles away, and in the dark.
func (m Message) HTML() string {
	var b strings.Builder
	err := pageTemplate.Execute(&b, struct {
		Message
		Title    string
		Sections []section
	}{m, m.Subject(), m.sections()})
	if err != nil { // a writer that cannot fail, and data of one shape
		panic(err)
	}
	return b.String()
}
