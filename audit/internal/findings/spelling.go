package findings

import (
	"strings"

	"robots-audit/engine"
)

// unslashed returns the path of a rule that may be intended for a directory but matches more:
// "/admin", which also blocks "/administration". A path that ends in a special character is a
// prefix on purpose.
func unslashed(rule engine.Rule) string {
	path := rule.Value
	if rule.Allow || len(path) < 2 || path[0] != '/' || strings.ContainsAny(path, "*$?%") || !isLetter(path[len(path)-1]) {
		return ""
	}
	return path
}

func isLetter(c byte) bool { c |= 0x20; return 'a' <= c && c <= 'z' }

// checkPrefix checks the text after the path of a rule in a URL that it decides.
func (c *Collector) checkPrefix(r *ruleURLs, loc string) {
	path := pathIn(loc)
	if !strings.HasPrefix(path, r.prefix) {
		return // written in another encoding
	}
	rest := path[len(r.prefix):]
	if rest == "" || !isLetter(rest[0]) && rest[0] != '-' && rest[0] != '_' {
		r.inside = r.inside || rest == "" || rest[0] == '/'
		return
	}
	if rest[0] == 's' && (len(rest) == 1 || !isLetter(rest[1]) && rest[1] != '-' && rest[1] != '_') {
		return // /product and /products
	}
	c.countURL(prefixTooWide, r.line, "", loc)
}

// pathIn returns path and query of an absolute URL.
func pathIn(loc string) string {
	at := strings.IndexByte(loc, ':') + 3
	for at < len(loc) && loc[at] != '/' && loc[at] != '?' && loc[at] != '\\' {
		at++
	}
	return loc[min(at, len(loc)):]
}

// rewritten is a reader's group with rewritten rules, so that the engine itself judges the other
// spelling.
type rewritten struct {
	reader int
	group  *engine.Group
	lines  []int32 // of the original rules in the file
}

// maxRewritten is the maximum number of rules for which a group is rewritten.
const maxRewritten = 5000

// rewrite rewrites the rules of a group; change returns "" to omit a rule. If no rule is left,
// there is no group.
func rewrite(reader int, profile *engine.Profile, rules []engine.Rule, change func(engine.Rule) string) rewritten {
	w := rewritten{reader: reader}
	if len(rules) > maxRewritten {
		return w
	}
	var text strings.Builder
	text.WriteString("User-agent: x\n")
	for _, rule := range rules {
		value := change(rule)
		if value == "" {
			continue
		}
		rule.Value = value
		text.WriteString(rule.String())
		text.WriteByte('\n')
		w.lines = append(w.lines, int32(rule.Line))
	}
	if w.lines != nil {
		w.group = profile.Parse([]byte(text.String())).Group(engine.Crawler{Tokens: []string{"x"}})
	}
	return w
}

// verdict returns the verdict of the rewritten rules on a URL, and the line of the original rule; 0
// = no rule decided.
func (w *rewritten) verdict(url string) (engine.Verdict, int32) {
	d := w.group.Verdict(url)
	if at := d.Line() - 2; at >= 0 && at < len(w.lines) {
		return d.Verdict, w.lines[at]
	}
	return d.Verdict, 0
}

// Of the URLs whose verdict may depend on case, the first caseAll are checked, and then one in
// caseOneIn. This finds the affected rules at a negligible cost.
const (
	caseAll   = 2048
	caseOneIn = 16
)

// checkCase checks whether a URL's verdict would change if case did not count.
func (c *Collector) checkCase(loc string, decisions []engine.Decision) {
	if c.caseURLs++; c.caseURLs > caseAll && c.caseURLs%caseOneIn != 0 {
		return
	}
	if c.lowered == nil {
		c.lowered = c.rewriteAll(func(r engine.Rule) string { return strings.ToLower(r.Value) })
	}
	c.buffer = c.buffer[:0]
	for i := range len(loc) {
		b := loc[i]
		if 'A' <= b && b <= 'Z' {
			b |= 0x20
		}
		c.buffer = append(c.buffer, b)
	}
	lower := string(c.buffer)
	for i := range c.lowered {
		w := &c.lowered[i]
		if verdict, line := w.verdict(lower); line > 0 && verdict != decisions[w.reader].Verdict {
			c.countURL(caseDiffers, line, "", loc)
		}
	}
}

// hasUpper reports whether a URL has an upper-case ASCII letter. It checks eight bytes at a time,
// because it runs for every URL.
func hasUpper(s string) bool {
	for len(s) >= 8 {
		word := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
			uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
		const each, high = 0x0101010101010101, 0x8080808080808080
		seven := word &^ high
		if (seven+each*(0x80-'A'))&^(seven+each*(0x80-'Z'-1))&^word&high != 0 {
			return true
		}
		s = s[8:]
	}
	for i := range len(s) {
		if 'A' <= s[i] && s[i] <= 'Z' {
			return true
		}
	}
	return false
}
