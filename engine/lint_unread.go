package engine

import (
	"fmt"
	"slices"
	"strings"
)

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
