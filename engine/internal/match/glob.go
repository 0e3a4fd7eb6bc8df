package match

import "strings"

// glob is a pattern cut at its wildcards, so that matching needs no parsing.
type glob struct {
	prefix string   // text before the first wildcard
	middle []string // texts between wildcards, and after the last one where anything may follow
	last   string   // text after the last wildcard, where the path must end with it
	end    bool     // the path must end where the pattern ends
	wild   bool     // there is a wildcard that matters
}

// newGlob cuts a pattern. Wildcards that add nothing fall away: runs of them,
// and a last one, which also makes the end anchor void.
func newGlob(p Pattern) glob {
	g := glob{prefix: p.Text, end: p.End}
	if p.Literal || strings.IndexByte(p.Text, '*') < 0 {
		return g
	}
	parts := strings.Split(p.Text, "*")
	last := len(parts) - 1
	if parts[last] == "" {
		g.end = false
	}
	g.prefix = parts[0]
	for i, part := range parts[1:] {
		if i+1 == last && g.end {
			g.last = part
		} else if part != "" {
			g.middle = append(g.middle, part)
		}
	}
	g.wild = g.end || len(g.middle) > 0
	return g
}

// match reports whether the glob matches path, as [Pattern.Match] does. The last
// text is compared first where the path must end with it, because that is the
// cheapest to refute; every other text is matched at its leftmost offset, so that
// the path is read once.
func (g *glob) match(path string) bool {
	if !strings.HasPrefix(path, g.prefix) {
		return false
	}
	if !g.wild {
		return !g.end || len(path) == len(g.prefix)
	}
	rest := path[len(g.prefix):]
	if g.end {
		if !strings.HasSuffix(rest, g.last) {
			return false
		}
		rest = rest[:len(rest)-len(g.last)]
	}
	for _, text := range g.middle {
		at := strings.Index(rest, text)
		if at < 0 {
			return false
		}
		rest = rest[at+len(text):]
	}
	return true
}

// longestText returns the longest text after the first wildcard, and whether the
// path must end with it.
func (g *glob) longestText() (text string, end bool) {
	text, end = g.last, g.end
	for _, part := range g.middle {
		if len(part) > len(text) {
			text, end = part, false
		}
	}
	return text, end
}

// texts yields the texts after the first wildcard.
func (g *glob) texts(yield func(string) bool) {
	for _, text := range g.middle {
		if !yield(text) {
			return
		}
	}
	yield(g.last)
}
