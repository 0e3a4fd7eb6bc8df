package weburl

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"

	"golang.org/x/net/idna"
)

// MaxLength limits a requested URL, in bytes. Servers refuse longer ones anyway.
const MaxLength = 8 << 10

// Read reads an absolute http or https URL in the form that a crawler requests,
// see AppendResolved. User names, passwords and fragments are dropped; the first
// two would be sent to strangers.
func Read(raw string) (*url.URL, error) { return ReadRelative(raw, "") }

// ReadRelative is Read for a URL that may be relative to base, the resolved URL
// of its document.
func ReadRelative(raw, base string) (*url.URL, error) {
	if len(raw) > MaxLength {
		return nil, errTooLong
	}
	resolved, err := Resolve(raw, base)
	if err != nil {
		return nil, err
	}
	u, err := parse(escapeForPath(resolved))
	if err == nil && len(u.String()) > MaxLength { // an escape takes three bytes for one
		return nil, errTooLong
	}
	return u, err
}

var errTooLong = fmt.Errorf("longer than %d bytes", MaxLength)

// Normalize is Read for a URL of package net/url.
func Normalize(u *url.URL) (*url.URL, error) { return Read(u.String()) }

// parse is url.Parse, but its errors do not contain the URL.
func parse(raw string) (*url.URL, error) {
	u, err := url.Parse(raw)
	var parse *url.Error
	if errors.As(err, &parse) {
		err = parse.Err
	}
	return u, err
}

// escapeForPath escapes characters that the URL Standard allows in a path and
// package net/url does not: a percent sign that begins no escape ("/100%-wool"),
// and '|'. Otherwise net/url would rewrite the whole path, and decode its escapes.
func escapeForPath(s string) string {
	if strings.IndexByte(s, '%') < 0 && strings.IndexByte(s, '|') < 0 {
		return s
	}
	s, query, found := strings.Cut(s, "?")
	if found {
		query = "?" + query
	}
	var b strings.Builder
	for i := range len(s) {
		switch {
		case s[i] == '|':
			b.WriteString("%7C")
		case s[i] == '%' && (i+2 >= len(s) || !isHex(s[i+1]) || !isHex(s[i+2])):
			b.WriteString("%25")
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String() + query
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

// ReadFTP is Read for an absolute ftp URL.
func ReadFTP(raw string) (*url.URL, error) {
	if len(raw) > MaxLength {
		return nil, errTooLong
	}
	u, err := parse(raw)
	if err != nil {
		return nil, err
	}
	if u.Scheme != "ftp" {
		return nil, errors.New("not an ftp URL")
	}
	host, err := asciiHost(u)
	if err != nil {
		return nil, err
	}
	return &url.URL{Scheme: "ftp", Host: host, Path: u.Path}, nil
}

// asciiHost returns host and port in lower case, international names in Punycode.
func asciiHost(u *url.URL) (string, error) {
	name := u.Hostname()
	if name == "" {
		return "", errors.New("no host")
	}
	host := strings.ToLower(u.Host)
	for i := range len(name) {
		if name[i] < 0x80 {
			continue
		}
		ascii, err := idna.Lookup.ToASCII(name)
		if err != nil || ascii == "" {
			return "", errors.New("no valid international host name")
		}
		if host = ascii; u.Port() != "" {
			host = net.JoinHostPort(ascii, u.Port())
		}
		break
	}
	return host, nil
}
