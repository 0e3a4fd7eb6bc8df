package crawl

import (
	"encoding/base64"
	"net/http"
	"net/url"

	"robots-audit/crawl/internal/weburl"
)

// Credentials are a name and a password for HTTP Basic authentication (RFC
// 7617), which often protects test servers. Printing them never shows either.
type Credentials struct {
	User, Password string
}

const hiddenCredentials = "[name and password]"

// String hides the credentials, so that no log and no error shows them.
func (Credentials) String() string { return hiddenCredentials }

// GoString hides them from %#v.
func (Credentials) GoString() string { return hiddenCredentials }

// MarshalText hides them from JSON and other text formats.
func (Credentials) MarshalText() ([]byte, error) { return []byte(hiddenCredentials), nil }

// Authenticate adds credentials to the site's requests to an origin: those to
// exactly its scheme, host and port. Other origins never get them, wherever
// redirects and sitemaps lead. Answers of such a site may be confidential, so
// they are neither read from the cache nor stored in it. Call it before any
// request. An invalid origin is an error.
func (s *Site) Authenticate(origin string, c Credentials) error {
	u, err := weburl.Read(origin)
	if err != nil {
		return err
	}
	s.login = login{originKey(u), "Basic " + base64.StdEncoding.EncodeToString([]byte(c.User+":"+c.Password))}
	return nil
}

// login is the setting of Authenticate; zero = none.
type login struct {
	origin string // as originKey writes it
	header string
}

// originKey returns scheme, host and port of a URL in one form.
func originKey(u *url.URL) string {
	return u.Scheme + "://" + weburl.HostKey(u.Hostname()) + ":" + portOf(u)
}

// authorizer sends credentials only to their origin.
type authorizer struct {
	next  http.RoundTripper
	login login
}

func (a authorizer) RoundTrip(req *http.Request) (*http.Response, error) {
	if a.login.header != "" && originKey(req.URL) == a.login.origin {
		req = req.Clone(req.Context())
		req.Header.Set("Authorization", a.login.header)
	}
	return a.next.RoundTrip(req)
}
