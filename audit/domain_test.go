package audit

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
)

// readList renders a list the way a reader would: names, and lines refused.
func readList(list string) (got []string) {
	for d, err := range Domains(strings.NewReader(list)) {
		var bad *ListError
		switch {
		case errors.As(err, &bad):
			got = append(got, fmt.Sprintf("%d! %s", bad.Line, bad.Why))
		case err != nil:
			got = append(got, err.Error())
		default:
			got = append(got, fmt.Sprintf("%d %s %s", d.Line, d.Name, d.Origin(firstScheme(d))))
		}
	}
	return got
}

// A line is quoted up to its 200th byte, without a partial character at the end.
func TestListErrorText(t *testing.T) {
	for _, c := range []struct{ line, text string }{
		{strings.Repeat(" x", 100), strings.Repeat("x ", 99) + "x"},
		{strings.Repeat("x ", 101) + "x", strings.Repeat("x ", 100)},
		{"x " + strings.Repeat("漢", 70), "x " + strings.Repeat("漢", 66)},
		{"xx " + strings.Repeat("漢", 70), "xx " + strings.Repeat("漢", 65)},
		{"xxx " + strings.Repeat("漢", 70), "xxx " + strings.Repeat("漢", 65)},
		{strings.Repeat("\xff", 201), strings.Repeat("\uFFFD", 1)}, // a run of bytes that are none
	} {
		for _, err := range Domains(strings.NewReader(c.line)) {
			var bad *ListError
			if !errors.As(err, &bad) || bad.Text != c.text {
				t.Errorf("%.20q…: %v, want %q", c.line, err, c.text)
			}
		}
	}
}

func TestDomains(t *testing.T) {
	list := "\uFEFFexample.com\r\n" + // byte order mark, CR LF
		"\n# a comment\n" +
		"https://example.com\n" + // the same: a bare host means https
		"EXAMPLE.com.\n" + // the same: case, trailing dot
		"http://example.com\n" + // another site: another scheme
		"http://example.com:80/\n" + // the same as the line before
		"http://example.com:8080/some/path?q # staging\n" +
		"münchen.example\n" +
		"xn--mnchen-3ya.example\n" + // the same as the line before
		"my_host.example\n" +
		"192.0.2.1\n" +
		"[2001:DB8::1]:8443\n" +
		"two words.example\n" +
		"gopher://example.com\n" +
		"ftp://example.com:21\n" +
		"user:secret@example.com\n" +
		"example.com:99999\n" +
		strings.Repeat("a", 64) + ".example\n" +
		"\xff\xfe\n" +
		strings.Repeat("x", 70000) + "\n" +
		"https//example.com\n" +
		"http.example//a\n" +
		"last.example"
	want := []string{
		"1 example.com https://example.com",
		"6 http://example.com http://example.com",
		"8 example.com:8080 http://example.com:8080",
		"9 xn--mnchen-3ya.example https://xn--mnchen-3ya.example",
		"11 my_host.example https://my_host.example",
		"12 192.0.2.1 https://192.0.2.1",
		"13 [2001:db8::1]:8443 https://[2001:db8::1]:8443",
		"14! a host name cannot contain white space or a backslash",
		"15! only http, https and ftp sites can be audited",
		"16 ftp://example.com ftp://example.com",
		"17! a name and password need a scheme: https://NAME:PASSWORD@HOST",
		"18! the port is not a number from 1 to 65535",
		"19! not a host name",
		"20! not valid UTF-8",
		"21! longer than 65536 bytes",
		"22! a colon is missing after https",
		"23 http.example https://http.example",
		"24 last.example https://last.example",
	}
	checkEqual(t, "list", readList(list), want)
}

