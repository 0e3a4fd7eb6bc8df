package audit

import "strings"

// TopDirectory returns the first directory of a URL's path, "/blog/"; "/" if there is none.
func TopDirectory(loc string) string {
	colon := strings.IndexByte(loc, ':')
	if colon < 0 || !strings.HasPrefix(loc[colon:], "://") {
		return "/"
	}
	rest, start := loc[colon+len("://"):], 0
	for start < len(rest) && rest[start] != '/' && rest[start] != '?' && rest[start] != '#' {
		start++
	}
	if start == len(rest) || rest[start] != '/' {
		return "/"
	}
	path := rest[start:]
	for i := 1; i < len(path); i++ {
		switch path[i] {
		case '/':
			return path[:i+1]
		case '?', '#':
			return "/"
		}
	}
	return "/"
}
