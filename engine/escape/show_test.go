package escape

import "testing"

func TestShown(t *testing.T) {
	for text, want := range map[string]string{
		"plain ä 漢 😀": "plain ä 漢 😀", "a\u202egnp": "a[U+202E]gnp", "a\nb\x00": `a\x0Ab\x00`, "\xffa": `\xFFa`, "\u0085": "[U+0085]",
		"soft\u00adhyphen": "soft[U+00AD]hyphen", "\u2028": "[U+2028]", "\ufffd": "\ufffd", "\ufeff": "[U+FEFF]",
	} {
		if got := Show(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestQuoted(t *testing.T) {
	for text, want := range map[string]string{
		"": "``", "Disallow: /ä": "`Disallow: /ä`", "a`b\u202e": "`a\\x60b[U+202E]`", "12345678901234567890": "`12345678901234567890`",
		"123456789012345678901": "`12345678901234567890" + CutMark + "`", "1234567890123456789ä": "`1234567890123456789" + CutMark + "`", "12345678901234`6": "`12345678901234\\x606`",
	} {
		if got := Quoted(text, 20); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
