package engine

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// lintPathText checks how a path is written.
func lintPathText(l *linter, n *lintLine) {
	lintEncoding(l, n)
	lintRegexp(l, n)
	lintSecret(l, n)
}

// lintEncoding checks the percent-encoding of a path.
func lintEncoding(l *linter, n *lintLine) {
	if !n.kind.isRule() || n.value == "" || n.value[0] != '/' && n.value[0] != '*' {
		return
	}
	what, at := encodingOf(n.value)
	if what == "" || !utf8.ValidString(n.value) || strings.ContainsFunc(n.value, isInvisible) || hasLookalike(n.value) {
		return
	}
	fixed := EncodingURI.rule(n.value)
	if f := l.report("RUL014", n, n.valueAt+at, n.valueAt+len(n.value)); f != nil {
		f.What = what + l.missedSpelling(f, n.value, at)
		if fixed != n.value {
			f.Replacement = n.rewrite(n.field, fixed)
		}
	}
	if strings.ContainsFunc(n.value, isCyrillic) {
		if f := l.reportValue("YA009", n); f != nil {
			f.What = "a Cyrillic path that is not percent-encoded"
			f.Replacement = n.rewrite(n.field, fixed)
		}
	}
}

// missedSpelling says which readers of a finding do not match a URL that has the
// octet of the escape at an index of a path as URLs send it: as a letter, a digit or
// one of "-._~", else in the very spelling of the path. "" = all of them match it.
func (l *linter) missedSpelling(f *Finding, path string, at int) string {
	if at+2 >= len(path) || path[at] != '%' || !isHex(path[at+1]) || !isHex(path[at+2]) {
		return ""
	}
	escape := path[at : at+3]
	sent, shown := escape, escape
	if octet := unhex(escape[1])<<4 | unhex(escape[2]); octets[octet]&octetUnreserved != 0 {
		sent = string(rune(octet))
		shown = fmt.Sprintf("%q", sent)
	}
	var missed []string
	for _, p := range l.Profiles {
		if url, _ := p.Encoding.url(sent, nil); url != p.Encoding.rule(escape) && slices.Contains(f.Profiles, p.Name) {
			missed = append(missed, p.Name)
		}
	}
	if missed == nil {
		return ""
	}
	return fmt.Sprintf("; for %s the rule does not match %s in a URL", strings.Join(missed, ", "), shown)
}

func isCyrillic(c rune) bool { return c >= 0x400 && c < 0x530 }

// encodingOf returns the first thing that is unusual in the encoding of a path, and
// its index; "" = there is none.
func encodingOf(path string) (what string, at int) {
	for i := 0; i < len(path); i++ {
		c := path[i]
		if c >= 0x80 {
			return "characters outside ASCII; URLs send them percent-encoded", i
		}
		if c != '%' {
			continue
		}
		if i+2 >= len(path) || !isHex(path[i+1]) || !isHex(path[i+2]) {
			return "two hexadecimal digits must follow \"%\"", i
		}
		octet := unhex(path[i+1])<<4 | unhex(path[i+2])
		switch escape := path[i : i+3]; {
		case octets[octet]&octetUnreserved != 0:
			return fmt.Sprintf("%s is %q, which URLs do not encode", escape, string(rune(octet))), i
		case escape != strings.ToUpper(escape):
			return fmt.Sprintf("%s has lower-case hexadecimal digits", escape), i
		case octet == '/':
			return "some crawlers do not read %2F as \"/\"", i
		}
		i += 2
	}
	return "", 0
}

// regexpSigns are parts of regular expressions that hardly occur in paths.
var regexpSigns = []struct{ sign, what string }{
	{`\.`, `"\." is read as a backslash and a dot`},
	{`\/`, `"\/" is read as a backslash and a slash`},
	{`\?`, `"\?" is read as a backslash and a question mark`},
	{`\d`, `"\d" is read as a backslash and a letter`},
	{`\w`, `"\w" is read as a backslash and a letter`},
	{`(.*`, `"(.*" is read as brackets and a dot`},
	{`.*)`, `".*)" is read as a dot and brackets`},
	{`.+`, `".+" is read as a dot and a plus`},
	{`[^`, `"[^" is read as ordinary characters`},
	{`[0-9]`, `"[0-9]" is read as ordinary characters`},
	{`[a-z`, `"[a-z" is read as ordinary characters`},
	{`[A-Z`, `"[A-Z" is read as ordinary characters`},
	{`(?`, `"(?" is read as ordinary characters`},
}

