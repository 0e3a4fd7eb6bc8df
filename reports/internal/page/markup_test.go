package page

import (
	"bytes"
	htmlTemplate "html/template"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"robots-audit/audit"
	"robots-audit/engine"
	"robots-audit/reports/internal/layout"
)

// Templates for the same rows: the simple way, with which the appended rows are compared.
const (
	ownReference  = `{{define "own"}}{{if ascii .}}{{shown .}}{{else}}<bdi>{{shown .}}</bdi>{{end}}{{end}}`
	lineReference = `<table class="heat">{{range $body := .}}{{$idle := idle .}}{{$alike := alike .}}<tbody{{if $idle}} class="idle"{{end}}>{{range $i, $l := .}}<tr{{if .Heat}} class="h{{.Heat}}"{{else if and .Idle (not $idle)}} class="idle"{{end}}>
<td>{{.Number}}</td><td>{{if and .Details .Key}}<button class="pick" data-rule="{{shown .Key}}"{{if eq $i 0}} aria-describedby="t{{.File}}-{{.Number}}"{{end}}><code>{{template "own" .Text}}</code></button>{{else if and .Details (eq $i 0)}}<code tabindex="0" role="note" aria-describedby="t{{.File}}-{{.Number}}">{{template "own" .Text}}</code>{{else}}{{template "own" .Text}}{{end}}{{if not $alike}}{{if eq $i 0}}{{template "tip" .}}{{end}}</td><td>{{template "kind" .}}</td><td>{{if ge .Matched 0}}{{thousands .Matched}}{{end}}</td><td>{{if ge .Decided 0}}{{thousands .Decided}}{{end}}</td>{{else if eq $i 0}}</td><td rowspan="{{len $body}}"><span>{{template "kind" .}}{{template "tip" .}}</span></td><td rowspan="{{len $body}}">{{if ge .Matched 0}}<span>{{thousands .Matched}}</span>{{end}}</td><td rowspan="{{len $body}}">{{if ge .Decided 0}}<span>{{thousands .Decided}}</span>{{end}}</td>{{else}}</td>{{end}}</tr>{{end}}</tbody>{{end}}
</table>{{define "kind"}}{{shown .Kind}}{{if .Idle}}, no effect{{end}}{{if .Lint}}<mark>finding</mark>{{end}}{{end}}{{define "tip"}}{{if .Details}}<span class="tip" role="tooltip" id="t{{.File}}-{{.Number}}">{{range .Details}}<span>{{shown .}}</span>{{end}}</span>{{end}}{{end}}`
	findingReference = `<table><tbody>{{range .}}
<tr><th><b class="is {{shown (print .State)}}">{{.Severity}}</b><span class="sub">{{.ID}} {{.Name}}</span><td>{{if .Line}}{{.Line}}{{else}}–{{end}}{{with .Origin}}<span class="sub flow">{{shown .}}</span>{{end}}<td>{{shown .What}}{{with .Text}}<code class="means">{{template "own" .}}</code>{{end}}<span class="sub flow">{{shown .Why}}</span><td>{{shown .Fix}}{{with .Replacement}}<code class="means">{{template "own" .}}</code>{{end}}{{if .More}}<span class="sub">and {{.More}} more of this kind</span>{{end}}<td>{{if .Counted}}{{thousands .URLs}}<span class="sub flow">{{shown .Touched}}</span>{{end}}<td>{{shown .Crawlers}}{{end}}</tbody></table>`
)

// referenceFuncs are the functions of the references in addition to those of all templates.
var referenceFuncs = htmlTemplate.FuncMap{
	"ascii": func(s string) bool {
		return !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf })
	},
	"alike": func(lines []viewLine) bool {
		return len(lines) >= fewestAlike && !slices.ContainsFunc(lines, func(l viewLine) bool {
			l.Number, l.Text, l.Key, l.Details = lines[0].Number, lines[0].Text, lines[0].Key, lines[0].Details
			return !reflect.DeepEqual(l, lines[0])
		})
	},
	"idle": func(lines []viewLine) bool {
		return !slices.ContainsFunc(lines, func(l viewLine) bool { return !l.Idle })
	},
}

