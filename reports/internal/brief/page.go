package brief

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"strings"

	"robots-audit/engine/escape"
)

//go:embed brief.html
var markup string

//go:embed brief.css
var style string

var parsed = template.Must(template.New("brief").Funcs(template.FuncMap{
	"prose": prose, "style": func() template.CSS { return template.CSS(style) },
	"hash": func() string {
		sum := sha256.Sum256([]byte(style))
		return base64.StdEncoding.EncodeToString(sum[:])
	},
	"logo": func(s Sender) template.URL { return template.URL(s.Logo) }, // see Sender.Check
}).Parse(markup))

// prose is a text whose parts between back quotes are code.
func prose(text string) template.HTML {
	parts := strings.Split(escape.Show(text), "`")
	for i := range parts {
		if parts[i] = template.HTMLEscapeString(parts[i]); i%2 == 1 && i < len(parts)-1 {
			parts[i] = "<code>" + parts[i] + "</code>"
		}
	}
	return template.HTML(strings.Join(parts, ""))
}

// page is the page of a brief.
func (r *Run) page(c *content) []byte {
	c.Sender, c.Date = r.sender, r.started.UTC().Format("2 January 2006")
	c.fit()
	var text bytes.Buffer
	if err := parsed.Execute(&text, c); err != nil {
		panic(err) // the template is part of the program, and a buffer takes everything
	}
	return text.Bytes()
}
