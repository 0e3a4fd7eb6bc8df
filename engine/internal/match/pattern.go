package match

import "strings"

// Pattern is a path pattern in the form that is matched. In Text every '*' is a
// wildcard. Callers write runs of '*' as one and drop a trailing '*' together
// with End. So two patterns that match the same paths usually have equal
// fields. Other spellings match the same paths too. The zero Pattern matches
// every path.
type Pattern struct {
	Text    string
	End     bool // the path must end where the pattern ends
	Literal bool // no wildcards: '*' is an ordinary byte, as in the standard of 1994
	// Between its first '*' and a literal '?' Text has escapes that equal their bytes
	// only in a path or only in a query: the position of the match decides.
	Ambiguous bool
}

// Match reports whether the pattern matches a path: path and query, normalised
// like Text. It takes time linear in the path and is the reference for a [Set].
// Each text between two wildcards is matched at its leftmost offset. This is
// right because an earlier match leaves more of the path for the rest.
func (p Pattern) Match(path string) bool {
	text := p.Text
	// Most patterns differ from most paths in the byte after the slash, which is no wildcard.
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

// matchAfterWildcard reports whether the text after a wildcard of a pattern matches the
// rest of a path.
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
