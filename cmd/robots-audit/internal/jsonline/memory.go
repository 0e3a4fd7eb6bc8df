package jsonline

// Memory is reused for one line after the other, so that they need no more memory than the largest.
// It remembers one string of a line for the next. Many questions about one file repeat the file's
// text, and the same text need not be decoded again.
type Memory struct {
	buffer []byte // decoded strings of the current line that have escapes
	raw    []byte // the string of it to remember, as written; nil = none
	text   []byte // raw, decoded
	same   bool   // it is the same as the remembered one

	lastLine, lastBuffer []byte // memory of the remembered string
	lastRaw, lastText    []byte // the remembered string as written, and decoded; nil = none
}

// Scanner returns a Scanner of a line, which is current until End.
func (m *Memory) Scanner(line []byte) Scanner {
	m.raw, m.text, m.same = nil, nil, false
	s := NewScanner(line, m.buffer)
	s.knownRaw, s.knownText = m.lastRaw, m.lastText
	return s
}

// Remember remembers the string that s has just read.
func (m *Memory) Remember(s *Scanner) { m.raw, m.text, m.same = s.Value, s.Text, s.known }

// Release takes back the memory of a Scanner that has read its line.
func (m *Memory) Release(s *Scanner) { m.buffer = s.Buffer() }

// Forget remembers no string of the current line.
func (m *Memory) Forget() { m.raw, m.text, m.same = nil, nil, false }

// Holds reports whether the current line has a string to remember; Same reports whether it equals
// the remembered one.
func (m *Memory) Holds() bool { return m.raw != nil }
func (m *Memory) Same() bool  { return m.same }

// End ends the use of a line and of the values read from it. It returns memory for the next line.
func (m *Memory) End(line []byte) []byte {
	if m.raw == nil || m.same {
		return line
	}
	m.lastRaw, m.lastText, m.raw, m.text = m.raw, m.text, nil, nil
	m.lastBuffer, m.buffer = m.buffer, m.lastBuffer
	line, m.lastLine = m.lastLine, line
	return line
}
