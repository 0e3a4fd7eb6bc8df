package audit

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"

	"robots-audit/crawl"
	"robots-audit/engine"
	"robots-audit/engine/escape"
)

// Domain is one entry of the list of sites.
type Domain struct {
	Name   string `json:"name"`             // as reports name it: the host, with the port where one is given, with the scheme where both are listed
	Host   string `json:"host"`             // lower case, punycode, no port; IPv6 in brackets
	Port   string `json:"port,omitempty"`   // "" = the scheme's own
	Scheme string `json:"scheme,omitempty"` // "https", "http", "ftp"; "" = https, and http where https does not answer
	Line   int    `json:"line,omitempty"`   // 1-based line of the list; 0 = not from a list
	Path   string `json:"-"`                // what followed the host, without its first slash: "shop/page". It is not used

	// Credentials are sent only to the origin of the entry, which then has a scheme; nil = none.
	Credentials *crawl.Credentials `json:"-"`
}

// Origin returns the domain's origin over scheme, such as "https://example.com:8443".
func (d Domain) Origin(scheme string) string {
	if d.Port == "" {
		return scheme + "://" + d.Host
	}
	return scheme + "://" + d.Host + ":" + d.Port
}

// ListError is an invalid line of the list. The lines after it are still read.
type ListError struct {
	Line int    // 1-based
	Text string // the line, cut after 200 bytes, without names and passwords
	Why  string
}

// Error quotes the line with its number, and says why it is refused.
func (e *ListError) Error() string { return fmt.Sprintf("line %d: %q: %s", e.Line, e.Text, e.Why) }

// longestLine is the length limit for a line of a list; every host name is much shorter.
const longestLine = 64 << 10

// Domains reads a list of sites: one host or origin a line. Blank lines and comments (#) are
// skipped. A repeated entry is skipped silently, unless its credentials differ from the first. An
// invalid line yields a *ListError, and reading continues. Any other error is a read error and ends
// the list. The list is streamed: memory grows by at most 32 bytes an entry, to detect duplicates.
func Domains(r io.Reader) iter.Seq2[Domain, error] {
	return func(yield func(Domain, error) bool) {
		known := domainSet{origins: NewHashSet(), names: NewHashSet(), logins: NewHashSet()}
		in := bufio.NewReaderSize(r, longestLine)
		for line := 1; ; line++ {
			text, err := in.ReadSlice('\n')
			refuse := func(why string) bool { return yield(Domain{}, newListError(line, text, why)) }
			if errors.Is(err, bufio.ErrBufferFull) {
				if !refuse("longer than " + strconv.Itoa(longestLine) + " bytes") {
					return
				}
				for errors.Is(err, bufio.ErrBufferFull) { // to the end of the list, if need be; the caller may stop the reader
					_, err = in.ReadSlice('\n')
				}
				text = nil
			}
			if err != nil && err != io.EOF {
				yield(Domain{}, fmt.Errorf("reading the list of sites, line %d: %w", line, err))
				return
			}
			if line == 1 {
				text = bytes.TrimPrefix(text, []byte("\uFEFF"))
			}
			text = bytes.TrimSpace(text)
			if entry := listEntry(text); entry != "" {
				d, why := ParseDomain(entry)
				d.Line = line
				fresh := false
				if why == "" {
					fresh, why = known.add(&d)
				}
				if why != "" && !refuse(why) || fresh && !yield(d, nil) {
					return
				}
			}
			if err == io.EOF {
				return
			}
		}
	}
}

// listEntry returns the entry of a line without its comment; "" = nothing.
func listEntry(line []byte) string {
	entry, _, _ := strings.Cut(string(line), " #")
	entry = strings.TrimSpace(entry)
	if strings.HasPrefix(entry, "#") {
		return ""
	}
	return entry
}

// newListError refuses a line, and quotes it shortened and without credentials.
func newListError(line int, text []byte, why string) *ListError {
	shown := strings.ToValidUTF8(hideCredentials(string(text)), "\uFFFD")
	return &ListError{Line: line, Text: escape.Prefix(shown, 200), Why: why}
}

// domainSet remembers the earlier entries of a list.
type domainSet struct{ origins, names, logins *HashSet }

// add reports whether an entry is new, and gives it a unique name. If an earlier entry has other
// credentials, why says so.
func (s *domainSet) add(d *Domain) (fresh bool, why string) {
	newLogin := d.Credentials != nil && s.logins.Add(d.Origin(d.Scheme)+" "+d.Credentials.User+":"+d.Credentials.Password)
	origin := d.Origin(firstScheme(*d))
	if s.origins.Add(origin) {
		if !s.names.Add(d.Name) {
			d.Name = origin
		}
		return true, ""
	}
	if newLogin {
		return false, "the site is already in the list without this name and password, and is audited without them"
	}
	return false, ""
}

func firstScheme(d Domain) string {
	if d.Scheme == "" {
		return "https"
	}
	return d.Scheme
}

// defaultPorts are the ports that need not be named (RFC 9309 2.3 leaves them to RFC 3986).
var defaultPorts = map[string]string{"https": "443", "http": "80", "ftp": "21"}

// hostProfile maps names as browsers do before a lookup: lower case, punycode, no label over 63
// octets. Underscores are allowed, because such hosts exist.
var hostProfile = idna.New(idna.MapForLookup(), idna.Transitional(false), idna.BidiRule(), idna.VerifyDNSLength(true), idna.StrictDomainName(false))

