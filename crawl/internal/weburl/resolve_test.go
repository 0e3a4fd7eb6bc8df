package weburl

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// base is a resolved URL for relative ones.
const base = "https://site.test/dir/sub/map.xml?x=1"

// resolveTests are URLs and their form by the URL Standard, without name,
// password and fragment; "" = not a URL to request. Each follows from the rule in
// the comment above it.
var resolveTests = []struct{ raw, want string }{
	{"https://a.test/b?c=d&e", "https://a.test/b?c=d&e"},
	// Around and within: 4.4, steps 1 to 3 of the basic URL parser.
	{" \t\r\n\x00\x1fhttps://a.test/b\x1f \n", "https://a.test/b"},
	{"ht\ntps://a.te\tst/b\r\nc", "https://a.test/bc"},
	// Scheme, authority.
	{"HTTPS://User:Pass@A.Test:443/B#c", "https://a.test/B"},
	{"http://a.test:80", "http://a.test/"},
	{"http://a.test:0080/", "http://a.test/"},
	{"https://a.test:80", "https://a.test:80/"},
	{"https://a.test:/", "https://a.test/"},
	{"https://a.test?q", "https://a.test/?q"},
	{"https://a.test#f", "https://a.test/"},
	{"https://a.test/?", "https://a.test/?"},
	{"https://a.test./", "https://a.test./"},
	{"https://Ä.test/", "https://xn--4ca.test/"},
	{"https://a%2Etest/", "https://a.test/"},
	{"https://0x7f.1/", "https://127.0.0.1/"},
	{"https://[::FFFF:1.2.3.4]/", "https://[::ffff:102:304]/"},
	{"https://a.test:65536/", ""}, {"https://a.test:x/", ""}, {"https://exa mple.test/", ""}, {"https://1.2.3.256/", ""}, {"https://[::1/", ""},
	{"https://@/", ""}, {"https://", ""}, {"https://?q", ""}, {"mailto:a@a.test", ""}, {"ftp://a.test/", ""},
	// Backslashes are slashes, but not after the question mark.
	{`https:\\a.test\b\c`, "https://a.test/b/c"},
	{`https:/\a.test`, "https://a.test/"},
	{`https://a.test\b?c\d#e\f`, `https://a.test/b?c\d`},
	{`/a\..\b`, "https://site.test/b"},
	// Dot segments: single-dot and double-dot path segments.
	{"https://a.test/./b", "https://a.test/b"},
	{"https://a.test/b/.", "https://a.test/b/"},
	{"https://a.test/b/..", "https://a.test/"},
	{"https://a.test/../../b", "https://a.test/b"},
	{"https://a.test/b//../c", "https://a.test/b/c"},
	{"https://a.test/%2e/b/%2E%2e/c/.%2E", "https://a.test/"},
	{"https://a.test/b/%2e%2E/c", "https://a.test/c"},
	{"https://a.test/.../.b/b./..b/%2e%2e%2e/%2eb", "https://a.test/.../.b/b./..b/%2e%2e%2e/%2eb"},
	{"https://a.test//b///c/", "https://a.test//b///c/"},
	{"https://a.test/b?/./c", "https://a.test/b?/./c"},
	// Escapes: 1.3, the path and special-query percent-encode sets.
	{"https://a.test/b c", "https://a.test/b%20c"},
	{"https://a.test/ä?ä", "https://a.test/%C3%A4?%C3%A4"},
	{"https://a.test/\"<>^`{}'|~[]?\"<>^`{}'|", "https://a.test/%22%3C%3E%5E%60%7B%7D'|~[]?%22%3C%3E^`{}%27|"},
	{"https://a.test/%c3%A4%41%zz%?%c3%", "https://a.test/%c3%A4%41%zz%?%c3%"},
	{"https://a.test/\x01\x7f", "https://a.test/%01%7F"},
	{"https://a.test/\xff", "https://a.test/%FF"}, // a difference: the standard has U+FFFD
	// Relative.
	{"", base}, {"#f", base}, {"?", "https://site.test/dir/sub/map.xml?"}, {"?q", "https://site.test/dir/sub/map.xml?q"},
	{"b", "https://site.test/dir/sub/b"}, {"./b", "https://site.test/dir/sub/b"}, {"../b?c", "https://site.test/dir/b?c"},
	{"..", "https://site.test/dir/"}, {"../../../..", "https://site.test/"}, {"/b", "https://site.test/b"}, {"//b.test/c", "https://b.test/c"},
	{`\\b.test\c`, "https://b.test/c"}, {"https:b", "https://site.test/dir/sub/b"}, {"https:/b", "https://site.test/b"},
	// A difference: after one slash or three there is no host.
	{"http:/b", ""}, {"http:b", ""}, {"https:///b", ""}, {"///b", ""},
}

