package engine

import (
	"fmt"
	"net/netip"
	"strconv"
	"strings"

	"robots-audit/engine/escape"
)

// maxHops is the number of redirects that Google and RFC 9309 promise to
// follow.
const maxHops = 5

// fetchFixes say what to do about an error for which robots.txt could not be fetched.
var fetchFixes = map[string]string{
	"dns_not_found":      "Check the spelling of the host name. If it is right, add a DNS record for it.",
	"dns_temp":           "Make the name servers of this host answer.",
	"connect_refused":    "Start the web server on this port, or open the port in the firewall.",
	"connect_timeout":    "Start the web server on this port, or open the port in the firewall.",
	"connect_failed":     "Start the web server on this port, or open the port in the firewall.",
	"tls_invalid":        "On the web server, turn on TLS 1.2 or newer with a valid certificate.",
	"tls_expired":        "On the web server, renew the certificate.",
	"tls_wrong_host":     "On the web server, install a certificate for this host name.",
	"tls_unknown_ca":     "On the web server, install a certificate of a public authority, with its intermediate certificates.",
	"timeout":            "On the web server, serve /robots.txt as a static file, so that it answers in time.",
	"reset":              "On the web server or firewall, allow requests for /robots.txt: the connection was closed.",
	"bad_http":           "On this port, let a web server answer with HTTP.",
	"headers_too_large":  "On the web server, send a smaller response header for /robots.txt.",
	"body_incomplete":    "On the web server, send /robots.txt whole: the answer ended too early.",
	"bad_encoding":       "On the web server, send /robots.txt without compression.",
	"bad_redirect":       noRedirect,
	"redirect_loop":      noRedirect,
	"too_many_redirects": noRedirect,
}

const noRedirect = "On the web server, serve /robots.txt without redirects."

// FetchFix says what to do about an error (File.Error) for which robots.txt could not be
// fetched from a host; "" = it is no error of the name, the connection or the answer. owner reports
// whether this is for the owner of the host, and not for the user of the audit.
func FetchFix(code, host string) (fix string, owner bool) {
	if strings.HasPrefix(code, "tls_") && isIPAddress(host) {
		return "This is an IP address. Audit the host name of the site instead.", false
	}
	return fetchFixes[code], true
}

// isIPAddress reports whether a host, perhaps with a port, is an IP address.
func isIPAddress(host string) bool {
	if at, err := netip.ParseAddrPort(host); err == nil {
		return at.IsValid()
	}
	_, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err == nil
}

// lintFetch checks the answer as a whole.
func lintFetch(l *linter) {
	lintOutcome(l)
	lintAddress(l)
	lintBody(l)
}

// lintOutcome checks the status, the redirects and the error of the fetch.
func lintOutcome(l *linter) {
	f := l.File
	if f == nil || errorMeanings[f.Error].ours {
		return
	}
	status := f.statusClass()
	file := robotsTxt[1:]
	o, _, ok := splitOrigin(l.URL)
	if ok { // a site may have several
		file += " of " + o.String()
	}
	what := fmt.Sprintf("%s returned HTTP %d", file, f.Status)
	if f.Error != "" && !errorMeanings[f.Error].whole {
		what = file + " could not be fetched: " + f.trouble()
	}
	lintOpen(l)
	switch {
	case status == 0, status == 429, status >= 500:
		if found := l.report("FET001", nil, 0, 0, l.profilesWhere(func(p *Profile) bool { return p.status(status).Do == Unreachable && !l.redirected(p) })...); found != nil {
			found.What = what
			if fix, _ := FetchFix(f.Error, o.host); fix != "" {
				found.Fix = fix
			}
		}
	}
	if status >= 400 && status <= 499 {
		if found := l.report("FET002", nil, 0, 0, l.profilesWhere(func(p *Profile) bool { return p.access(File{Status: status}).Access == AllowAll })...); found != nil {
			found.What = what
		}
	}
	if f.Hops > maxHops || f.Error == errorTooManyRedirects || f.Error == errorRedirectLoop {
		if found := l.report("FET003", nil, 0, 0); found != nil {
			found.What = fmt.Sprintf("%s is behind %d redirects", file, f.Hops)
			if f.Error == errorRedirectLoop {
				found.What = file + " redirects in a loop"
			}
		}
	}
	if f.CrossHost {
		l.report("FET004", nil, 0, 0)
	}
	if status >= 200 && status <= 299 { // an error has no file to cache
		lintCache(l)
	}
}

