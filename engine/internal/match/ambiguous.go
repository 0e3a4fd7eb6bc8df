package match

import "strings"

// ambiguous is a pattern with escapes of separators after its first wildcard, which
// may match in the path or in the query of a URL. Such an escape equals its byte where
// that is not a separator: "%26", "%3D" and "%2B" in a path, "%2F" and "%3F" in a
// query. So the pattern is kept in both forms, which have the same wildcards.
type ambiguous struct {
	path, query string // from the first wildcard on
	prefix      string
	end         bool
}

var (
	inPath  = strings.NewReplacer("%26", "&", "%3D", "=", "%2B", "+")
	inQuery = strings.NewReplacer("%2F", "/", "%3F", "?")
	inBoth  = strings.NewReplacer("%26", "*", "%3D", "*", "%2B", "*", "%2F", "*", "%3F", "*")
)

// cutAmbiguous splits a pattern into three parts: before its first wildcard, the part that may be
// path or query, and the query from a literal "?" on.
func cutAmbiguous(text string) (prefix, either, query string) {
	asked := strings.IndexByte(text, '?')
	if asked < 0 {
		asked = len(text)
	}
	star := strings.IndexByte(text[:asked], '*')
	if star < 0 {
		star = asked
	}
	return text[:star], text[star:asked], text[asked:]
}

// IsAmbiguous reports whether Pattern.Ambiguous applies to a normalised text.
func IsAmbiguous(text string) bool {
	_, either, _ := cutAmbiguous(text)
	return strings.Contains(either, "%") && inBoth.Replace(either) != either
}

// atLeast returns a pattern without escapes that matches every path that p matches.
func atLeast(p Pattern) Pattern {
	prefix, either, query := cutAmbiguous(p.Text)
	return Pattern{Text: prefix + inBoth.Replace(either) + query, End: p.End}
}

func newAmbiguous(p Pattern) ambiguous {
	prefix, either, query := cutAmbiguous(p.Text)
	return ambiguous{inPath.Replace(either) + query, inQuery.Replace(either) + query, prefix, p.End}
}

// match reports whether the pattern matches a path with its query. It matches as
// many texts as possible in the path: each leaves fewer for the query.
func (a *ambiguous) match(path string) bool {
	if !strings.HasPrefix(path, a.prefix) {
		return false
	}
	rest, query, asked := strings.Cut(path[len(a.prefix):], "?")
	if !asked {
		return matchAfterWildcard(a.path[1:], rest, a.end)
	}
	texts, queryTexts, more := a.path[1:], a.query[1:], true
	for {
		var text, after, queryAfter string
		text, after, more = strings.Cut(texts, "*")
		_, queryAfter, _ = strings.Cut(queryTexts, "*")
		if before, behind, spans := strings.Cut(text, "?"); spans {
			if strings.HasSuffix(rest, before) && strings.HasPrefix(query, behind) {
				switch left := query[len(behind):]; {
				case more && matchAfterWildcard(queryAfter, left, a.end), !more && (!a.end || left == ""):
					return true
				}
			}
			break
		}
		at := strings.Index(rest, text)
		if at < 0 || !more && a.end { // the end of the URL is in the query
			break
		}
		if !more {
			return true
		}
		rest, texts, queryTexts = rest[at+len(text):], after, queryAfter
	}
	return matchAfterWildcard(queryTexts, query, a.end)
}
