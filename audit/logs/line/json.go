package line

import (
	"bytes"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// keys are the names that one level of a JSON object may have, by their length.
type keys [48][]key

// key is a name in JSON: of a value, or of an object that has values.
type key struct {
	name  string
	field field
	rank  uint8 // of several names for a field the lowest is used
	inner *keys
}

// find returns the key of a name; nil = no value of it is needed.
func (k *keys) find(name []byte) *key {
	list := k[min(len(name), len(k)-1)]
	for i := range list {
		if string(name) == list[i].name {
			return &list[i]
		}
	}
	return nil
}

// add adds a name like "request.headers.User-Agent". Such a name is also the name of a value, because
// some servers write objects in this form.
func (k *keys) add(path string, x field, rank uint8) {
	head, rest, nested := strings.Cut(path, ".")
	if e := k.set(path); e.field == fNone {
		e.field, e.rank = x, rank
	}
	if nested {
		e := k.set(head)
		if e.inner == nil {
			e.inner = &keys{}
		}
		e.inner.add(rest, x, rank)
	}
}

// set returns the key of a name, and makes it if needed.
func (k *keys) set(name string) *key {
	if e := k.find([]byte(name)); e != nil {
		return e
	}
	list := &k[min(len(name), len(k)-1)]
	*list = append(*list, key{name: name})
	return &(*list)[len(*list)-1]
}

// jsonFormat makes a format of "path=request_uri|uri,time=ts,…".
func jsonFormat(s string) (*Format, error) {
	f := &Format{Name: "JSON", json: &keys{}, percent: strings.Contains(s, "x-edge-")}
	for entry := range strings.SplitSeq(s, ",") {
		name, paths, ok := strings.Cut(strings.TrimSpace(entry), "=")
		x, known := fieldNames[name]
		if !ok || !known || paths == "" {
			return nil, fmt.Errorf("log format: %q is not field=name. Fields are: %s", entry, strings.Join(slices.Sorted(maps.Keys(fieldNames)), ", "))
		}
		f.has = append(f.has, x)
		for i, path := range strings.Split(paths, "|") {
			f.json.add(path, x, uint8(i+1))
		}
	}
	return f, nil
}

// templateMember matches a member of nginx's format for JSON, or the end of an object.
var templateMember = regexp.MustCompile(`"([^"]*)"\s*:\s*(\{|"[^"]*"|\$\{?\w+\}?)|\}`)

// templateFormat makes a format of nginx's log_format with escape=json: '{"time":"$time_iso8601",…}'.
func templateFormat(s string) *Format {
	f := &Format{Name: "nginx JSON", json: &keys{}}
	var path []string // of the object
	for _, m := range templateMember.FindAllStringSubmatch(s, -1) {
		switch {
		case m[0] == "}":
			path = path[:max(len(path)-1, 0)]
			continue
		case m[2] == "{":
			path = append(path, m[1])
			continue
		}
		x, rank := fNone, uint8(0)
		for _, p := range lexNginx(m[2]) {
			switch {
			case x == fMethod && p.field == fURI: // "$request_method $request_uri $server_protocol"
				x, rank = fRequest, 255
			case x == fMethod && p.field == fRewritten: // there is no such field
				x = fNone
			case x == fNone || x != fRequest && (p.field == fURI || p.field == fRewritten):
				x, rank = p.field, p.rank
			}
		}
		if x != fNone {
			f.has = append(f.has, x)
			f.json.add(strings.Join(append(slices.Clone(path), m[1]), "."), x, rank)
		}
	}
	return f
}

// object reads the values of a line that is a JSON object, or that ends with one.
func (p *parser) object(f *Format, line []byte) bool {
	start := 0
	if line[0] != '{' {
		start = bytes.IndexByte(line, '{')
		if start <= 0 || line[start-1] != ' ' && line[start-1] != '\t' && line[start-1] != ':' {
			return false
		}
	}
	p.rank = [fieldCount]uint8{}
	return p.members(f.json, line, start) >= 0
}

// members reads the object that begins at i. It returns the place after it; negative = it is no object.
func (p *parser) members(k *keys, b []byte, i int) int {
	for i++; ; {
		i = blanks(b, i)
		switch {
		case i >= len(b):
			return -1
		case b[i] == '}':
			return i + 1
		case b[i] == ',':
			i++
			continue
		case b[i] != '"':
			return -1
		}
		end := stringEnd(b, i)
		if end < 0 {
			return -1
		}
		e := k.find(b[i+1 : end])
		i = blanks(b, end+1)
		if i >= len(b) || b[i] != ':' {
			return -1
		}
		i = blanks(b, i+1)
		if i >= len(b) {
			return -1
		}
		if e != nil && e.inner != nil && b[i] == '{' {
			if i = p.members(e.inner, b, i); i < 0 {
				return -1
			}
			continue
		}
		start := i
		if i = valueEnd(b, i); i < 0 {
			return -1
		}
		if e != nil && e.field != fNone && (p.rank[e.field] == 0 || e.rank < p.rank[e.field]) {
			if v := value(b[start:i]); v != nil && (len(v) == 0 || b[start] != '{' || e.field == fScheme) {
				p.vals[e.field], p.rank[e.field] = v, e.rank
			}
		}
	}
}

// blanks returns the place of the next byte that is no blank.
func blanks(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\t') {
		i++
	}
	return i
}

// stringEnd returns the place of the quote that ends the string at i; negative = there is none.
func stringEnd(b []byte, i int) int {
	for from := i + 1; ; from++ {
		n := bytes.IndexByte(b[from:], '"')
		if n < 0 {
			return -1
		}
		from += n
		if b[from-1] != '\\' || !escaped(b[i+1:], from-i-1) {
			return from
		}
	}
}

// valueEnd returns the place after the value at i; negative = it does not end.
func valueEnd(b []byte, i int) int {
	switch b[i] {
	case '"':
		if i = stringEnd(b, i); i < 0 {
			return -1
		}
		return i + 1
	case '{', '[':
		for depth := 0; i < len(b); i++ {
			switch b[i] {
			case '"':
				if i = stringEnd(b, i); i < 0 {
					return -1
				}
			case '{', '[':
				depth++
			case '}', ']':
				if depth--; depth == 0 {
					return i + 1
				}
			}
		}
		return -1
	}
	start := i
	for i < len(b) && b[i] != ',' && b[i] != '}' && b[i] != ']' && b[i] != ' ' {
		i++
	}
	if i == start {
		return -1
	}
	return i
}

// value returns a value without quotes, of an array its first; nil = it is null or empty.
func value(b []byte) []byte {
	if b[0] == '[' {
		start := blanks(b, 1)
		if b[start] == ']' {
			return nil
		}
		end := valueEnd(b, start)
		if end < 0 {
			return nil
		}
		b = b[start:end]
	}
	switch {
	case b[0] == '"':
		return b[1 : len(b)-1 : len(b)-1]
	case string(b) == "null", b[0] == '[':
		return nil
	}
	return b[:len(b):len(b)]
}
