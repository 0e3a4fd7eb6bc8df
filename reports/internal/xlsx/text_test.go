package xlsx

import (
	"encoding/xml"
	"strings"
	"testing"
	"unicode/utf16"
)

func FuzzText(f *testing.F) {
	for _, s := range []string{"=cmd|'/c calc'!A1", "\t=1", "a\x00b\x1fc\x7fd\r\ne", "_x0041_", "a_x00", "a_xd_1691_xE_", "\xff\xfe", "<b>&amp;</b>]]>", " space ", "\uFFFE\uFFFF", "😀", "a\u0080\u0085\u2028\ufeff\u202e"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var value struct {
			T string `xml:"t"`
		}
		xmlText := appendText([]byte("<is>"), s)
		if err := xml.Unmarshal(append(xmlText, "</is>"...), &value); err != nil {
			t.Fatalf("%q: %v", xmlText, err)
		}
		if n := len(utf16.Encode([]rune(value.T))); n > MaxText+6*strings.Count(value.T, "_x005F_") {
			t.Fatalf("%d units in a cell", n)
		}
	})
}

// TestTextHeight: text is wrapped between words, and within a word that is longer than a line.
func TestTextHeight(t *testing.T) {
	const width = 20 // 22 letters
	for text, lines := range map[string]int{
		"":                        1,
		"twenty-two letters are":  1,
		"twenty-three letters is": 2,
		"one\ntwo\n":              3,
		"YandexBot, PetalBot, ":   1,
		"Google-Extended, Applebot-Extended, meta-externalagent": 3,
		strings.Repeat("x", 22):                                  1,
		strings.Repeat("x", 23):                                  2,
		strings.Repeat("x", 44) + " y":                           3,
		"y " + strings.Repeat("ж", 44):                           3,
		strings.Repeat("x ", 9999):                               27,
	} {
		if got := TextHeight(text, width); got != float64(lines)*15 {
			t.Errorf("%.30q: %v points, want %d lines", text, got, lines)
		}
	}
}
