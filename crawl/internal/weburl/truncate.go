package weburl

// Truncate returns the longest prefix of s that is at most n bytes long and does not end
// within a character. Invalid UTF-8 stays unchanged. It shortens text from servers before
// it is stored in an outcome, a note or a cache key.
func Truncate(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xc0 == 0x80 {
		n--
	}
	return s[:n]
}
