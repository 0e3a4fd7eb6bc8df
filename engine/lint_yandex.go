package engine

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// lintYandex checks what Yandex's help asks for: blank lines, Host, Clean-param,
// and no Cyrillic letters.
func lintYandex(l *linter) {
	for i := range l.groups {
		lintBlankInGroup(l, &l.groups[i])
		if i > 0 {
			lintNoBlankBefore(l, &l.groups[i-1], &l.groups[i])
		}
	}
	host := 0
	for i := range l.lines {
		switch n := &l.lines[i]; n.kind {
		case lineHost:
			if host > 0 {
				if f := l.reportValue("YA006", n); f != nil {
					f.What = fmt.Sprintf("Host is already in line %d", host)
					f.Related = []int{host}
					l.warnOfDeletion(f, n)
				}
			} else {
				host = n.number
			}
			lintHost(l, n)
		case lineClean:
			lintClean(l, n)
		case lineSitemap:
			if strings.ContainsFunc(n.value, isCyrillic) && !hasLookalike(n.value) {
				if f := l.reportValue("YA009", n); f != nil {
					f.What = "a Cyrillic address that is not encoded"
				}
			}
		}
	}
}

func lintHost(l *linter, n *lintLine) {
	if strings.ContainsFunc(n.value, isCyrillic) {
		if f := l.reportValue("YA009", n); f != nil {
			f.What = "a Cyrillic host that is not in Punycode"
			if host := asciiHost(n.value); !strings.ContainsFunc(host, isCyrillic) {
				f.Replacement = n.rewrite(n.field, host)
			}
		}
	}
	_, problem := parseHost(n.value)
	if problem == "" {
		return
	}
	if f := l.reportValue("YA003", n); f != nil {
		f.What = fmt.Sprintf("Host %s is ignored: %s", quote(n.value, 80), problem)
		l.warnOfDeletion(f, n)
	}
}

func lintClean(l *linter, n *lintLine) {
	problem := parseClean(Line{n.number, n.value}).Problem
	if problem == "" {
		return
	}
	id := "YA005"
	if len(n.value) > maxCleanParam {
		id = "YA004"
	}
	if f := l.reportValue(id, n); f != nil {
		f.What = "Clean-param is ignored: " + problem
		if names, path, _ := strings.Cut(n.value, " "); strings.ContainsAny(names, ",;") && id == "YA005" && !strings.ContainsAny(path, " ,;") {
			fixed := strings.TrimSpace(strings.NewReplacer(",", "&", ";", "&").Replace(names) + " " + path)
			if parseClean(Line{n.number, fixed}).Problem == "" {
				f.Replacement = n.rewrite(n.field, fixed)
			}
		}
	}
}

// isForYandex reports whether a user-agent line is for robots of Yandex, or all.
func isForYandex(n *lintLine) bool { return n.value == "*" || hasPrefixFold(n.value, "yandex") }

// lintBlankInGroup looks for the first blank line between the members of a group.
func lintBlankInGroup(l *linter, g *lintGroup) {
	if len(g.rules) == 0 {
		return
	}
	concerned := l.profilesWhere(func(p *Profile) bool {
		return p.BlankLine == BlankEndsRecord || p.family() == "yandex" && l.reads(p, g.rules[0]) && !l.isStrange(p, g.rules[0])
	})
	last := g.rules[len(g.rules)-1].number
	for i := l.lineIndex(g.agents[len(g.agents)-1].number); l.lines[i].number < last; i++ {
		n := &l.lines[i]
		if n.kind != lineBlank {
			continue
		}
		if f := l.report("YA001", n, 0, 0, concerned...); f != nil {
			f.What = fmt.Sprintf("a blank line inside the group of %s", agentNames(g.agents))
			lines := []string{strconv.Itoa(n.number)}
			for j := i + 1; l.lines[j].number < last; j++ {
				if l.lines[j].kind == lineBlank {
					lines = append(lines, strconv.Itoa(l.lines[j].number))
				}
			}
			if len(lines) > 1 {
				f.What = fmt.Sprintf("blank lines inside the group of %s: %s", agentNames(g.agents), enumerate(lines, 5))
			}
			f.Related = []int{g.agents[0].number}
			if l.adviseDeletion(f, n, "Remove the blank line. The same URLs stay blocked."); f.Harmless {
				f.Severity = Info
			}
		}
		return
	}
}

// lintNoBlankBefore reports a group without a blank line before it.
func lintNoBlankBefore(l *linter, before, g *lintGroup) {
	first := g.agents[0]
	last := before.agents[len(before.agents)-1].number
	for _, list := range [...][]*lintLine{before.rules, before.others} {
		if len(list) > 0 {
			last = max(last, list[len(list)-1].number)
		}
	}
	for i := l.lineIndex(last) + 1; l.lines[i].number < first.number; i++ {
		if l.lines[i].kind == lineBlank {
			return
		}
	}
	l.reportField("YA002", first)
}

// yandexUsual are the characters that Yandex's checker takes in a path.
var yandexUsual = byteSet(alphanumeric + "/_?=.-*%&~[]:;@")

// byteSet is a table of bytes.
func byteSet(bytes string) (set [256]bool) {
	for i := range len(bytes) {
		set[bytes[i]] = true
	}
	return set
}

// lintUnusualCharacter looks for characters in a path that Yandex's checker warns
// of.
func lintUnusualCharacter(l *linter, n *lintLine) {
	if !n.kind.isRule() || n.value == "" || n.value[0] != '/' && n.value[0] != '*' {
		return
	}
	path := strings.TrimSuffix(n.value, "$")
	i := 0
	for i < len(path) && yandexUsual[path[i]] {
		i++
	}
	if i == len(path) {
		return
	}
	c, size := utf8.DecodeRuneInString(path[i:])
	if isInvisible(c) || c < ' ' || c == utf8.RuneError || hasLookalike(path) {
		return // FMT002 and FMT003 say more
	}
	if f := l.report("YA010", n, n.valueAt+i, n.valueAt+i+size); f != nil {
		f.What = fmt.Sprintf("Yandex's checker warns about \"%s\" in a path", path[i:i+size])
	}
}
