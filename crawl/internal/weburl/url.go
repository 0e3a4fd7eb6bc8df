package weburl

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"

	"golang.org/x/net/idna"

	"robots-audit/crawl/internal/truncate"
)

// MaxLength bounds a URL that is asked for, in bytes. Servers refuse longer ones anyway.
const MaxLength = 8 << 10

// Read reads an absolute http or https URL. User names, passwords and
// fragments are dropped: the first two would be sent to strangers, the third
// is never sent at all.
func Read(raw string) (*url.URL, error) {
	u, err := parseBounded(raw)
	if err != nil {
		return nil, err
	}
	return Normalize(u)
}

// parseBounded is Parse for URLs of no more than MaxLength bytes.
func parseBounded(raw string) (*url.URL, error) {
	if len(raw) > MaxLength {
		return nil, fmt.Errorf("longer than %d bytes", MaxLength)
	}
	return Parse(raw)
}

// Parse is url.Parse for the web as it is: a percent sign that begins no
// escape stands for itself ("/100%-wool"), as browsers have it.
func Parse(raw string) (*url.URL, error) {
	u, err := url.Parse(raw)
	var escape url.EscapeError
	if errors.As(err, &escape) {
		u, err = url.Parse(escapePercent(raw))
	}
	var parse *url.Error
	if errors.As(err, &parse) {
		err = parse.Err // without the URL itself
	}
	return u, err
}

// escapePercent writes percent signs that no two hexadecimal digits follow as
// %25. The query is left alone: there url.Parse takes them as they are.
func escapePercent(s string) string {
	s, query, found := strings.Cut(s, "?")
	if found {
		query = "?" + query
	}
	var b strings.Builder
	for i := range len(s) {
		b.WriteByte(s[i])
		if s[i] == '%' && (i+2 >= len(s) || !isHex(s[i+1]) || !isHex(s[i+2])) {
			b.WriteString("25")
		}
	}
	return b.String() + query
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

// Normalize checks a URL and brings it into the form it is asked for.
func Normalize(u *url.URL) (*url.URL, error) {
	if u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("scheme %q is not fetched", truncate.String(u.Scheme, 32))
	}
	host, err := asciiHost(u)
	if err != nil {
		return nil, err
	}
	plain := url.URL{Scheme: u.Scheme, Host: host, Path: u.Path, RawPath: u.RawPath, ForceQuery: u.ForceQuery, RawQuery: escapeQuery(u.RawQuery)}
	if plain.Path == "" {
		plain.Path = "/"
	}
	if len(plain.String()) > MaxLength { // escapes take three bytes where one was written
		return nil, fmt.Errorf("longer than %d bytes", MaxLength)
	}
	return &plain, nil
}

// ReadFTP reads an absolute ftp URL, as Read does others.
func ReadFTP(raw string) (*url.URL, error) {
	u, err := parseBounded(raw)
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

// escapeQuery writes what may not stand in a request line, such as spaces and
// bytes beyond ASCII, as %XX. net/url does so for the path only.
func escapeQuery(q string) string {
	var b strings.Builder
	for i := range len(q) {
		if c := q[i]; c <= ' ' || c >= 0x7f || c == '"' || c == '<' || c == '>' {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}
