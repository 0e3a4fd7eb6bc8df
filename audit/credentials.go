package audit

import (
	"net/url"
	"strings"

	"robots-audit/audit/internal/findings"
	"robots-audit/crawl"
)

// parseCredentials reads what stands before the "@" of an authority: a name,
// and a password after the first colon. Both may hold escapes (%40); nil = both
// are empty. Where they cannot be sent, why says so.
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

// unescape undoes %XX; what is no escape stands for itself.
func unescape(s string) string {
	if plain, err := url.PathUnescape(s); err == nil {
		return plain
	}
	return s
}

// hidden stands where a name and a password stood.
const hidden = "…"

// atSigns are the signs that part a name and password from a host, and those
// that a slip of the keyboard makes of it.
var atSigns = []string{"@", "\uFF20", "\uFE6B", "%40"}

// lastAt returns where the last of the atSigns is; -1 = nowhere.
func lastAt(s string) int {
	at := -1
	for _, sign := range atSigns {
		at = max(at, strings.LastIndex(s, sign))
	}
	return at
}

// hideCredentials leaves out of a line of a list all that may be a name or a
// password, however the line is misspelt: what stands between the scheme and the
// last at sign.
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

// HideCredentials leaves names and passwords out of a message that may name
// URLs as a user gave them: where what follows a "://" is no plain host, all up
// to the last at sign of the line; and words such as name:password@host.
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
