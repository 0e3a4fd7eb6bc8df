package engine

import (
	"strings"
	"testing"
)

func TestRobotsURL(t *testing.T) {
	for url, want := range map[string]string{
		"https://example.com/a?b#c":          "https://example.com/robots.txt",
		"HTTPS://Example.COM":                "https://example.com/robots.txt",
		"http://example.com:80/":             "http://example.com/robots.txt",
		"http://example.com:/":               "http://example.com/robots.txt",
		"https://example.com:80/":            "https://example.com:80/robots.txt",
		"https://user:pw@example.com:8443/a": "https://example.com:8443/robots.txt",
		"ftp://example.com:21/":              "ftp://example.com/robots.txt",
		"http://[2001:DB8::1]:8080/a":        "http://[2001:db8::1]:8080/robots.txt",
		"http://пример.рф/":                  "http://xn--e1afmkfd.xn--p1ai/robots.txt",
		"http://ПРИМЕР.рф/":                  "http://xn--e1afmkfd.xn--p1ai/robots.txt",
		"http://my_host.example/":            "http://my_host.example/robots.txt",
		"https://example.com?a":              "https://example.com/robots.txt",
		"/a":                                 "",
		"example.com/a":                      "",
		"//example.com/a":                    "",
		"https:///a":                         "",
		"https://example.com:port/":          "",
		"mailto:a@example.com":               "",
		"":                                   "",
	} {
		got, ok := RobotsURL(url)
		if got != want || ok != (want != "") {
			t.Errorf("%q: %q, %v, want %q", url, got, ok, want)
		}
		if ok && (!IsRobotsURL(got) || !Governs(got, url)) {
			t.Errorf("%s does not govern %s", got, url)
		}
	}
	for _, url := range []string{"https://example.com/robots.txt?a", "https://example.com/a/robots.txt", "https://example.com/ROBOTS.TXT", "/robots.txt", "https://example.com"} {
		if IsRobotsURL(url) || Governs(url, "https://example.com/") {
			t.Errorf("%s passes for a robots.txt", url)
		}
	}
}

func TestURLProblem(t *testing.T) {
	rfc, oss := mustProfile(t, "rfc9309"), mustProfile(t, "google-oss")
	for url, want := range map[string]string{
		"":                            "is empty",
		"not a url":                   "is neither",
		"example.com/a":               "is neither",
		"?q":                          "is neither",
		";x":                          "is neither",
		"#top":                        "is neither",
		"a/b":                         "is neither",
		" https://example.com/":       "is neither",
		"https:/example.com/":         "is neither",
		"https:\\\\example.com\\a":    "is neither",
		"://example.com/":             "is neither",
		"mailto:a@example.com":        "is neither",
		"javascript://example.com/":   "is a URL of javascript,",
		"file:///etc/passwd":          "is a URL of file,",
		"htp://example.com/":          "is a URL of htp,",
		"http://":                     "has no host",
		"https:///a":                  "has no host",
		"https://?q":                  "has no host",
		"https://user@/a":             "has no host",
		"https://:443/":               "has no host",
		"http://exa mple.com/":        "has an invalid host: it contains ' '",
		"http://example.com\n/":       "has an invalid host: it contains '\\n'",
		"http://example.com:http/":    "has a port",
		"http://example.com:65536/":   "has a port",
		"http://example.com:-1/":      "has a port",
		"http://example.com:+1/":      "has a port",
		"/":                           "",
		"/a b\n":                      "",
		"//example.com/a":             "",
		"http://example.com":          "",
		"HTTPS://EXAMPLE.COM:443/a":   "",
		"https://example.com:/":       "",
		"https://example.com:0443/a":  "",
		"ftp://example.com/a":         "",
		"https://example.com?q":       "",
		"https://example.com#a":       "",
		"http://example.com\\a":       "", // asked for as http://example.com/a
		"https://u:p@example.com/a":   "",
		"http://[::1]:8080/a":         "",
		"http://[::1]":                "",
		"http://müller.example/\xff":  "",
		"http://a_b.example./a?b#c d": "",
	} {
		got := rfc.URLProblem(url)
		if want == "" && got != "" || !strings.HasPrefix(got, want) {
			t.Errorf("%q: %q, want %q", url, got, want)
		}
		if got := oss.URLProblem(url); got != "" {
			t.Errorf("%q: %q to a matcher that judges whatever it is given", url, got)
		}
	}
}
