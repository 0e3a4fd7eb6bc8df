package engine

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"robots-audit/engine/wording"
)

// lintSitemaps checks the sitemap lines.
func lintSitemaps(l *linter) {
	seen := map[string]int{}
	host, hosts := "", 0 // the first host, and the number of hosts: 2 stands for more
	https := strings.HasPrefix(strings.ToLower(l.URL), "https:")
	secure := map[string]int{} // by host and path: the line of a sitemap with https
	var lines []*lintLine
	for i := range l.lines {
		n := &l.lines[i]
		if n.kind != lineSitemap {
			continue
		}
		lines = append(lines, n)
		if o, rest, ok := splitOrigin(n.value); ok {
			if hosts == 0 {
				host, hosts = o.host, 1
			} else if o.host != host {
				hosts = 2
			}
			https = https || o.scheme == "https"
			if o.scheme == "https" && o.port == "" && n.exact && secure[o.host+rest] == 0 {
				secure[o.host+rest] = n.number
			}
		}
	}
	for _, n := range lines {
		if !isAbsolute(n.value) {
			lintRelativeSitemap(l, n)
			continue
		}
		if first := seen[n.value]; first > 0 {
			if f := l.reportValue("SM007", n); f != nil {
				f.What = fmt.Sprintf("the same sitemap as in line %d", first)
				f.Related = []int{first}
				l.adviseDeletion(f, n, fmt.Sprintf("Delete line %d, but keep line %d.", n.number, first))
			}
			continue
		}
		seen[n.value] = n.number
		lintSitemapHost(l, n, https, secure)
		if l.URL != "" && Governs(l.URL, n.value) || l.URL == "" && hosts == 1 {
			lintBlockedSitemap(l, n)
		}
	}
	lintUnusedSitemaps(l, lines)
}

// lintRelativeSitemap reports a sitemap line without an absolute URL.
func lintRelativeSitemap(l *linter, n *lintLine) {
	f := l.reportValue("SM001", n)
	if f == nil {
		return
	}
	f.What = fmt.Sprintf("%s is not an absolute URL", quote(n.value, 80))
	if n.value == "" {
		f.What = "a Sitemap line without a URL"
	}
	if l.sitemapNamed(n) {
		f.Severity = Info
	}
	if o, _, ok := splitOrigin(l.URL); ok && strings.HasPrefix(n.value, "/") && !strings.HasPrefix(n.value, "//") {
		f.Replacement = n.rewrite(n.field, o.String()+n.value)
	}
}

// sitemapNamed reports whether nothing is lost with a sitemap line that is not read as
// it stands: it has no address, or another line names the same path by a whole URL.
func (l *linter) sitemapNamed(n *lintLine) bool {
	if l.sitemapEnds == nil {
		l.sitemapEnds = map[string]bool{"": true}
		for i := range l.lines {
			o := &l.lines[i]
			if _, rest, ok := splitOrigin(o.value); ok && o.kind == lineSitemap && o.exact {
				_, url, _ := strings.Cut(o.value, "://")
				l.sitemapEnds[rest], l.sitemapEnds[url], l.sitemapEnds[o.value] = true, true, true
			}
		}
	}
	return l.sitemapEnds[strings.TrimPrefix(n.value, "//")]
}

// stagingHosts are beginnings of host names that are not for the public.
var stagingHosts = []string{"staging.", "stage.", "dev.", "test.", "uat.", "preprod.", "localhost"}

// lintSitemapHost checks the host and the scheme of a sitemap. https: the site is
// known to be served by https. secure are the lines of sitemaps with https, by host and path.
func lintSitemapHost(l *linter, n *lintLine, https bool, secure map[string]int) {
	o, rest, ok := splitOrigin(n.value)
	if !ok {
		return
	}
	own, _, known := splitOrigin(l.URL)
	what, twin, severity := "", 0, Warning
	switch {
	case isPrivate(o.host):
		what = fmt.Sprintf("%s is not a host on the public web", o.host)
	case slices.ContainsFunc(stagingHosts, func(s string) bool { return strings.HasPrefix(o.host, s) }) && (!known || own.host != o.host):
		what = fmt.Sprintf("%s looks like a test host", o.host)
	case known && own.host != o.host:
		severity = Info // the line itself proves that the sitemap may list URLs of this host (sitemaps.org, "Cross Submits")
		what = fmt.Sprintf("%s is another host than %s. This is right if the sitemap lists URLs of %[2]s", o.host, own.host)
	case o.scheme == "http" && https:
		what = "the URL of the sitemap uses plain http"
		if o.port == "" {
			twin = secure[o.host+rest]
		}
	default:
		return
	}
	f := l.reportValue("SM004", n)
	if f == nil {
		return
	}
	f.What, f.Severity = what, severity
	if twin > 0 {
		f.What += fmt.Sprintf("; line %d has it with https", twin)
		f.Related = []int{twin}
		l.adviseDeletion(f, n, fmt.Sprintf("Delete line %d, but keep line %d.", n.number, twin))
	}
}

