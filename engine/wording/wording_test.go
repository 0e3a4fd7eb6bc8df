package wording

import (
	"strings"
	"testing"
)

func TestNumbers(t *testing.T) {
	for _, c := range []struct {
		n                        int64
		plural, thousands, known string
	}{
		{0, "0 sites", "0", "0 URLs"},
		{1, "1 site", "1", "1 URL"},
		{2, "2 sites", "2", "2 URLs"},
		{-1, "-1 sites", "-1", "-1 URLs"},
		{-100, "-100 sites", "-100", "-100 URLs"},
		{-1000, "-1,000 sites", "-1,000", "-1,000 URLs"},
		{999, "999 sites", "999", "999 URLs"},
		{1000, "1,000 sites", "1,000", "1,000 URLs"},
		{-123456, "-123,456 sites", "-123,456", "-123,456 URLs"},
		{1234567, "1,234,567 sites", "1,234,567", "1,234,567 URLs"},
	} {
		for _, got := range [][2]string{
			{Plural(c.n, "site"), c.plural}, {Plural(int(c.n), "site"), c.plural},
			{Thousands(c.n), c.thousands}, {URLs(c.n), c.known},
		} {
			if got[0] != got[1] {
				t.Errorf("%d is %q, want %q", c.n, got[0], got[1])
			}
		}
	}
}

func TestPercent(t *testing.T) {
	for _, c := range []struct {
		part, whole int64
		want        string
	}{
		{0, 0, "0 %"}, {3, 0, "0 %"}, {0, 10, "0 %"}, {1, 8, "13 %"}, {1, 12, "8.3 %"}, {999, 10050, "9.9 %"}, {10, 10, "100 %"}, {249, 1000, "25 %"}, {992, 1000, "99.2 %"},
		{1, 1000, "0.1 %"}, {1, 1001, "less than 0.1 %"}, {1, 1 << 62, "less than 0.1 %"}, {9999, 10000, "99.9 %"}, {99999, 100000, "99.9 %"},
	} {
		if got := Percent(c.part, c.whole); got != c.want {
			t.Errorf("%d of %d is %q, want %q", c.part, c.whole, got, c.want)
		}
	}
}

func TestVerb(t *testing.T) {
	for n, want := range map[int]string{0: "are", 1: "is", 2: "are", -1: "are"} {
		if got := Verb(n, "is", "are"); got != want {
			t.Errorf("%d %s, want %s", n, got, want)
		}
	}
}

func TestJoin(t *testing.T) {
	list := ""
	for _, c := range []struct{ name, want string }{{"", ""}, {"a", "a"}, {"b", "a, b"}, {"", "a, b, "}} {
		if list = Join(list, c.name); list != c.want {
			t.Errorf("%q, want %q", list, c.want)
		}
	}
}

func TestNearest(t *testing.T) {
	names := []string{"Googlebot", "Googlebot-Image", "Bingbot", "YandexBot", "anthropic-ai", "google", "google-2023", "facebookexternalhit", "rep-1994"}
	for name, want := range map[string]string{
		"Googelbot": "Googlebot", "Google Bot!": "Googlebot", "googlebotimage": "Googlebot-Image", "GOOGLEBOT_IMAGE": "Googlebot-Image",
		"Anthropic AI": "anthropic-ai", "YandxBot": "YandexBot", "goggle": "google", "google2023": "google-2023", "google-2032": "google-2023",
		"bing": "Bingbot", "facebook": "facebookexternalhit", "rep1944": "rep-1994",
		"MyBot": "", "": "", "!": "", "go": "", "FooBarBot": "", "\xff": "", string(make([]byte, 1000)): "",
	} {
		if got := Nearest(name, names); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

func TestNoURL(t *testing.T) {
	for n, want := range map[int64]string{
		1: "The only URL is not", 2: "None of the 2 URLs is", 1234: "None of the 1,234 URLs is",
	} {
		if got := NoURL(n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}

func TestOf(t *testing.T) {
	for n, want := range map[int64]string{1: "the only page", 2: "any of the 2 pages", 1234: "any of the 1,234 pages"} {
		if got := Of("any of the", n, "page"); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}

func TestDistance(t *testing.T) {
	long := strings.Repeat("a", 65)
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"allow", "allow", 0}, {"alow", "allow", 1}, {"allow", "alow", 1}, {"allwo", "allow", 1}, {"allaw", "allow", 1},
		{"disallow", "", 8}, {"ca", "abc", 3}, {"é", "e", 2}, {"agent", "user", 4}, {long, long, 65}, {long, "a", 65},
	} {
		if got := Distance(c.a, c.b); got != c.want {
			t.Errorf("%q, %q: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
