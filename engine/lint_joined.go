package engine

import (
	"fmt"
	"slices"
	"strings"

	"robots-audit/engine/wording"
)

// This file finds directives that do not begin their line: several in one, since the
// line breaks were lost, or one behind other text.

// joined is a line that should be several, or begin later.
type joined struct {
	at     int      // of the first directive that does not begin the line
	prefix string   // what is before it, if that is no directive
	lines  []string // as they should be
	likely bool     // this is what the author meant; else the text before may be a comment
}

// embedded are the directives that are looked for within a line, "disallow" before
// "allow", which is its end; values are what their values begin with, "" = anything.
var embedded = []struct{ name, values string }{
	{"user-agent", ""}, {"disallow", "/*?h"}, {"allow", "/*?h"}, {"sitemap", "/hsw"},
	{"crawl-delay", "0123456789"}, {"clean-param", ""}, {"noindex", "/*"}, {"host", ""},
}

// maxJoined is the number of bytes of a line up to which its split is offered.
const maxJoined = 16 << 10

// besideJoined are the findings that a joined line keeps: they are about its bytes or
// its place. All others would speak of a value that is none.
var besideJoined = map[string]bool{"DIR010": true, "GRP001": true, "FMT001": true, "FMT002": true, "FMT004": true, "FMT008": true}

// findJoined sets l.joined.
func (l *linter) findJoined() {
	l.joined = map[int]*joined{}
	for i := range l.lines {
		if n := &l.lines[i]; n.kind > lineBlank && (strings.IndexByte(n.value, ':') >= 0 || n.isUnknown() || strings.Contains(n.text, `\n`) || len(l.lines) == 1) {
			if j := l.split(n); j != nil {
				l.joined[n.number] = j
			}
		}
	}
}

// isUnknown reports whether a line has a field that is none, misspelt or not.
func (n *lintLine) isUnknown() bool {
	return n.kind == lineOther && canonical[n.meant] == "" && unsupported[n.meant] == ""
}

// split cuts a line before each directive in it; nil = there is none but its own.
func (l *linter) split(n *lintLine) *joined {
	if j := splitEscapes(n.text); j != nil {
		return j
	}
	text, from, later := n.text[:n.content], n.valueAt, true
	switch {
	case n.isUnknown():
		from, later = 0, false
	case n.kind == lineComment && len(l.lines) == 1: // a whole file in one line
		text, from, later = n.text, n.content+1, false
	case !n.colon:
		return nil
	}
	var starts []int
	for i := from; i < len(text); i++ {
		if text[i] == ':' {
			if at := embeddedAt(text, i, from, later || starts != nil); at >= 0 {
				starts = append(starts, at)
			}
		}
	}
	if starts == nil || n.kind == lineComment && len(starts) < 2 {
		return nil
	}
	j := &joined{at: starts[0], likely: true}
	if first := trim(n.text[:starts[0]]); later {
		j.lines = []string{cutSeparators(first, " \t;,|")}
	} else {
		j.setPrefix(l, strings.TrimLeft(first, "# \t"), text[starts[0]:])
		if !j.likely && (strings.Contains(text[starts[0]:], "-->") || !hasPrefixFold(text[starts[0]:], "user-agent")) {
			return nil
		}
	}
	for i, at := range starts[1:] {
		j.lines = append(j.lines, cutSeparators(n.text[starts[i]:at], " \t;,|"))
	}
	j.lines = append(j.lines, cutSeparators(n.text[starts[len(starts)-1]:], " \t"))
	return j
}

// setPrefix keeps text before the first directive that may be more than rubbish: the
// name of a crawler whose "User-agent:" was lost, or words.
func (j *joined) setPrefix(l *linter, prefix, directive string) {
	j.prefix = prefix
	name := l.listed.tokens[strings.ToLower(strings.TrimRight(prefix, ": \t"))]
	switch {
	case name != "" && !hasPrefixFold(directive, "user-agent"):
		j.lines = []string{"User-agent: " + name}
	case strings.LastIndex(prefix, "<!--") > strings.LastIndex(prefix, "-->"):
		j.likely = false // the directive is a part of the comment
	case strings.ContainsAny(prefix, " \t") && prefix[0] != '<':
		j.lines = []string{"# " + prefix}
	}
}

