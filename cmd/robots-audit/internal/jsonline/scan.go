package jsonline

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"slices"
	"unicode/utf16"
	"unicode/utf8"
)

// Scanner reads the members of a line that is one object in one pass. encoding/json, CheckText and
// CheckKeys need three, and ten times as long for a question with a robots.txt of 430 KB. It reads
// only plain lines. It reports all others, valid or not, and the caller reads them with the
// functions in the package comment.
//
// The first byte of a value shows its type. Text is a string decoded; Value is any other value as
// written. Arrays contain strings only; the contents of objects are not checked. Both fields refer
// to the line, to the Scanner's buffer, or to the string that a Memory remembers.
type Scanner struct {
	Key   string // a Name of the list, see Next
	Value []byte // as written
	Text  []byte // of a string, decoded; never nil

	rest                []byte
	buf                 []byte
	knownRaw, knownText []byte // the remembered string of another line, as written and decoded: see Memory
	known               bool   // the last string read is the remembered one
	seen                uint64 // a bit for each key
	begun               bool
	ended               bool
}

// NewScanner makes a Scanner of a line. Strings with escapes are decoded into buf, which may grow:
// Buffer returns it.
func NewScanner(line, buf []byte) Scanner { return Scanner{rest: line, buf: buf[:0]} }

// Buffer returns the buffer, for reuse when Text is no longer needed.
func (s *Scanner) Buffer() []byte { return s.buf }

// Next reads a member whose key is in keys, up to 64, and has not occurred before. false means that
// there is no more, or that the line is not plain: see Whole.
func (s *Scanner) Next(keys []string) bool {
	s.space()
	switch {
	case s.ended:
		return false
	case !s.begun && s.take('{'):
		s.begun = true
		if s.space(); s.take('}') {
			s.ended = true
			return false
		}
	case s.begun && s.take('}'):
		s.ended = true
		return false
	case !s.begun || !s.take(','):
		return false
	}
	if s.space(); !s.key(keys) {
		return false
	}
	if s.space(); !s.take(':') {
		return false
	}
	s.space()
	return s.value()
}

// Whole reports whether the line was read to its end, and is valid JSON and UTF-8 where values were
// checked.
func (s *Scanner) Whole(line []byte) bool {
	s.space()
	return s.ended && len(s.rest) == 0 && utf8.Valid(line)
}

// space skips JSON white space.
func (s *Scanner) space() {
	for len(s.rest) > 0 && (s.rest[0] == ' ' || s.rest[0] == '\t' || s.rest[0] == '\r' || s.rest[0] == '\n') {
		s.rest = s.rest[1:]
	}
}

// take skips the next byte if it is c.
func (s *Scanner) take(c byte) bool {
	if len(s.rest) == 0 || s.rest[0] != c {
		return false
	}
	s.rest = s.rest[1:]
	return true
}

// key reads a key, which has no escapes.
func (s *Scanner) key(keys []string) bool {
	if !s.take('"') {
		return false
	}
	end := bytes.IndexByte(s.rest, '"')
	if end < 0 {
		return false
	}
	at := slices.IndexFunc(keys, func(key string) bool { return key == string(s.rest[:end]) })
	if at < 0 || s.seen&(1<<at) != 0 {
		return false
	}
	s.seen |= 1 << at
	s.Key, s.rest = keys[at], s.rest[end+1:]
	return true
}

func (s *Scanner) value() bool {
	if len(s.rest) == 0 {
		return false
	}
	end := 0
	switch c := s.rest[0]; c {
	case '"':
		if s.known = s.knownRaw != nil && bytes.HasPrefix(s.rest, s.knownRaw); s.known { // the same text ends at the same place
			s.Text, end = s.knownText, len(s.knownRaw)
		} else {
			end = s.decode()
		}
	case '[':
		end = s.strings()
	case '{':
		end = objectEnd(s.rest)
	case 't', 'f', 'n':
		for _, name := range [...]string{"true", "false", "null"} {
			if bytes.HasPrefix(s.rest, []byte(name)) {
				end = len(name)
			}
		}
	default:
		end = number(s.rest)
	}
	if end <= 0 {
		return false
	}
	s.Value, s.rest = s.rest[:end], s.rest[end:]
	return true
}

// number returns the length of a number, 0 if it is none.
func number(b []byte) int {
	at := 0
	digits := func() bool {
		from := at
		for at < len(b) && b[at] >= '0' && b[at] <= '9' {
			at++
		}
		return at > from
	}
	if b[0] == '-' {
		at++
	}
	if at < len(b) && b[at] == '0' {
		at++
	} else if !digits() {
		return 0
	}
	if at < len(b) && b[at] == '.' {
		if at++; !digits() {
			return 0
		}
	}
	if at < len(b) && b[at]|0x20 == 'e' {
		if at++; at < len(b) && (b[at] == '+' || b[at] == '-') {
			at++
		}
		if !digits() {
			return 0
		}
	}
	return at
}

