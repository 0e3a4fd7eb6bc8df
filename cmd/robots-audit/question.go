package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"reflect"
	"unicode/utf8"

	"robots-audit/engine"
)

// question is one line of check -jsonl's input.
type question struct {
	ID        json.RawMessage `json:"id"`
	Robots    string          `json:"robots"`
	RobotsB64 []byte          `json:"robots_b64"`
	Crawler   string          `json:"crawler"`
	Token     *string         `json:"token"`
	Profile   string          `json:"profile"`
	Fetch     *fetched        `json:"fetch"`
	URLs      urlList         `json:"urls"`
	Explain   bool            `json:"explain"`
}

// fetched is how the robots.txt of a question came, where it was not a plain 200.
type fetched struct {
	Status           *int    `json:"status"`
	Error            string  `json:"error"`
	Hops             int     `json:"hops"`
	UnreachableHours float64 `json:"unreachable_hours"`
	SiteAvailable    bool    `json:"site_available"`
	Cached           *string `json:"cached"`
}

// urlList is a JSON array of strings, kept as it was written: millions of URLs
// are as many strings only one after the other.
type urlList []byte

// UnmarshalJSON takes an array of strings or null, as []string does.
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
	for element := range elements(b) {
		if c := element[0]; c != '"' && c != 'n' {
			return wrong(kindOfJSON(c))
		}
	}
	*l = bytes.Clone(b)
	return nil
}

// kindOfJSON names what a value is that begins so, in the words of encoding/json.
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
	}
	return "number"
}

// all yields the strings; null is the empty one.
func (l urlList) all() iter.Seq[string] {
	return func(yield func(string) bool) {
		for element := range elements(l) {
			var s string
			if element[0] == '"' && bytes.IndexByte(element, '\\') < 0 && utf8.Valid(element) {
				s = string(element[1 : len(element)-1])
			} else if json.Unmarshal(element, &s) != nil { // which was checked
				return
			}
			if !yield(s) {
				return
			}
		}
	}
}

// elements yields the elements of an array of valid JSON. Of an array or object
// among them it yields the beginning alone, and ends.
func elements(b []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for len(b) > 0 {
			b = bytes.TrimLeft(b[1:], " \t\r\n,") // after the bracket, or the end of the element before
			if len(b) == 0 || b[0] == ']' {
				return
			}
			end := bytes.IndexAny(b, ",] \t\r\n")
			switch b[0] {
			case '[', '{':
				yield(b[:1])
				return
			case '"':
				for end = 1; b[end] != '"'; end++ {
					if b[end] == '\\' {
						end++
					}
				}
				end++
			}
			if !yield(b[:end]) {
				return
			}
			b = b[end-1:]
		}
	}
}

// idOf finds the id of a question that cannot be read, so that whoever asked
// knows which it was; nil = none is there, or the trouble comes before it.
func idOf(line []byte) json.RawMessage {
	d := json.NewDecoder(bytes.NewReader(line))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return nil
	}
	for d.More() {
		key, err := d.Token()
		var value json.RawMessage
		if err != nil || d.Decode(&value) != nil {
			return nil
		}
		if key == "id" {
			return value
		}
	}
	return nil
}

// unreadable says why a line is no question, in words of JSON.
func unreadable(err error) string {
	var kind *json.UnmarshalTypeError
	switch {
	case !errors.As(err, &kind):
		return err.Error()
	case kind.Field == "":
		return "an object is expected, and this is of type " + kind.Value
	}
	return fmt.Sprintf("%q is of type %s", kind.Field, kind.Value)
}

// asker returns the crawler that a question is about.
func (q *question) asker() (engine.Crawler, error) {
	c := engine.Crawler{}
	switch {
	case q.Token != nil:
		c = engine.Crawler{Name: *q.Token, Tokens: []string{*q.Token}, Profile: "rfc9309"}
	case q.Crawler != "":
		var err error
		if c, err = engine.ParseCrawler(q.Crawler); err != nil {
			return c, err
		}
	default:
		return c, errors.New("a question needs a crawler or a token")
	}
	if q.Profile != "" && q.Profile != c.Profile {
		c.Profile, c.CrawlDelay = q.Profile, "" // read so, it obeys what the profile obeys, as NAME@PROFILE does
	}
	return c, nil
}

// file returns the outcome of the fetch that a question describes.
func (q *question) file() engine.File {
	f := engine.File{Status: 200, Body: q.RobotsB64}
	if f.Body == nil {
		f.Body = []byte(q.Robots)
	}
	if q.Fetch == nil {
		return f
	}
	if q.Fetch.Status != nil {
		f.Status = *q.Fetch.Status
	} else if q.Fetch.Error != "" {
		f.Status = 0
	}
	f.Error, f.Hops, f.UnreachableHours, f.SiteAvailable = q.Fetch.Error, q.Fetch.Hops, q.Fetch.UnreachableHours, q.Fetch.SiteAvailable
	if q.Fetch.Cached != nil {
		f.Cached = []byte(*q.Fetch.Cached)
	}
	return f
}
