package page

import (
	htmlTemplate "html/template"
	"iter"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"robots-audit/audit"
	"robots-audit/engine"
	"robots-audit/reports/internal/layout"
)

// What html/template makes of the same rows: the reference for the hand-written ones.
const (
	lineReference = `{{range .}}
<tr class="h{{.Heat}}{{if .Idle}} idle{{end}}"><td class="n">{{.Number}}</td><td class="text">{{if .Details}}<span class="hold">{{if .Key}}<button type="button" class="pick" data-rule="{{shown .Key}}" aria-describedby="t{{.ID}}"><code><bdi>{{shown .Text}}</bdi></code></button>{{else}}<code tabindex="0" role="note" aria-describedby="t{{.ID}}"><bdi>{{shown .Text}}</bdi></code>{{end}}<span class="tip" role="tooltip" id="t{{.ID}}">{{range .Details}}<span>{{shown .}}</span>{{end}}</span></span>{{else}}<code><bdi>{{shown .Text}}</bdi></code>{{end}}</td><td>{{shown .Kind}}{{if .Idle}}, idle{{end}}{{if .Lint}}<span class="flag">finding</span>{{end}}</td><td class="n">{{if ge .Matched 0}}{{thousands .Matched}}{{end}}</td><td class="n">{{if ge .Decided 0}}{{thousands .Decided}}{{end}}</td></tr>{{end}}`
	findingReference = `{{range .}}
<tr><th scope="row"><span class="state {{shown (print .State)}}"><span class="sign" aria-hidden="true">{{sign .State}}</span> {{.Severity}}</span><span class="sub">{{.ID}} {{.Name}}</span></th><td class="n">{{if .Line}}{{.Line}}{{else}}–{{end}}</td><td class="words">{{shown .What}}{{with .Text}}<code class="means"><bdi>{{shown .}}</bdi></code>{{end}}<span class="sub flow">{{shown .Why}}</span></td><td class="words">{{shown .Fix}}{{with .Replacement}}<code class="means"><bdi>{{shown .}}</bdi></code>{{end}}{{if .More}}<span class="sub">and {{.More}} more of this kind</span>{{end}}</td><td class="n">{{if .Counted}}{{thousands .URLs}}<span class="sub flow">{{shown .Touched}}</span>{{end}}</td><td>{{shown .OfGroup}}</td></tr>{{end}}`
)

// rowTexts would run, or break out of where they stand, if they were not escaped.
var rowTexts = []string{
	"", "plain /a", `<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `' onmouseover='alert(1)`, "a&amp;b&", "`x` + y", "\x00\x01\x7f\xff\xfe",
	"right \u202e left \u2066", "new\nline\r\ttab", "ünïcödé 漢字 \U0001F600", "]]> --> </style></script>", "{{.Name}}", "\u2028\u2029\ufeff", strings.Repeat("<", 300),
}

func TestRowsAsTemplate(t *testing.T) {
	var lines []viewLine
	var findings []finding
	for i, text := range rowTexts {
		other := rowTexts[(i*7+3)%len(rowTexts)]
		for shape := range 16 {
			l := viewLine{Number: i + 1, ID: "0-" + strconv.Itoa(i), Text: text, Kind: other, Heat: shape % 6, Decided: int64(shape*1000 - 1000), Matched: int64(i*12345 - 1)}
			l.Idle, l.Lint = shape&1 > 0, shape&2 > 0
			if shape&4 > 0 {
				l.Details = []string{other, text}
			}
			if shape&8 > 0 {
				l.Key = "0:" + text
			}
			lines = append(lines, l)
			f := finding{State: "warn", OfGroup: other, Finding: audit.Finding{Counted: shape&1 > 0, Touched: text, URLs: int64(shape * 1000)}}
			f.ID, f.Line, f.What, f.Text, f.Why, f.Fix, f.Severity = "RUL001", shape%3*i, text, other, text, other, engine.Severity(shape%4)
			if shape&2 > 0 {
				f.Replacement, f.More, f.State = text, shape, audit.State(text)
			}
			findings = append(findings, f)
		}
	}
	for _, of := range []struct {
		name, reference string
		data            any
		own             iter.Seq[htmlTemplate.HTML]
	}{{"lines", lineReference, lines, lineRows(lines)}, {"findings", findingReference, findings, findingRows(findings)}} {
		var want, got strings.Builder
		for some := range of.own {
			got.WriteString(string(some))
		}
		if err := htmlTemplate.Must(htmlTemplate.New(of.name).Funcs(layout.Funcs).Funcs(pageFuncs).Parse(of.reference)).Execute(&want, of.data); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(strings.Split(want.String(), "\n"), strings.Split(got.String(), "\n")); diff != "" {
			t.Errorf("%s: html/template (-) and own rows (+):\n%.4000s", of.name, diff)
		}
	}
}
