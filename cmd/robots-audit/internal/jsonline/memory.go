package jsonline

// Memory is what lines are read into one after the other, so that they cost no more memory than the
// largest of them. It remembers a string of a line for the next one: whoever asks much about one
// file sends it with each question, and what is written alike need not be decoded again.
type Memory struct {
	buffer []byte // what strings of the line at hand mean, where they have escapes
	raw    []byte // the string of it that is to be remembered, as written; nil = none
	text   []byte // what it means
	same   bool   // it is the one remembered

	lastLine, lastBuffer []byte // memory in which the string remembered stands
	lastRaw, lastText    []byte // as written, and what it means; nil = none
}

// Scanner returns a Scanner of a line, which is at hand until End.
func (m *Memory) Scanner(line []byte) Scanner {
	m.raw, m.text, m.same = nil, nil, false
	s := NewScanner(line, m.buffer)
	s.knownRaw, s.knownText = m.lastRaw, m.lastText
	return s
}

// Remember has the string just read remembered.
func (m *Memory) Remember(s *Scanner) { m.raw, m.text, m.same = s.Value, s.Text, s.known }

// Release takes back the memory of a Scanner that has read its line.
func (m *Memory) Release(s *Scanner) { m.buffer = s.Buffer() }

// Forget has no string of the line at hand remembered.
func (m *Memory) Forget() { m.raw, m.text, m.same = nil, nil, false }

// Holds reports whether the line at hand has a string to be remembered, and Same whether that is
// the one remembered of the lines before.
func (m *Memory) Holds() bool { return m.raw != nil }
func (m *Memory) Same() bool  { return m.same }

// End ends the use of a line and of what was read of it. It returns the memory to read another line
// into.
func (m *Memory) End(line []byte) []byte {
	if m.raw == nil || m.same {
		return line
	}
	m.lastRaw, m.lastText, m.raw, m.text = m.raw, m.text, nil, nil
	m.lastBuffer, m.buffer = m.buffer, m.lastBuffer
	line, m.lastLine = m.lastLine, line
	return line
}
