package engine

import (
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/net/idna"
)

// origin is the scope of a robots.txt: scheme, host and port (RFC 9309 2.3;
// Google's page, "File location and range of validity").
type origin struct {
	scheme string // in lower case
	host   string // in lower case and ASCII: other scripts as Punycode
	port   string // "" = the default of the scheme
}

var defaultPorts = map[string]string{"http": "80", "https": "443", "ftp": "21"}

// splitOrigin cuts a URL into its origin and the part after the authority.
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

// asciiHost writes a host as DNS looks it up.
func asciiHost(host string) string {
	if ascii, err := idna.Lookup.ToASCII(host); err == nil {
		return ascii
	}
	return strings.ToLower(host) // an address in brackets, or a name that IDNA rejects
}

func (o origin) String() string {
	if o.port == "" {
		return o.scheme + "://" + o.host
	}
	return o.scheme + "://" + o.host + ":" + o.port
}

// RobotsURL returns the address of the robots.txt that governs a URL: for
// "https://www.example.com/a?b" it is "https://www.example.com/robots.txt". The
// host is in lower case and Punycode, without the default port. false: the URL
// is not absolute.
func RobotsURL(url string) (string, bool) {
	o, _, ok := splitOrigin(url)
	if !ok {
		return "", false
	}
	return o.String() + robotsTxt, true
}

// IsRobotsURL reports whether crawlers look for a robots.txt at a URL: at the
// root, in lower case, with no query.
func IsRobotsURL(url string) bool {
	_, rest, ok := splitOrigin(url)
	return ok && rest == robotsTxt
}

// Governs reports whether the robots.txt at robotsURL applies to url: scheme,
// host and port must be equal. A name in another script equals its Punycode,
// and the default port equals none. A file in a folder governs nothing.
func Governs(robotsURL, url string) bool {
	of, rest, ok := splitOrigin(robotsURL)
	o, _, ok2 := splitOrigin(url)
	return ok && ok2 && rest == robotsTxt && of == o
}

// Governs is the function Governs with the profile's limits: the standard of
// 1994 knows robots.txt over HTTP only.
func (p *Profile) Governs(robotsURL, url string) bool {
	if o, _, ok := splitOrigin(url); ok && p.HTTPOnly && o.scheme != "http" && o.scheme != "https" {
		return false
	}
	return Governs(robotsURL, url)
}

// URLProblem says why robots.txt cannot apply to a string, in words that follow "it".
// "" = it is an absolute URL of http, https or ftp with a host, or a path, which
// begins with "/". [Group.Verdict] judges any string, as Google's matcher does. So
// check strings from people with URLProblem first. For a profile with AnyURL it is
// always "".
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
	end := strings.IndexAny(after, `/?#\`) // clients read a backslash as a slash (URL Standard)
	if end < 0 {
		end = len(after)
	}
	return authorityProblem(after[:end])
}

// AsURL returns the string to judge if text is intended as a URL, even without its scheme:
// Google's matcher reads "//a.example/b" as host and path. Other profiles, and users who
// intend a path, read "//admin" as a path.
func (p *Profile) AsURL(text string) string {
	if p.AnyURL {
		return strings.TrimPrefix(text, "//")
	}
	return text
}

// hasPlainHost is a quick test for the beginning of most URLs: "https://" or "http://",
// a host of unreserved ASCII, and the "/" of its path.
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

// authorityProblem says what is wrong with the authority of a URL, in words that
// follow "it"; "" = nothing.
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
