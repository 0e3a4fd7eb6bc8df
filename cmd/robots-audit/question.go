package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"robots-audit/cmd/robots-audit/internal/jsonline"
	"robots-audit/engine"
)

// question is one input line of check -jsonl.
type question struct {
	ID        json.RawMessage `json:"id"`
	Robots    *string         `json:"robots"`
	RobotsB64 []byte          `json:"robots_b64"` // if quick read the question, also the bytes of "robots"
	Crawler   string          `json:"crawler"`
	Token     *string         `json:"token"`
	Profile   string          `json:"profile"`
	Fetch     *fetched        `json:"fetch"`
	URLs      urlList         `json:"urls"`
	URLsB64   urlList         `json:"urls_b64"` // for bytes that JSON cannot represent
	Explain   bool            `json:"explain"`
}

// fetched is the response for the robots.txt of a question, if it was not a plain 200.
type fetched struct {
	Status           *int    `json:"status"`
	Error            string  `json:"error"`
	Hops             int     `json:"hops"`
	UnreachableHours float64 `json:"unreachable_hours"`
	SiteAvailable    bool    `json:"site_available"`
	Cached           *string `json:"cached"`
}

// questionKeys are the keys of a question and of the object in it, as jsonline.CheckKeys names them.
var questionKeys = map[string][]string{"": jsonline.Keys(reflect.TypeFor[question]()), "fetch.": jsonline.Keys(reflect.TypeFor[fetched]())}

// parse reads a line. An error says why the question cannot be answered. Values may refer to the
// line and to the memory.
func (q *question) parse(line []byte, m *memory) error {
	if !q.quick(line, m) {
		*q = question{}
		m.lines.Forget()
		if err := q.slow(line); err != nil {
			return err
		}
	}
	if !m.lines.Same() {
		m.robots = nil
	}
	return q.check()
}

// quick reads a plain line; false = use slow, which decides whether the question is valid.
func (q *question) quick(line []byte, m *memory) bool {
	s := m.lines.Scanner(line)
	defer func() { m.lines.Release(&s) }()
	for s.Next(questionKeys[""]) {
		if !q.take(&s) {
			return false
		}
		if s.Key == "robots" && s.Value[0] == '"' {
			m.lines.Remember(&s)
		}
	}
	return s.Whole(line)
}

// take stores a member. false means that its type is wrong, or that the question is invalid.
func (q *question) take(s *jsonline.Scanner) bool {
	kind := s.Value[0]
	if s.Key == "id" {
		q.ID = s.Value
		return kind != '{'
	}
	if kind == 'n' {
		return true
	}
	switch s.Key {
	case "robots":
		if kind != '"' || q.RobotsB64 != nil {
			return false
		}
		q.RobotsB64 = s.Text
	case "robots_b64":
		if kind != '"' || q.RobotsB64 != nil {
			return false
		}
		var err error
		q.RobotsB64, err = base64.StdEncoding.DecodeString(string(s.Text))
		return err == nil
	case "crawler":
		q.Crawler = string(s.Text)
		return kind == '"'
	case "token":
		token := string(s.Text)
		q.Token = &token
		return kind == '"'
	case "profile":
		q.Profile = string(s.Text)
		return kind == '"'
	case "fetch":
		return kind == '{' && json.Unmarshal(s.Value, &q.Fetch) == nil && jsonline.CheckText(s.Value) == nil && jsonline.CheckKeys(s.Value, "fetch.", questionKeys) == nil
	case "urls":
		q.URLs = s.Value
		return kind == '['
	case "urls_b64":
		q.URLsB64 = s.Value
		return kind == '['
	case "explain":
		q.Explain = kind == 't'
		return kind == 't' || kind == 'f'
	}
	return true
}

// slow reads any line.
func (q *question) slow(line []byte) error {
	if err := json.Unmarshal(line, q); err != nil {
		return errors.New(unreadable(err))
	}
	if err := jsonline.CheckText(line); err != nil {
		return err
	}
	return jsonline.CheckKeys(line, "", questionKeys)
}

// check reports invalid values in a question.
func (q *question) check() error {
	switch f := q.Fetch; {
	case f == nil:
	case f.Status != nil && (*f.Status < 0 || *f.Status > 999):
		return fmt.Errorf("fetch.status is %d. Expected an HTTP status, or 0 for no answer", *f.Status)
	case f.Hops < 0:
		return fmt.Errorf("fetch.hops is %d. Expected 0 or more redirects", f.Hops)
	case f.UnreachableHours < 0:
		return fmt.Errorf("fetch.unreachable_hours is %v. Expected 0 or more hours", f.UnreachableHours)
	}
	switch {
	case q.Robots != nil && q.RobotsB64 != nil:
		return errors.New(`"robots" and "robots_b64" exclude each other. Remove one of them`)
	case q.URLs != nil && q.URLsB64 != nil:
		return errors.New(`"urls" and "urls_b64" exclude each other. Remove one of them`)
	}
	return nil
}

// idOf finds the ID of an invalid question, so that the user knows which one it was; nil = it has
// none, or the error comes before it.
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

// unreadable says why a line is no question, in terms of JSON.
func unreadable(err error) string {
	var kind *json.UnmarshalTypeError
	switch {
	case !errors.As(err, &kind):
		return err.Error()
	case kind.Field == "":
		return "expected an object, but the type is " + kind.Value
	}
	return fmt.Sprintf("%q has the wrong type %s", kind.Field, kind.Value)
}

// memory is what a worker reuses for one question after the other.
type memory struct {
	lines  jsonline.Memory
	reader engine.Reader
	robots *engine.Robots // robots.txt of the string that lines remembers; nil = none
}

// read parses the robots.txt of a question, unless it is the last one parsed. For explanations it
// always parses, since an explanation may parse a file again only a limited number of times.
func (m *memory) read(p *engine.Profile, f engine.File, q *question) *engine.Robots {
	plain := q.Fetch == nil && !q.Explain
	if plain && m.lines.Same() && m.robots != nil && m.robots.Profile == p {
		return m.robots
	}
	m.robots = nil
	robots := m.reader.Read(p, f)
	if plain && m.lines.Holds() {
		m.robots = robots
	}
	return robots
}

// asker returns the crawler of the question.
func (q *question) asker() (engine.Crawler, error) {
	c := engine.Crawler{}
	switch {
	case q.Token != nil && q.Crawler != "":
		return c, errors.New(`"crawler" and "token" exclude each other. Remove one of them`)
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
		c.Profile, c.CrawlDelay = q.Profile, "" // with the question's profile, it obeys what the profile obeys, as NAME@PROFILE does
	}
	return c, nil
}

// file returns the result of the fetch that a question describes. hasBody is false if it gives no
// body.
func (q *question) file() (f engine.File, hasBody bool) {
	f = engine.File{Status: 200, Body: q.RobotsB64}
	if q.Robots != nil {
		f.Body = []byte(*q.Robots)
	}
	hasBody = q.Robots != nil || q.RobotsB64 != nil
	if q.Fetch == nil {
		return f, hasBody
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
	return f, hasBody
}

// read parses the robots.txt of a question by a profile. It returns an error if the answer needs a
// body that the question does not have.
func (q *question) read(m *memory, p *engine.Profile) (*engine.Robots, error) {
	file, hasBody := q.file()
	robots := m.read(p, file, q)
	if !hasBody && robots.Access == engine.Parsed && file.Status/100 == 2 {
		return nil, errors.New(`a question needs "robots" or "robots_b64", or a "fetch" with the reason why there is none. For an empty file write "robots": ""`)
	}
	return robots, nil
}