// ParseDomain reads a host, a host with a port, or the origin of an http, https or ftp URL. An http
// or https URL may have a name and a password. If the entry is invalid, why says so in words.
func ParseDomain(entry string) (d Domain, why string) {
	if !utf8.ValidString(entry) {
		return d, "not valid UTF-8"
	}
	rest := entry
	if scheme, after, ok := strings.Cut(entry, "://"); ok {
		d.Scheme, rest = strings.ToLower(scheme), after
		if d.Scheme != "http" && d.Scheme != "https" && d.Scheme != "ftp" {
			return d, "only http, https and ftp sites can be audited"
		}
	}
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		if s := strings.ToLower(rest[:i]); d.Scheme == "" && strings.HasPrefix(rest[i:], "//") && (s == "http" || s == "https" || s == "ftp") {
			return d, "a colon is missing after " + s
		}
		rest, d.Path = rest[:i], strings.TrimPrefix(rest[i:], "/")
	}
	if strings.ContainsAny(rest, " \t\\") {
		return d, "a host name cannot contain white space or a backslash"
	}
	if i := strings.LastIndexByte(rest, '@'); i >= 0 {
		if d.Credentials, why = parseCredentials(rest[:i], d.Scheme); why != "" {
			return d, why
		}
		rest = rest[i+1:]
	}
	host, port := rest, ""
	if i := strings.LastIndexByte(rest, ':'); i >= 0 && !strings.HasSuffix(rest, "]") {
		host, port = rest[:i], rest[i+1:]
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
			return d, "the port is not a number from 1 to 65535"
		} else {
			port = strconv.FormatUint(n, 10)
		}
	}
	if strings.HasPrefix(host, "[") {
		ip, err := netip.ParseAddr(strings.Trim(host, "[]"))
		if err != nil || !ip.Is6() || ip.Zone() != "" {
			return d, "not an IPv6 address in brackets"
		}
		host = "[" + ip.String() + "]"
	} else {
		ascii, err := hostProfile.ToASCII(strings.TrimSuffix(host, "."))
		if err != nil || !isHostName(ascii) {
			return d, "not a host name"
		}
		if host, err = standardHost(ascii); err != nil {
			return d, "not a host name and not an IPv4 address"
		}
	}
	if d.Scheme == "" && port == defaultPorts["http"] {
		d.Scheme = "http" // this port never speaks https
	}
	if port == defaultPorts[firstScheme(d)] {
		port = ""
	}
	d.Host, d.Port, d.Name = host, port, host
	if port != "" {
		d.Name += ":" + port
	}
	return d, ""
}

// standardHost writes an IPv4 address in its standard form, as the URL Standard reads it: "127.1",
// "0x7f000001" and "2130706433" are 127.0.0.1. Other names stay unchanged.
func standardHost(name string) (string, error) {
	last := name[strings.LastIndexByte(name, '.')+1:]
	if last[0] < '0' || last[0] > '9' {
		return name, nil
	}
	resolved, err := crawl.ResolveURL("http://" + name)
	return strings.TrimSuffix(strings.TrimPrefix(resolved, "http://"), "/"), err
}

// isHostName reports whether a mapped name can be looked up: letters, digits, hyphens and
// underscores between single dots. The mapping also allows other ASCII characters, and creates some
// (U+02DC becomes a blank and a tilde). A few names change when mapped twice. They would be one
// site in the list and another in a report that is read back.
func isHostName(name string) bool {
	for label := range strings.SplitSeq(name, ".") {
		if label == "" || strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
			return false
		}
	}
	again, err := hostProfile.ToASCII(name)
	return err == nil && again == name
}

// HostName is a site's name without its scheme: "example.com:8080".
func HostName(name string) string {
	if _, host, ok := strings.Cut(name, "://"); ok {
		return host
	}
	return name
}

// hashID returns a stable id of a text: the first 16 hexadecimal digits of its SHA-256.
func hashID(text []byte) string {
	sum := sha256.Sum256(text)
	var digits [16]byte
	hex.Encode(digits[:], sum[:8])
	return string(digits[:])
}

// URLID returns the id of a URL: that of its origin (scheme and host in lower case, no default
// port) followed by path and query as RFC 9309 compares them. It uses buf, and returns it for the
// next call.
func URLID(buf []byte, origin, loc string) (id string, grown []byte) {
	buf = engine.AppendPath(append(buf[:0], origin...), loc)
	return hashID(buf), buf
}

// RuleID returns the id of a rule. It hashes the product tokens of its group (lower case, sorted,
// joined by commas), a line feed, and the rule ("disallow: /a"). The line number is not included,
// because lines move.
func RuleID(tokens, rule string) string {
	if !strings.Contains(tokens, ",") { // the usual case, and there may be thousands
		return hashID([]byte(strings.TrimSpace(strings.ToLower(tokens)) + "\n" + rule))
	}
	var list []string
	for token := range strings.SplitSeq(strings.ToLower(tokens), ",") {
		list = append(list, strings.TrimSpace(token))
	}
	slices.Sort(list)
	list = slices.Compact(list)
	return hashID([]byte(strings.Join(list, ",") + "\n" + rule))
}

// TopDirectory returns the first directory of a URL's path, "/blog/"; "/" if there is none.
func TopDirectory(loc string) string {
	colon := strings.IndexByte(loc, ':')
	if colon < 0 || !strings.HasPrefix(loc[colon:], "://") {
		return "/"
	}
	rest, start := loc[colon+len("://"):], 0
	for start < len(rest) && rest[start] != '/' && rest[start] != '?' && rest[start] != '#' {
		start++
	}
	if start == len(rest) || rest[start] != '/' {
		return "/"
	}
	path := rest[start:]
	for i := 1; i < len(path); i++ {
		switch path[i] {
		case '/':
			return path[:i+1]
		case '?', '#':
			return "/"
		}
	}
	return "/"
}