// strings returns the length of an array of strings, 0 if it is none.
func (s *Scanner) strings() int {
	rest, decoded, text := s.rest, len(s.buf), s.Text
	defer func() { s.rest, s.buf, s.Text = rest, s.buf[:decoded], text }()
	s.take('[')
	for first := true; ; first = false {
		s.space()
		if first && s.take(']') {
			return len(rest) - len(s.rest)
		}
		if len(s.rest) == 0 || s.rest[0] != '"' {
			return 0
		}
		end := s.decode()
		if end == 0 {
			return 0
		}
		s.buf = s.buf[:decoded]
		s.rest = s.rest[end:]
		if s.space(); s.take(']') {
			return len(rest) - len(s.rest)
		}
		if !s.take(',') {
			return 0
		}
	}
}

// objectEnd returns the length of an object; 0 = it does not end. It checks only brackets and
// strings.
func objectEnd(b []byte) int {
	depth := 0
	for at := 0; at < len(b); at++ {
		switch b[at] {
		case '"':
			for at++; ; at += 2 { // past an escape
				if at += plain(b[min(at, len(b)):]); at >= len(b) || b[at] < ' ' {
					return 0
				}
				if b[at] == '"' {
					break
				}
			}
		case '[', '{':
			depth++
		case ']', '}':
			if depth--; depth == 0 {
				return at + 1
			}
		}
	}
	return 0
}

// decode decodes a string and returns its length as written; 0 = it is none. It copies sixteen
// bytes at once, and drops those from the first special one on. A robots.txt has an escape per
// line; finding it before copying takes 1.5 times as long. Copying eight bytes, or more without a
// branch on the position, takes an eighth longer or more.
func (s *Scanner) decode() int {
	b := s.rest
	at := 1 + plain(b[1:])
	if at < len(b) && b[at] == '"' {
		s.Text = b[1:at:at]
		return at + 1
	}
	begin := len(s.buf)
	s.buf = append(slices.Grow(s.buf, len(b)+16), b[1:at]...) // decoded it is shorter, so earlier decoded strings are not moved
	for {
		to, n := s.buf[:cap(s.buf)], len(s.buf)
		for at+16 <= len(b) {
			from, into := b[at:at+16], to[n:n+16]
			word, next := binary.LittleEndian.Uint64(from), binary.LittleEndian.Uint64(from[8:])
			binary.LittleEndian.PutUint64(into, word)
			binary.LittleEndian.PutUint64(into[8:], next)
			marks, more := special(word), special(next)
			if marks|more == 0 {
				at, n = at+16, n+16
				continue
			}
			skip := bits.TrailingZeros64(marks) / 8
			if marks == 0 {
				skip = 8 + bits.TrailingZeros64(more)/8
			}
			at, n = at+skip, n+skip
			if b[at] != '\\' || at+1 == len(b) || escaped[b[at+1]] == 0 {
				break
			}
			to[n] = escaped[b[at+1]]
			at, n = at+2, n+1
		}
		for at < len(b) && special(uint64(b[at])|allPlain) == 0 { // the remaining bytes
			to[n] = b[at]
			at, n = at+1, n+1
		}
		s.buf = to[:n]
		if at >= len(b) || b[at] < ' ' {
			return 0
		}
		if b[at] == '"' {
			s.Text = s.buf[begin:n:n]
			return at + 1
		}
		size := s.escape(b[at:])
		if size == 0 {
			return 0
		}
		at += size
	}
}

// escaped maps the character after a backslash to its meaning.
var escaped = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// escape decodes an escape and returns its length; 0 = it is none, or half a surrogate pair.
func (s *Scanner) escape(b []byte) int {
	if len(b) < 2 {
		return 0
	}
	if c := escaped[b[1]]; c != 0 {
		s.buf = append(s.buf, c)
		return 2
	}
	unit, size := escapedUnit(b), 6
	if unit < 0 {
		return 0
	}
	if utf16.IsSurrogate(unit) {
		if unit = utf16.DecodeRune(unit, escapedUnit(b[6:])); unit == utf8.RuneError {
			return 0
		}
		size = 12
	}
	s.buf = utf8.AppendRune(s.buf, unit)
	return size
}

// plain returns the number of bytes before the first quote, backslash or control character. It
// checks eight at once.
func plain(b []byte) int {
	at := 0
	for ; at+8 <= len(b); at += 8 {
		if marks := special(binary.LittleEndian.Uint64(b[at:])); marks != 0 {
			return at + bits.TrailingZeros64(marks)/8
		}
	}
	for at < len(b) && special(uint64(b[at])|allPlain) == 0 {
		at++
	}
	return at
}

// allPlain has a space in each byte but the lowest.
const allPlain = 0x2020202020202000

// special sets the highest bit of the first byte, the lowest of eight, that is not plain; 0 = all
// are plain. Bits above it may be set too, since subtracting borrows. XOR with 2 swaps the quote
// and the space. Then the quote and the control characters are the bytes up to 0x20.
func special(word uint64) uint64 {
	const low, high = 0x0101010101010101, 0x8080808080808080
	quote, backslash := word^low*2, word^low*'\\'
	return ((quote-low*('"'^2+1))&^quote | (backslash-low)&^backslash) & high
}