// TestDomainForms: whatever form a host has, it is one site (url.spec.whatwg.org, 3.5), and
// port 80 is that of http.
func TestDomainForms(t *testing.T) {
	list := "127.1\n0x7f000001\n2130706433\n0177.0.0.1\n127.0.0.1.\nhttps://127.0.0.1:443\n①②⑦.0.0.1\n127.1:8080\n" +
		"a.example:80\nhttp://a.example\nA.example:080\nhttps://b.example:80\nb.example:443\n0x7f.1:80\n1.2.3.256\n4294967296\n08\n1.example\n1a\n0xg\nx.0x\n"
	want := []string{
		"1 127.0.0.1 https://127.0.0.1",
		"8 127.0.0.1:8080 https://127.0.0.1:8080",
		"9 a.example http://a.example",
		"12 b.example:80 https://b.example:80",
		"13 b.example https://b.example",
		"14 http://127.0.0.1 http://127.0.0.1",
		"15! not a host name and not an IPv4 address",
		"16! not a host name and not an IPv4 address",
		"17! not a host name and not an IPv4 address",
		"18 1.example https://1.example",
		"19 1a https://1a",
		"20 0xg https://0xg",
		"21! not a host name and not an IPv4 address",
	}
	checkEqual(t, "list", readList(list), want)
}

type failing struct{ r io.Reader }

func (f failing) Read(p []byte) (int, error) {
	if n, err := f.r.Read(p); err == nil {
		return n, nil
	}
	return 0, errors.New("disk on fire")
}

func TestDomainsReadError(t *testing.T) {
	var got []string
	for d, err := range Domains(failing{strings.NewReader("a.example\nb.example\n")}) {
		got = append(got, fmt.Sprint(d.Name, err))
	}
	want := []string{"a.example<nil>", "b.example<nil>", "reading the list of sites, line 3: disk on fire"}
	checkEqual(t, "list", got, want)
}

func FuzzParseDomain(f *testing.F) {
	for _, s := range []string{"example.com", "https://exämple.com:443/x", "[::1]:80", "http://a@b", "a..b", "%41.com"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, entry string) {
		d, why := ParseDomain(entry)
		if why != "" {
			return
		}
		// What was read once is read the same again.
		again, why := ParseDomain(d.Origin(firstScheme(d)))
		if why != "" || again.Host != d.Host || again.Port != d.Port {
			t.Errorf("%q: %+v, and again %+v %s", entry, d, again, why)
		}
	})
}

// Ids are a promise: two runs are joined by them. Other programs can make them:
// printf 'https://example.com/a?q' | sha256sum | cut -c1-16
func TestIdent(t *testing.T) {
	a, buf := URLID(nil, "https://example.com", "HTTPS://Example.com:443/%61?q#f")
	b, _ := URLID(buf, "https://example.com", "https://example.com/a?q")
	if want := "5eb28bb1538322aa"; a != b || a != want {
		t.Errorf("%s, %s, want %s", a, b, want)
	}
	if other, _ := URLID(nil, "http://example.com", "http://example.com/a?q"); other == a {
		t.Error("another scheme is another URL")
	}
	if a, b := RuleID("Bingbot, *", "disallow: /a"), RuleID("*,bingbot,bingbot", "disallow: /a"); a != b || len(a) != 16 {
		t.Errorf("%s, %s", a, b)
	}
	if RuleID("*", "disallow: /a") == RuleID("*", "allow: /a") {
		t.Error("another kind is another rule")
	}
}

func TestTopDirectory(t *testing.T) {
	for loc, want := range map[string]string{
		"https://example.com":            "/",
		"https://example.com/":           "/",
		"https://example.com/a":          "/",
		"https://example.com/a/b/c":      "/a/",
		"https://example.com/a?b=/c/":    "/",
		"https://example.com?a=/b/c":     "/",
		"https://example.com//a/":        "//",
		"no url":                         "/",
		"https://example.com/%D0%B0/b#c": "/%D0%B0/",
	} {
		if got := TopDirectory(loc); got != want {
			t.Errorf("TopDirectory(%q) = %q, want %q", loc, got, want)
		}
	}
}