// redirected reports whether a profile's readers have no robots.txt for the sake
// of the redirects to it.
func (l *linter) redirected(p *Profile) bool {
	f := *l.File
	if l.HopBlocked != nil {
		f.HopBlocked = p.BlockedHopOpen && l.HopBlocked(p, Crawler{})
	}
	_, open := p.redirected(f)
	return open
}

// lintOpen tells to whom the redirects, or the status, leave the site open whatever
// the answer holds. Where there are too many redirects FET003 says so, and where
// there is no answer for anyone FET001 and FET002 do.
func lintOpen(l *linter) {
	if l.File.Hops > maxHops {
		return
	}
	status := l.File.statusClass()
	open := l.profilesWhere(func(p *Profile) bool {
		r := l.reading(p)
		return r.source == fromAnswer && r.Access == AllowAll &&
			(status >= 200 && status <= 299 || p.status(status).Do == Unreachable && l.redirected(p))
	})
	by := map[string][]*Profile{}
	var order []string
	for _, p := range open {
		why := l.reading(p).Why
		if by[why] == nil {
			order = append(order, why)
		}
		by[why] = append(by[why], p)
	}
	for _, why := range order {
		if found := l.report("FET013", nil, 0, 0, by[why]...); found != nil {
			found.What = why
		}
	}
}

// lintCache checks the Cache-Control header.
func lintCache(l *linter) {
	for directive := range strings.SplitSeq(strings.ToLower(l.Cache), ",") {
		name, value, _ := strings.Cut(trim(directive), "=")
		age, err := strconv.Atoi(strings.Trim(trim(value), `"`))
		if trim(name) != "no-store" && (trim(name) != "max-age" || err != nil || age <= 24*3600) {
			continue
		}
		if f := l.report("FET010", nil, 0, 0); f != nil {
			f.What = fmt.Sprintf("Cache-Control %q changes how long the file is kept", trim(directive))
		}
		return
	}
}

// lintAddress checks the address that the file was asked for at.
func lintAddress(l *linter) {
	o, rest, ok := splitOrigin(l.URL)
	if !ok {
		return
	}
	if o.scheme == "ftp" {
		l.report("LOC002", nil, 0, 0)
	}
	if rest != robotsTxt && rest != "" && rest != "/" {
		if f := l.report("LOC001", nil, 0, 0); f != nil {
			f.What = fmt.Sprintf("%s is not the address of a robots.txt", quote(rest, 200))
		}
	}
}

// lintBody decides whether the body has lines to look at, and reads them.
func lintBody(l *linter) {
	if !l.keepReaders() || !lintIsText(l) {
		return
	}
	l.readLines()
	l.findJoined()
	l.hasLines = lintIsRobots(l)
}

// keepReaders leaves out the profiles to which the body does not count, since its
// rules say nothing to them. It returns false if none is left.
func (l *linter) keepReaders() bool {
	if len(l.Profiles) == 0 {
		return true
	}
	l.Profiles = l.profilesWhere(func(p *Profile) bool { return l.robots[p].source != fromAnswer })
	return len(l.Profiles) > 0
}

