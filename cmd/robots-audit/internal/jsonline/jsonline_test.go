package jsonline

import (
	"encoding/json"
	"slices"
	"testing"
)

// FuzzMembers compares the keys with those of encoding/json.
func FuzzMembers(f *testing.F) {
	for _, s := range []string{`{}`, `null`, ` { "a" : 1 , "b":[{"c":"]}\\"}],"\u0061":"\"" } `, `{"":{},"x":true,"y":-1.5e3,"z":null}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var want map[string]json.RawMessage
		if json.Unmarshal([]byte(text), &want) != nil || CheckText([]byte(text)) != nil {
			return
		}
		var keys []string
		for key, value := range members([]byte(text)) {
			if _, ok := want[string(key)]; !ok || !json.Valid(value) {
				t.Fatalf("%q: %q = %q", text, key, value)
			}
			keys = append(keys, string(key))
		}
		slices.Sort(keys)
		if n := len(slices.Compact(keys)); n != len(want) {
			t.Errorf("%q: %d keys, want %d", text, n, len(want))
		}
	})
}
