package audit

import "testing"

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
