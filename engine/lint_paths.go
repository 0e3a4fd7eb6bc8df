package engine

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"robots-audit/engine/escape"
	"robots-audit/engine/wording"
)

// lintPath checks the path of a rule.
func lintPath(l *linter, n *lintLine) {
	if !n.kind.isRule() {
		return
	}
	lintOldStandard(l, n)
	rule := Rule{Allow: n.kind == lineAllow, Value: n.value, Line: n.number}
	if n.value == "" {
		lintEmptyPath(l, n, &rule)
		return
	}
	lintPathStart(l, n, rule)
	lintPathEnd(l, n)
	lintFragment(l, n)
	lintSpace(l, n)
	if n.kind == lineAllow {
		lintIndexPage(l, n)
	}
}

// lintEmptyPath reports a rule without a path.
func lintEmptyPath(l *linter, n *lintLine, rule *Rule) {
	blocks := func(p *Profile) bool { return p.empty(rule) == EmptyBlocksAll }
	if f := l.reportField("RUL003", n, l.profilesWhere(blocks)...); f != nil {
		f.Severity = Error
		f.What = "an empty Allow blocks the whole site"
		f.Fix = "If everything should be open, write \"Allow: /\". If nothing should be open, write \"Disallow: /\"."
	}
	rest := slices.DeleteFunc(l.readersOf(n), func(p *Profile) bool { return blocks(p) || rule.Allow && p.NoAllow })
	f := l.reportField("RUL003", n, rest...)
	if f == nil {
		return
	}
	f.Why = whyEmpty(rule, rest)
	if rule.Allow {
		f.What = "an empty Allow allows nothing"
		l.adviseDeletion(f, n, fmt.Sprintf("Delete line %d. The same URLs stay blocked.", n.number))
		return
	}
	f.What = "an empty Disallow blocks nothing"
	f.Fix = "If the group should be open, leave the line. Otherwise add a path."
	if n.content < len(n.text) && n.content+1 < len(n.text) && !isSpace(n.text[n.content+1]) && n.text[n.content+1] != '#' && strings.HasSuffix(n.text[:n.content], ":") {
		f.Severity, f.What = Warning, "\"#\" begins a comment, so the rule has no path"
	}
}

// whyEmpty says what a rule without a path is to readers by some profiles.
func whyEmpty(rule *Rule, profiles []*Profile) string {
	var allows, weightless []*Profile
	for _, p := range profiles {
		switch p.empty(rule) {
		case EmptyAllowsAll:
			allows = append(allows, p)
		default:
			weightless = append(weightless, p)
		}
	}
	var why []string
	if weightless != nil {
		why = append(why, fmt.Sprintf("For %s it gives no verdict, but it ends the User-agent lines of its group.", profileNames(weightless)))
	}
	if allows != nil {
		why = append(why, fmt.Sprintf("For %s it means \"Allow: /\".", profileNames(allows)))
	}
	return strings.Join(why, " ")
}

