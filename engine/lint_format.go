package engine

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"robots-audit/engine/wording"
)

// MaxYandexRules is the number of rules of a file that Yandex's checker takes (its error
// dictionary).
const MaxYandexRules = 2048

// maxYandexPath is the number of characters of a rule that it takes.
const maxYandexPath = 1024

// lintFormat checks the file as bytes and lines.
func lintFormat(l *linter) {
	lintSize(l)
	lintBytes(l)
}

// lintSize checks the size of the file, the number of its rules and the length of
// its lines.
func lintSize(l *linter) {
	rules := 0
	for i := range l.lines {
		n := &l.lines[i]
		if n.kind.isRule() {
			if rules++; rules == MaxYandexRules+1 {
				if f := l.reportValue("FMT006", n); f != nil {
					f.Severity, f.What = Info, fmt.Sprintf("this is rule %s; Yandex's checker accepts %s", wording.Thousands(rules), wording.Thousands(MaxYandexRules))
				}
			}
		}
		lintLength(l, n)
	}
	for _, p := range l.Profiles {
		l.lintLimit(p, rules)
	}
}

// lintLimit compares the file with one profile's limit.
func (l *linter) lintLimit(p *Profile, rules int) {
	limit, size := p.ByteLimit(), len(l.text)
	if limit >= 0 && size == limit && l.File != nil && l.File.Truncated {
		size++ // cut by the fetcher just there
	}
	switch {
	case limit < 0:
	case size <= limit && l.File != nil && l.File.Truncated:
		l.reportTruncated(p)
	case size > limit && p.OverLimit == AccessUnknown:
		first, ignored := l.firstBeyond(limit)
		if l.addProfileToLast("FMT004", first, p) {
			return
		}
		if f := l.report("FMT004", first, 0, len(first.text), p); f != nil {
			f.What = fmt.Sprintf("the file has %s; it is ignored from this line on (%s)", wording.Plural(size, "byte"), wording.Plural(ignored, "rule"))
			if ignored == 0 && (l.File == nil || !l.File.Truncated) {
				f.Severity = Info
			}
		}
	case size > limit:
		if f := l.report(overLimitID(p), nil, 0, 0, p); f != nil {
			f.What = fmt.Sprintf("the file has %s; with more than %s the site is open", wording.Plural(size, "byte"), wording.Thousands(limit))
		}
	case size > limit/5*4:
		if l.addProfileToLast("FMT007", nil, p) {
			return
		}
		if f := l.report("FMT007", nil, 0, 0, p); f != nil {
			f.What = fmt.Sprintf("the file has %s; the limit is %s", wording.Plural(size, "byte"), wording.Thousands(limit))
		}
	}
	if p.Name == "yandex" && rules > MaxYandexRules/5*4 && rules <= MaxYandexRules {
		if f := l.report("FMT007", nil, 0, 0, p); f != nil {
			f.What = fmt.Sprintf("the file has %s; the limit is %s", wording.Plural(rules, "rule"), wording.Thousands(MaxYandexRules))
		}
	}
}

// overLimitID is the id of the finding for a file that a profile ignores as a
// whole because of its size.
func overLimitID(p *Profile) string {
	if p.ByteLimit() == 32<<10 {
		return "FMT005"
	}
	return "FMT006"
}

// reportTruncated reports a file that the fetcher cut although it is within the
// limit of a profile: its last line was too long to be read.
func (l *linter) reportTruncated(p *Profile) {
	id, what := "FMT004", "the file was cut in a line that is too long to read; the rest is ignored"
	if p.OverLimit != AccessUnknown {
		id, what = overLimitID(p), "the file is too long to read, so the site is open"
	}
	if l.addProfileToLast(id, nil, p) {
		return
	}
	if f := l.report(id, nil, 0, 0, p); f != nil {
		f.What = what
	}
}

// addProfileToLast adds a profile to the last finding of an id, if that is about
// the same line, and returns whether it did.
func (l *linter) addProfileToLast(id string, line *lintLine, p *Profile) bool {
	i, ok := l.lastOf[id]
	if !ok || !findingIndex[id].Concerns(p) {
		return false
	}
	f := &l.found[i]
	if line == nil && f.Line != 0 || line != nil && f.Line != line.number {
		return false
	}
	f.Profiles = append(f.Profiles, p.Name)
	return true
}