// rowTexts would run, or break out of their context, if they were not escaped.
var rowTexts = []string{
	"", "plain /a", `<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `' onmouseover='alert(1)`, "a&amp;b&", "`x` + y", "\x00\x01\x7f\xff\xfe",
	"right \u202e left \u2066", "new\nline\r\ttab", "ünïcödé 漢字 \U0001F600", "]]> --> </style></script>", "{{.Name}}", "\u2028\u2029\ufeff", strings.Repeat("<", 300),
}

func TestRowsAsTemplate(t *testing.T) {
	var lines [][]viewLine // bodies of the table, each with one tip
	var findings []finding
	number := 0
	for i, text := range rowTexts {
		other := rowTexts[(i*7+3)%len(rowTexts)]
		for shape := range 32 {
			number++
			l := viewLine{Number: number, Text: text, Kind: other, Heat: shape % 6, Decided: int64(shape*1000 - 1000), Matched: int64(i*12345 - 1)}
			l.Idle, l.Lint = l.Heat == 0 && shape&1 > 0, shape&2 > 0
			if shape&4 > 0 {
				l.Details = []string{other, text, strconv.Itoa(number)}
			}
			if shape&8 > 0 {
				l.Key = "0:" + text
			}
			body := []viewLine{l}
			if shape&16 > 0 && l.Details != nil {
				l.Number, number, l.Text = number+1, number+1, other
				for range shape { // more than have one tip, unless they share their cells
					if i%2 == 0 {
						l.Matched++
					}
					body = append(body, l)
					l.Number, number = number+1, number+1
				}
				if i%2 == 1 {
					lines = append(lines, body)
					body = nil
				}
			} else if n := len(lines); l.Details == nil && n > 0 && lines[n-1][0].Details == nil && len(lines[n-1]) < oneTip {
				lines[n-1] = append(lines[n-1], l)
				continue
			}
			lines = slices.AppendSeq(lines, slices.Chunk(body, oneTip))
			f := finding{State: "warn", Crawlers: other, Finding: audit.Finding{Counted: shape&1 > 0, Touched: text, URLs: int64(shape * 1000)}}
			f.ID, f.Line, f.What, f.Text, f.Why, f.Fix, f.Severity = "RUL001", shape%3*i, text, other, text, other, engine.Severity(shape%4)
			if shape&2 > 0 {
				f.Replacement, f.More, f.State, f.Origin = text, shape, audit.State(text), other
			}
			findings = append(findings, f)
		}
	}
	var all, rows markup
	all.file(&viewFile{Lines: slices.Concat(lines...)})
	for i := range findings {
		rows.finding(&findings[i])
	}
	for _, of := range []struct {
		name, reference string
		data            any
		own             string
	}{{"lines", lineReference, lines, string(all.buf)}, {"findings", findingReference, findings, "<table><tbody>" + string(rows.buf) + "</tbody></table>"}} {
		var want bytes.Buffer
		if err := htmlTemplate.Must(htmlTemplate.New(of.name).Funcs(layout.Funcs).Funcs(pageFuncs).Funcs(referenceFuncs).Parse(ownReference+of.reference)).Execute(&want, of.data); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(bodies(t, want.String()), bodies(t, of.own)); diff != "" {
			t.Errorf("%s: html/template (-) and appended (+):\n%.4000s", of.name, diff)
		}
	}
}

// bodies are the bodies of the tables in a page as parsed by a browser, one line for each row.
func bodies(t *testing.T, page string) []string {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for n := range root.Descendants() {
		if n.Type == html.ElementNode && n.Data == "tbody" {
			if err := html.Render(&b, n); err != nil {
				t.Fatal(err)
			}
		}
	}
	list := strings.SplitAfter(strings.ReplaceAll(b.String(), `class="tip up"`, `class="tip"`), "</tr>")
	return list
}
