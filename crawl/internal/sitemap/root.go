package sitemap

import (
	"bytes"
	"slices"
	"strings"
)

// namespace is the namespace of the sitemap protocol, version 0.9.
const namespace = "http://www.sitemaps.org/schemas/sitemap/0.9"

// atomFeeds are the namespaces of Atom 1.0 and 0.3, which are the feeds of the protocol beside RSS 2.0.
var atomFeeds = []string{"http://www.w3.org/2005/Atom", "http://purl.org/atom/ns#"}

// extensions are the namespaces of Google's extensions, by their usual prefix (developers.google.com,
// "Combine sitemap extensions").
var extensions = map[string]string{
	"image": "http://www.google.com/schemas/sitemap-image/1.1",
	"video": "http://www.google.com/schemas/sitemap-video/1.1",
	"news":  "http://www.google.com/schemas/sitemap-news/0.9",
	"xhtml": "http://www.w3.org/1999/xhtml",
}

// prefix is a namespace prefix that a root element binds. Prefixes of more than
// eight bytes are not stored.
type prefix [8]byte

func (p *prefix) bind(b []byte) {
	if *p = (prefix{}); len(b) <= len(p) {
		copy(p[:], b)
	}
}

// is reports whether p was bound and is this prefix.
func (p *prefix) is(b []byte) bool {
	return p[0] != 0 && string(bytes.TrimRight(p[:], "\x00")) == string(b)
}

// root reads the format and namespaces of an element that may be the file's
// root.
func (s *Scanner) root(nm name, own, attrs []byte) {
	s.Format = roles[nm].format
	s.own.bind(own)
	var bound []byte // namespace of the root itself
	for len(attrs) > 0 {
		var key, value []byte
		key, value, attrs, _ = attribute(attrs)
		name, isNS := bytes.CutPrefix(key, []byte("xmlns"))
		name, _ = bytes.CutPrefix(name, []byte(":"))
		switch {
		case !isNS:
		case string(name) == string(own):
			bound = bytes.Trim(value, space)
		case bytes.Contains(value, []byte("sitemap-image")):
			s.image.bind(name)
		case bytes.Contains(value, []byte("sitemap-video")):
			s.video.bind(name)
		case bytes.Contains(value, []byte("sitemap-news")):
			s.News = true
		}
		if right := extensions[string(name)]; isNS && right != "" && string(bytes.Trim(value, space)) != right {
			s.misbound = append(s.misbound, string(name)+"="+string(value[:min(len(value), 200)]))
		}
	}
	detail := "no namespace"
	if bound != nil {
		detail = string(bound[:min(len(bound), 200)])
	}
	switch {
	case nm == nameRDF:
		s.Notes.Count(NoteUnsupported, "RSS 1.0 (RDF)")
	case nm == nameFeed && !slices.Contains(atomFeeds, string(bound)):
		s.Notes.Count(NoteUnsupported, "a feed, but not of Atom: "+detail)
	case (s.Format == "urlset" || s.Format == "index") && string(bound) != namespace:
		s.Notes.Count(NoteNamespace, detail)
	}
}

// noteExtension notes that the namespace of an element's prefix is not that of the extension. Crawlers
// then ignore the element.
func (s *Scanner) noteExtension(prefix []byte) {
	for _, bound := range s.misbound {
		if name, value, _ := strings.Cut(bound, "="); name == string(prefix) {
			s.Notes.Count(NoteExtension, "xmlns:"+name+" is "+value)
		}
	}
}

// attribute splits off the first attribute inside a tag. whole is false if the
// value's closing quote is missing.
func attribute(attrs []byte) (key, value, rest []byte, whole bool) {
	i := 0
	for i < len(attrs) && (isSpace(attrs[i]) || attrs[i] == '/') {
		i++
	}
	from := i
	for i < len(attrs) && (attrs[i] > '=' || !isSpace(attrs[i]) && attrs[i] != '=' && attrs[i] != '/') {
		i++
	}
	key = attrs[from:i]
	for i < len(attrs) && isSpace(attrs[i]) {
		i++
	}
	if i == len(attrs) || attrs[i] != '=' {
		if i == from && i < len(attrs) {
			i++
		}
		return key, nil, attrs[i:], true
	}
	i++
	for i < len(attrs) && isSpace(attrs[i]) {
		i++
	}
	if i == len(attrs) {
		return key, nil, nil, true
	}
	if q := attrs[i]; q == '"' || q == '\'' {
		value = attrs[i+1:]
		if j := bytes.IndexByte(value, q); j >= 0 {
			return key, value[:j:j], value[j+1:], true
		}
		return key, value, nil, false
	}
	from = i
	for i < len(attrs) && !isSpace(attrs[i]) {
		i++
	}
	return key, attrs[from:i:i], attrs[i:], true
}
