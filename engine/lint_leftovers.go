package engine

import (
	"fmt"
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
			f.What = "a block that " + m.who + " writes begins here"
			if first := seen[m.sign]; first > 0 {
				f.What = fmt.Sprintf("the block that %s writes stands here again, after line %d", m.who, first)
				f.Related = []int{first}
			}
			seen[m.sign] = r.number
		}
	}
	// Without CR alone as line end, lines that go leave no CR that a LF follows.
	plainEnds := strings.Count(l.text, "\r") == strings.Count(l.text, "\r\n") && strings.IndexByte(l.text, 0) < 0
	blocks := map[string]*lintGroup{}
	for i := range l.groups {
		g := &l.groups[i]
		if len(g.rules) < minRepeat {
			continue
		}
		key := g.key()
		if first := blocks[key]; first != nil {
			if f := l.reportValue("RUL025", g.agents[0]); f != nil {
				f.What = fmt.Sprintf("the same group with the same %d rules stands in line %d", len(g.rules), first.agents[0].number)
				f.Related = []int{first.agents[0].number}
				if plainEnds && l.repeats(g, first) {
					f.Delete, f.Harmless = g.numbers(), true
					f.Fix = fmt.Sprintf("The group of lines %d to %d can go, all its lines together and not with the other: no verdict changes.", f.Delete[0], f.Delete[len(f.Delete)-1])
				}
			}
			continue
		}
		blocks[key] = g
	}
}

// key is equal for groups with the same agents and rules in the same order.
func (g *lintGroup) key() string {
	var b strings.Builder
	for _, n := range g.agents {
		fmt.Fprintf(&b, "%s\n", strings.ToLower(n.value))
	}
	for _, n := range g.rules {
		fmt.Fprintf(&b, "%d%s\n", n.kind, n.value)
	}
	return b.String()
}
