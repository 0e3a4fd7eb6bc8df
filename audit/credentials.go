package audit

import (
	"net/url"
	"strings"

	"robots-audit/audit/internal/findings"
	"robots-audit/crawl"
)

// parseCredentials reads the part of an authority before the "@": a name, and a password after the
// first colon. Both may have escapes (%40); nil = both are empty. If they cannot be sent, why gives
// the reason.
func parseCredentials(userinfo, scheme string) (c *crawl.Credentials, why string) {
	user, password, _ := strings.Cut(userinfo, ":")
	c = &crawl.Credentials{User: unescape(user), Password: unescape(password)}
	control := func(r rune) bool { return r < ' ' || r == 0x7f }
	switch {
	case scheme == "":
		return nil, "a name and password need a scheme: https://NAME:PASSWORD@HOST"
	case scheme == "ftp":
		return nil, "names and passwords are sent only over http and https"
	case strings.Contains(c.User, ":") || strings.ContainsFunc(c.User+c.Password, control): // RFC 7617 section 2
		return nil, "a name cannot contain a colon, and neither a name nor a password can contain control characters"
	case *c == crawl.Credentials{}:
		return nil, ""
	}
	return c, ""
}

// unescape decodes %XX; an invalid escape makes it return s unchanged.
func unescape(s string) string {
	if plain, err := url.PathUnescape(s); err == nil {
		return plain
	}
	return s
}

// hidden replaces a name and password in texts.
const hidden = "…"

// atSigns are the characters that separate a name and password from a host, with common typing
// errors.
var atSigns = []string{"@", "\uFF20", "\uFE6B", "%40"}

// lastAt returns the position of the last of the atSigns; -1 = none.
func lastAt(s string) int {
	at := -1
	for _, sign := range atSigns {
		at = max(at, strings.LastIndex(s, sign))
	}
	return at
}

// hideCredentials removes a possible name and password from a line of a list, even a misspelt one:
// all text between the scheme and the last at sign.
func hideCredentials(line string) string {
	at := lastAt(line)
	if at < 0 {
		return line
	}
	scheme, _, ok := strings.Cut(line[:at], "://")
	if !ok || strings.Trim(scheme, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
		return hidden + line[at:]
	}
	return scheme + "://" + hidden + line[at:]
}

// HideCredentials removes names and passwords from a message that may quote a user's URLs. If no
// plain host follows a "://", it removes all text up to the last at sign of the line. It also
// handles words such as name:password@host.
func HideCredentials(message string) string {
	if lastAt(message) < 0 {
		return message
	}
	var b strings.Builder
	for line := range strings.Lines(message) {
		rest, ok := line, false
		for !ok {
			var before string
			if before, rest, ok = strings.Cut(rest, "://"); !ok {
				rest = before // no URL is left
				break
			}
			b.WriteString(before + "://")
			host := rest
			if i := strings.IndexAny(rest, "/?# \t\"'"); i >= 0 {
				host = rest[:i]
			}
			if at := lastAt(rest); at >= 0 && !isPlainHost(host) {
				b.WriteString(hidden)
				rest = rest[at:]
			} else {
				ok = false // there may be another URL
			}
		}
		if at := lastAt(rest); !ok && at >= 0 {
			from, end := strings.LastIndexAny(rest[:at], " \t\"'=/")+1, len(rest)
			if i := strings.IndexAny(rest[at:], " \t\"'\r\n]"); i >= 0 {
				end = at + i
			}
			if _, err := ParseCrawlers(rest[from:end]); err != nil && strings.Contains(rest[from:at], ":") { // "token:MyBot@google" is a crawler
				rest = rest[:from] + hidden + rest[at:]
			}
		}
		b.WriteString(rest)
	}
	return b.String()
}

// isPlainHost reports whether an authority is a host, or a host and a port.
func isPlainHost(authority string) bool {
	if i := strings.LastIndexByte(authority, ']'); strings.HasPrefix(authority, "[") && i > 0 {
		authority = "v6" + authority[i+1:]
	}
	host, port, _ := strings.Cut(authority, ":")
	return lastAt(host) < 0 && strings.Trim(port, "0123456789") == ""
}

// noteCredentials notes that the site was asked with a name and password.
func (s *site) noteCredentials() {
	if s.domain.Credentials == nil {
		return
	}
	own := s.origins[0]
	own.findings.AddOccurrence(findings.AskedWithCredentials, 0, "", own.name+"/robots.txt")
}
