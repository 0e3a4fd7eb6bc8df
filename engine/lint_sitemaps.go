package engine

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
)

// lintSitemaps looks at the sitemap lines.
func lintSitemaps(l *linter) {
	seen := map[string]int{}
	host, hosts := "", 0 // of them: none, one, or two for more than one
	https := strings.HasPrefix(strings.ToLower(l.URL), "https:")
	var lines []*lintLine
	for i := range l.lines {
		n := &l.lines[i]
		if n.kind != lineSitemap {
			continue
		}
		lines = append(lines, n)
		if o, _, ok := splitOrigin(n.value); ok {
			if hosts == 0 {
				host, hosts = o.host, 1
			} else if o.host != host {
				hosts = 2
			}
			https = https || o.scheme == "https"
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
			}
			continue
		}
		seen[n.value] = n.number
		lintSitemapHost(l, n, https)
		if l.URL != "" && Governs(l.URL, n.value) || l.URL == "" && hosts == 1 {
			lintBlockedSitemap(l, n)
		}
	}
	lintUnusedSitemaps(l, lines)
}

// lintRelativeSitemap reports a sitemap line without a whole URL.
func lintRelativeSitemap(l *linter, n *lintLine) {
	f := l.reportValue("SM001", n)
	if f == nil {
		return
	}
	f.What = fmt.Sprintf("%s is no absolute URL", quote(n.value, 80))
	if n.value == "" {
		f.What = "a sitemap line without an address"
	}
	if o, _, ok := splitOrigin(l.URL); ok && strings.HasPrefix(n.value, "/") && !strings.HasPrefix(n.value, "//") {
		f.Replacement = n.rewrite(n.field, o.String()+n.value)
	}
}

// stagingHosts are beginnings and ends of host names that are not for the public.
var stagingHosts = []string{"staging.", "stage.", "dev.", "test.", "uat.", "preprod.", "localhost"}

// lintSitemapHost looks at where a sitemap lies.
func lintSitemapHost(l *linter, n *lintLine, https bool) {
	o, _, ok := splitOrigin(n.value)
	if !ok {
		return
	}
	own, _, known := splitOrigin(l.URL)
	what := ""
	switch {
	case isPrivate(o.host):
		what = fmt.Sprintf("%s is not a host of the public web", o.host)
	case slices.ContainsFunc(stagingHosts, func(s string) bool { return strings.HasPrefix(o.host, s) }) && (!known || own.host != o.host):
		what = fmt.Sprintf("%s looks like a test host", o.host)
	case known && own.host != o.host:
		what = fmt.Sprintf("%s is another host than %s: it needs proof of ownership", o.host, own.host)
	case o.scheme == "http" && https:
		what = "the sitemap is named over plain http"
	default:
		return
	}
	if f := l.reportValue("SM004", n); f != nil {
		f.What = what
	}
}

func isPrivate(host string) bool {
	if address, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		return address.IsPrivate() || address.IsLoopback() || address.IsLinkLocalUnicast()
	}
	return host == "localhost" || strings.HasSuffix(host, ".local") || strings.HasSuffix(host, ".internal") || strings.HasSuffix(host, ".localhost")
}

// lintBlockedSitemap looks whether the file blocks its own sitemap by a rule
// that is not for the whole site.
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
			f.What += ", if this file is of its host"
		}
	}
}

// lintUnusedSitemaps tells a file that names no sitemap from one that does so in lines
// that readers do not take: since they lie beyond what is read of the file, or are
// none to them. lines are the sitemap lines, misspelt or not.
func lintUnusedSitemaps(l *linter, lines []*lintLine) {
	used := false
	var lost []*lintLine
	for _, n := range lines {
		beyond := l.profilesWhere(func(p *Profile) bool {
			return l.robots[p].Access == Parsed && p.limit() >= 0 && n.start+len(n.text) > p.limit()
		})
		if len(l.profilesWhere(func(p *Profile) bool { return l.robots[p].usesSitemap(n.number) })) > 0 {
			used = true
		} else if isAbsolute(n.value) && len(beyond) == 0 { // of others SM001 and SM021 tell
			lost = append(lost, n)
		}
		if len(beyond) == 0 {
			continue
		}
		if f := l.reportValue("SM021", n, beyond...); f != nil {
			f.What = fmt.Sprintf("this sitemap line lies beyond the first %d bytes", beyond[0].limit())
		}
	}
	if used || len(l.groups) == 0 {
		return
	}
	if len(l.profilesWhere(func(p *Profile) bool { return l.robots[p].Access == Parsed })) == 0 {
		lost = nil // nobody looks at any line
	}
	for i := range l.lines {
		if n := &l.lines[i]; (n.kind == lineOther || n.kind == lineNoField) && n.looksLikeSitemap() {
			lost = append(lost, n)
		}
	}
	if len(lost) == 0 {
		if len(lines) == 0 {
			if f := l.report("SM006", nil, 0, 0); f != nil && l.File != nil && l.File.Truncated {
				f.What = "no sitemap line in what could be read of the file"
			}
		}
		return
	}
	slices.SortFunc(lost, func(a, b *lintLine) int { return a.number - b.number })
	n := lost[0]
	if f := l.report("SM020", n, 0, len(strings.TrimRight(n.text[:n.content], " \t"))); f != nil {
		f.What = fmt.Sprintf("%s names a sitemap, but no reader takes it so", quote(trim(n.text[:n.content]), 80))
		for _, more := range lost[1:min(len(lost), 10)] {
			f.Related = append(f.Related, more.number)
		}
	}
}

// usesSitemap reports whether a line is a Sitemap line with a whole URL to the profile.
func (r *Robots) usesSitemap(number int) bool {
	i, found := slices.BinarySearchFunc(r.sitemaps, number, func(l Line, number int) int { return l.Line - number })
	return found && isAbsolute(r.sitemaps[i].Value)
}

// looksLikeSitemap reports whether a line that is none to any reader was
// meant to name a sitemap: "Sitemap = https://…", "XML Sitemap: https://…", an
// address alone.
func (n *lintLine) looksLikeSitemap() bool {
	text := strings.ToLower(n.text[:n.content])
	if !strings.Contains(text, "://") && !strings.Contains(text, ".xml") {
		return false
	}
	return strings.Contains(letters(n.field), "sitemap") || strings.Contains(text, "sitemap") && (n.kind == lineNoField || hasPrefixFold(n.field, "http"))
}