// lintIsText reports a body that is empty or is no plain text. It returns
// whether the body can have lines of a robots.txt.
func lintIsText(l *linter) bool {
	text := strings.TrimPrefix(l.text, "\xEF\xBB\xBF")
	head := escape.Prefix(text, 64<<10)
	if wide := wideText(escape.Prefix(l.text, 64<<10)); wide != "" {
		if f := l.report("FMT002", nil, 0, 0); f != nil {
			f.What = fmt.Sprintf("the file is %s, so crawlers find no rule in it", wide)
			f.Profiles = namesOf(l.Profiles)
		}
		return false
	}
	kind := binaryKind(head)
	switch {
	case trim(text) == "":
		l.report("FET007", nil, 0, 0)
		return false
	case isMarkup(head):
		if f := l.report("FET006", nil, 0, 0); f != nil {
			f.What = "robots.txt is an HTML page"
		}
		if redirectsByPage(head) {
			l.report("FET005", nil, 0, 0)
		}
		l.readLines()
		lintWholeSite(l) // a page may show a robots.txt, and readers take its rules
		return false
	case kind != "":
		if f := l.report("FET006", nil, 0, 0); f != nil {
			f.What = "robots.txt is " + kind
		}
		l.readLines()
		lintWholeSite(l) // readers take rules wherever they find them
		return false
	}
	if l.File != nil && !isText(l.File.ContentType, nil) {
		if f := l.report("FET006", nil, 0, 0); f != nil {
			f.Severity = Warning
			f.What = fmt.Sprintf("robots.txt is sent as %s", quote(l.File.ContentType, 100))
			f.Why = "The text itself is a robots.txt, but crawlers that check the Content-Type treat the site as open."
		}
	}
	return true
}

// lintIsRobots reports a text without any field of a robots.txt. It returns
// false where the text is not even comments, so that its lines need no check.
func lintIsRobots(l *linter) bool {
	comments := true
	if len(l.joined) > 0 {
		return true
	}
	for i := range l.lines {
		n := &l.lines[i]
		if n.field != "" && n.meant != "" && (n.kind != lineOther || canonical[n.meant] != "" || unsupported[n.meant] != "") {
			return true
		}
		comments = comments && (n.kind == lineBlank || n.kind == lineComment)
	}
	if !comments {
		if f := l.report("FET006", nil, 0, 0); f != nil {
			f.What = "no line of the file is a line of a robots.txt"
			f.Why = "Crawlers find no rule in this text, so everything is open. Usually such a text is an error message."
		}
		return false
	}
	if f := l.report("FET007", nil, 0, 0); f != nil {
		f.What = "robots.txt contains only comments"
	}
	return true
}

func namesOf(profiles []*Profile) []string {
	var names []string
	for _, p := range profiles {
		names = append(names, p.Name)
	}
	return names
}

// isMarkup reports whether a text begins as HTML or XML does. Rules inside a
// page are not looked for, since a page is not meant to be a robots.txt.
func isMarkup(text string) bool {
	text = trim(text)
	for _, begin := range [...]string{"<!doctype", "<html", "<head", "<body", "<?xml", "<script", "<meta", "<title", "<frameset"} {
		if hasPrefixFold(text, begin) {
			return true
		}
	}
	for _, begin := range [...]string{"<center", "<br", "<p>", "<div", "<!--"} {
		if hasPrefixFold(text, begin) { // or a robots.txt below a comment or a warning of PHP
			text = strings.ToLower(text)
			return !strings.Contains(text, "user-agent:") || strings.Contains(text, "<html") || strings.Contains(text, "<body")
		}
	}
	return false
}

// redirectsByPage reports whether a page redirects by HTML or by a short script.
func redirectsByPage(page string) bool {
	page = strings.ToLower(page)
	for _, sign := range [...]string{`http-equiv="refresh"`, `http-equiv='refresh'`, "http-equiv=refresh", "<frameset", "<frame "} {
		if strings.Contains(page, sign) {
			return true
		}
	}
	if len(page) > scriptPage {
		return false
	}
	for _, sign := range [...]string{"window.location", "document.location", "location.href", "location.replace("} {
		if strings.Contains(page, sign) {
			return true
		}
	}
	return false
}

// scriptPage is the size in bytes up to which a page whose script names its
// location is taken for a redirect. Longer pages name it for other reasons.
const scriptPage = 4 << 10