// isPrivate reports whether a host cannot be reached from the public web.
func isPrivate(host string) bool {
	if address, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		return address.IsPrivate() || address.IsLoopback() || address.IsLinkLocalUnicast()
	}
	return host == "localhost" || strings.HasSuffix(host, ".local") || strings.HasSuffix(host, ".internal") || strings.HasSuffix(host, ".localhost")
}

// lintBlockedSitemap reports a sitemap that a rule of the file blocks, unless that
// rule blocks the whole site.
func lintBlockedSitemap(l *linter, n *lintLine) {
	var blocked []*Profile
	line := 0
	for _, c := range l.listed.search {
		for _, p := range l.profilesFor(c) {
			g := l.group(l.readingFor(p, c), c)
			d := g.Verdict(n.value)
			if d.Verdict == Disallow && d.Rule != nil && g.siteBlockingRule() == nil && !slices.Contains(blocked, p) {
				line = d.Rule.Line
				blocked = append(blocked, p)
			}
		}
	}
	if len(blocked) == 0 {
		return
	}
	if f := l.reportValue("SM002", n, blocked...); f != nil {
		f.What = fmt.Sprintf("line %d (%s) blocks this sitemap", line, l.ruleText(line))
		f.Related = []int{line}
		if l.URL == "" {
			f.Severity = Warning
			f.What += ", if this file is for the same host"
		}
	}
}

// lintUnusedSitemaps reports sitemap lines that no profile uses, because they lie
// beyond its limit or are misspelt, and a file without any. lines are the sitemap
// lines, misspelt or not.
func lintUnusedSitemaps(l *linter, lines []*lintLine) {
	used := false
	var unread []*lintLine
	for _, n := range lines {
		beyond := l.profilesWhere(func(p *Profile) bool {
			return l.robots[p].Access == Parsed && p.ByteLimit() >= 0 && n.start+len(n.text) > p.ByteLimit()
		})
		if len(l.profilesWhere(func(p *Profile) bool { return l.robots[p].usesSitemap(n.number) })) > 0 {
			used = true
		} else if isAbsolute(n.value) && len(beyond) == 0 { // the others are SM001 and SM021
			unread = append(unread, n)
		}
		if len(beyond) == 0 {
			continue
		}
		if f := l.reportValue("SM021", n, beyond...); f != nil {
			f.What = fmt.Sprintf("this Sitemap line is after the first %s bytes", wording.Thousands(beyond[0].ByteLimit()))
		}
	}
	if used || len(l.groups) == 0 {
		return
	}
	if len(l.profilesWhere(func(p *Profile) bool { return l.robots[p].Access == Parsed })) == 0 {
		unread = nil // no profile reads any line
	}
	for i := range l.lines {
		if n := &l.lines[i]; (n.kind == lineOther || n.kind == lineNoField) && n.looksLikeSitemap() {
			unread = append(unread, n)
		}
	}
	unread = slices.DeleteFunc(unread, func(n *lintLine) bool { return l.joined[n.number] != nil }) // DIR010
	if len(unread) == 0 {
		if len(lines) == 0 && !l.sitemapJoined() {
			if f := l.report("SM006", nil, 0, 0); f != nil && l.File != nil && l.File.Truncated {
				f.What = "no Sitemap line in the part of the file that could be read"
			}
		}
		return
	}
	slices.SortFunc(unread, func(a, b *lintLine) int { return a.number - b.number })
	n := unread[0]
	if f := l.report("SM020", n, 0, len(strings.TrimRight(n.text[:n.content], " \t"))); f != nil {
		f.What = fmt.Sprintf("%s names a sitemap, but crawlers do not recognise it", quote(trim(n.text[:n.content]), 80))
		for _, more := range unread[1:min(len(unread), 10)] {
			f.Related = append(f.Related, more.number)
		}
	}
}

// usesSitemap reports whether the profile reads a line as a Sitemap line, with an
// absolute URL.
func (r *Robots) usesSitemap(number int) bool {
	i, found := slices.BinarySearchFunc(r.sitemaps, number, func(l Line, number int) int { return l.Line - number })
	return found && isAbsolute(r.sitemaps[i].Value)
}

// looksLikeSitemap reports whether a line that no profile reads as a Sitemap line
// was meant to be one: "Sitemap = https://…", "XML Sitemap: https://…", an address
// alone.
func (n *lintLine) looksLikeSitemap() bool {
	text := strings.ToLower(n.text[:n.content])
	if !strings.Contains(text, "://") && !strings.Contains(text, ".xml") {
		return false
	}
	return strings.Contains(wording.Letters(n.field), "sitemap") || strings.Contains(text, "sitemap") && (n.kind == lineNoField || hasPrefixFold(n.field, "http"))
}
