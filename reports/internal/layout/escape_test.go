package layout

import (
	"bytes"
	htmlTemplate "html/template"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"robots-audit/engine/escape"
)

// reference is the simple way: html/template, which knows the context of a text.
var reference = htmlTemplate.Must(htmlTemplate.New("").Parse(`<p title="{{.}}">{{.}}</p><p title='{{.}}'>{{.}}</p>`))

// FuzzAppend compares appended text with html/template's: a browser must read the same elements,
// attributes and texts.
func FuzzAppend(f *testing.F) {
	for _, s := range []string{
		"", "plain /a", `<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `' onmouseover='alert(1)`, "a&amp;b&", "`x` + y", "\x00\x01\x7f\xff\xfe",
		"right \u202e left \u2066", "new\nline\r\ttab", "ünïcödé 漢字 \U0001F600", "]]> --> </style></script></textarea><!--", "{{.}}", "\u2028\u2029\ufeff\ufffe", "&#x3c;&lt", strings.Repeat("<", 300),
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var want bytes.Buffer
		if err := reference.Execute(&want, escape.Show(s)); err != nil {
			t.Fatal(err)
		}
		got := []byte(`<p title="`)
		got = append(AppendAttr(got, s), `">`...)
		got = append(AppendText(got, s), `</p><p title='`...)
		got = append(AppendAttr(got, s), `'>`...)
		got = append(AppendText(got, s), `</p>`...)
		a, b := parsed(t, want.Bytes()), parsed(t, got)
		if a != b {
			t.Errorf("%q: html/template has %q, appended is %q", s, a, b)
		}
		if bytes.ContainsAny(AppendAttr(nil, s), "<>\"'`") || bytes.ContainsAny(AppendText(nil, s), "<>") {
			t.Errorf("%q: appended is %q", s, got)
		}
	})
}

// parsed is the result of parsing markup like a browser, in a standard form.
func parsed(t *testing.T, markup []byte) string {
	root, err := html.Parse(bytes.NewReader(markup))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := html.Render(&b, root); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
