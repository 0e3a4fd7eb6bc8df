package match

import "strings"

// Pattern is a path pattern in the form in which it is matched. In Text every
// '*' is a wildcard. Whoever makes patterns writes runs of '*' as one and drops
// a trailing '*' together with End, so that two patterns that match the same
// paths mostly have the same fields; other spellings match the same paths, too.
// The zero Pattern matches every path.
type Pattern struct {
	Text    string
	End     bool // the path must end where the pattern ends
	Literal bool // no wildcards: '*' is an ordinary byte, as in the standard of 1994
	// After its first '*' and before a literal '?' Text holds escapes that equal their
	// octets in a path alone or in a query alone: where such a text matches decides.
	Ambiguous bool
}

// Match reports whether the pattern matches a path: path and query, normalised
// as Text is. It takes time linear in the path and is the reference for a [Set]:
// each text between two wildcards is matched at its leftmost offset, which is
// right because what follows can only gain from an earlier start.
func (p Pattern) Match(path string) bool {
	text := p.Text
	// Most patterns part from most paths at the byte after the slash, where no wildcard stands.
	if len(text) > 1 && len(path) > 1 && text[1] != path[1] && text[1] != '*' && text[0] != '*' {
		return false
	}
	if p.Literal {
		return strings.HasPrefix(path, text) && (!p.End || len(path) == len(text))
	}
	star := strings.IndexByte(text, '*')
	if star < 0 {
		return strings.HasPrefix(path, text) && (!p.End || len(path) == len(text))
	}
	if !strings.HasPrefix(path, text[:star]) {
		return false
	}
	if p.Ambiguous {
		a := newAmbiguous(p)
		return a.match(path)
	}
	return matchAfterWildcard(text[star+1:], path[star:], p.End)
}

// matchAfterWildcard reports whether what follows a wildcard of a pattern matches what is
// left of a path.
func matchAfterWildcard(text, path string, end bool) bool {
	for {
		star := strings.IndexByte(text, '*')
		if star < 0 {
			break
		}
		at := strings.Index(path, text[:star])
		if at < 0 {
			return false
		}
		path, text = path[at+star:], text[star+1:]
	}
	if end {
		return strings.HasSuffix(path, text)
	}
	return strings.Contains(path, text)
}
