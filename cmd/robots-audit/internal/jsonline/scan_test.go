package jsonline

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestScannerStrings compares decoded strings with those of encoding/json. A special byte is at
// each place of the bytes that are checked together, and again a few bytes later.
func TestScannerStrings(t *testing.T) {
	keys := []string{"a", "b"}
	var buf []byte
	for _, odd := range []string{`\n`, `\"`, `\\`, `\/`, `\u000a`, `\u00e9`, `\ud83d\ude00`, "\u00e9", "\U0001F600", `\ud83d`, `\ud83dx`, `\ude00`, `\x`, `\u00g0`, "\x01", "\n", "\t", "\x1f", " ", "\x7f", "\xff", `\`, `\u00`, `"`} {
		for before := range 40 {
			for _, between := range []int{0, 1, 5, 7, 8, 14, 15, 16, 17, 33} {
				for _, end := range []string{`"}`, `","b":"\r"}`, ``} {
					line := []byte(`{"a":"` + strings.Repeat("/", before) + odd + strings.Repeat("-", between) + odd + strings.Repeat("*", before%19) + end)
					var want map[string]string
					err := json.Unmarshal(line, &want)
					if err == nil {
						err = CheckText(line)
					}
					got := map[string]string{}
					s := NewScanner(line, buf)
					for s.Next(keys) {
						got[s.Key] = string(s.Text)
					}
					whole := s.Whole(line)
					buf = s.Buffer()
					if whole != (err == nil) {
						t.Fatalf("%q: read whole is %v, encoding/json says %v", line, whole, err)
					}
					if whole && (len(got) != len(want) || got["a"] != want["a"] || got["b"] != want["b"]) {
						t.Fatalf("%q: %q, want %q", line, got, want)
					}
				}
			}
		}
	}
}
