package crawl

import "strings"

// cssURLs yields the URLs that a style sheet or style attribute fetches: those of
// @import, the src of @font-face, and every other url(). It looks only for URLs and
// does not parse CSS; comments are skipped.
func cssURLs(css string) func(yield func(url string, kind Kind) bool) {
	return func(yield func(string, Kind) bool) {
		kind := KindImage
		for i := 0; i < len(css); {
			rest := css[i:]
			switch {
			case strings.HasPrefix(rest, "/*"):
				end := strings.Index(rest, "*/")
				if end < 0 {
					return
				}
				i += end + 2
			case hasFold(rest, "@import"):
				kind = KindCSS
				i += len("@import")
			case hasFold(rest, "@font-face"):
				kind = KindFont
				i += len("@font-face")
			case rest[0] == '}' || rest[0] == ';' && kind == KindCSS:
				kind = KindImage
				i++
			case hasFold(rest, "url("):
				url, length := cssArgument(rest[len("url("):], ')')
				i += len("url(") + length
				if url != "" && !yield(url, kind) {
					return
				}
			case rest[0] == '"' || rest[0] == '\'':
				text, length := cssArgument(rest, 0)
				i += max(1, length)
				if kind == KindCSS && text != "" && !yield(text, kind) {
					return
				}
			default:
				i++
			}
		}
	}
}

// hasFold reports whether s begins with a prefix, which is in lower case.
func hasFold(s, prefix string) bool {
	return len(s) >= len(prefix) && s[0]|0x20 == prefix[0]|0x20 && strings.EqualFold(s[:len(prefix)], prefix)
}

// cssArgument reads a string in quotes, or bare text up to the end character.
// length is the number of bytes read, including the end character.
func cssArgument(s string, end byte) (text string, length int) {
	start := len(s) - len(strings.TrimLeft(s, " \t\r\n\f"))
	if start == len(s) {
		return "", len(s)
	}
	if quote := s[start]; quote == '"' || quote == '\'' {
		close := strings.IndexByte(s[start+1:], quote)
		if close < 0 {
			return "", len(s)
		}
		text, length = s[start+1:start+1+close], start+close+2
		if after := strings.TrimLeft(s[length:min(len(s), length+64)], " \t\r\n\f"); end != 0 && after != "" && after[0] == end {
			length = strings.IndexByte(s[length:], end) + length + 1
		}
		return strings.TrimSpace(text), length
	}
	i := strings.IndexByte(s, end)
	if i < 0 {
		return "", len(s)
	}
	return strings.TrimSpace(s[:i]), i + 1
}
