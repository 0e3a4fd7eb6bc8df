package engine

import (
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/net/idna"
)

// origin is what a robots.txt is valid for: scheme, host and port (RFC 9309
// 2.3; Google's page, "File location and range of validity").
type origin struct {
	scheme string // in lower case
	host   string // in lower case and ASCII: names of other scripts as Punycode
	port   string // "" = the default of the scheme
}

var defaultPorts = map[string]string{"http": "80", "https": "443", "ftp": "21"}

// splitOrigin cuts a URL into its origin and what follows the authority.
func splitOrigin(url string) (o origin, rest string, ok bool) {
	scheme, after, ok := strings.Cut(url, "://")
	if !ok || scheme == "" || strings.Trim(scheme, alphanumeric+"+-.") != "" {
		return o, "", false
	}
	end := strings.IndexAny(after, "/?#")
	if end < 0 {
		end = len(after)
	}
	authority, rest := after[:end], after[end:]
	if i := strings.LastIndexByte(authority, '@'); i >= 0 {
		authority = authority[i+1:]
	}
	host, port := authority, ""
	if i := strings.LastIndexByte(authority, ':'); i > strings.LastIndexByte(authority, ']') {
		host, port = authority[:i], authority[i+1:]
	}
	if host == "" || strings.Trim(port, "0123456789") != "" {
		return o, "", false
	}
	o = origin{scheme: strings.ToLower(scheme), host: asciiHost(host), port: strings.TrimLeft(port, "0")}
	if o.port == defaultPorts[o.scheme] {
		o.port = ""
	}
	return o, rest, true
}

// asciiHost writes a host as it is looked up.
func asciiHost(host string) string {
	if ascii, err := idna.Lookup.ToASCII(host); err == nil {
		return ascii
	}
	return strings.ToLower(host) // an address in brackets, or a name the rules of IDNA do not know
}

func (o origin) String() string {
	if o.port == "" {
		return o.scheme + "://" + o.host
	}
	return o.scheme + "://" + o.host + ":" + o.port
}

// RobotsURL returns the address of the robots.txt that governs a URL:
// "https://www.example.com/a?b" has "https://www.example.com/robots.txt". The
// host comes in lower case and as Punycode, without the default port. false: the
// URL is not absolute.
func RobotsURL(url string) (string, bool) {
	o, _, ok := splitOrigin(url)
	if !ok {
		return "", false
	}
	return o.String() + robotsTxt, true
}

// IsRobotsURL reports whether a URL is where crawlers look for a robots.txt: at
// the root, in lower case, with no query.
func IsRobotsURL(url string) bool {
	_, rest, ok := splitOrigin(url)
	return ok && rest == robotsTxt
}

// Governs reports whether the robots.txt at robotsURL is valid for url: of the
// same scheme, host and port, names of other scripts being equal to their
// Punycode and the default port to none. A file in a folder governs nothing.
func Governs(robotsURL, url string) bool {
	of, rest, ok := splitOrigin(robotsURL)
	o, _, ok2 := splitOrigin(url)
	return ok && ok2 && rest == robotsTxt && of == o
}

// Governs is the function of the same name as the profile has it: the standard
// of 1994 knows robots.txt over HTTP alone.
func (p *Profile) Governs(robotsURL, url string) bool {
	if o, _, ok := splitOrigin(url); ok && p.HTTPOnly && o.scheme != "http" && o.scheme != "https" {
		return false
	}
	return Governs(robotsURL, url)
}

// URLProblem says why a string is nothing that a robots.txt speaks of, in words that
// follow "it"; "" = it is an absolute URL of http, https or ftp with a host, or a
// path, which begins with "/". [Group.Verdict] judges any string, since that is what
// Google's matcher does; whoever takes strings from people asks this before. A profile
// of such a matcher has no problem with any.
func (p *Profile) URLProblem(url string) string {
	switch {
	case p.AnyURL, strings.HasPrefix(url, "/"), hasPlainHost(url):
		return ""
	case url == "":
		return "is empty"
	}
	scheme, after, absolute := strings.Cut(url, "://")
	if !absolute || scheme == "" || strings.Trim(scheme, alphanumeric+"+-.") != "" {
		return `is neither an absolute URL nor a path that begins with "/"`
	}
	if defaultPorts[strings.ToLower(scheme)] == "" {
		return "is a URL of " + scheme + ", for which there is no robots.txt"
	}
	end := strings.IndexAny(after, `/?#\`) // whoever asks for a URL takes a back slash for a slash (URL Standard)
	if end < 0 {
		end = len(after)
	}
	return authorityProblem(after[:end])
}

// AsURL returns what to judge where a string is intended as a URL, even without its scheme:
// Google's matcher reads "//a.example/b" as host and path. To any other profile, and where
// a path is intended, "//admin" is the path that it is.
func (p *Profile) AsURL(text string) string {
	if p.AnyURL {
		return strings.TrimPrefix(text, "//")
	}
	return text
}

// hasPlainHost reports whether a URL begins as most do: with "https://" or "http://", a
// host of unreserved ASCII, and the "/" of its path. It is quick.
func hasPlainHost(url string) bool {
	host, ok := strings.CutPrefix(url, "https://")
	if !ok {
		host, ok = strings.CutPrefix(url, "http://")
	}
	for i := 0; ok && i < len(host); i++ {
		switch c := host[i]; {
		case c == '/':
			return i > 0
		case octets[c]&octetUnreserved == 0:
			return false
		}
	}
	return false
}

// authorityProblem says what is wrong with what stands between "//" and the path of
// a URL, in words that follow "it"; "" = nothing.
func authorityProblem(authority string) string {
	host := authority[strings.LastIndexByte(authority, '@')+1:]
	if i := strings.LastIndexByte(host, ':'); i > strings.LastIndexByte(host, ']') {
		port := strings.TrimLeft(host[i+1:], "0")
		if n, err := strconv.ParseUint(port, 10, 16); port != "" && (err != nil || n == 0) {
			return "has a port that does not exist"
		}
		host = host[:i]
	}
	for i := range len(host) {
		if c := host[i]; c <= ' ' || c == 0x7F || strings.IndexByte("\"<>\\^`{|}", c) >= 0 {
			return fmt.Sprintf("has an invalid host: it contains %q", c)
		}
	}
	if host == "" {
		return "has no host"
	}
	return ""
}
