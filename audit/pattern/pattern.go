package pattern

// Append appends the pattern of a URL's path. Addresses made by one template have the same
// pattern: a number becomes {n}, a date {date}, a UUID or a long key of digits and letters {id},
// the values of parameters {v}.
//
//	/blog/2026-01-02/post-17?page=3  →  /blog/{date}/post-{n}?page={v}
func Append(dst []byte, loc string) []byte {
	path := PathPart(loc)
	query := false
	for i := 0; i < len(path); {
		c := path[i]
		if query {
			if dst = append(dst, c); c == '=' {
				for i+1 < len(path) && path[i+1] != '&' {
					i++
				}
				dst = append(dst, "{v}"...)
			}
			i++
			continue
		}
		switch {
		case c == '%' && i+2 < len(path): // an octet, not a word
			dst = append(dst, path[i:i+3]...)
			i += 3
		case !wordByte[c]:
			query = c == '?'
			dst = append(dst, c)
			i++
		default:
			var n int
			dst, n = appendWord(dst, path[i:])
			i += n
		}
	}
	return dst
}

// PathPart returns path and query of a URL.
func PathPart(loc string) string {
	for i := 0; i+2 < len(loc); i++ {
		if loc[i] == ':' && loc[i+1] == '/' && loc[i+2] == '/' {
			for i += 3; i < len(loc); i++ {
				if loc[i] == '/' || loc[i] == '?' {
					return loc[i:]
				}
			}
			return "/"
		}
	}
	return loc
}

var wordByte = func() (t [256]bool) {
	for c := range t {
		t[c] = '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
	}
	return t
}()

// appendWord appends the letters and digits at the beginning of s, or their placeholder, and
// returns their length in s.
func appendWord(dst []byte, s string) ([]byte, int) {
	n, figures, hex := 0, 0, true
	for ; n < len(s) && wordByte[s[n]]; n++ {
		switch c := s[n] | 0x20; {
		case s[n] <= '9':
			figures++
		case c > 'f':
			hex = false
		}
	}
	switch {
	case figures == 0:
		if n == 8 && hex && isUUID(s) {
			return append(dst, "{id}"...), 36
		}
		return append(dst, s[:n]...), n
	case n == 8 && hex && isUUID(s):
		return append(dst, "{id}"...), 36
	case figures == n:
		if n == 4 && isDate(s) {
			return append(dst, "{date}"...), 10
		}
		return append(dst, "{n}"...), n
	case hex && n >= 8, n >= 12 && figures >= 3:
		return append(dst, "{id}"...), n
	}
	for i := 0; i < n; {
		if s[i] > '9' {
			dst = append(dst, s[i])
			i++
			continue
		}
		for i < n && s[i] <= '9' {
			i++
		}
		dst = append(dst, "{n}"...)
	}
	return dst, n
}

// isUUID reports whether s begins with 8-4-4-4-12 hexadecimal digits.
func isUUID(s string) bool {
	if len(s) < 36 || len(s) > 36 && wordByte[s[36]] {
		return false
	}
	for i := range 36 {
		c := s[i]
		if i == 8 || i == 13 || i == 18 || i == 23 {
			if c != '-' {
				return false
			}
		} else if !(c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f') {
			return false
		}
	}
	return true
}

// isDate reports whether s begins with a date, 2026-01-02 or 2026/01/02.
func isDate(s string) bool {
	if len(s) < 10 || s[4] != '-' && s[4] != '/' || s[7] != s[4] || len(s) > 10 && wordByte[s[10]] {
		return false
	}
	for _, i := range [...]int{0, 1, 2, 3, 5, 6, 8, 9} {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s[:2] >= "19" && s[:2] <= "20" && s[5:7] >= "01" && s[5:7] <= "12" && s[8:10] >= "01" && s[8:10] <= "31"
}
