package expect

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"

	"robots-audit/engine/wording"
)

// readJSONL reads a text with one object per line.
func (f *file) readJSONL(text []byte) {
	n := 0
	for line := range bytes.Lines(text) {
		n++
		if line = bytes.TrimSpace(line); len(line) == 0 || line[0] == '#' {
			continue
		}
		if r, problem := parseObject(line); problem != "" {
			f.problem(n, "%s", problem)
		} else {
			f.add(n, r)
		}
	}
}

// parseObject reads the object of a line. It reads the keys one by one to detect a repeated key.
func parseObject(line []byte) (r row, problem string) {
	in := json.NewDecoder(bytes.NewReader(line))
	if t, err := in.Token(); err != nil || t != json.Delim('{') {
		return r, `not a JSON object. Write one per line, such as {"url": "/a", "crawler": "Googlebot", "expect": "allow"}`
	}
	var seen [len(row{})]bool
	for in.More() {
		key, err := in.Token()
		if err != nil {
			return r, "not JSON: " + err.Error()
		}
		at := slices.Index(columns, key.(string)) // keys of a JSON object are always strings
		if at < 0 {
			problem = "unknown key \"" + key.(string) + "\". The keys are " + strings.Join(columns, ", ")
			if meant := wording.Nearest(key.(string), columns); meant != "" {
				problem = "unknown key \"" + key.(string) + "\". Did you mean " + meant + "?"
			}
			return r, problem
		}
		var value *string
		if err := in.Decode(&value); err != nil {
			return r, "the value of \"" + columns[at] + "\" is not a string"
		}
		if seen[at] {
			return r, "the key \"" + columns[at] + "\" occurs twice"
		}
		if seen[at] = true; value != nil {
			r[at] = strings.TrimSpace(*value)
		}
	}
	if _, err := in.Token(); err != nil {
		return r, "not JSON: " + err.Error()
	}
	if _, err := in.Token(); !errors.Is(err, io.EOF) {
		return r, "more text follows the object. Write one object per line"
	}
	return r, ""
}
