// Package jsonline checks lines of JSON for "robots-audit check -jsonl" more strictly than package
// encoding/json. That package accepts unknown keys, takes the last of two equal keys, and replaces
// invalid characters with U+FFFD. The answer would then be for a different question than the
// user's, so each of these is an error here. All functions expect valid JSON.
package jsonline

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"reflect"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"robots-audit/engine/wording"
)

// members yields the keys and values of an object; null has none. Keys are decoded.
func members(b []byte) iter.Seq2[[]byte, []byte] {
	return func(yield func(key, value []byte) bool) {
		b = skip(b, ' ')
		if b[0] != '{' { // null
			return
		}
		for {
			b = skip(b[1:], ',') // after the brace, or the end of the previous member
			if b[0] == '}' {
				return
			}
			end := stringEnd(b)
			key := b[1 : end-1]
			if bytes.IndexByte(key, '\\') >= 0 {
				var decoded string
				if json.Unmarshal(b[:end], &decoded) != nil {
					return
				}
				key = []byte(decoded)
			}
			b = skip(b[end:], ':')
			end = valueEnd(b)
			if !yield(key, b[:end]) {
				return
			}
			b = b[end-1:]
		}
	}
}

// Elements yields the elements of an array of valid JSON. For a nested array or object it yields
// only the first byte, and stops.
func Elements(b []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for len(b) > 0 {
			b = skip(b[1:], ',') // after the bracket, or the end of the previous element
			if len(b) == 0 || b[0] == ']' {
				return
			}
			if b[0] == '[' || b[0] == '{' {
				yield(b[:1])
				return
			}
			end := valueEnd(b)
			if !yield(b[:end]) {
				return
			}
			b = b[end-1:]
		}
	}
}

// skip returns b without leading white space and separator.
func skip(b []byte, separator byte) []byte {
	for len(b) > 0 && (b[0] == ' ' || b[0] == separator || b[0] >= '\t' && b[0] <= '\r') {
		b = b[1:]
	}
	return b
}

// valueEnd returns the end of the value at the start of b.
func valueEnd(b []byte) int {
	switch b[0] {
	case '"':
		return stringEnd(b)
	case '[', '{':
		depth := 0
		for i := 0; ; i++ {
			switch b[i] {
			case '"':
				i += stringEnd(b[i:]) - 1
			case '[', '{':
				depth++
			case ']', '}':
				if depth--; depth == 0 {
					return i + 1
				}
			}
		}
	}
	end := 0
	for end < len(b) && b[end] > ' ' && b[end] != ',' && b[end] != ']' && b[end] != '}' {
		end++
	}
	return end
}

// stringEnd returns the end of the string at the start of b.
func stringEnd(b []byte) int {
	for end := 1; ; end++ {
		end += bytes.IndexByte(b[end:], '"')
		backslashes := end
		for b[backslashes-1] == '\\' {
			backslashes--
		}
		if (end-backslashes)%2 == 0 {
			return end + 1
		}
	}
}

// Keys lists the keys of a struct, by its tags.
func Keys(t reflect.Type) []string {
	var keys []string
	for i := range t.NumField() {
		keys = append(keys, t.Field(i).Tag.Get("json"))
	}
	return keys
}

// CheckKeys reports a key of an object that is unknown or occurs twice; nil = none. of is the
// object's name in known: "" is the outermost one, "fetch." the value of its key "fetch". An object
// that is not in known may have any keys.
func CheckKeys(object []byte, of string, known map[string][]string) error {
	keys := known[of]
	seen := 0 // a bit for each key
	for key, value := range members(object) {
		i := 0
		for i < len(keys) && keys[i] != string(key) {
			i++
		}
		switch {
		case i == len(keys):
			meant := wording.Nearest(string(key), keys)
			if meant != "" {
				meant = ": did you mean " + strconv.Quote(of+meant) + "?"
			}
			return fmt.Errorf("unknown key %q%s", of+string(key), meant)
		case seen&(1<<i) != 0:
			return fmt.Errorf("the key %q occurs twice", of+string(key))
		}
		seen |= 1 << i
		if value[0] != '{' {
			continue
		}
		if inner := of + string(key) + "."; known[inner] != nil {
			if err := CheckKeys(value, inner, known); err != nil {
				return err
			}
		}
	}
	return nil
}

// CheckText reports invalid text in a line: bytes that are no UTF-8, and unpaired surrogates; nil =
// none.
func CheckText(line []byte) error {
	if !utf8.Valid(line) {
		at := 0
		for at < len(line) {
			c, size := utf8.DecodeRune(line[at:])
			if c == utf8.RuneError && size == 1 {
				break
			}
			at += size
		}
		return fmt.Errorf("byte %d of the line, 0x%02X, is not UTF-8. Use \"robots_b64\" and \"urls_b64\" for bytes", at+1, line[at])
	}
	if !bytes.Contains(line, []byte(`\u`)) {
		return nil
	}
	for at := 0; ; {
		i := bytes.IndexByte(line[at:], '\\')
		if i < 0 {
			return nil
		}
		at += i
		first := escapedUnit(line[at:])
		if !utf16.IsSurrogate(first) {
			at += 2 // skip the next backslash: it starts the second escape of the pair
			continue
		}
		if utf16.DecodeRune(first, escapedUnit(line[at+6:])) == utf8.RuneError {
			return fmt.Errorf("%s at byte %d of the line is half a character. Use \"robots_b64\" and \"urls_b64\" for bytes", line[at:at+6], at+1)
		}
		at += 12
	}
}

// escapedUnit returns the UTF-16 unit of the escape at the start of b, -1 if there is none.
func escapedUnit(b []byte) rune {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return -1
	}
	n, err := strconv.ParseUint(string(b[2:6]), 16, 16)
	if err != nil {
		return -1
	}
	return rune(n)
}