// regexpBytes are bytes of which each regexpSign, and the last thing that lintRegexp
// looks for, has one. Hardly a path has any.
var regexpBytes = byteSet(`\()+[|`)

// lintRegexp looks for regular expressions.
func lintRegexp(l *linter, n *lintLine) {
	if !n.kind.isRule() || n.value == "" {
		return
	}
	path := strings.TrimPrefix(n.value, "/")
	switch {
	case strings.HasPrefix(path, "^"):
		reportRegexp(l, n, strings.IndexByte(n.value, '^'), 1, `"^" is read as an ordinary character`)
		return
	case strings.HasPrefix(path, ".*") && len(path) > 2:
		reportRegexp(l, n, strings.Index(n.value, ".*"), 2, `".*" is read as a dot and any text`)
		return
	}
	if !holdsAny(n.value, &regexpBytes) {
		return
	}
	for _, h := range regexpSigns {
		if i := strings.Index(n.value, h.sign); i >= 0 {
			reportRegexp(l, n, i, len(h.sign), h.what)
			return
		}
	}
	if i := strings.IndexByte(n.value, '|'); i >= 0 && (strings.HasPrefix(n.value[i:], "|/") || strings.ContainsRune(n.value[:i], '(') && strings.ContainsRune(n.value[i:], ')')) {
		reportRegexp(l, n, i, 1, `"|" is read as an ordinary character`)
	}
}

func holdsAny(text string, set *[256]bool) bool {
	for i := 0; i < len(text); i++ {
		if set[text[i]] {
			return true
		}
	}
	return false
}

func reportRegexp(l *linter, n *lintLine, at, length int, what string) {
	if f := l.report("RUL011", n, n.valueAt+at, n.valueAt+at+length); f != nil {
		f.What = what
	}
}

// secretNames are path segments, in lower case, that show an attacker where to
// look.
var secretNames = []string{
	"backup", "backups", "bak", "dump", "dumps", ".git", ".svn", ".env", ".htpasswd", ".ssh", "passwords", "passwd", "secret", "secrets",
	"credentials", "private-key", "private_key", "id_rsa", "db_backup", "sqldump", "mysqldump", "phpmyadmin", "wp-config.php",
}

// lintSecret looks for such segments in the paths of disallow rules.
func lintSecret(l *linter, n *lintLine) {
	if n.kind != lineDisallow {
		return
	}
	var room [256]byte
	lowered := room[:0]
	for at := 0; at < len(n.value); {
		part := n.value[at:]
		if i := strings.IndexByte(part, '/'); i >= 0 {
			part = part[:i+1]
		}
		lowered = appendLower(lowered[:0], strings.TrimRight(part, "/*$"))
		name := stringView(lowered)
		if secret, unguessable := isSecretName(name), isUnguessable(name); secret || unguessable {
			if f := l.report("RUL022", n, n.valueAt+at, n.valueAt+at+len(name)); f != nil {
				f.What = fmt.Sprintf("this line tells everyone that %s exists", quote(n.value[at:at+len(name)], 60))
				if unguessable {
					f.Severity = Info // a secret, or only the number of a page
				}
			}
			return
		}
		at += len(part)
	}
}

// isSecretName reports whether a segment is one of secretNames or ends as backups
// and keys do.
func isSecretName(name string) bool {
	for _, s := range secretNames {
		if name == s {
			return true
		}
	}
	for _, end := range [...]string{".sql", ".bak", ".sql.gz", ".pem", ".tar.gz.bak"} {
		if strings.HasSuffix(name, end) {
			return !strings.ContainsAny(name, "*?=%")
		}
	}
	return false
}

// isUnguessable reports whether a name is a long hexadecimal one.
func isUnguessable(name string) bool {
	return len(name) >= 32 && strings.Trim(name, "0123456789abcdef-") == "" && strings.ContainsAny(name, "0123456789") && strings.ContainsAny(name, "abcdef")
}
