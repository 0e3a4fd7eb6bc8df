package delivery

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"text/template"
	"text/template/parse"
	"time"

	"robots-audit/audit/compare"
	"robots-audit/audit/watch/alert"
	"robots-audit/engine/escape"
)

// maxTemplate bounds the file of a template, in bytes.
const maxTemplate = 64 << 10

// templateTime bounds the execution of a template. Tests make it shorter.
var templateTime = 5 * time.Second

// Template is a body of a webhook that users write in Go's text/template. It gets a message as
// maps, lists and texts (see plain), without any method, so it can only read the message.
type Template struct {
	name, text string // of its file
	tree       *template.Template
}

// ReadTemplate reads a template from a file.
func ReadTemplate(name string) (*Template, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	} else if !info.Mode().IsRegular() { // a pipe could block
		return nil, fmt.Errorf("%s is not a regular file", name)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxTemplate+1))
	if err != nil {
		return nil, err
	} else if len(text) > maxTemplate {
		return nil, fmt.Errorf("%s is too long. A template has at most 64 KB", name)
	}
	return newTemplate(name, string(text))
}

func newTemplate(name, text string) (*Template, error) {
	text = strings.TrimPrefix(text, "\ufeff")
	tree, err := template.New(name).Option("missingkey=error").Funcs(templateFuncs(nil, nil)).Parse(text)
	if err != nil {
		return nil, templateError(name, err)
	}
	t := &Template{name, text, tree}
	for _, part := range tree.Templates() {
		if err := t.prepare(part.Root); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// templateFuncs are the functions of templates, in addition to those of package template. The two
// of an execution are nil where a template is only read.
func templateFuncs(secret, tick func() (string, error)) template.FuncMap {
	return template.FuncMap{
		"tick":     tick,
		"json":     templateJSON,
		"cut":      cut,
		"join":     templateJoin,
		"markdown": markdown,
		"html":     htmlEscapes.Replace,
		"secret":   secret,
	}
}

// cut shortens a text that is longer than so many bytes. Its end then says so.
func cut(limit int, text string) string {
	if len(text) <= limit {
		return text
	}
	return escape.Prefix(text, max(limit-len(escape.CutMark), 0)) + escape.CutMark
}

// templateJSON writes a value as JSON. So nothing in it can end the text that it is in.
func templateJSON(v any) (string, error) {
	text, err := encode(v)
	return string(text), err
}

// templateJoin joins a list of texts.
func templateJoin(between string, list []any) string {
	texts := make([]string, len(list))
	for i, v := range list {
		texts[i] = fmt.Sprint(v)
	}
	return strings.Join(texts, between)
}

// linkForm matches URLs, in which Markdown has no markup and no escapes.
var linkForm = regexp.MustCompile(`https?://[A-Za-z0-9._~:/?#&=%+,-]+`)

// markdown escapes all that can be markup in Markdown, a mention or a picture, except within URLs,
// which stay links.
func markdown(text string) string {
	var b strings.Builder
	for text != "" {
		link := linkForm.FindStringIndex(text)
		if link == nil {
			link = []int{len(text), len(text)}
		}
		for _, r := range text[:link[0]] {
			if strings.ContainsRune("\\`*_~|<>[]()#@:+-", r) {
				b.WriteByte('\\')
			}
			b.WriteRune(r)
		}
		b.WriteString(text[link[0]:link[1]])
		text = text[link[1]:]
	}
	return b.String()
}

// htmlEscapes escapes text for HTML. Quotes stay, because some chats know only the other escapes.
var htmlEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "\n", "<br>")

// templateForm matches errors of text/template; its groups are the line and the problem.
var templateForm = regexp.MustCompile(`(?s)^template: .*?:(\d+)(?::\d+)?: (?:executing ".*?" at )?(.*)$`)

// templateError says in which line of a file the problem is.
func templateError(name string, err error) error {
	if m := templateForm.FindStringSubmatch(err.Error()); m != nil {
		return fmt.Errorf("%s:%s: %s", name, m[1], m[2])
	}
	return fmt.Errorf("%s: %w", name, err)
}

// execute makes the body for some data, which is valid JSON.
func (t *Template) execute(data any, secret Secret) ([]byte, error) {
	body, err := t.write(data, secret)
	if err != nil || json.Valid(body) {
		return body, err
	}
	var v any
	var syntax *json.SyntaxError
	err = json.Unmarshal(body, &v)
	if !errors.As(err, &syntax) {
		return nil, fmt.Errorf("%s: it does not write valid JSON: %w", t.name, err)
	}
	at := min(int(syntax.Offset), len(body))
	return nil, fmt.Errorf("%s:%d: it does not write valid JSON: %w after %s. Write texts with json, as in {{json .text}}",
		t.name, t.lineOf(at, data, secret), err, escape.Quoted(string(bytes.TrimSpace(body[max(0, at-30):at])), 60))
}

// pathForm is what a template may add to the URL: it cannot lead to another host.
var pathForm = regexp.MustCompile(`^(/[A-Za-z0-9._~-]+)*/?(\?[A-Za-z0-9._~=&%-]+)?$`)

// path is what a template adds to the URL of its channel: what it defines as "path"; "" = nothing.
func (t *Template) path(data any, secret Secret) (string, error) {
	if t.tree.Lookup("path") == nil {
		return "", nil
	}
	text, err := t.writePart("path", data, secret)
	path := strings.TrimSpace(string(text))
	if err == nil && !pathForm.MatchString(path) {
		err = fmt.Errorf("%s: its path is %s: expected parts such as /alerts/close?by=id", t.name, escape.Quoted(path, 100))
	}
	return path, err
}

// write executes a template on some data, within limits of time and size.
func (t *Template) write(data any, secret Secret) ([]byte, error) {
	return t.writePart(t.name, data, secret)
}

func (t *Template) writePart(part string, data any, secret Secret) ([]byte, error) {
	tree, err := t.tree.Clone()
	if err != nil {
		return nil, err
	}
	began := time.Now()
	tree.Funcs(templateFuncs(func() (string, error) {
		if secret == "" {
			return "", errors.New("the channel has no secret. Add secret_file")
		}
		return string(secret), nil
	}, func() (string, error) {
		if time.Since(began) > templateTime {
			return "", errSlow
		}
		return "", nil
	}))
	var b bounded
	switch err := tree.ExecuteTemplate(&b, part, data); {
	case errors.Is(err, errLong):
		return nil, fmt.Errorf("%s: %w", t.name, errLong)
	case errors.Is(err, errSlow):
		return nil, fmt.Errorf("%s: the template takes more than %s", t.name, templateTime)
	case err != nil:
		return nil, templateError(t.name, err)
	}
	return b.Bytes(), nil
}

// errSlow ends a template that takes too long.
var errSlow = errors.New("too slow")

// tick is a part of a template that ends it if it takes too long. It is at the beginning of each
// loop.
var tick = template.Must(template.New("tick").Funcs(templateFuncs(nil, nil)).Parse("{{tick}}")).Root.Nodes[0]

// prepare adds tick to the loops of a list, and refuses calls of templates, which could be endless.
func (t *Template) prepare(list *parse.ListNode) error {
	if list == nil {
		return nil
	}
	for _, n := range list.Nodes {
		switch of := n.(type) {
		case *parse.RangeNode:
			of.List.Nodes = slices.Insert(of.List.Nodes, 0, tick)
		case *parse.TemplateNode:
			return fmt.Errorf("%s:%d: {{template}} is not possible. Write what it does here", t.name, of.Line)
		}
	}
	for _, inner := range inside(list) {
		if err := t.prepare(inner); err != nil {
			return err
		}
	}
	return nil
}

// inside are the lists of the branches and loops of a list.
func inside(list *parse.ListNode) (lists []*parse.ListNode) {
	if list == nil {
		return nil
	}
	for _, n := range list.Nodes {
		switch of := n.(type) {
		case *parse.IfNode:
			lists = append(lists, of.List, of.ElseList)
		case *parse.RangeNode:
			lists = append(lists, of.List, of.ElseList)
		case *parse.WithNode:
			lists = append(lists, of.List, of.ElseList)
		}
	}
	return lists
}

// bounded is a buffer that refuses to become larger than a body may be.
type bounded struct{ bytes.Buffer }

var errLong = fmt.Errorf("the template writes more than %d bytes", maxJSON)

func (b *bounded) Write(p []byte) (int, error) {
	if b.Len()+len(p) > maxJSON {
		return 0, errLong
	}
	return b.Buffer.Write(p)
}

// request writes the path and the body for some data.
func (t *Template) request(data any, secret Secret) (path string, body []byte, err error) {
	if body, err = t.execute(data, secret); err == nil {
		path, err = t.path(data, secret)
	}
	return path, body, err
}

// message writes the path and the body of a message. As in jsonBody, the least severe events are left out if there are
// too many.
func (t *Template) message(p parcel, secret Secret) (path string, body []byte, err error) {
	for {
		path, body, err := t.request(messageData(p), secret)
		n := len(p.message.Events)
		if !errors.Is(err, errLong) || n <= 1 {
			return path, body, err
		}
		p.message.Events, p.message.EventsMore = p.message.Events[:n/2], p.message.EventsMore+n-n/2
	}
}

// messageData is a message for a template: the fields of its JSON, and texts for people.
func messageData(p parcel) map[string]any {
	p.message.ID = p.id
	data := plain(reflect.ValueOf(p.message)).(map[string]any)
	data["url"] = p.url(p.message.Links)
	var b strings.Builder
	for _, g := range paragraphs(p.message) {
		if b.Len() > 0 {
			b.WriteString("\n\n")
		}
		if g.label != "" {
			b.WriteString("[" + g.label + "] ")
		}
		b.WriteString(g.text)
		for _, d := range g.details {
			b.WriteString("\n• " + d)
		}
		if g.ids != "" {
			b.WriteString("\n" + g.ids)
		}
		if g.page != "" {
			b.WriteString("\n" + pageOfSite + ": " + g.page)
		}
	}
	if text := leftOut(p.message.LinesMore); text != "" {
		b.WriteString("\n\n" + text)
	}
	for i, l := range p.message.RunLinks() {
		b.WriteString([]string{"\n\n", "\n"}[min(i, 1)] + l.Name + ": " + l.URL)
	}
	data["subject"], data["body"] = p.message.Subject(), b.String()
	return data
}

// eventData is an event of a message for a template: the fields of its JSON, and the message, which is
// made once for all its events.
func eventData(p parcel, message map[string]any, i int) map[string]any {
	data := plain(reflect.ValueOf(p.message.Events[i])).(map[string]any)
	data["message"], data["url"] = message, p.url(p.message.Events[i].Links)
	return data
}

// url is the URL of the page of a run or a site; "" = the files are shown nowhere.
func (p parcel) url(l alert.Links) string {
	if p.message.Home.Base == "" {
		return ""
	}
	return l.Page
}

// plain turns a struct into a map with the fields of its JSON, also the empty ones, so that a
// template reports a wrong name. Numbers are int64, and times are texts as in JSON. A struct with a
// severity also has its word.
func plain(v reflect.Value) any {
	if v.Type() == reflect.TypeFor[time.Time]() {
		at := v.Interface().(time.Time)
		if at.IsZero() {
			return ""
		}
		return at.Format(time.RFC3339)
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return ""
		}
		return plain(v.Elem())
	case reflect.Struct:
		m := map[string]any{}
		for field, value := range v.Fields() {
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			if name == "-" || !field.IsExported() {
				continue
			}
			m[cmp.Or(name, field.Name)] = plain(value)
			if s, ok := value.Interface().(compare.Severity); ok && field.Name == "Severity" {
				m["level"] = s.Word()
			}
		}
		return m
	case reflect.Map:
		m := map[string]any{}
		for key, value := range v.Seq2() {
			m[key.String()] = plain(value)
		}
		return m
	case reflect.Slice:
		list := make([]any, v.Len())
		for i := range list {
			list[i] = plain(v.Index(i))
		}
		return list
	case reflect.Bool:
		return v.Bool()
	case reflect.Int, reflect.Int64:
		return v.Int()
	}
	return v.String()
}

