// Package sitemap reads one sitemap: bytes in, URLs and notes out. It makes no
// requests. Package crawl decides which sitemaps are read, in which order and
// how many, and checks the host and location of their URLs.
//
// Two readers form a chain. Content decodes gzip and charset, and returns the
// text in UTF-8. Scanner finds the URLs in that text: in the XML of
// sitemaps.org with Google's extensions for images, videos, news and languages,
// in RSS and Atom, and in lists of lines.
//
//	content := sitemap.NewContent(body, url, contentType, limit)
//	scanner := sitemap.NewScanner(content)
//	for scanner.Next() {
//		use(scanner.URL)
//	}
//
// The scanner is not an XML parser. encoding/xml stops at the first raw
// ampersand or stray byte, which would lose the rest of the file. It also needs
// several seconds for a site of a million URLs. The scanner knows tags,
// character data and the few names in names.go. It recognizes elements by local
// name and parent, with any prefix and namespace. If the file is well-formed,
// the result is that of an XML parser (FuzzScanner checks this). Otherwise it
// continues with the next usable markup and notes the error. In parallel,
// package wellformed finds where a strict parser would stop (strict.go).
// Entities are never expanded or fetched.
//
// Bad input is never an error but a Note: a stable code with a count and the
// first case. Errors are only those of the source of the bytes, and
// ErrTooLarge.
//
// Memory does not depend on the file. There is a window of 64 KiB and the
// current entry. Both are reused, and nothing is allocated for a URL.
package sitemap
