package edit

import (
	"slices"
	"strings"

	"robots-audit/engine"
)

// Bounds of the patterns tried for one set.
const (
	maxPatterns    = 20_000
	maxPatternText = 4 << 20  // total octets of patterns
	maxCovers      = 64 << 20 // total octets of their covers, in all places
	maxWild        = 12       // wildcards per URL, of each kind
)

// patterns returns the rule paths that may cover some of the cells, to be tried in every place.
// They are in the order of discovery.
func (f *finder) patterns(places int) []string {
	p := patternList{seen: map[string]bool{}, most: min(maxPatterns, maxCovers/(places+1)/(8*len(newBitset(len(f.cells))))), left: maxPatternText}
	var paths []string
	longest := map[string]int{} // by path, the longest rule that a pattern must beat
	for _, c := range f.cells {
		m := &f.set[c.member]
		n := 0
		if r := m.was[c.crawler].Rule; r != nil {
			n = len(r.Value)
		}
		forms := []string{string(engine.AppendPath(nil, m.url))}
		if m.path != forms[0] {
			forms = append(forms, m.path) // some readers compare it as written
		}
		for _, path := range forms {
			if _, known := longest[path]; !known {
				paths = append(paths, path)
			}
			longest[path] = max(longest[path], n)
		}
	}
	common := prefixOf(paths)
	for n := 1; n <= len(common); n++ {
		p.add(common[:n])
	}
	for _, path := range paths {
		p.add(path + "$")
		p.add(path)
		// If a rule is longer than the path that it matches, only stars can make the pattern
		// longer.
		if longer := longest[path] - len(path); longer > 0 {
			for n := max(1, longer-1); n < longer+3; n++ {
				p.add("/" + strings.Repeat("*", n) + strings.TrimPrefix(path, "/") + "$")
			}
		}
	}
	if len(paths) > 1 {
		p.addBetween(common, suffixOf(paths, len(common)))
		p.addWords(paths)
	}
	for _, path := range paths {
		p.addWild(path)
	}
	for _, path := range paths { // longest first: they flip the least
		for n := len(path) - 1; n > len(common); n-- {
			p.add(path[:n])
		}
	}
	if p.full {
		f.bound("the URLs have too many beginnings to try all")
	}
	return p.list
}

// patternList is a list of patterns, each once.
type patternList struct {
	list []string
	seen map[string]bool
	most int
	left int // octets
	full bool
}

func (p *patternList) add(pattern string) {
	switch {
	case pattern == "" || p.seen[pattern] || !isWritable(pattern):
	case len(p.list) == p.most || p.left < len(pattern):
		p.full = true
	default:
		p.left -= len(pattern)
		p.seen[pattern] = true
		p.list = append(p.list, pattern)
	}
}

// isWritable reports whether a pattern can be written in a line of robots.txt.
func isWritable(pattern string) bool {
	return pattern[0] == '/' && !strings.ContainsFunc(pattern, func(r rune) bool { return r <= ' ' || r == '#' || r == 0x7F })
}

// addBetween adds patterns of the common beginnings and ends of a set, with stars between.
func (p *patternList) addBetween(begin, end string) {
	for _, b := range append(cuts(begin), len(begin)) {
		for n := range min(len(end), 40) {
			p.add(begin[:b] + "*" + end[len(end)-n-1:] + "$")
			p.add(begin[:b] + "*" + end[len(end)-n-1:])
		}
	}
}

// maxWords bounds the words of a set that are tried.
const maxWords = 40

// addWords adds the words that all paths contain, with and without a delimiter around them.
func (p *patternList) addWords(paths []string) {
	at := cuts(paths[0])
	for i := range min(len(at), maxWords) {
		end := len(paths[0])
		if i+1 < len(at) {
			end = at[i+1]
		}
		for _, word := range [...]string{paths[0][at[i]:end], paths[0][at[i]-1 : end], strings.TrimRight(paths[0][at[i]:end], delimiters)} {
			if word != "" && !slices.ContainsFunc(paths, func(path string) bool { return !strings.Contains(path[1:], word) }) {
				p.add("/*" + word)
				p.add("/*" + word + "$")
			}
		}
	}
}

const delimiters = "/?&=._-"

// addWild adds patterns with wildcards that match a path: a star in place of a segment, and a star
// in place of everything before a part.
func (p *patternList) addWild(path string) {
	at := cuts(path)
	for i := range min(len(at), maxWild) {
		end := len(path)
		if i+1 < len(at) {
			end = at[i+1] - 1
		}
		if end > at[i] {
			p.add(path[:at[i]] + "*" + path[end:] + "$")
			p.add(path[:at[i]] + "*" + path[end:])
		}
		if at[i] > 1 {
			p.add("/*" + path[at[i]-1:] + "$")
			p.add("/*" + path[at[i]-1:])
		}
	}
}

// cuts returns the offsets after the delimiters of a path.
func cuts(path string) (list []int) {
	for i := range len(path) {
		if strings.IndexByte(delimiters, path[i]) >= 0 {
			list = append(list, i+1)
		}
	}
	return list
}

// prefixOf returns the common prefix of all paths.
func prefixOf(paths []string) string {
	first, last := slices.Min(paths), slices.Max(paths)
	return first[:commonPrefix(first, last)]
}

// suffixOf returns the common suffix of all paths, without their first octets.
func suffixOf(paths []string, first int) string {
	end := paths[0][first:]
	for _, path := range paths[1:] {
		n := 0
		for n < len(end) && n < len(path)-first && end[len(end)-n-1] == path[len(path)-n-1] {
			n++
		}
		end = end[len(end)-n:]
	}
	return end
}

// commonPrefix returns the length of the common prefix of two texts.
func commonPrefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// rawPath returns path and query of a URL as written. URLs are distinguished by it, because two
// spellings of one address may differ for some readers.
func rawPath(url string) string {
	url, _, _ = strings.Cut(url, "#")
	if _, rest, absolute := strings.Cut(url, "://"); absolute && !strings.HasPrefix(url, "/") {
		if url = "/"; strings.ContainsAny(rest, "/?") {
			url = rest[strings.IndexAny(rest, "/?"):]
		}
	}
	if !strings.HasPrefix(url, "/") {
		return "/" + url
	}
	return url
}
