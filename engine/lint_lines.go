package engine

import (
	"sort"
	"strings"

	"robots-audit/engine/wording"
)

// lenientProfile reads every line that some reader accepts. The checks need what a
// line was meant to be; which profiles accept it is found out afterwards.
var lenientProfile = &Profile{Name: "lint", Misspellings: true, MissingColon: true, Limit: -1}

// lintLine is a line with the positions of its parts, in bytes from 0.
type lintLine struct {
	number  int
	start   int    // byte of the file at which it begins
	text    string // without its end
	content int    // number of bytes before a comment
	kind    kind   // of the field that is intended, misspelt or not
	field   string
	fieldAt int
	value   string
	valueAt int
	colon   bool       // there is a colon between field and value
	exact   bool       // the field is spelled correctly, or is none that is known
	meant   string     // the name of the field that is intended
	group   *lintGroup // group that a rule or another member belongs to; nil = none
}

// lintGroup is a number of user-agent lines and what follows them, in the
// reading of RFC 9309, before groups of one product token are merged.
type lintGroup struct {
	agents []*lintLine
	forAll bool // one of them is "*"
	rules  []*lintLine
	others []*lintLine // fields that are neither rules nor user-agent lines
}

// rewrite returns the text of the line with another field and value. What follows
// the value, mostly a comment, stays.
func (n *lintLine) rewrite(field, value string) string {
	rest := n.text[min(n.valueAt+len(n.value), len(n.text)):]
	return strings.TrimRight(n.text[:n.fieldAt]+field+": "+value+rest, " \t")
}

// lineAt returns the line of a number. Of several blank lines or comments in a row
// l.lines has only the first one.
func (l *linter) lineAt(number int) *lintLine { return &l.lines[l.lineIndex(number)] }

// lineIndex returns the index into l.lines of the line of a number, or of the next
// line that is there.
func (l *linter) lineIndex(number int) int {
	return sort.Search(len(l.lines), func(i int) bool { return l.lines[i].number >= number })
}

// lineSet are lines that have something in common.
type lineSet struct {
	first   *lintLine // nil = there are none
	count   int
	numbers []int // of the first MaxLines, for Finding.Lines
}

// linesWhere returns the lines for which a condition holds.
func (l *linter) linesWhere(holds func(*lintLine) bool) (set lineSet) {
	for i := range l.lines {
		n := &l.lines[i]
		if !holds(n) {
			continue
		}
		if set.count++; set.first == nil {
			set.first = n
		}
		if len(set.numbers) < MaxLines {
			set.numbers = append(set.numbers, n.number)
		}
	}
	return set
}

// agents yields the user-agent lines of all groups.
func (l *linter) agents(yield func(*lintLine) bool) {
	for i := range l.groups {
		for _, n := range l.groups[i].agents {
			if !yield(n) {
				return
			}
		}
	}
}

// eachLine yields the lines of the file; of several blank lines in a row only the
// first one, since the others matter to no check and there may be half a million.
// The line is valid until the next one is yielded.
func (l *linter) eachLine(yield func(*lintLine) bool) {
	var n lintLine
	for r := newLineReader(lenientProfile, l.text); r.next(); {
		if r.kind == lineBlank && n.number > 0 && n.kind == lineBlank {
			continue
		}
		n = lintLine{number: r.number, start: r.start, text: r.text, content: len(r.text), kind: r.kind, field: r.field, value: r.value}
		if i := strings.IndexByte(r.text, '#'); i >= 0 {
			n.content = i
		}
		if r.field != "" {
			n.findColumns()
			n.findField()
		}
		if !yield(&n) {
			return
		}
	}
}

