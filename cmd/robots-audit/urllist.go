package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"iter"
	"reflect"
	"unicode/utf8"

	"robots-audit/cmd/robots-audit/internal/jsonline"
)

// urlList is a JSON array of strings, kept as written. Millions of URLs become strings only one
// after the other, which saves memory.
type urlList []byte

// UnmarshalJSON accepts an array of strings, or null for none.
func (l *urlList) UnmarshalJSON(b []byte) error {
	wrong := func(value string) error {
		return &json.UnmarshalTypeError{Value: value, Type: reflect.TypeFor[string]()}
	}
	switch b[0] {
	case 'n':
		return nil
	case '[':
	default:
		return wrong(kindOfJSON(b[0]))
	}
	for element := range jsonline.Elements(b) {
		if element[0] != '"' {
			return wrong(kindOfJSON(element[0]))
		}
	}
	*l = bytes.Clone(b)
	return nil
}

// kindOfJSON names the type of a value by its first byte, in the terms of encoding/json.
func kindOfJSON(c byte) string {
	switch c {
	case '"':
		return "string"
	case '{':
		return "object"
	case '[':
		return "array"
	case 't', 'f':
		return "bool"
	case 'n':
		return "null"
	}
	return "number"
}

func (l urlList) all() iter.Seq[string] {
	return func(yield func(string) bool) {
		for element := range jsonline.Elements(l) {
			var s string
			if bytes.IndexByte(element, '\\') < 0 && utf8.Valid(element) {
				s = string(element[1 : len(element)-1])
			} else if json.Unmarshal(element, &s) != nil { // cannot fail: UnmarshalJSON checked it
				return
			}
			if !yield(s) {
				return
			}
		}
	}
}

// askedURL is a URL of a question.
type askedURL struct {
	written string // as the question has it
	url     string
	b64     bool   // it was written as the base64 of its bytes
	problem string // why no profile can judge it; "" = no problem
}

func (q *question) asked() iter.Seq[askedURL] {
	return func(yield func(askedURL) bool) {
		for url := range q.URLs.all() {
			if !yield(askedURL{written: url, url: url}) {
				return
			}
		}
		for text := range q.URLsB64.all() {
			asked := askedURL{written: text, b64: true}
			if raw, err := base64.StdEncoding.DecodeString(text); err == nil {
				asked.url = string(raw)
			} else {
				asked.problem = "is not base64"
			}
			if !yield(asked) {
				return
			}
		}
	}
}
