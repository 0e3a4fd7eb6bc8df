package engine

import "testing"

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
