package escape

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode"
)

// Invisible characters are shown or escaped wherever text is read.
func TestUnseen(t *testing.T) {
	for _, c := range []struct{ text, shown, json string }{
		{"", "", `""`},
		{"plain /a", "plain /a", `"plain /a"`},
		{"ünïcödé 漢字 \U0001F600 \uFFFD", "ünïcödé 漢字 \U0001F600 \uFFFD", `"ünïcödé 漢字 ` + "\U0001F600 \uFFFD" + `"`},
		{"a\x1b[2Jb\x7f", `a\x1B[2Jb\x7F`, `"a\u001b[2Jb\u007f"`},
		{"a\u009b2J", "a[U+009B]2J", `"a\u009b2J"`},
		{"a\u202egpj.exe", "a[U+202E]gpj.exe", `"a\u202egpj.exe"`},
		{"\u2066\u200f\u061c", "[U+2066][U+200F][U+061C]", `"\u2066\u200f\u061c"`},
		{"\u0085\u2028\u2029\ufeff", "[U+0085][U+2028][U+2029][U+FEFF]", `"\u0085\u2028\u2029\ufeff"`},
		{"\U000E0041", "[U+E0041]", `"\udb40\udc41"`},
		{"\ufdd0\ufdef\ufffe\uffff\U0001fffe\U0010ffff", "[U+FDD0][U+FDEF][U+FFFE][U+FFFF][U+1FFFE][U+10FFFF]", `"\ufdd0\ufdef\ufffe\uffff\ud83f\udffe\udbff\udfff"`},
		{"\ufdcf\ufdf0\ufffd", "\ufdcf\ufdf0\ufffd", `"` + "\ufdcf\ufdf0\ufffd" + `"`},
		{"\xffa\nb", `\xFFa\x0Ab`, `"\ufffda\nb"`},
		{"soft\u00adhyphen", "soft[U+00AD]hyphen", `"soft\u00adhyphen"`},
	} {
		if got := Show(c.text); got != c.shown {
			t.Errorf("%q is shown as %q, want %q", c.text, got, c.shown)
		}
		text, err := json.Marshal(c.text)
		if err != nil {
			t.Fatal(err)
		}
		if got := JSON(text); string(got) != c.json {
			t.Errorf("%q is written as %s, want %s", c.text, got, c.json)
		}
	}
	text := []byte(`"plain"`)
	if got := JSON(text); &got[0] != &text[0] {
		t.Error("text without such characters is copied")
	}
}

// Escapes keep the meaning: parsing returns the same values, for every
// character.
func TestSeenJSONMeansTheSame(t *testing.T) {
	var all []rune
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if r < 0xD800 || r > 0xDFFF { // surrogates are not characters
			all = append(all, r)
		}
	}
	text, err := json.Marshal(string(all))
	if err != nil {
		t.Fatal(err)
	}
	text = JSON(text)
	for _, r := range string(text) {
		if IsHidden(r) {
			t.Fatalf("%U is raw", r)
		}
	}
	var back string
	if err := json.Unmarshal(text, &back); err != nil || back != string(all) {
		t.Errorf("another text comes back (%v)", err)
	}
}

// A terminal gets JSON with the same meaning, and no control characters.
func TestTerminalJSON(t *testing.T) {
	for text, want := range map[string]string{
		`"plain ü 漢字 "`:            `"plain ü 漢字 "`,
		"\"a\u009b2J\x7f\u00a0b\"": `"a\u009b2J\u007f\u00a0b"`,
		"\"a\xffb\"":               `"a\ufffdb"`,
		"\"\U000E0041\"":           `"\udb40\udc41"`,
		"[\n\t\"\ufffd\"\n]\n":     "[\n\t\"\ufffd\"\n]\n",
	} {
		if got := TerminalJSON([]byte(text)); string(got) != want {
			t.Errorf("%q is written as %s, want %s", text, got, want)
		}
	}
}

// A string is written like encoding/json, but safe for a terminal: every
// character, alone and between others, and every byte.
func TestAppendTerminalString(t *testing.T) {
	check := func(s string) {
		var buf bytes.Buffer
		e := json.NewEncoder(&buf)
		e.SetEscapeHTML(false)
		if err := e.Encode(s); err != nil {
			t.Fatal(err)
		}
		want := TerminalJSON(bytes.TrimSuffix(buf.Bytes(), []byte("\n")))
		if got := AppendTerminalString([]byte("x"), s); string(got) != "x"+string(want) {
			t.Fatalf("%q is written as %s, want %s", s, got[1:], want)
		}
	}
	check("")
	var all []rune
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if r < 0x3000 && r%7 == 0 || r < 0x800 || r >= unicode.MaxRune-0xFF {
			check(string(r))
			check("a" + string(r) + "\xff" + string(r) + "é")
		}
		if all = append(all, r); len(all) == 1<<8 {
			check(string(all))
			all = all[:0]
		}
	}
	for c := range 256 {
		check(string([]byte{byte(c)}))
		check(string([]byte{'a', byte(c), 0xC3, byte(c), '"'}))
	}
}

func TestPrintable(t *testing.T) {
	if got, want := Printable("a\x1b[2J\tb\u202e\xff\u00a0ü\n"), "a\ufffd[2J\tb\ufffd\ufffd\ufffdü\ufffd"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestCut(t *testing.T) {
	for _, c := range []struct {
		text  string
		limit int
		want  string
	}{{"abc", 3, "abc"}, {"abcd", 3, "abc" + CutMark}, {"aü", 2, "a" + CutMark}, {"ü", 0, CutMark}} {
		if got := Cut(c.text, c.limit); got != c.want {
			t.Errorf("%q cut at %d is %q, want %q", c.text, c.limit, got, c.want)
		}
		if got, want := Prefix(c.text, c.limit), strings.TrimSuffix(c.want, CutMark); got != want {
			t.Errorf("the first %d bytes of %q are %q, want %q", c.limit, c.text, got, want)
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

func FuzzAppendString(f *testing.F) {
	f.Add("a</script>\u2028\xff\\\"")
	f.Fuzz(func(t *testing.T, s string) {
		var back string
		text := AppendString(nil, s)
		if err := json.Unmarshal(text, &back); err != nil || back != ShowInvalid(s) {
			t.Errorf("%s means %q (%v), want %q", text, back, err, s)
		}
		for _, r := range string(text) {
			if IsHidden(r) || r == '<' || r == '>' || r == '&' {
				t.Errorf("%s holds %U", text, r)
			}
		}
	})
}
