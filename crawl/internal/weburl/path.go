package weburl

import "bytes"

// appendPathQuery appends a path and its query. dst[root:] is the path so far: a
// slash, or a directory with its last slash.
func appendPathQuery(dst []byte, root int, rest []byte) []byte {
	var query []byte
	if i := bytes.IndexByte(rest, '?'); i >= 0 {
		rest, query = rest[:i], rest[i:]
	}
	if len(rest) > 0 && isSlash(rest[0]) {
		rest = rest[1:]
	}
	for more := len(rest) > 0; more; {
		segment := rest
		i := bytes.IndexAny(rest, `/\`)
		if more = i >= 0; more {
			segment, rest = rest[:i], rest[i+1:]
		}
		switch dots(segment) {
		case 1:
		case 2:
			if len(dst) > root+1 {
				dst = dst[:bytes.LastIndexByte(dst[:len(dst)-1], '/')+1]
			}
		default:
			if dst = appendEscaped(dst, segment, inPath); more {
				dst = append(dst, '/')
			}
		}
	}
	return appendQuery(dst, query)
}

// appendQuery appends a query with its question mark; an empty one is omitted.
func appendQuery(dst, query []byte) []byte {
	if len(query) == 0 {
		return dst
	}
	return appendEscaped(append(dst, '?'), query[1:], inQuery)
}

// dots returns the number of dots in a dot segment: 1 for "." and 2 for "..",
// also if escaped; 0 for all others.
func dots(segment []byte) int {
	n := 0
	for ; len(segment) > 0; n++ {
		switch {
		case n == 2:
			return 0
		case segment[0] == '.':
			segment = segment[1:]
		case len(segment) >= 3 && segment[0] == '%' && segment[1] == '2' && segment[2]|0x20 == 'e':
			segment = segment[3:]
		default:
			return 0
		}
	}
	return n
}

// The part of a URL where a byte is escaped: the standard's path and special-query
// percent-encode sets.
const (
	inPath = 1 << iota
	inQuery
)

var escaped = func() (set [256]uint8) {
	for c := range set {
		if c <= ' ' || c >= 0x7f {
			set[c] = inPath | inQuery
		}
	}
	for _, c := range []byte("\"#<>") {
		set[c] = inPath | inQuery
	}
	for _, c := range []byte("?^`{}") {
		set[c] |= inPath
	}
	set['\''] |= inQuery
	return set
}()

func appendEscaped(dst, text []byte, where uint8) []byte {
	const digits = "0123456789ABCDEF"
	for _, c := range text {
		if escaped[c]&where == 0 {
			dst = append(dst, c)
		} else {
			dst = append(dst, '%', digits[c>>4], digits[c&15])
		}
	}
	return dst
}
