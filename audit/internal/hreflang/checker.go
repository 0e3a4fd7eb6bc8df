package hreflang

import (
	"slices"
	"strings"
	"unicode/utf8"

	"robots-audit/crawl"
)

// Codes of notes. Like those of package crawl they are stable.
const (
	NoteCode        = "hreflang_code"           // a code that is not valid
	NoteNoSelf      = "hreflang_no_self"        // an entry that does not list its own URL
	NoteRepeated    = "hreflang_repeated"       // an entry with several URLs for one code
	NoteXDefault    = "hreflang_x_default"      // an entry with several URLs for x-default
	NoteNoReturn    = "hreflang_no_return"      // a link to a URL whose own entry does not list the first URL
	NoteUnannotated = "hreflang_unannotated"    // a link to a URL that has no alternates in the sitemaps
	NoteUnchecked   = "hreflang_unchecked"      // an entry whose links were not checked, since there are too many
	NoteUnlisted    = "hreflang_not_in_sitemap" // a URL that is linked, but is in no sitemap
)

// Limits of a Checker.
const (
	maxAlternates = 1000 // of an entry whose links are checked
	maxCodes      = 1000 // different codes
	maxExamples   = 5    // of a note
	maxShown      = 200  // bytes of a URL in a note
)

// Checker checks the annotations of one site. New makes one. It is not safe for concurrent use.
type Checker struct {
	entry   entry
	entries int64
	notes   []crawl.Note // on the current source

	codes []code
	ids   map[string]int32 // of codes, as written
	order []int32          // codes of the last entry: most entries have the same, in the same order

	graph graph
}

// entry is what an entry of a sitemap, or a page, lists.
type entry struct {
	loc        uint64
	hasLoc     bool
	partial    bool // it has URLs that cannot be compared
	locText    []byte
	text       []byte // of its alternates
	alternates []alternate
}

type alternate struct {
	hash     uint64
	from, to int // it is entry.text[from:to]
	code     int32
	own      bool
}

// code is an hreflang code, as written.
type code struct {
	text  string
	fault string
	same  int32  // the code in lower case, which has the fields below; 0 = none, since there are too many
	entry int64  // the last entry that has it
	url   uint64 // its URL there
	told  bool   // an example of its fault was given
}

// New returns a checker.
func New() *Checker {
	return &Checker{ids: map[string]int32{}, codes: make([]code, 1), graph: newGraph()}
}

// Begin begins an entry.
func (c *Checker) Begin() {
	if len(c.entry.alternates) > 0 || c.entry.partial { // most sites have none
		c.endEntry(false)
	}
	c.entry.reset()
}

// reset empties the entry, but keeps its buffers.
func (e *entry) reset() {
	if e.hasLoc, e.locText = false, e.locText[:0]; e.partial || len(e.alternates) > 0 {
		e.partial, e.text, e.alternates = false, e.text[:0], e.alternates[:0]
	}
}

// URL is a URL of an entry.
type URL struct {
	Hash uint64
	Text []byte // it is not kept
	Own  bool   // on a host of the site itself, so that its sitemaps should list it
}

// SetLoc sets the URL of the entry.
func (c *Checker) SetLoc(url URL) {
	e := &c.entry
	if e.hasLoc {
		e.partial = true // not an entry of the protocol
		return
	}
	e.loc, e.hasLoc = url.Hash, true
	e.locText = append(e.locText, url.Text...)
}

// Add adds an alternate of the entry; lang is its hreflang.
func (c *Checker) Add(url URL, lang []byte) {
	e := &c.entry
	if len(e.alternates) == maxAlternates {
		e.partial = true
		return
	}
	from := len(e.text)
	e.text = append(e.text, url.Text...)
	e.alternates = append(e.alternates, alternate{url.Hash, from, len(e.text), c.code(len(e.alternates), lang), url.Own})
}

// Skip says that the entry has an alternate or URL that cannot be compared.
func (c *Checker) Skip() { c.entry.partial = true }