// lintPathStart checks the beginning of a path.
func lintPathStart(l *linter, n *lintLine, rule Rule) {
	if strings.Contains(n.value, "://") && (hasPrefixFold(n.value, "http") || hasPrefixFold(n.value, "ftp")) || strings.HasPrefix(n.value, "//") {
		if n.value[0] == '/' && (n.kind == lineAllow || !strings.Contains(n.value[2:], ".")) {
			return // "//": a path with an empty part
		}
		f := l.reportValue("RUL002", n)
		if f == nil {
			return
		}
		o, rest, ok := splitOrigin(n.value)
		switch {
		case !ok:
		case !Governs(l.URL, n.value):
			f.Fix = fmt.Sprintf("This file cannot block another host. Move the rule to the robots.txt of %s.", escape.Prefix(o.host, 60))
			if l.URL == "" {
				f.Fix += " If that is the host of this file, write only the path."
			}
		case strings.Trim(rest, "/*") == "" && n.kind == lineDisallow:
			f.Fix = "As a path, this rule blocks the whole site. Remove the line. Write \"Disallow: /\" only if that is intended."
			l.warnOfDeletion(f, n)
		case rest[0] == '/':
			f.Replacement = n.rewrite(n.field, rest)
		}
		if n.value[0] == '/' {
			f.Severity, f.What = Info, "a path that begins with \"//\" and looks like a host"
			f.Why = "Crawlers compare rules with paths, so this rule matches only paths that begin with two slashes."
		}
		return
	}
	dropped := slices.DeleteFunc(slices.Clone(l.profilesAt(n)), func(p *Profile) bool { return p.WhyIgnored(rule) == "" })
	if len(dropped) > 0 {
		if f := l.reportValue("RUL001", n, dropped...); f != nil {
			f.What = fmt.Sprintf("%s does not begin with \"/\"", quote(n.value, 60))
			if c := n.value[0]; c == '*' {
				l.fixLeadingStar(f, n)
			} else if path := f.shapeOf(n.value); path != "" {
				f.Replacement = n.rewrite(n.field, path)
			} else if !strings.ContainsAny(n.value, " \t:") && !looksLikeHost(n.value) && (lower(c) >= 'a' && lower(c) <= 'z' || c >= '0' && c <= '9') {
				f.Replacement = n.rewrite(n.field, "/"+n.value)
			}
			if f.Replacement != "" && n.value[0] != '*' {
				f.Harmless = len(l.flips(edit{lintLine: n, text: f.Replacement})) == 0
			}
			if strings.Contains(strings.ToLower(n.value), "sitemap:") {
				return // no verdict changes, but the sitemap is lost
			}
			if f.Harmless || n.value[0] != '*' && len(l.flips(edit{lintLine: n, text: n.rewrite(n.field, "/*"+n.value)})) == 0 {
				f.Severity = Info // as it is intended, or wherever in the path it may be intended to match
			}
		}
	}
}