func TestResolve(t *testing.T) {
	for _, tt := range resolveTests {
		got, err := Resolve(tt.raw, base)
		if got != tt.want || (err != nil) != (tt.want == "") {
			t.Errorf("Resolve(%q) = %q, %v; want %q", tt.raw, got, err, tt.want)
		}
		if again, _ := Resolve(got, ""); err == nil && again != got {
			t.Errorf("Resolve(%q) = %q, which is not resolved: %q", tt.raw, got, again)
		}
	}
	for _, raw := range []string{"", "/a", "a", "//a.test/", "?q"} {
		if got, err := Resolve(raw, ""); err != ErrRelative {
			t.Errorf("Resolve(%q) without a base = %q, %v", raw, got, err)
		}
	}
}

// TestResolver compares the quick test with the real resolution: URLs that pass
// must not change, and almost all plain URLs must pass.
func TestResolver(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	parts := []string{"a", "bcd", "/", "/", "page-1.html", "%41", "%2e", "%2E", ".", "..", "?", "&", "=", "'", "\"", "<", ">", "\\", "^", "`", "{", "}", "#", " ", "\t", "\x01", "\x7f", "ä", "|", "~", "!"}
	var quick Resolver
	passed := 0
	for i := range 50_000 {
		raw := []string{"https://a.test/", "https://b.test/", "http://a.test/", "https://A.test/", "https://a.test:443/", "https://1/", "https://1.2.3.4:81/", "https://xn--4ca.test/", "https://xn--a.test/", "https://a.test", "https:///", "/"}[r.IntN(12)]
		for range r.IntN(9) {
			n := len(parts)
			if i%2 == 0 {
				n = 6 // plain ones
			}
			raw += parts[r.IntN(n)]
		}
		if !quick.IsResolved([]byte(raw)) {
			continue
		}
		passed++
		if got, err := Resolve(raw, ""); err != nil || got != raw {
			t.Fatalf("IsResolved(%q), but it is %q, %v", raw, got, err)
		}
	}
	if passed < 7_500 {
		t.Errorf("%d passed", passed)
	}
	for _, raw := range []string{"https://a.test/", "https://a.test/a/b.html?c=d&e=%D0%B0", "https://www.a-b.test/a..b/c.", "http://a.test/?:@$&()*+,;=",
		"https://xn--4ca.test/a", "https://a.test:8443/a", "http://127.0.0.1/a", "https://[::1]/a"} {
		if !new(Resolver).IsResolved([]byte(raw)) {
			t.Errorf("IsResolved(%q) = false", raw)
		}
	}
}

// TestReadAgain: a name that was read once can be read again, whatever Punycode did to
// it. Some very long labels overflow when they are decoded: no such name can be looked
// up.
func TestReadAgain(t *testing.T) {
	refused := 0
	for n := 1; n < 6000; n += 50 {
		u, err := Read("http://\u06a1" + strings.Repeat("!", 27) + strings.Repeat("9", n) + "!!!!!0/")
		if err != nil {
			refused++
			continue
		}
		if again, err := Read(u.String()); err != nil || again.String() != u.String() {
			t.Errorf("%d digits: %v", n, err)
		}
	}
	if refused == 0 || refused > 100 {
		t.Errorf("%d names are refused", refused)
	}
}