// code returns the index of the code of the i-th alternate.
func (c *Checker) code(i int, lang []byte) int32 {
	if i < len(c.order) && c.codes[c.order[i]].text == string(lang) {
		return c.order[i]
	}
	id, ok := c.ids[string(lang)]
	if !ok {
		id = c.addCode(string(lang))
	}
	if i < len(c.order) {
		c.order[i] = id
	} else {
		c.order = append(c.order, id)
	}
	return id
}

// addCode judges a code that is new. Beyond maxCodes, a site gets codes[0], which is never at fault.
func (c *Checker) addCode(text string) int32 {
	lower := strings.ToLower(text)
	same, ok := c.ids[lower]
	if !ok && lower != text {
		same = c.addCode(lower)
	}
	id := int32(len(c.codes))
	if id >= maxCodes {
		return 0
	}
	if lower == text {
		same = id
	}
	c.codes = append(c.codes, code{text: text, fault: Fault(text), same: same})
	c.ids[text] = id
	return id
}

// endEntry checks the entry. listed says that it counts even without alternates.
func (c *Checker) endEntry(listed bool) {
	e := &c.entry
	if !e.hasLoc || len(e.alternates) == 0 && !listed && !e.partial {
		return
	}
	c.entries++
	loc := e.locText
	self, repeated := false, int32(-1)
	for i := range e.alternates {
		a := &e.alternates[i]
		self = self || a.hash == e.loc
		k := &c.codes[a.code]
		if k.fault != "" {
			c.noteCode(k, loc)
			continue
		}
		if k = &c.codes[k.same]; k.same != 0 && k.entry == c.entries && k.url != a.hash {
			repeated = k.same
		}
		k.entry, k.url = c.entries, a.hash
	}
	if repeated >= 0 {
		text := c.codes[repeated].text
		if text == XDefault {
			note(&c.notes, NoteXDefault, shown(loc))
		} else {
			note(&c.notes, NoteRepeated, text+" of "+shown(loc))
		}
	}
	if !self && len(e.alternates) > 0 && !e.partial {
		note(&c.notes, NoteNoSelf, shown(loc))
	}
	c.graph.add(e)
}

// noteCode notes a code that is not valid. Each code is an example only once.
func (c *Checker) noteCode(k *code, loc []byte) {
	detail := ""
	if !k.told {
		k.told = true
		text := k.text
		if text == "" {
			text = `""`
		}
		detail = text + " (" + k.fault + ") of " + shown(loc)
	}
	note(&c.notes, NoteCode, detail)
}

// note counts a fault; detail is an example, "" = none.
func note(notes *[]crawl.Note, code, detail string) {
	i := slices.IndexFunc(*notes, func(n crawl.Note) bool { return n.Code == code })
	if i < 0 {
		i = len(*notes)
		*notes = append(*notes, crawl.Note{Code: code})
	}
	n := &(*notes)[i]
	n.Count++
	switch {
	case detail == "":
	case n.Detail == "":
		n.Detail = detail
	case len(n.More) < maxExamples-1:
		n.More = append(n.More, detail)
	}
}

// shown returns a URL as text of a note.
func shown(url []byte) string {
	if len(url) <= maxShown {
		return strings.ToValidUTF8(string(url), "\uFFFD")
	}
	end := maxShown
	for end > maxShown-utf8.UTFMax && !utf8.RuneStart(url[end]) {
		end--
	}
	return strings.ToValidUTF8(string(url[:end]), "\uFFFD") + "…"
}

// Source is a sitemap or page with annotations.
type Source struct {
	URL  string
	Line int  // line of robots.txt that leads to it; 0 = none
	Page bool // not a sitemap
}

// End ends a sitemap or page, and returns the notes on it.
func (c *Checker) End(s Source) []crawl.Note {
	c.endEntry(s.Page)
	c.entry.reset()
	c.graph.end(s)
	notes := c.notes
	c.notes = nil
	return notes
}
