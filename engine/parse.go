package engine

import "strings"

// agentLine is a user-agent line of a run.
type agentLine struct {
	value string
	line  int
}

// run is a sequence of user-agent lines and the rules that follow them: a group
// of RFC 9309 before groups with the same product token are merged. Its lines
// are contiguous in the slices of Robots.
type run struct {
	agents, agentsEnd int
	rules, rulesEnd   int
	joins             bool // if its only rule line is deleted, it merges with the next run
}

// delayLine is a crawl-delay line of a run.
type delayLine struct {
	Line
	run int
}

// builder makes runs, which become groups, from the lines of a file.
type builder struct {
	*Robots
	open      bool // a run is open: rules go to the last one
	hasRule   bool // it has a rule, so the next user-agent line begins another run
	separated bool // a line after its user-agent lines separates them from later ones
}

// parse reads the text line by line.
func (r *Robots) parse() {
	b := builder{Robots: r}
	if r.rules == nil { // Nearly every line is a rule. A body of empty lines or comments must not cost much.
		b.rules = make([]Rule, 0, min(strings.Count(r.text, "\n"), strings.Count(r.text, ":"), len(r.text)/16))
	}
	for read := newLineReader(r.Profile, r.text); read.next(); {
		b.addLine(read)
	}
	b.reducer = b.paramReducer()
}

// reset empties the builder, but keeps the run that later lines may join. Lines
// uses it, since it keeps no line.
func (b *builder) reset() {
	b.agents, b.rules, b.runs, b.delays = b.agents[:0], b.rules[:0], b.runs[:min(1, len(b.runs))], b.delays[:0]
	b.sitemaps, b.hosts, b.cleans, b.rereads = b.sitemaps[:0], b.hosts[:0], b.cleans[:0], b.rereads[:0]
}

// addLine adds the current line to its run, or to the lines that are in no run.
func (b *builder) addLine(r *lineReader) {
	p := b.Profile
	line := Line{Line: r.number, Value: r.value}
	switch r.kind {
	case lineBlank:
		if p.BlankLine == BlankEndsRecord {
			b.open = false
		}
		b.separated = b.separated || p.BlankLine == BlankSplits
		return
	case lineComment: // where blank lines split, comment lines do too
		b.separated = b.separated || p.BlankLine == BlankSplits
		return
	case lineNoField:
		return
	case lineAgent:
		b.addAgent(line)
		return
	case lineAllow, lineDisallow:
		if b.open {
			b.hasRule = true
			b.rules = append(b.rules, Rule{Allow: r.kind == lineAllow, Value: r.value, Line: r.number})
			b.runs[len(b.runs)-1].rulesEnd = len(b.rules)
			if b.Profile.rereads(r) {
				b.rereads = append(b.rereads, r.number)
			}
		}
		return
	case lineSitemap:
		b.sitemaps = append(b.sitemaps, line)
	case lineDelay:
		if b.open {
			b.delays = append(b.delays, delayLine{line, len(b.runs) - 1})
		}
	case lineHost:
		b.hosts = append(b.hosts, line)
	case lineClean:
		b.cleans = append(b.cleans, line)
	}
	b.separated = b.separated || p.OtherFieldSplit
}

// rereads reports whether the deletion of the current line, a rule, may change how
// other lines are read. This can happen in two ways. A CR before it and an LF after
// it can become one line end, where there was a blank line. Or a NUL byte moves into
// the first bytes, which decide whether a file is text.
func (p *Profile) rereads(r *lineReader) bool {
	if p.BlankLine != BlankIgnored && r.start > 0 && r.body[r.start-1] == '\r' && r.offset < len(r.body) && r.body[r.offset] == '\n' {
		return true
	}
	return p.TextOnly && r.start < textHead && strings.IndexByte(r.body[min(textHead, len(r.body)):min(textHead+r.offset-r.start, len(r.body))], 0) >= 0
}

// addAgent adds a user-agent line to the open run, or begins a new one with it.
func (b *builder) addAgent(line Line) {
	if b.open && b.hasRule && b.Profile.BlankLine == BlankEndsRecord {
		return // no blank line before it: ignored
	}
	if !b.open || b.hasRule || b.separated {
		if b.open && !b.separated {
			last := &b.runs[len(b.runs)-1]
			last.joins = last.rulesEnd-last.rules == 1
		}
		b.runs = append(b.runs, run{agents: len(b.agents), agentsEnd: len(b.agents), rules: len(b.rules), rulesEnd: len(b.rules)})
		b.open, b.hasRule, b.separated = true, false, false
	}
	b.agents = append(b.agents, agentLine{line.Value, line.Line})
	b.runs[len(b.runs)-1].agentsEnd = len(b.agents)
}
