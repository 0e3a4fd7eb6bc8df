package wellformed

import (
	"bytes"
	"unicode/utf8"
)

// attr returns the name of the attribute read last.
func (c *Checker) attr() []byte {
	if n := len(c.ends); n > 0 {
		return c.attrs[c.ends[n-1]:]
	}
	return c.attrs
}

// beginAttr begins the name of an attribute.
func (c *Checker) beginAttr(first rune) {
	if !isNameStart(first) {
		c.stop("text in a tag that is not an attribute")
		return
	}
	if !c.spaced {
		c.stop("no white space before an attribute")
		return
	}
	c.state = inAttr
}

// endAttr ends the name of an attribute.
func (c *Checker) endAttr() {
	name := c.attr()
	if !c.checkName(name) {
		return
	}
	from := 0
	for _, end := range c.ends {
		if string(c.attrs[from:end]) == string(name) {
			c.stop("the attribute " + short(name) + " twice in one tag")
			return
		}
		from = end
	}
	if c.ends = append(c.ends, len(c.attrs)); len(c.ends) > maxAttrs {
		c.GiveUp()
		return
	}
	c.state = beforeEqual
}

// checkName checks a name by Namespaces in XML, section 4: at most one colon,
// not at the start, and a name after it.
func (c *Checker) checkName(name []byte) bool {
	colon := bytes.IndexByte(name, ':')
	if colon < 0 {
		return true
	}
	local := name[colon+1:]
	r, _ := utf8.DecodeRune(local)
	if colon == 0 || len(local) == 0 || !isNameStart(r) || bytes.IndexByte(local, ':') >= 0 {
		c.stop("the name " + short(name) + " with a colon in the wrong place")
		return false
	}
	return true
}

// bind stores the prefix that an attribute declares, at the end of its value.
func (c *Checker) bind() {
	from := 0
	if n := len(c.ends); n > 1 {
		from = c.ends[n-2]
	}
	prefix, is := bytes.CutPrefix(c.attrs[from:c.ends[len(c.ends)-1]], []byte("xmlns:"))
	switch {
	case !is || string(prefix) == "xml":
	case string(prefix) == "xmlns":
		c.stop("the prefix xmlns, which must not be declared")
	case !c.filled:
		c.stop("the prefix " + short(prefix) + " declared with an empty value")
	case len(c.bindings) == maxBound || len(c.bound)+len(prefix) > maxName:
		c.GiveUp()
	default:
		c.bound = append(c.bound, prefix...)
		c.bindings = append(c.bindings, binding{len(c.bound), len(c.starts) + 1})
	}
}

// unbind removes the prefixes that an element at a depth declares.
func (c *Checker) unbind(depth int) {
	for n := len(c.bindings); n > 0 && c.bindings[n-1].depth >= depth; n-- {
		c.bindings = c.bindings[:n-1]
	}
	c.bound = c.bound[:c.boundEnd()]
}

func (c *Checker) boundEnd() int {
	if n := len(c.bindings); n > 0 {
		return c.bindings[n-1].end
	}
	return 0
}

// checkPrefixes checks whether the prefixes of a start tag are declared
// (Namespaces in XML, section 5). It does not look for two prefixes of the same
// namespace (section 6.3).
func (c *Checker) checkPrefixes() bool {
	if !c.declared(c.name, false) {
		return false
	}
	from := 0
	for _, end := range c.ends {
		if !c.declared(c.attrs[from:end], true) {
			return false
		}
		from = end
	}
	return true
}

// declared checks whether the prefix of an element's or attribute's name is
// declared.
func (c *Checker) declared(name []byte, attribute bool) bool {
	colon := bytes.IndexByte(name, ':')
	if colon < 0 || c.defaults {
		return true
	}
	prefix := name[:colon]
	if string(prefix) == "xml" || attribute && string(prefix) == "xmlns" || c.Bound(prefix) {
		return true
	}
	reason := "the prefix " + short(prefix) + " is not declared"
	for _, known := range namespaces {
		if known.prefix == string(prefix) {
			reason += `: write xmlns:` + known.prefix + `="` + known.uri + `" into the first tag`
		}
	}
	c.stop(reason)
	return false
}

// Bound reports whether a prefix is declared.
func (c *Checker) Bound(prefix []byte) bool {
	from := 0
	for _, one := range c.bindings {
		if string(c.bound[from:one.end]) == string(prefix) {
			return true
		}
		from = one.end
	}
	return false
}

// namespaces are those of the prefixes that sitemaps most often forget to
// declare.
var namespaces = []struct{ prefix, uri string }{
	{"image", "http://www.google.com/schemas/sitemap-image/1.1"},
	{"news", "http://www.google.com/schemas/sitemap-news/0.9"},
	{"video", "http://www.google.com/schemas/sitemap-video/1.1"},
	{"xhtml", "http://www.w3.org/1999/xhtml"},
	{"xsi", "http://www.w3.org/2001/XMLSchema-instance"},
}
