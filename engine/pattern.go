package engine

import "strings"

// pattern is a path pattern after a profile has normalised it. In text every
// '*' is a wildcard; runs of '*' are collapsed and there is no trailing '*',
// so that two patterns that match the same paths mostly have the same fields.
// The empty text without end matches every path.
type pattern struct {
	text    string
	end     bool // the path must end where the pattern ends
	literal bool // no wildcards: '*' is an ordinary byte (rep-1994)
}

// match reports whether the pattern matches a path (path and query, already
// normalised as the profile wants it). It is the reference for every faster
// matcher: each piece between two wildcards is taken at its leftmost place,
// which is right because what follows can only gain from an earlier start.
func (p pattern) match(path string) bool {
	text := p.text
	if p.literal {
		return strings.HasPrefix(path, text) && (!p.end || len(path) == len(text))
	}
	star := strings.IndexByte(text, '*')
	if star < 0 {
		return strings.HasPrefix(path, text) && (!p.end || len(path) == len(text))
	}
	if !strings.HasPrefix(path, text[:star]) {
		return false
	}
	path, text = path[star:], text[star+1:]
	for {
		star = strings.IndexByte(text, '*')
		if star < 0 {
			break
		}
		at := strings.Index(path, text[:star])
		if at < 0 {
			return false
		}
		path, text = path[at+star:], text[star+1:]
	}
	if p.end {
		return strings.HasSuffix(path, text)
	}
	return strings.Contains(path, text)
}
