package policyfile

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/html/charset"
)

// rslSpace is the name space of RSL.
const rslSpace = "https://rslstandard.org/rsl"

// deepest bounds the elements that are in one another. RSL needs five levels.
const deepest = 50

// usages are the purposes of the usage tokens. "train-ai" is no token of RSL 1.0, but its own guide uses it.
var usages = map[string][]string{
	"all": {All}, "ai-all": {Training, Input}, "ai-train": {Training}, "train-ai": {Training}, "ai-input": {Input}, "ai-index": {Input}, "search": {Search},
}

// license is an element of a licence, before its end is read.
type license struct {
	list []Statement
	paid bool // or only for some users or countries
}

// readRSL reads a licence: <rsl>, in it <content url="…">, in it <license> with <permits> and <prohibits> of
// type="usage", and <payment>. Only what is written counts, though a licence prohibits what it does not
// permit. Elements of other name spaces are ignored. Content on other sites is skipped.
// Source: RSL 1.0, sections 3.2 to 3.6, https://rslstandard.org/rsl
func readRSL(f *File, body []byte, site string) {
	base, _ := url.Parse(site)
	x := xml.NewDecoder(bytes.NewReader(body))
	x.CharsetReader = charset.NewReaderLabel
	var open []string // elements
	var space, path, text, usage string
	var of license
	skip, served, contents, line := false, false, 0, 0
	for {
		token, err := x.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			at, _ := x.InputPos()
			f.fault(fmt.Sprintf("The XML is not well-formed at line %d.", at))
			f.Statements, f.More = nil, 0 // as readers of XML do
			return
		}
		switch e := token.(type) {
		case xml.StartElement:
			if len(open) == 0 {
				if strings.EqualFold(e.Name.Local, "html") {
					f.Found = false
					f.fault("The server sent an HTML page instead of the file.")
					return
				}
				if e.Name.Local != "rsl" {
					f.fault("The root element of the file is not <rsl>.")
					return
				}
				if space = e.Name.Space; space != rslSpace {
					f.fault("The element <rsl> lacks xmlns=\"" + rslSpace + "\".")
				}
			}
			if len(open) == deepest {
				f.fault("The XML has too many levels.")
				return
			}
			name := e.Name.Local
			if e.Name.Space != space || len(name) > len("prohibits") { // a long name would cost much
				name = ""
			}
			open = append(open, name)
			switch strings.Join(open, ">") {
			case "rsl>content":
				contents++
				loc, ok := attribute(e, "url")
				if !ok {
					f.fault(fmt.Sprintf("The <content> element %d has no url attribute.", contents))
				}
				path, skip = scope(loc, base)
				_, served = attribute(e, "server")
			case "rsl>content>license":
				of = license{paid: served} // a licence server must grant it, even if it is free
			case "rsl>content>license>permits", "rsl>content>license>prohibits":
				kind, _ := attribute(e, "type")
				usage, text = kind, ""
				line, _ = x.InputPos()
				of.paid = of.paid || kind == "user" || kind == "geo"
			case "rsl>content>license>payment":
				kind, _ := attribute(e, "type")
				of.paid = of.paid || kind != "free"
			}
		case xml.CharData:
			if len(open) == 4 && len(text) < 10*longest {
				text += string(e[:min(len(e), 10*longest)])
			}
		case xml.EndElement:
			switch where := strings.Join(open, ">"); where {
			case "rsl>content>license>permits", "rsl>content>license>prohibits":
				if usage == "usage" && !skip {
					of.add(f, open[3], text, path, line)
				}
			case "rsl>content>license":
				for _, s := range of.list {
					if s.Says == Yes && of.paid {
						s.Says = Pay
					}
					f.add(s)
				}
			}
			open = open[:len(open)-1]
		}
	}
	if contents == 0 {
		f.fault("The file has no <content> element.")
	}
}

// add adds the statements of a <permits> or <prohibits> element.
func (l *license) add(f *File, name, tokens, path string, line int) {
	says := map[string]string{"permits": Yes, "prohibits": No}[name]
	text := fmt.Sprintf("<%s type=\"usage\">%s</%[1]s>", name, strings.TrimSpace(tokens))
	var purposes []string
	for _, token := range strings.FieldsFunc(tokens, func(c rune) bool { return strings.ContainsRune(" \t\r\n,", c) }) {
		if usages[token] == nil {
			f.fault(fmt.Sprintf("Line %d has a usage that RSL does not have: \"%s\".", line, clean(token)))
		}
		purposes = append(purposes, usages[token]...)
	}
	for i, purpose := range purposes {
		if !slices.Contains(purposes[:i], purpose) {
			l.list = append(l.list, Statement{Source: RSL, Text: clean(text), Line: line, Purpose: purpose, Path: clean(path), Says: says})
		}
	}
}

// scope is the pattern of paths that a content element is about; skip = it is about another site. RSL has paths
// here, and many files have absolute URLs.
func scope(loc string, site *url.URL) (path string, skip bool) {
	loc = strings.TrimSpace(loc)
	if !isURL(loc) {
		return whole(loc), false
	}
	u, _ := url.Parse(loc)
	if site == nil || !sameHost(u, site) {
		return "", true
	}
	_, rest, _ := strings.Cut(loc, "://")
	at := strings.IndexAny(rest+"/", "/?")
	return whole(rest[at:]), false
}

// attribute returns an attribute of an element.
func attribute(e xml.StartElement, name string) (string, bool) {
	for _, a := range e.Attr {
		if a.Name.Space == "" && a.Name.Local == name {
			return a.Value, true
		}
	}
	return "", false
}
