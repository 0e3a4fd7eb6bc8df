package escape

import "testing"

// TestMarkdown checks which text is escaped and which is code, so that nothing becomes a mention or
// reference.
func TestMarkdown(t *testing.T) {
	for text, want := range map[string]string{
		"":                             "",
		"https://example.com/a":        "https://example.com/a",
		"https://example.com/@name":    "`https://example.com/@name`",
		"@name":                        "`@name`",
		"Googlebot@google-2019, a1@x":  "Googlebot@google-2019, a1@x",
		"by @name, and (@org/team)":    "by `@name,` and `(@org/team)`",
		"*a*_b|":                       `\*a\*\_b\|`,
		"org/repo#12, !3 and ~label":   "`org/repo#12,` `!3` and `~label`",
		"`@name` is no code":           "`` `@name` `` is no code",
		"a`b``@name":                   "```a`b``@name```",
		"87 % (87%) a & b, 5 #. Fine!": "87 % (87%) a & b, 5 #. Fine!",
		"!!1 %\"a b\" !.":              "`!!1` `%\"a` b\" !.",
		"x @\u202ename":                "x `@[U+202E]name`",
		"two  blanks":                  "two  blanks",
	} {
		if got := Markdown(text, "*_|`"); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
	for text, want := range map[string]string{"": "", "a": "`a`", "a`b": "``a`b``", "`": "`` ` ``", "a|b": "`a|b`", " a ": "`  a  `"} {
		if got := Code(text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