// embeddedAt returns where the directive begins whose colon is at an index, or -1.
// A path may hold such a word: what is around it must be as lost line breaks leave it.
// later: there is a directive before it.
func embeddedAt(text string, colon, from int, later bool) int {
	end := len(strings.TrimRight(text[:colon], " \t"))
	i := 0
	for ; i < len(embedded); i++ {
		if at := end - len(embedded[i].name); at >= from && strings.EqualFold(text[at:end], embedded[i].name) {
			break
		}
	}
	if i == len(embedded) {
		return -1
	}
	name, values := embedded[i].name, embedded[i].values
	at, last := end-len(name), byte(' ')
	if at > from {
		last = text[at-1]
	}
	value := strings.TrimLeft(text[colon+1:], " \t")
	free := strings.IndexByte(" \t*>;,|\"", last) >= 0 // it is not glued to what is before it
	upper, word := text[at] < 'a', strings.IndexByte(alphanumeric, last) >= 0
	switch {
	case value == "" && !free, last == ':' && !free, value != "" && values != "" && strings.IndexByte(values, lower(value[0])) < 0:
		return -1
	case !free && !upper && (len(name) < len(disallow) || !later && word), name == "host" && (!upper || !free && !word):
		return -1
	case !later && (last == '-' || last == '_' || name == "allow" && !free || name == "sitemap" && free): // "Not-Allow", "DoNotAllow", "Image Sitemap"
		return -1
	}
	return at
}

// cutSeparators removes what is in place of the line break at the end of a directive.
func cutSeparators(s, separators string) string {
	for {
		short := strings.TrimRight(s, separators)
		for _, tag := range [...]string{"<br>", "<br/>", "<br />", "</p><p>"} {
			if at := len(short) - len(tag); at >= 0 && strings.EqualFold(short[at:], tag) {
				short = short[:at]
			}
		}
		if short == s {
			return s
		}
		s = short
	}
}

// splitEscapes cuts a line at "\n" that is written with a backslash; nil = it has none
// before a directive.
func splitEscapes(text string) *joined {
	if !strings.Contains(text, `\n`) {
		return nil
	}
	j := &joined{at: -1, likely: true}
	plain := strings.ReplaceAll(text, `\r\n`, `\n`)
	if len(plain) > 1 && plain[0] == '"' && strings.HasSuffix(plain, `"`) {
		plain = strings.ReplaceAll(plain[1:len(plain)-1], `\/`, "/") // a string of JSON
	}
	j.lines = strings.Split(strings.TrimRight(strings.TrimSuffix(plain, `\n`), " \t"), `\n`)
	for i, line := range j.lines {
		j.lines[i] = trim(line)
		if field, _, colon := strings.Cut(line, ":"); i > 0 && colon && lenientProfile.fieldKind(trim(field)) != lineOther {
			j.at = strings.Index(text, `\n`)
		}
	}
	if j.at < 0 { // "\news"
		return nil
	}
	if j.prefix = j.lines[0]; j.prefix == "" {
		j.prefix, j.lines = `\n`, j.lines[1:]
	}
	return j
}

