package weburl

// Truncate returns the longest beginning of s that is at most n bytes long and does not end
// within a character. Bytes that are no UTF-8 are left as they are. Text from servers is
// shortened by it before it is kept in an outcome, a note or the key of a cache.
func Truncate(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xc0 == 0x80 {
		n--
	}
	return s[:n]
}