// readLines sets l.lines and l.groups. Of several comments in a row, and of several blank
// lines, l.lines has only the first, so that a file full of them takes little memory: a check of
// comments reads the file again with eachLine, and lines are counted by their number.
func (l *linter) readLines() {
	// Nearly every line has a colon, if it is no comment and not blank.
	most := min(strings.Count(l.text, "\n")+strings.Count(l.text, "\r"), 2*strings.Count(l.text, ":"), len(l.text)/8)
	l.lines = make([]lintLine, 0, most+1)
	for n := range l.eachLine {
		if last := len(l.lines) - 1; last >= 0 && n.isCommentOnly() && l.lines[last].isCommentOnly() {
			continue
		}
		l.lines = append(l.lines, *n)
	}
	joined := false // the user-agent line before this one has no rules yet
	for i := range l.lines {
		n := &l.lines[i]
		switch n.kind {
		case lineBlank, lineComment, lineNoField:
			continue
		case lineAgent:
			if !joined {
				l.groups = append(l.groups, lintGroup{})
			}
			joined = true
			g := &l.groups[len(l.groups)-1]
			g.agents = append(g.agents, n)
			g.forAll = g.forAll || groupToken(n.value) == "*"
		case lineAllow, lineDisallow:
			joined = false
			if len(l.groups) > 0 {
				g := &l.groups[len(l.groups)-1]
				g.rules = append(g.rules, n)
			}
		default:
			if len(l.groups) > 0 {
				g := &l.groups[len(l.groups)-1]
				g.others = append(g.others, n)
			}
		}
	}
	for i := range l.groups {
		g := &l.groups[i]
		for _, list := range [...][]*lintLine{g.agents, g.rules, g.others} {
			for _, n := range list {
				n.group = g
			}
		}
	}
}

// isCommentOnly reports whether a line has nothing but blanks before its comment.
func (n *lintLine) isCommentOnly() bool {
	return n.kind == lineComment && strings.Trim(n.text[:n.content], " \t") == ""
}

// findColumns sets fieldAt, valueAt and colon. The field is the first text of the
// line, the value the first text after the separator.
func (n *lintLine) findColumns() {
	n.fieldAt = strings.Index(n.text, n.field)
	i := n.fieldAt + len(n.field)
	for i < n.content && isSpace(n.text[i]) {
		i++
	}
	if n.colon = i < n.content && n.text[i] == ':'; n.colon {
		i++
	}
	for i < n.content && isSpace(n.text[i]) {
		i++
	}
	n.valueAt = i
	// "Disallow https://a.example/": the colon is part of the address.
	if word, scheme, ok := strings.Cut(n.field, " "); ok && strings.HasPrefix(n.value, "//") && hasPrefixFold(scheme, "http") {
		end := n.valueAt + len(n.value)
		n.valueAt = n.fieldAt + len(n.field) - len(scheme)
		n.field, n.value, n.colon = word, n.text[n.valueAt:end], false
		n.kind = lenientProfile.fieldKind(word)
	}
}

// fieldNames are the names of fields that authors use, with their kinds.
var fieldNames = []spelling{
	{"user-agent", lineAgent}, {"disallow", lineDisallow}, {"allow", lineAllow}, {"sitemap", lineSitemap},
	{"crawl-delay", lineDelay}, {"host", lineHost}, {"clean-param", lineClean},
	{"content-signal", lineOther}, {"content-usage", lineOther}, {"license", lineOther}, {"noindex", lineOther}, {"nofollow", lineOther},
	{"noarchive", lineOther}, {"request-rate", lineOther}, {"visit-time", lineOther}, {"revisit-after", lineOther}, {"domain", lineOther},
}

// findField sets meant and exact, and kind if the field is misspelt.
func (n *lintLine) findField() {
	var room [32]byte
	lowered := appendLower(room[:0], n.field)
	for i := range fieldNames {
		if string(lowered) == fieldNames[i].name {
			n.exact, n.meant = true, fieldNames[i].name
			return
		}
	}
	name := string(lowered)
	if n.kind != lineOther { // a misspelling that Google's matcher accepts
		for _, f := range fieldNames {
			if f.kind == n.kind {
				n.meant = f.name
			}
		}
		return
	}
	if n.exact = !n.colon || n.field[0] == '<'; n.exact {
		return // perhaps the words of a sentence, or HTML
	}
	for _, f := range fieldNames {
		if len(f.name) > 5 && similar(name, f.name) || len(f.name) == 5 && len(name) > 3 && distance(name, f.name) == 1 {
			n.kind, n.meant = f.kind, f.name
			return
		}
	}
	n.exact, n.meant = true, name
}

// similar reports whether two words differ by one typing error (two, if b has
// eight letters or more), or only by their separators.
func similar(a, b string) bool {
	if wording.Letters(a) == wording.Letters(b) {
		return true
	}
	limit := 1
	if len(b) >= 8 {
		limit = 2
	}
	return distance(a, b) <= limit
}

// distance is that of [wording.Distance], but 9 for words of more than 32 bytes or
// lengths that differ by more than 3: those are told apart without a comparison.
func distance(a, b string) int {
	if len(a) > 32 || len(b) > 32 || len(a)-len(b) > 3 || len(b)-len(a) > 3 {
		return 9
	}
	return wording.Distance(a, b)
}