// lintJoined reports a line that should be several, or begin later.
func lintJoined(l *linter, n *lintLine) {
	j := l.joined[n.number]
	if j == nil {
		return
	}
	f := l.report("DIR010", n, j.at, len(strings.TrimRight(n.text, " \t")))
	if f == nil {
		return
	}
	var directives []string
	f.Severity = Info
	blocks, closes := l.hidesAgent(n.number), false
	for _, line := range j.lines {
		r := newLineReader(lenientProfile, line)
		if !r.next() || r.kind == lineComment {
			continue
		}
		directives = append(directives, quote(line, 60))
		f.Severity = max(f.Severity, l.lossOf(r))
		switch {
		case r.kind == lineAgent: // the rules below become its group's
			blocks = true
		case r.kind == lineDisallow && r.value != "":
			blocks, closes = true, closes || strings.Trim(r.value, "/*") == ""
		}
	}
	switch lost := l.lossWords(n); {
	case !j.likely:
		f.Severity = Error
		f.What = quote(j.prefix, 60) + " before \"User-agent\": no crawler reads this as a User-agent line" + lost
		f.Fix = "Remove the text before it, or begin each comment line with \"#\"."
		return
	case len(directives) == 1:
		f.What = fmt.Sprintf("%s before %s: no crawler sees the directive%s", quote(j.prefix, 60), directives[0], lost)
		f.Fix = "Remove the text before the directive."
		if len(j.lines) > 1 {
			f.Fix = "Write the directive on a line of its own."
		}
	default:
		f.What = "several directives in one line: " + wording.And(some(directives)) + lost
	}
	switch {
	case closes:
		f.Fix = closesFirst + f.Fix
	case blocks:
		f.Fix = blocksFirst + f.Fix
	}
	if len(n.text) <= maxJoined {
		f.Replacement = strings.Join(j.lines, l.lineEnd())
	}
}

// lossOf is how much it matters that a directive is not read.
func (l *linter) lossOf(r *lineReader) Severity {
	switch {
	case r.kind == lineAgent, r.kind.isRule() && r.value != "", r.kind == lineSitemap && !l.sitemapNamed(&lintLine{value: r.value}):
		return Error
	case r.kind == lineDelay, r.kind == lineClean:
		return Warning
	}
	return Info
}

// lossWords describes what a joined line costs in addition to its own directives. It is about the first
// such line of the file only, so that it is computed once.
func (l *linter) lossWords(n *lintLine) string {
	if l.counts["DIR010"] > 1 {
		return ""
	}
	if l.hidesAgent(n.number) {
		if lost := l.firstGroupLost(n.number); lost != "" {
			return "; " + lost
		}
	}
	for i := range l.groups {
		for _, rule := range l.groups[i].rules {
			if l.joined[rule.number] == nil {
				return ""
			}
		}
	}
	return "; everything is open"
}

// hidesAgent reports whether a line is joined, with a user-agent line in it that is
// not the line's own.
func (l *linter) hidesAgent(number int) bool {
	j := l.joined[number]
	if j == nil {
		return false
	}
	first := l.lineAt(number).kind == lineAgent
	for _, line := range j.lines {
		if hasPrefixFold(line, "user-agent") {
			if !first {
				return true
			}
			first = false
		}
	}
	return !j.likely
}

// firstGroupLost says what is lost with the first group where its user-agent line,
// that of a number, is not read; "" = a group is before it, or it has no rules.
func (l *linter) firstGroupLost(number int) string {
	rules, groups := false, false
	for i := range l.lines {
		switch n := &l.lines[i]; {
		case n.kind == lineAgent && n.number < number:
			return ""
		case n.kind == lineAgent && n.number > number && n.exact:
			groups = true
		case n.kind.isRule() && n.number > number && !groups:
			rules = true
		}
	}
	switch {
	case !rules:
		return ""
	case groups:
		return "the first group is lost, so no crawler obeys its rules"
	}
	return "the first group is lost, so everything is open"
}

// lineEnd is how lines of the file end.
func (l *linter) lineEnd() string {
	if i := strings.IndexAny(l.text, "\r\n"); i >= 0 {
		if strings.HasPrefix(l.text[i:], "\r\n") {
			return "\r\n"
		}
		return l.text[i:][:1]
	}
	return "\n"
}

// some are the first three things of a list, and how many more there are.
func some(list []string) []string {
	if len(list) > 3 {
		list = append(list[:3:3], wording.Thousands(len(list)-3)+" more")
	}
	return list
}

// sitemapJoined reports whether a joined line names a sitemap.
func (l *linter) sitemapJoined() bool {
	for _, j := range l.joined {
		if slices.ContainsFunc(j.lines, func(line string) bool { return hasPrefixFold(line, "sitemap") }) {
			return true
		}
	}
	return false
}
