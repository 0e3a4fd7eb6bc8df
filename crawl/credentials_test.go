package crawl

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

// TestAuthenticate checks that credentials are only sent to their scheme, host and
// port.
func TestAuthenticate(t *testing.T) {
	s := new(Client).Site("example.test")
	defer s.Close()
	if err := s.Authenticate("https://Bücher.test", Credentials{"name", "pass:word"}); err != nil {
		t.Fatal(err)
	}
	for raw, want := range map[string]bool{
		"https://xn--bcher-kva.test/robots.txt": true,
		"https://xn--bcher-kva.test:443/a?b":    true,
		"https://XN--BCHER-KVA.test/":           true,
		"http://xn--bcher-kva.test/":            false,
		"https://xn--bcher-kva.test:8443/":      false,
		"http://xn--bcher-kva.test:443/":        false,
		"https://www.xn--bcher-kva.test/":       false,
		"https://a.xn--bcher-kva.test/":         false,
		"https://xn--bcher-kva.test.evil.test/": false,
		"https://evil.test/xn--bcher-kva.test":  false,
	} {
		u, err := url.Parse(raw)
		if err != nil {
			t.Fatal(err)
		}
		sent := ""
		a := authorizer{login: s.login, next: roundTripper(func(req *http.Request) (*http.Response, error) {
			user, password, _ := req.BasicAuth()
			sent = user + " " + password
			return nil, nil
		})}
		req := &http.Request{URL: u, Header: http.Header{}}
		a.RoundTrip(req)
		if got := sent == "name pass:word"; got != want || !want && strings.TrimSpace(sent) != "" {
			t.Errorf("%s: sent %q", raw, sent)
		}
		if len(req.Header) > 0 {
			t.Errorf("%s: the caller's request was changed", raw)
		}
	}
	if s.Authenticate("example.test", Credentials{}) == nil {
		t.Error("no origin, and no error")
	}
}

// TestCredentialsHidden prints credentials in all ways that may happen by
// accident.
func TestCredentialsHidden(t *testing.T) {
	c := &struct{ Credentials *Credentials }{&Credentials{"n4me", "s3cr3t"}}
	text, err := json.Marshal(c)
	said := fmt.Sprintf("%v %+v %#v %s %q %v %s", c, c, *c.Credentials, c.Credentials, *c.Credentials, err, text)
	if strings.Contains(said, "n4me") || strings.Contains(said, "s3cr3t") {
		t.Error(said)
	}
}