// shapeOf says what a value is that is no path, where that is known, and returns how
// it is to be written; "" = that is not known.
func (f *Finding) shapeOf(value string) (path string) {
	what := ""
	bare := strings.Trim(value, "\"'`“”‘’")
	from := value
	for strings.HasPrefix(from, "./") || strings.HasPrefix(from, "../") {
		_, from, _ = strings.Cut(from, "/")
	}
	suffix, _ := strings.CutSuffix(strings.TrimPrefix(value, "."), "$")
	switch {
	case (value[0] == '?' || value[0] == '&') && !strings.ContainsFunc(value, unicode.IsSpace),
		value[0] == '.' && len(suffix) > 0 && len(suffix) <= 5 && isWord(suffix) && !strings.ContainsAny(suffix, `.-\`):
		path, f.Fix = "/*"+value, "Write %q. It matches this text anywhere in a path."
	case len(bare) < len(value) && bare != "" && (bare[0] == '/' || bare[0] == '*'):
		path, what, f.Fix = bare, "is in quotes, which crawlers read as part of the path", "Remove the quotes: write %q."
	case from != value:
		path, what, f.Fix = "/"+from, "is a relative path", "Write the path from the root: %q."
	case value[0] == '\\' && isWord(strings.Trim(value, `.-\`)) && !strings.Contains(value, `\\`):
		path, what, f.Fix = strings.ReplaceAll(value, `\`, "/"), "has backslashes, which are not slashes", "Use slashes: write %q."
	case strings.HasPrefix(value, "{{"), strings.HasPrefix(value, "{%"), strings.HasPrefix(value, "${"), len(value) > 1 && strings.IndexByte("<[", value[0]) >= 0 && isWord(value[1:2]):
		what, f.Fix = "is a placeholder that was not filled in", "Write the intended path, or remove the line."
	}
	if path != "" {
		f.Fix = fmt.Sprintf(f.Fix, path)
	}
	if what != "" {
		f.What = quote(value, 60) + " " + what
	}
	return path
}

// isWord reports whether a text is of letters, digits, and marks between them as names
// of files have them.
func isWord(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(c rune) bool {
		return c > unicode.MaxASCII || !strings.ContainsRune(`_.-\`, c) && !unicode.IsLetter(c) && !unicode.IsDigit(c)
	})
}

// lintLeadingStars reports paths that begin with a wildcard, once for the file: the
// grammar of RFC 9309 forbids them, one of its examples has them.
func lintLeadingStars(l *linter) {
	profiles := l.profilesWhere(func(p *Profile) bool { return p.Name == "rfc9309" || p.Name == "bing" })
	stars := l.linesWhere(func(n *lintLine) bool {
		return n.kind.isRule() && strings.HasPrefix(n.value, "*") && slices.ContainsFunc(profiles, func(p *Profile) bool { return l.reads(p, n) })
	})
	if stars.first == nil {
		return
	}
	f := l.reportValue("RUL001", stars.first, profiles...)
	if f == nil {
		return
	}
	f.Severity = Info
	f.What = "a path that begins with \"*\""
	if stars.count > 1 {
		f.What = wording.Thousands(stars.count) + " paths begin with \"*\""
		f.Lines = stars.numbers
	}
	f.Why = "RFC 9309 uses such a path in an example, but its grammar allows only \"/\" at the beginning. Strict crawlers ignore the rule."
	l.fixLeadingStar(f, stars.first)
}

// fixLeadingStar sets how a path that begins with "*" is written with "/" in front.
// Since all paths begin with "/", "*a" is the same as "/*a". But "*/a" matches
// "/a", which "/*/a" does not, so it takes two rules.
func (l *linter) fixLeadingStar(f *Finding, n *lintLine) {
	switch rest := strings.TrimLeft(n.value, "*"); {
	case rest == "":
		l.adviseSlash(f, n, "/")
	case rest[0] == '/':
		f.Fix = fmt.Sprintf("Write two rules: %s and %s. Both have another length than this one, so check the verdicts where a rule of similar length also matches.", quote(rest, 80), quote("/*"+rest, 80))
	default:
		l.adviseSlash(f, n, "/*"+rest)
	}
}

// adviseSlash says in a finding how the path of its line should begin, if to those
// readers who take it as it is no verdict is proved to change by that.
func (l *linter) adviseSlash(f *Finding, n *lintLine, path string) {
	text := n.rewrite(n.field, path)
	flips := l.flips(edit{lintLine: n, text: text})
	f.Fix, f.Harmless = fmt.Sprintf("Write %s.", quote(path, 80)), len(flips) == 0
	if flips = slices.DeleteFunc(flips, func(p *Profile) bool { return p.SlashOnly || p.Literal }); len(flips) == 0 {
		f.Replacement = text
		return
	}
	f.Fix += fmt.Sprintf(" This changes the length of the rule. First check rules of similar length: for %s verdicts may change.", profileNames(flips))
}

// looksLikeHost reports whether a path begins like the name of a host.
func looksLikeHost(path string) bool {
	name, _, more := strings.Cut(path, "/")
	return hasPrefixFold(name, "www.") || more && strings.Contains(name, ".")
}

// lintPathEnd looks for "$" before the end and for a wildcard at the end.
func lintPathEnd(l *linter, n *lintLine) {
	if i := strings.IndexByte(n.value, '$'); i >= 0 && i < len(n.value)-1 {
		if f := l.report("RUL010", n, n.valueAt+i, n.valueAt+i+1, l.withWildcards()...); f != nil {
			f.What = fmt.Sprintf("\"$\" inside %s is an ordinary character", quote(n.value, 80))
		}
		return
	}
	bare := strings.TrimRight(n.value, "*")
	if len(bare) == len(n.value) {
		return
	}
	lintLastStar(l, n, bare)
}

// lintLastStar reports a wildcard at the end. It matches nothing more, but counts in
// the length of the rule to some readers: that it changes nothing is proved. bare is
// the path without it.
func lintLastStar(l *linter, n *lintLine, bare string) {
	from, to := n.valueAt+len(bare), n.valueAt+len(n.value)
	if bare == "" {
		bare = "/"
	}
	e := edit{lintLine: n, text: n.rewrite(n.field, bare)}
	flips := l.flips(e)
	holds := l.withWildcards()
	if holds = slices.DeleteFunc(holds, func(p *Profile) bool { return slices.Contains(flips, p) }); len(holds) > 0 {
		f := l.report("RUL004", n, from, to, holds...)
		if f == nil {
			return
		}
		if f.What = fmt.Sprintf("the wildcard at the end changes nothing: %s matches the same paths", quote(bare, 80)); len(flips) == 0 {
			f.Replacement, f.Harmless = e.text, true
			f.Fix = fmt.Sprintf("Write %s. The same URLs stay blocked.", quote(bare, 80))
			return
		}
		if f.What = "the wildcard at the end matches nothing more"; slices.ContainsFunc(flips, func(p *Profile) bool { return p.Literal }) {
			f.What += " for " + strings.Join(f.Profiles, ", ")
		}
		f.Fix = l.whyLastStarStays(f, n, bare, flips)
		return
	}
	if f := l.report("RUL004", n, from, to, l.withWildcards()...); f != nil {
		f.What = "the wildcard at the end matches nothing more, but makes the rule longer"
		f.Fix = l.whyLastStarStays(f, n, bare, flips)
	}
}

// whyLastStarStays says what may change without a wildcard at the end.
func (l *linter) whyLastStarStays(f *Finding, n *lintLine, bare string, flips []*Profile) string {
	var order []string // the reasons
	names := map[string][]*Profile{}
	for _, p := range flips {
		why := "verdicts may change without it"
		if p.Literal {
			why = "it is an ordinary character: without it, the rule would match more"
		} else if rule := l.reader(p).winsWithout(n, bare); rule != nil {
			why = fmt.Sprintf("it counts in the length of the rule. Without it, line %d (%s) may win where both match", rule.Line, l.ruleText(rule.Line))
			if !slices.Contains(f.Related, rule.Line) {
				f.Related = append(f.Related, rule.Line)
			}
		} else if !l.fits(p, edit{lintLine: n, text: n.rewrite(n.field, bare)}) {
			why = "other lines may be read differently without it"
		}
		if names[why] == nil {
			order = append(order, why)
		}
		names[why] = append(names[why], p)
	}
	text := "Leave the wildcard."
	for _, why := range order {
		text += fmt.Sprintf(" For %s %s.", profileNames(names[why]), why)
	}
	return text
}

// withWildcards are the chosen profiles that know wildcards.
func (l *linter) withWildcards() []*Profile {
	return l.profilesWhere(func(p *Profile) bool { return !p.Literal })
}

// lintFragment looks for a "#" within a path, which begins a comment.
func lintFragment(l *linter, n *lintLine) {
	i := n.content
	if i >= len(n.text)-1 || i == 0 || isSpace(n.text[i-1]) || isSpace(n.text[i+1]) || n.text[i+1] == '#' {
		return
	}
	if f := l.report("RUL015", n, i, len(n.text)); f != nil {
		f.What = fmt.Sprintf("\"#\" begins a comment, so the path is %s", quote(n.value, 80))
	}
}

// lintSpace looks for white space in a path.
func lintSpace(l *linter, n *lintLine) {
	i := strings.IndexAny(n.value, " \t")
	if i < 0 {
		return
	}
	f := l.report("RUL016", n, n.valueAt+i, n.valueAt+len(n.value))
	if f == nil {
		return
	}
	parts := strings.FieldsFunc(n.value, func(c rune) bool { return c == ' ' || c == '\t' })
	switch {
	case strings.HasPrefix(parts[1], "//"), len(parts) > 3:
		f.What = "the text after the path becomes part of it"
		f.Fix = "Begin the comment with \"#\"."
	case parts[1][0] == '/':
		f.What = "several paths in one rule"
		f.Fix = "Give each path a line of its own."
	}
}

// lintIndexPage reports the allow rules of index pages that Google's matcher
// applies to their directories too.
func lintIndexPage(l *linter, n *lintLine) {
	i := strings.LastIndexByte(n.value, '/')
	if i < 0 || !strings.HasPrefix(n.value[i:], "/index.htm") {
		return
	}
	applies := l.profilesWhere(func(p *Profile) bool { return p.IndexTwin })
	if f := l.reportValue("RUL023", n, applies...); f != nil {
		f.What = fmt.Sprintf("Google's matcher also allows %s", quote(n.value[:i+1]+"$", 80))
	}
}

// lintOldStandard looks for what the standard of 1994 does not have.
func lintOldStandard(l *linter, n *lintLine) {
	switch {
	case n.kind == lineAllow:
		l.reportField("RUL024", n)
	case strings.ContainsAny(n.value, "*$"):
		l.reportValue("RUL024", n)
	}
}
