package findings

import (
	"bytes"
	"testing"

	"robots-audit/engine"
)

// TestPrintable makes all texts of a finding UTF-8.
func TestPrintable(t *testing.T) {
	f := Finding{Finding: engine.Finding{Text: "Disallow: /\xff\xfeä", What: "ä\ufffd"}, Samples: []string{"http://a.example/\x80"}}
	f.makePrintable()
	if f.Text != `Disallow: /\xFF\xFEä` || f.What != "ä\ufffd" || f.Samples[0] != `http://a.example/\x80` {
		t.Errorf("%+v", f)
	}
}

// TestHasUpper compares the search of eight bytes at a time with a plain one,
// for every byte at every place.
func TestHasUpper(t *testing.T) {
	for n := range 19 {
		text := bytes.Repeat([]byte("a"), n)
		if hasUpper(string(text)) {
			t.Errorf("%q", text)
		}
		for at := range text {
			for c := range 256 {
				text[at] = byte(c)
				if got, want := hasUpper(string(text)), 'A' <= c && c <= 'Z'; got != want {
					t.Fatalf("%q: %v", text, got)
				}
			}
			text[at] = []byte("a[@{\xC1")[at%5]
		}
	}
}

// TestOtherPosition checks the other position of a parameter.
func TestOtherPosition(t *testing.T) {
	for value, want := range map[string]string{
		"/*?sort=": "/*?*&sort=", "/search?q=a$": "/search?*&q=a$", "/*&sort=": "/*?sort=", "/*?*&sort=": "/*?sort=", "/x?*&f[0]=": "/x*?f[0]=", "*?sid": "*?*&sid",
		"/*?": "", "/*?*": "", "/*?*sort=": "", "/?a=1&b=2": "", "/x": "", "/*?*&*": "", "/&": "", "/*?a?b": "", "/a?b/c": "",
	} {
		if got := otherPosition(engine.Rule{Value: value}); got != want {
			t.Errorf("%s becomes %q, want %q", value, got, want)
		}
	}
	if got := otherPosition(engine.Rule{Allow: true, Value: "/*?sort="}); got != "" {
		t.Errorf("an allow rule becomes %q", got)
	}
}
