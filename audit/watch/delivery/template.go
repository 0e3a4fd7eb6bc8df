package delivery

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"text/template"
	"text/template/parse"
	"time"

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
