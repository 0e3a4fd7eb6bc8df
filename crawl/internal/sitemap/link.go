package sitemap

import (
	"bytes"

	"robots-audit/crawl/internal/wellformed"
)

// linkForm is what the hreflang links of a file have in common. Most differ only in the values of their last
// attributes, hreflang and href.
type linkForm struct {
	head []byte // the tag up to the value of hreflang; empty = not known
	tail []byte // the end of the tag, from the quote after the value of href
}

const beforeHref = `" href="`

// learn learns the form of a well-formed tag. Its last double quote ends a value, unless a single quote
// follows.
func (l *linkForm) learn(tag []byte) {
	quote := max(bytes.LastIndexByte(tag, '"'), 0)
	href := bytes.LastIndexByte(tag[:quote], '"') + 1
	lang := bytes.LastIndexByte(tag[:max(href-len(beforeHref), 0)], '"') + 1
	if bytes.IndexByte(tag[quote:], '\'') < 0 && bytes.HasSuffix(tag[:href], []byte(beforeHref)) && bytes.HasSuffix(tag[:lang], []byte(` hreflang="`)) {
		l.head, l.tail = append(l.head[:0], tag[:lang]...), append(l.tail[:0], tag[quote:]...)
	}
}

// link reads a link at once that has this form, with the same result.
func (l *linkForm) link(s *Scanner) bool {
	b, is := bytes.CutPrefix(s.buf[s.r:s.w], l.head)
	if !is || s.loc != nil || s.misbound != nil || s.top() != nameURL || s.field != fieldNone || s.depth == maxNested {
		return false
	}
	lang := b[:max(bytes.IndexByte(b, '"'), 0)]
	b, is = bytes.CutPrefix(b[len(lang):], []byte(beforeHref))
	href := b[:max(bytes.IndexByte(b, '"'), 0)]
	if !is || !bytes.HasPrefix(href, []byte("http")) || !bytes.HasPrefix(b[len(href):], l.tail) || !wellformed.Usual(lang) || !wellformed.Usual(href) || !s.strictReady() {
		return false
	}
	s.addLink(fieldHreflang, lang, href, false)
	size := len(l.head) + len(lang) + len(beforeHref) + len(href) + len(l.tail)
	s.strict.Take(s.buf[s.r : s.r+size])
	s.r += size
	s.seen = s.r
	return true
}
