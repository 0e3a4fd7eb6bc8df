package audit

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"robots-audit/engine"
)

// TestDifferences: every point of a profile that may bear on a verdict is among the
// differences that causes are looked for in, once.
func TestDifferences(t *testing.T) {
	count := map[string]int{}
	for _, k := range differences {
		for _, field := range k.fields {
			count[field]++
		}
	}
	for _, field := range []string{"Name", "Title", "Dated", "Source", "Proof", "Superseded", "CrawlDelay", "Host", "CleanParam", "HTTPOnly", "AnyURL"} { // bear on none
		count[field]++
	}
	profile := reflect.TypeFor[engine.Profile]()
	for i := range profile.NumField() {
		if name := profile.Field(i).Name; count[name] != 1 {
			t.Errorf("%s stands in %d differences", name, count[name])
		}
	}
	if len(count) != profile.NumField() {
		t.Errorf("%d fields in the differences, %d in a profile", len(count), profile.NumField())
	}
}

// TestDifferencesSay: where Google's page, Google's matcher and RFC 9309 compare a path
// differently, the point on which they part is found, and each side has its sentence.
func TestDifferencesSay(t *testing.T) {
	const page, parser, rfc = "Non-7-bit ASCII characters in a path may be included", "ID_Encoding", "MUST be unencoded prior to comparison"
	for _, c := range []struct {
		a, b, rule, url string
		class           string // "" = they agree
		saysA, saysB    string
	}{
		{"google", "rfc9309", "/%65", "/e", "encoding", parser, rfc},
		{"google", "rfc9309", "/e", "/%65", "encoding", page, rfc},
		{"google-2023", "rfc9309", "/%65", "/e", "encoding", page, rfc},
		{"google-2019", "rfc9309", "/%65", "/e", "encoding", page, rfc},
		{"google", "google-oss", "/%65", "/e", "", "", ""},
		{"google-oss", "rfc9309", "/%65", "/e", "encoding", parser, rfc},
		{"google", "rfc9309", "/a%2Fb", "/a%2fb", "encoding", "to upper case only in rules", rfc},
		{"google", "google-oss", "/a%2Fb", "/a%2fb", "", "", ""},
		{"google", "rfc9309", "/a%2Fb", "/a/b", "", "", ""},
		{"google", "google-oss", "/%C3%A9", "/%c3%a9", "encoding", page, "leaves URLs as they are"},
		{"google", "rfc9309", "/%C3%A9", "/%c3%a9", "", "", ""},
		{"google", "google-oss", "/\u00e9", "/\u00e9", "encoding", page, "leaves URLs as they are"},
		{"google", "google-oss", "/%C3%A9", "/\u00e9", "encoding", page, "leaves URLs as they are"},
		{"google", "yandex", "/%C3%A9", "/\u00e9", "encoding", page, "compares bytes as they are"},
		{"google", "rfc9309", "/a%2Ab", "/a*b", "encoding", "decodes none", "%2A and %24 in a rule"},
		{"google-oss", "rfc9309", "/a%24", "/a$", "encoding", "decodes nothing", "%2A and %24 in a rule"},
		{"google", "rep-1994", "/%65", "/e", "encoding", page, "RFC 3986 6.2.2"},
		{"google", "rfc9309", "/", "/robots.txt", "/robots.txt", "Google's page makes no exception", "implicitly allowed"},
		{"google-oss", "rfc9309", "/r", "/robots.txt", "/robots.txt", "robots.cc", "implicitly allowed"},
		{"yandex", "rfc9309", "/", "/robots.txt", "/robots.txt", "its source", "implicitly allowed"},
		{"google", "google-oss", "/", "/robots.txt", "", "", ""},
	} {
		a, _ := engine.ProfileByName(c.a)
		b, _ := engine.ProfileByName(c.b)
		verdict := func(p *engine.Profile) engine.Verdict {
			return p.Parse([]byte("user-agent: *\ndisallow: " + c.rule + "\n")).Group(engine.Crawler{Tokens: []string{"bot"}}).Verdict(c.url).Verdict
		}
		want := verdict(b)
		if differ := verdict(a) != want; differ != (c.class != "") {
			t.Errorf("%s and %s on %s under %s: they differ: %v", c.a, c.b, c.url, c.rule, differ)
			continue
		}
		if c.class == "" {
			continue
		}
		var causes []string
		for d, p := range Differences(a, b) {
			if verdict(p) != want {
				continue
			}
			causes = append(causes, d.Class)
			if !strings.Contains(d.Says(a), c.saysA) || !strings.Contains(d.Says(b), c.saysB) {
				t.Errorf("%s and %s on %s under %s: %q, %q", c.a, c.b, c.url, c.rule, d.Says(a), d.Says(b))
			}
		}
		if !slices.Equal(causes, []string{c.class}) {
			t.Errorf("%s and %s on %s under %s: causes %q", c.a, c.b, c.url, c.rule, causes)
		}
	}
}
