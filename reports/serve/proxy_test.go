package serve

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// TestForwarded checks that requests through a proxy need a token, whatever their host name, and
// that the answer says what to do.
func TestForwarded(t *testing.T) {
	_, open, _ := guarded(t, Options{Hosts: []string{"desk.example.com"}})
	_, held, _ := guarded(t, Options{Hosts: []string{"desk.example.com"}, Token: testToken})
	for _, header := range [][]string{
		{"X-Forwarded-For", "192.0.2.1"}, {"X-Forwarded-Proto", "https"}, {"X-Forwarded-Host", "desk.example.com"}, {"x-forwarded-prefix", "/x"}, {"X-Forwarded-Server", ""},
		{"Forwarded", "for=192.0.2.1"}, {"Via", "1.1 proxy"}, {"X-Real-IP", "192.0.2.1"},
	} {
		for _, host := range []string{"127.0.0.1:7070", "localhost", "desk.example.com"} {
			for _, path := range []string{"/", "/runs/monday/report/index.html", "/runs/monday/sites/shop.example", "/assets/desk.js", "/enter"} {
				asked := append([]string{"Host", host}, header...)
				answer, text := open.do("GET", path, "", asked...)
				if answer.StatusCode != http.StatusForbidden || !strings.Contains(text, "-token-file") || !strings.Contains(text, "Host header") || strings.Contains(text, "monday") {
					t.Errorf("%s of %s with %s and no token to know: %s: %.100s", path, host, header, answer.Status, text)
				}
				if path == "/assets/desk.js" || path == "/enter" {
					continue
				}
				if answer, _ = held.do("GET", path, "", asked...); answer.StatusCode != http.StatusUnauthorized {
					t.Errorf("%s of %s with %s and without the token: %s", path, host, header, answer.Status)
				}
				if answer, _ = held.do("GET", path, "", append(asked, "Authorization", "Bearer "+testToken)...); answer.StatusCode/100 > 3 {
					t.Errorf("%s of %s with %s and the token: %s", path, host, header, answer.Status)
				}
			}
		}
	}
	if text := open.raw("GET / HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n"); !strings.Contains(text, " 403 ") {
		t.Errorf("HTTP/1.0: %.200s", text)
	}
	if answer, text := held.do("POST", "/enter", "", "Host", "127.0.0.1:7070", "Origin", "https://desk.example.com", "X-Forwarded-Proto", "https"); answer.StatusCode != http.StatusForbidden || !strings.Contains(text, "must pass on the Host header") {
		t.Errorf("a form by way of a proxy that does not pass Host: %s: %s", answer.Status, text)
	}
}

// TestSecureCookies checks that cookies are only for https if the browser used https.
func TestSecureCookies(t *testing.T) {
	_, a, _ := guarded(t, Options{Token: testToken})
	for _, c := range []struct {
		name, value string
		secure      bool
	}{
		{"X-Forwarded-Proto", "https", true}, {"X-Forwarded-Proto", "HTTPS", true}, {"X-Forwarded-Proto", "https, http", true}, {"Forwarded", `for=192.0.2.1;Proto="https";by=x, proto=http`, true}, {"Forwarded", "for=192.0.2.1; proto=https", true},
		{"X-Forwarded-Proto", "http", false}, {"X-Forwarded-Proto", "http, https", false}, {"X-Forwarded-Proto", "httpsx", false}, {"Forwarded", "for=192.0.2.1", false}, {"Forwarded", "proto=http, proto=https", false}, {"Accept", "text/html", false},
	} {
		entered, _ := a.do("POST", "/enter", "token="+url.QueryEscape(testToken), "Content-Type", "application/x-www-form-urlencoded", c.name, c.value)
		page, _ := a.do("GET", "/nothing", "", "Authorization", "Bearer "+testToken, c.name, c.value)
		for _, cookie := range append(entered.Cookies(), page.Cookies()...) {
			if cookie.Secure != c.secure {
				t.Errorf("%s: %s: cookie %s", c.name, c.value, cookie)
			}
		}
		if len(entered.Cookies()) != 1 || len(page.Cookies()) != 1 {
			t.Errorf("%s: %s: cookies %v, %v", c.name, c.value, entered.Cookies(), page.Cookies())
		}
	}
}
