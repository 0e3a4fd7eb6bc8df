package reports

import (
	"strings"
	"testing"
)

func TestFileBase(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"example.com":              "example.com",
		"example.com:8080":         "example.com_8080",
		"http://example.com":       "example.com_http",
		"https://example.com:8443": "example.com_8443_https",
		"xn--e1afmkfd.xn--p1ai":    "xn--e1afmkfd.xn--p1ai",
		"[2001:db8::1]":            "2001-db8--1",
		"[2001:db8::1]:8080":       "2001-db8--1_8080",
		"con.example":              "_con.example",
		"con":                      "_con",
		"lpt1:8080":                "lpt1_8080",
		"nul":                      "_nul",
		"console.example":          "console.example",
		"summary":                  "_summary",
		"..":                       "site-" + shortHash(".."),
		".hidden":                  "_.hidden",
		"-rf":                      "_-rf",
		"../../etc/passwd":         "_..-..-etc-passwd-" + shortHash("../../etc/passwd"),
		"a b":                      "a-b-" + shortHash("a b"),
		"example.com.":             "example.com-" + shortHash("example.com."),
		"Example.com":              "-xample.com-" + shortHash("Example.com"),
		"foo_8080":                 "foo_8080-" + shortHash("foo_8080"),
		"foo_bar.example":          "foo_bar.example",
		"_con.example":             "_con.example-" + shortHash("_con.example"),
		"_dmarc.example":           "_dmarc.example",
		"2001-db8--1":              "2001-db8--1-" + shortHash("2001-db8--1"),
		"":                         "site-" + shortHash(""),
	} {
		if want[0] == '-' {
			want = "_" + want
		}
		if got := fileBase(name); got != want {
			t.Errorf("fileBase(%q) = %q, want %q", name, got, want)
		}
	}
}

func FuzzFileBase(f *testing.F) {
	f.Add("example.com:80")
	f.Add("COM1.example")
	f.Add(strings.Repeat("a.", 126) + "b")
	f.Add("a/b\\c\x00")
	f.Fuzz(func(t *testing.T, name string) {
		base := fileBase(name)
		if len(base) == 0 || len(base) > longestBase+18 {
			t.Fatalf("%q: %d bytes", base, len(base))
		}
		if strings.Trim(base, "abcdefghijklmnopqrstuvwxyz0123456789._-") != "" || strings.HasSuffix(base, ".") || base[0] == '.' || base[0] == '-' {
			t.Fatalf("%q is not safe", base)
		}
		if first, _, _ := strings.Cut(base, "."); reservedNames[first] {
			t.Fatalf("%q is reserved", base)
		}
	})
}