// ignoredPart is what a profile ignores of a file that is longer than its limit.
type ignoredPart struct {
	limit int
	first *lintLine // the first line that is not read whole; nil = not computed yet
	rules int       // from that line on
}

// firstBeyond returns the first line that is not read whole within a limit, and the
// number of rules from it on. Most profiles have the same limit: the file is
// read for it once.
func (l *linter) firstBeyond(limit int) (first *lintLine, rules int) {
	if l.ignored.first != nil && l.ignored.limit == limit {
		return l.ignored.first, l.ignored.rules
	}
	first = new(lintLine)
	whole := true
	for n := range l.eachLine {
		if whole {
			*first = *n // if no line begins beyond the limit: the last one, whose line end does
		}
		if n.start+len(n.text) <= limit {
			continue
		}
		whole = false
		if n.kind.isRule() {
			rules++
		}
	}
	l.ignored = ignoredPart{limit, first, rules}
	return first, rules
}

// lintLength checks the length of a line.
func lintLength(l *linter, n *lintLine) {
	if cuts := l.profilesWhere(func(p *Profile) bool { return p.LineLimit > 0 && len(n.text) > p.LineLimit }); len(cuts) > 0 && n.kind != lineComment {
		limit := cuts[0].LineLimit
		if f := l.report("FMT008", n, limit, len(n.text), cuts...); f != nil {
			f.What = fmt.Sprintf("the line has %s and is cut after %s", wording.Plural(len(n.text), "byte"), wording.Thousands(limit))
		}
	}
	if n.kind.isRule() && len(n.value) > maxYandexPath && utf8.RuneCountInString(n.value) > maxYandexPath {
		yandex := l.profilesWhere(func(p *Profile) bool { return p.Name == "yandex" })
		if f := l.reportValue("FMT008", n, yandex...); f != nil {
			f.What = fmt.Sprintf("a rule of more than %s characters", wording.Thousands(maxYandexPath))
		}
	}
}

// lintBytes checks the encoding and the line ends of the file.
func lintBytes(l *linter) {
	if strings.HasPrefix(l.text, "\xEF\xBB\xBF") {
		first := &l.lines[0]
		if f := l.report("FMT001", first, 0, 0); f != nil && first.kind == lineAgent {
			if lost := l.firstGroupLost(first.number); lost != "" {
				f.What += "; where it is not skipped, " + lost
			}
		}
	}
	broken := l.linesWhere(func(n *lintLine) bool { return !utf8.ValidString(n.text[:n.content]) })
	if n := broken.first; n != nil {
		at := invalidAt(n.text[:n.content])
		if f := l.report("FMT002", n, at, at+1); f != nil {
			f.What = fmt.Sprintf("byte 0x%02X is not UTF-8 (%s affected)", n.text[at], wording.Plural(broken.count, "line"))
			if broken.count > 1 {
				f.Lines = broken.numbers
			}
		}
	}
	lintLineEnds(l)
}

// invalidAt returns the index of the first byte that is not UTF-8.
func invalidAt(s string) int {
	for i, c := range s {
		if c == utf8.RuneError && s[i] >= 0x80 {
			if _, size := utf8.DecodeRuneInString(s[i:]); size == 1 {
				return i
			}
		}
	}
	return 0
}

// lintLineEnds counts the kinds of line ends.
func lintLineEnds(l *linter) {
	crlf := strings.Count(l.text, "\r\n")
	cr, lf := strings.Count(l.text, "\r")-crlf, strings.Count(l.text, "\n")-crlf
	kinds := 0
	for _, n := range [...]int{crlf, cr, lf} {
		if n > 0 {
			kinds++
		}
	}
	if kinds < 2 && cr == 0 {
		return
	}
	if f := l.report("FMT009", nil, 0, 0); f != nil {
		f.What = fmt.Sprintf("line endings are mixed: %s LF, %s CR LF, %s CR", wording.Thousands(lf), wording.Thousands(crlf), wording.Thousands(cr))
		if kinds < 2 {
			f.What = "lines end with CR alone"
		}
	}
}
