package engine

import (
	"strings"

	"robots-audit/engine/internal/match"
)

// kind is the kind of a line to a profile.
type kind uint8

const (
	lineBlank    kind = iota // nothing but white space
	lineComment              // nothing but a comment
	lineNoField              // no known field: every profile ignores it
	lineAgent                // user-agent
	lineAllow                // allow
	lineDisallow             // disallow
	lineSitemap              // sitemap
	lineDelay                // crawl-delay
	lineHost                 // host
	lineClean                // clean-param
	lineOther                // any other field
)

// isRule reports whether a line of the kind allows or disallows a path.
func (k kind) isRule() bool { return k == lineAllow || k == lineDisallow }

// lineReader splits a text into lines, which end in CR LF, LF or CR (RFC 9309
// 2.2), and lines into fields. Its strings are parts of the text.
type lineReader struct {
	profile *Profile
	body    string // the body
	offset  int    // byte at which the next line begins
	lf, cr  int    // offsets of the next LF and CR; if less than offset, they are searched again
	hash    int    // likewise for "#"
	nul     int    // likewise for NUL, if NUL ends the part of a line that is read
	number  int    // 1-based number of the current line
	start   int    // byte at which it begins
	text    string // the line without its end
	cut     bool   // the profile reads only the beginning of the line
	kind    kind
	field   string // as written, white space removed
	value   string // as written, comment and white space removed
}

func newLineReader(p *Profile, text string) *lineReader {
	bom := 0
	const mark = "\xEF\xBB\xBF"
	for bom < len(mark) && bom < len(text) && text[bom] == mark[bom] {
		bom++
	}
	if p.WholeBOM && bom < len(mark) {
		bom = 0
	}
	r := &lineReader{profile: p, body: text, offset: bom, lf: -1, cr: -1, hash: -1, nul: -1}
	if !p.NULCuts {
		r.nul = len(text)
	}
	return r
}

// next reads a line; false means that there is none.
func (r *lineReader) next() bool {
	if r.offset >= len(r.body) {
		return false
	}
	r.number++
	r.start = r.offset
	// Each of these is searched once. So a body with one kind of line ends is not
	// searched to its end for the other kind at every line. The same is true for
	// comments.
	if r.lf < r.offset {
		r.lf = r.find('\n')
	}
	if r.cr < r.offset {
		r.cr = r.find('\r')
	}
	if r.hash < r.offset {
		r.hash = r.find('#')
	}
	if r.nul < r.offset {
		r.nul = r.find(0)
	}
	end := min(r.lf, r.cr)
	r.text = r.body[r.start:end]
	r.offset = min(end+1, len(r.body))
	if end == r.cr && r.lf == end+1 && r.lf < len(r.body) {
		r.offset++
	}
	r.split()
	return true
}

// find returns the offset of the next byte c, or the length of the body if there is
// none.
func (r *lineReader) find(c byte) int {
	if i := strings.IndexByte(r.body[r.offset:], c); i >= 0 {
		return r.offset + i
	}
	return len(r.body)
}

// split finds the field and the value of a line.
func (r *lineReader) split() {
	p, line := r.profile, r.text
	r.kind, r.field, r.value = lineBlank, "", ""
	if r.cut = p.LineLimit > 0 && len(line) > p.LineLimit; r.cut {
		line = line[:p.LineLimit]
	}
	if i := r.nul - r.start; i < len(line) {
		line = line[:i]
	}
	if i := r.hash - r.start; i < len(line) {
		line = line[:i]
		r.kind = lineComment
	}
	if line = trim(line); line == "" {
		return
	}
	if len(line) > len(disallow) && line[len(disallow)] == ':' && isDisallow(match.Load8(line)) {
		r.field, r.value, r.kind = line[:len(disallow)], trim(line[len(disallow)+1:]), lineDisallow
		return
	}
	r.kind = lineNoField
	sep := strings.IndexByte(line, ':')
	if sep < 0 && p.MissingColon {
		sep = strings.IndexAny(line, " \t")
		if sep >= 0 && strings.ContainsAny(strings.TrimLeft(line[sep:], " \t"), " \t") {
			return // more than two words
		}
	}
	if sep < 0 {
		return
	}
	field := trim(line[:sep])
	r.field, r.value, r.kind = field, trim(line[sep+1:]), p.fieldKind(field)
}

// disallow is the field of nine lines in ten, and every profile knows it. One comparison of
// its eight letters recognizes it. This makes the parsing of large files a fifth faster.
const disallow = "disallow"

var disallowWord = match.Load8(disallow)

// isDisallow reports whether eight bytes are that field, in any case: 0x20 is the bit that makes a
// letter lower-case.
func isDisallow(word uint64) bool { return word|match.LowBits*0x20 == disallowWord }

// trim removes the white space of the C locale on both sides, as all published
// parsers do.
func trim(s string) string {
	for len(s) > 0 && isSpace(s[0]) {
		s = s[1:]
	}
	for len(s) > 0 && isSpace(s[len(s)-1]) {
		s = s[:len(s)-1]
	}
	return s
}

func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }
