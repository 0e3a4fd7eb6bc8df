package engine

import (
	"fmt"
	"slices"
	"strings"
)

// signalKeys are the keys of Content-Signal with their values.
var signalKeys = map[string][]string{
	"search": {"yes", "no"}, "ai-input": {"yes", "no"}, "ai-train": {"yes", "no"}, "use": {"immediate", "reference", "full"},
}

// usageKeys are the labels of Content-Usage, of earlier drafts too, with their
// values.
var usageKeys = map[string][]string{
	"train-ai": {"y", "n"}, "search": {"y", "n"}, "bots": {"y", "n"}, "train-genai": {"y", "n"}, "ai-output": {"y", "n"}, "foundation-model-production": {"y", "n"},
}

// lintSignals checks usage preferences and licences.
func lintSignals(l *linter) {
	var global *lintLine // the first preference of "*"
	stated := map[statement]preference{}
	elsewhere := false // there is one in a group with a name
	for i := range l.lines {
		n := &l.lines[i]
		if n.meant == "license" {
			lintLicense(l, n)
			continue
		}
		if n.meant != "content-signal" && n.meant != "content-usage" || !n.colon {
			continue
		}
		lintPreference(l, n, stated)
		switch {
		case n.group == nil:
			if f := l.reportField("DIR005", n); f != nil {
				f.What = canonicalName(n) + " is before the first group"
			}
		case !slices.ContainsFunc(n.group.agents, func(a *lintLine) bool { return a.value == "*" }):
			elsewhere = true
		case global == nil:
			global = n
		}
	}
	if global != nil && !elsewhere {
		lintUnseenPreference(l, global)
	}
}

// lintUnseenPreference reports a preference of "*" if crawlers with a group of
// their own, which do not see it, may crawl the site.
func lintUnseenPreference(l *linter, global *lintLine) {
	var open []string
	for _, c := range l.distinctCrawlers()[1:] {
		r := l.parsedFor(c)
		if g := l.group(r, c); g.Reason == Exact && g.Verdict(anyPath).Verdict == Allow && !slices.Contains(open, c.Tokens[0]) {
			open = append(open, c.Tokens[0])
		}
	}
	if len(open) == 0 {
		return
	}
	if f := l.reportField("DIR005", global); f != nil {
		f.What = fmt.Sprintf("crawlers with a group of their own do not see the %s of the * group: %s", canonicalName(global), enumerate(open, 4))
	}
}

// lintLicense checks a License line of RSL.
func lintLicense(l *linter, n *lintLine) {
	if !n.colon || hasPrefixFold(n.value, "http") && isAbsolute(n.value) {
		return
	}
	if f := l.reportValue("DIR007", n); f != nil {
		f.What = fmt.Sprintf("License %s is not an absolute URL", quote(n.value, 80))
	}
}

// preference is a key of a usage preference with its value.
type preference struct {
	key, value string
	line       int
}

// statement identifies what a preference is about.
type statement struct {
	group     *lintGroup
	field     string
	path, key string
}

// pathOfUsage is the path that a Content-Usage line begins with; "" = none.
func pathOfUsage(n *lintLine) string {
	if !strings.HasPrefix(n.value, "/") {
		return ""
	}
	path, _, _ := strings.Cut(n.value, " ")
	return path
}

// preferencesOf reads the value of a Content-Signal or Content-Usage line: pairs
// "key=value" with commas between them, in Content-Usage after a path.
func preferencesOf(n *lintLine) []preference {
	value := n.value
	if strings.HasPrefix(value, "/") {
		_, value, _ = strings.Cut(value, " ")
	}
	var list []preference
	for part := range strings.SplitSeq(value, ",") {
		key, value, _ := strings.Cut(part, "=")
		list = append(list, preference{key: strings.ToLower(trim(key)), value: strings.ToLower(trim(value))})
	}
	return list
}

// lintPreference checks the keys and values of a line, and compares them with those
// stated before.
func lintPreference(l *linter, n *lintLine, stated map[statement]preference) {
	known := signalKeys
	if n.meant == "content-usage" {
		known = usageKeys
	}
	seen := map[string]string{}
	what := ""
	for _, p := range preferencesOf(n) {
		values, ok := known[p.key]
		switch {
		case what != "":
		case p.key == "":
			what = canonicalName(n) + " without a preference"
		case !ok:
			what = fmt.Sprintf("%s is not a key of %s", quote(p.key, 40), canonicalName(n))
		case !slices.Contains(values, p.value):
			what = fmt.Sprintf("%s must be %s, not %s", p.key, strings.Join(values, " or "), quote(p.value, 40))
		case seen[p.key] != "" && seen[p.key] != p.value:
			what = fmt.Sprintf("%s is both %s and %s", p.key, seen[p.key], p.value)
		}
		seen[p.key] = p.value
	}
	for _, p := range preferencesOf(n) {
		at := statement{n.group, n.meant, pathOfUsage(n), p.key}
		before, again := stated[at]
		if !again {
			p.line = n.number
			stated[at] = p
		} else if what == "" && before.value != p.value && before.line != n.number {
			what = fmt.Sprintf("%s is %s in line %d and %s here", p.key, before.value, before.line, p.value)
		}
	}
	if what == "" {
		return
	}
	if f := l.reportValue("DIR006", n); f != nil {
		f.What = what
	}
}

// parsedFor is the file as read by the profile of a crawler.
func (l *linter) parsedFor(c Crawler) *Robots {
	p, ok := ProfileByName(c.Profile)
	if !ok {
		p = lenientProfile
	}
	return l.readingFor(p, c)
}
