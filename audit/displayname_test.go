package audit

import "testing"

func TestDisplayName(t *testing.T) {
	for _, c := range []struct{ name, want string }{
		{"example.com", "example.com"},
		{"xn--mnchen-3ya.example", "münchen.example (xn--mnchen-3ya.example)"},
		{"xn--mnchen-3ya.example:8080", "münchen.example:8080 (xn--mnchen-3ya.example:8080)"},
		{"https://xn--mnchen-3ya.example", "https://münchen.example (https://xn--mnchen-3ya.example)"},
		{"xn--strae-oqa.de", "straße.de (xn--strae-oqa.de)"},
		{"xn--e1afmkfd.xn--p1ai", "пример.рф (xn--e1afmkfd.xn--p1ai)"},
		{"www.xn--e1afmkfd.com", "www.пример.com (www.xn--e1afmkfd.com)"}, // a script a label
		{"xn--fsqu00a.xn--0zwm56d", "例子.测试 (xn--fsqu00a.xn--0zwm56d)"},
		{"xn--p8j9a0d9c9a.xn--q9jyb4c", "はじめよう.みんな (xn--p8j9a0d9c9a.xn--q9jyb4c)"},
		{"xn--mgbh0fb.xn--kgbechtv", "مثال.إختبار (xn--mgbh0fb.xn--kgbechtv)"},
		{"xn--pypal-4ve.com", "xn--pypal-4ve.com"},               // pаypal with a Cyrillic а
		{"xn--80ak6aa92e.com", "аррӏе.com (xn--80ak6aa92e.com)"}, // one script; the name that is looked up follows it
		{"xn--0.com", "xn--0.com"},
		{"xn--", "xn--"},
		{"192.0.2.1:80", "192.0.2.1:80"},
		{"[2001:db8::1]", "[2001:db8::1]"},
		{"http://[2001:db8::1]:80", "http://[2001:db8::1]:80"},
		{"", ""},
	} {
		if got := DisplayName(c.name); got != c.want {
			t.Errorf("%q: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestDisplayNameForth checks that a Unicode name of the list is displayed as written.
func TestDisplayNameForth(t *testing.T) {
	for _, host := range []string{"münchen.example", "straße.de", "пример.рф", "例え.jp", "日本語ひらがなカタカナ.jp", "한국어漢字.kr", "ελληνικά.gr", "עברית.example", "faß.example"} {
		d, why := ParseDomain(host)
		if why != "" {
			t.Errorf("%s: %s", host, why)
		}
		if got := DisplayName(d.Name); got != host+" ("+d.Name+")" {
			t.Errorf("%s: %q", host, got)
		}
	}
}