// check executes a template on examples of what it will get: an alert that began, one that ended, one
// in the message of a first run or a set time, and, unless it is for single events, a message that
// only reports losses.
func (t *Template) check(perEvent bool, secret Secret) error {
	at := time.Date(2026, 11, 2, 6, 0, 0, 0, time.UTC)
	for i, kind := range []alert.Kind{alert.Raised, alert.Worse, alert.Ended, alert.Raised, ""} {
		m := alert.Example("test", kind, at)
		if i == 3 {
			m.Start = &alert.Start{Sites: 1, Names: []string{m.Site}, Alerts: map[string]int{string(m.Severity): 1}}
			m.Period = &alert.Period{Kind: alert.KindDigest, Due: at, From: at.AddDate(0, 0, -1), Still: []string{}}
		}
		if kind == "" {
			m, _ = alert.Message{Run: m.Run, Schedule: m.Schedule, At: at}.Filter("test", compare.Info, []string{"A message could not be sent."})
		}
		m.Place(alert.Home{Folder: "history"})
		p := parcel{id: m.ID, message: m, entered: at}
		var err error
		if !perEvent {
			_, _, err = t.request(messageData(p), secret)
		} else if kind != "" {
			_, _, err = t.request(eventData(p, messageData(p), 0), secret)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
