// Package sitemap reads one sitemap: bytes in, URLs and notes out. It asks for
// nothing and follows nothing; which sitemaps are read, in which order and how
// many, is package crawl's affair, and so is what a URL's host and place say
// about it.
//
// Two readers stand one behind the other. Content takes off what a file came
// wrapped in, gzip and charset, and gives its text in UTF-8. Scanner finds the
// URLs in that text: in the XML of sitemaps.org with Google's extensions for
// images, videos, news and languages, in RSS and Atom, and in lists of lines.
//
//	content := sitemap.NewContent(body, url, contentType, limit)
//	scanner := sitemap.NewScanner(content)
//	for scanner.Next() {
//		use(scanner.URL)
//	}
//
// The scanner is no XML parser. encoding/xml gives up at the first raw
// ampersand or stray byte, which would lose the rest of the file, and costs a
// site of a million URLs several seconds. The scanner knows tags, character
// data and the handful of names in names.go; elements are told by local name
// and parent, so prefixes and namespaces may be what they like. Where the file
// is well-formed, it reads what an XML parser reads (FuzzScanner holds it to
// that). Where it is not, it goes on with the next thing that makes sense and
// notes what it met; package wellformed reads along and tells where a strict
// parser would have stopped (strict.go). Entities are never expanded nor
// fetched.
//
// Bad input is never an error: it is a Note, a stable code with a count and
// its first case. An error is only what the source of the bytes returned, or
// ErrTooLarge.
//
// Memory does not depend on the file. There is a window of 64 KiB and the
// entry at hand; both are reused, and nothing is allocated for a URL.
package sitemap
