package crawl

import (
	"encoding/base64"
	"net/http"
	"net/url"

	"robots-audit/crawl/internal/weburl"
)

// Credentials are a name and a password for HTTP Basic authentication (RFC
// 7617), which guards servers that are not live yet. However they are printed,
// neither shows.
type Credentials struct {
	User, Password string
}

const hiddenCredentials = "[name and password]"

// String hides what it stands for, so that no log and no error shows it.
func (Credentials) String() string { return hiddenCredentials }

// GoString hides it from %#v, too.
func (Credentials) GoString() string { return hiddenCredentials }

// MarshalText hides it from JSON and other forms of text.
func (Credentials) MarshalText() ([]byte, error) { return []byte(hiddenCredentials), nil }

// Authenticate has the site's requests to an origin carry credentials: those
// to its very scheme, host and port, and no others, wherever redirects and
// sitemaps lead. What such a site answers is not for everybody, so that none
// of it is taken from the cache or kept in it. It is called before anything is
// asked; an origin that cannot be read is an error.
func (s *Site) Authenticate(origin string, c Credentials) error {
	u, err := weburl.Read(origin)
	if err != nil {
		return err
	}
	s.login = login{originKey(u), "Basic " + base64.StdEncoding.EncodeToString([]byte(c.User+":"+c.Password))}
	return nil
}

// login is what Authenticate set; zero = nothing.
type login struct {
	origin string // as originKey writes it
	header string
}

// originKey names scheme, host and port, however a URL writes them.
func originKey(u *url.URL) string {
	return u.Scheme + "://" + weburl.HostKey(u.Hostname()) + ":" + portOf(u)
}

// authorizer sends credentials to the origin that they are for.
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
