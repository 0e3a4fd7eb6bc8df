package compare

import (
	"bytes"
	"slices"

	"robots-audit/audit"
	"robots-audit/crawl"
	"robots-audit/engine"
)

// originAt returns the index of an origin in Site.Origins. A new origin is added with the data that
// both sides have so far; finishOrigins adds the rest.
func (c *comparison) originAt(name string) int {
	if len(c.site.Origins) == 0 { // the site's own come first, whatever URL flips first
		for _, s := range []*judged{c.new, c.old} {
			if own := s.origins[0]; own != nil && own.record.Origin != "" {
				c.enterOrigin(own.record.Origin)
			}
		}
	}
	return c.enterOrigin(name)
}

// enterOrigin returns the index of an origin, and adds it if it is new.
func (c *comparison) enterOrigin(name string) int {
	at := slices.IndexFunc(c.site.Origins, func(o Origin) bool { return o.Name == name })
	if at < 0 {
		at = len(c.site.Origins)
		c.site.Origins = append(c.site.Origins, Origin{Name: name})
		c.completeOrigin(&c.site.Origins[at])
	}
	return at
}

// originOf returns the index in Site.Origins of the origin with which a flip is reported: that of
// the URL, or an earlier one with the same file.
func (c *comparison) originOf(k *known) int {
	if k.origin.place > 0 {
		return k.origin.place - 1
	}
	name := k.origin.record.Origin
	if name == "" {
		return c.originAt(originOf(k.loc))
	}
	at := c.originAt(name)
	o := &c.site.Origins[at]
	if o.Old == nil || o.New == nil {
		if c.completeOrigin(o); o.Old == nil || o.New == nil {
			return at // the record of the other one may still follow
		}
	}
	if same := o.SameAs; same != "" {
		at = c.originAt(same)
	}
	k.origin.place = at + 1
	return at
}

// completeOrigin fills in data of an origin that is still missing.
func (c *comparison) completeOrigin(o *Origin) {
	old, new := c.old.originNamed(o.Name), c.new.originNamed(o.Name)
	before := o.Old != nil && o.New != nil
	if o.Old == nil && old != nil {
		o.Old = c.old.answerOf(old)
	}
	if o.New == nil && new != nil {
		o.New = c.new.answerOf(new)
	}
	if o.Old == nil || o.New == nil || before {
		return
	}
	if same := new.record.SameAs; same != "" && same == old.record.SameAs {
		o.SameAs = same
	} else if o.Old.hasLines() && o.New.hasLines() && !o.sameBody() {
		o.Diff = diffLines(o.Old.Body, o.New.Body)
	}
}

// finishOrigins adds all origins that a side has requested: first those of the new side, then those
// of only the old side.
func (c *comparison) finishOrigins() {
	for _, s := range []*judged{c.new, c.old} {
		for _, g := range s.asked() {
			c.originAt(g.record.Origin)
		}
	}
	for i := range c.site.Origins {
		o := &c.site.Origins[i]
		c.completeOrigin(o)
		for _, s := range []*judged{c.old, c.new} {
			if g := s.originNamed(o.Name); g != nil {
				o.Pages = max(o.Pages, g.pages)
			}
			o.Sitemaps = max(o.Sitemaps, s.sitemapsOn(o.Name))
		}
	}
}

// sitemapsOn counts the sitemaps on an origin, or redirected to it.
func (s *side) sitemapsOn(origin string) (n int) {
	for _, m := range s.sitemaps {
		if originOf(m.URL) == origin || slices.ContainsFunc(m.Hops, func(h crawl.Hop) bool { return originOf(h.URL) == origin }) {
			n++
		}
	}
	return n
}

// asked returns the origins whose robots.txt a side has requested, by index.
func (s *side) asked() (list []*governed) {
	for _, g := range s.origins {
		if g.record.Origin != "" {
			list = append(list, g)
		}
	}
	slices.SortFunc(list, func(a, b *governed) int { return a.record.Index - b.record.Index })
	return list
}

// originNamed returns the origin of that name; nil = the side did not request its robots.txt.
func (s *side) originNamed(name string) *governed {
	for _, g := range s.origins {
		if g.record.Origin == name {
			return g
		}
	}
	return nil
}

// answerOf describes the answer of an origin on one side, and what it means to the compared
// crawlers.
func (s *judged) answerOf(g *governed) *Answer {
	f := &g.record.File
	a := &Answer{
		Status: f.Status, Code: f.Code, FinalURL: finalURL(f), Hops: redirects(f), Type: f.Type, Bytes: f.Bytes, SHA256: f.SHA256,
		Body: f.Body, Kind: g.kind, Given: f.Given, HasAnswer: !g.recorded,
	}
	g = s.judge(g.record.Index, s.readers)
	for i, r := range s.readers {
		access, why := engine.AccessUnknown, ""
		if !g.recorded {
			access, why = g.readings[i].Access, g.readings[i].Why
		} else if r.column < len(g.record.Reads) {
			access, why = g.record.Reads[r.column].Access, g.record.Reads[r.column].Why
		}
		a.Access, a.Why = append(a.Access, access), append(a.Why, why)
	}
	return a
}

// sameBody reports whether both sides have the same bytes.
func (o *Origin) sameBody() bool {
	return o.Old.HasAnswer && o.New.HasAnswer && o.Old.Kind == o.New.Kind && bytes.Equal(o.Old.Body, o.New.Body)
}

// hasLines reports whether the answer is a file that can be compared line by line.
func (a *Answer) hasLines() bool { return a.HasAnswer && (a.Kind == BodyText || a.Kind == BodyEmpty) }

// finalURL is the last URL requested for a robots.txt.
func finalURL(f *crawl.RobotsFile) string {
	if n := len(f.Hops); n > 0 {
		return f.Hops[n-1].URL
	}
	return f.URL
}

// redirects counts the hops that were redirects.
func redirects(f *crawl.RobotsFile) (n int) {
	for _, hop := range f.Hops {
		if hop.Location != "" {
			n++
		}
	}
	return n
}

// bodyKind classifies the body of an answer.
func bodyKind(f crawl.RobotsFile) BodyKind {
	if f.Status/100 != 2 || f.Code != "" && f.Code != audit.CodeBodyTooLarge {
		return BodyNone
	}
	switch code, _ := audit.CheckBody(f); {
	case code == audit.CodeRobotsNotText:
		return BodyBinary
	case code == audit.CodeRobotsHTML:
		return BodyHTML
	case len(bytes.TrimSpace(bytes.TrimPrefix(f.Body, []byte("\xEF\xBB\xBF")))) == 0 && len(f.Body) == int(f.Bytes):
		return BodyEmpty
	}
	return BodyText
}
