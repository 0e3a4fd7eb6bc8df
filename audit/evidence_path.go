package audit

import (
	"strings"

	"robots-audit/engine"
)

// slashless returns the path of a rule that may have been meant for a
// directory but matches more: "/admin", which blocks "/administration" too.
// A path that ends in a sign is a prefix on purpose.
func slashless(rule string) string {
	path, ok := strings.CutPrefix(rule, "disallow: ")
	if !ok || len(path) < 2 || path[0] != '/' || strings.ContainsAny(path, "*$?%") || !isLetter(path[len(path)-1]) {
		return ""
	}
	return path
}

func isLetter(c byte) bool { c |= 0x20; return 'a' <= c && c <= 'z' }

// beyond looks at what follows the path of a rule in a URL that it decides.
func (e *evidence) beyond(r *ruleEvidence, loc string) {
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
	e.hit("RUL013", r.line, "", loc)
}

// pathIn returns path and query of an absolute URL.
func pathIn(loc string) string {
	at := strings.IndexByte(loc, ':') + 3
	for at < len(loc) && loc[at] != '/' && loc[at] != '?' && loc[at] != '\\' {
		at++
	}
	return loc[min(at, len(loc)):]
}

// A variant is a crawler's group with its rules written otherwise: what
// another spelling would have done is asked of the engine itself.
type variant struct {
	crawler int
	group   *engine.Group
	lines   []int32 // of the rules as they stand in the file
}

// maxVariant is the number of rules of a group up to which variants are tried.
const maxVariant = 5000

// vary writes the rules of a group anew; change returns "" for a rule to leave
// out. A variant without rules has no group.
func vary(crawler int, profile *engine.Profile, rules []engine.Rule, change func(engine.Rule) string) variant {
	v := variant{crawler: crawler}
	if len(rules) > maxVariant {
		return v
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
		v.lines = append(v.lines, int32(rule.Line))
	}
	if v.lines != nil {
		v.group = profile.Parse([]byte(text.String())).Group(engine.Crawler{Tokens: []string{"x"}})
	}
	return v
}

// verdict is the variant's verdict on a URL, with the line of the rule in the
// file that it comes from; 0 = no rule decided.
func (v *variant) verdict(url string) (engine.Verdict, int32) {
	d := v.group.Verdict(url)
	if at := d.Line() - 2; at >= 0 && at < len(v.lines) {
		return d.Verdict, v.lines[at]
	}
	return d.Verdict, 0
}

// Of the URLs whose verdict might be another if case did not count, the first
// ones are all looked at, and of the others one in so many: the rules concerned
// are found, at a cost that does not show.
const (
	allFolds = 2048
	oneFold  = 16
)

// fold looks whether a URL's verdict would be another if case did not count.
func (e *evidence) fold(u *URL, decisions []engine.Decision) {
	if e.folds++; e.folds > allFolds && e.folds%oneFold != 0 {
		return
	}
	if e.folded == nil {
		e.folded = e.variants(func(r engine.Rule) string { return strings.ToLower(r.Value) })
	}
	e.buffer = e.buffer[:0]
	for i := range len(u.Loc) {
		c := u.Loc[i]
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		e.buffer = append(e.buffer, c)
	}
	lower := string(e.buffer)
	for i := range e.folded {
		v := &e.folded[i]
		if verdict, line := v.verdict(lower); line > 0 && verdict != decisions[v.crawler].Verdict {
			e.hit("RUL012", line, "", u.Loc)
		}
	}
}

// hasUpper reports whether a URL holds an upper-case ASCII letter, eight bytes
// at a time: it is asked of every URL.
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
