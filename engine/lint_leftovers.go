package engine

import (
	"fmt"
	"strconv"
	"strings"
)

// platformSigns are parts of comments, in lower case, with which platforms mark
// the blocks that they generate.
var platformSigns = []struct{ sign, who string }{
	{"begin cloudflare managed", "Cloudflare"},
	{"start yoast block", "Yoast SEO"},
	{"we use shopify as our ecommerce platform", "Shopify"},
}

// minRepeat is the least number of rules of a group whose repetition is reported:
// short groups repeat by chance.
const minRepeat = 3

// lintLeftovers looks for blocks that a platform generated, and for groups that
// are repeated with all their rules.
func lintLeftovers(l *linter) {
	lowered := strings.ToLower(l.text)
	for _, m := range platformSigns {
		if strings.Contains(lowered, m.sign) { // hardly a file has one, and the others are not cut into lines once more
			lintPlatforms(l)
			break
		}
	}
	lintRepeatedGroups(l)
}

// lintPlatforms looks for the comments of platforms.
func lintPlatforms(l *linter) {
	seen := map[string]int{}
	for r := newLineReader(lenientProfile, l.text); r.next(); {
		if r.kind != lineComment {
			continue
		}
		text := strings.ToLower(r.text)
		for _, m := range platformSigns {
			if !strings.Contains(text, m.sign) {
				continue
			}
			f := l.report("RUL025", &lintLine{number: r.number, text: r.text}, 0, len(r.text))
			if f == nil {
				continue
			}
			f.What = "a block written by " + m.who + " begins here"
			if first := seen[m.sign]; first > 0 {
				f.What = fmt.Sprintf("the block written by %s is here again, after line %d", m.who, first)
				f.Related = []int{first}
			}
			seen[m.sign] = r.number
		}
	}
}

// lintRepeatedGroups looks for groups that are in the file again.
func lintRepeatedGroups(l *linter) {
	// Without CR alone as line end, lines that go leave no CR that a LF follows.
	plainEnds := strings.Count(l.text, "\r") == strings.Count(l.text, "\r\n") && strings.IndexByte(l.text, 0) < 0
	var key []byte
	alike := map[string]int{} // groups of the same first agent and last rule: of most there is one
	for i := range l.groups {
		if g := &l.groups[i]; len(g.rules) >= minRepeat {
			key = g.appendEnds(key[:0])
			alike[string(key)]++
		}
	}
	blocks := map[string]*lintGroup{}
	for i := range l.groups {
		g := &l.groups[i]
		if len(g.rules) < minRepeat {
			continue
		}
		if key = g.appendEnds(key[:0]); alike[string(key)] < 2 {
			continue
		}
		key = g.appendKey(key[:0])
		if first := blocks[string(key)]; first != nil {
			if f := l.reportValue("RUL025", g.agents[0]); f != nil {
				f.What = fmt.Sprintf("the same group with the same %d rules is in line %d", len(g.rules), first.agents[0].number)
				f.Related = []int{first.agents[0].number}
				if plainEnds && l.repeats(g, first) {
					f.Delete, f.Harmless = g.numbers(), true
					f.Fix = fmt.Sprintf("Delete this whole group, lines %d to %d, but keep the other one. The same URLs stay blocked.", f.Delete[0], f.Delete[len(f.Delete)-1])
				}
			}
			continue
		}
		blocks[string(key)] = g
	}
}

// appendEnds appends what is equal for groups whose appendKey is, but tells most others
// apart.
func (g *lintGroup) appendEnds(key []byte) []byte {
	key = append(appendLower(key, g.agents[0].value), '\n')
	return append(strconv.AppendInt(key, int64(len(g.rules)), 10), g.rules[len(g.rules)-1].value...)
}

// appendKey appends what is equal for groups with the same agents and rules in the same order.
func (g *lintGroup) appendKey(key []byte) []byte {
	for _, n := range g.agents {
		key = append(appendLower(key, n.value), '\n')
	}
	for _, n := range g.rules {
		key = append(append(append(key, '0'+byte(n.kind)), n.value...), '\n')
	}
	return key
}
