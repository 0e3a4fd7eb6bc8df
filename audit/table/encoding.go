package table

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/ianaindex"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/unicode"
)

// charset is how bytes are characters.
type charset struct {
	name     string
	encoding encoding.Encoding // nil = UTF-8, which needs no decoding
	note     string            // what the choice is based on; "" = it is certain
}

// ParseEncoding returns the name of an encoding as messages have it. It knows the names of the
// Encoding Standard, and those of IANA, such as "windows-1252", "cp850" and "utf-16le".
func ParseEncoding(name string) (string, error) {
	c, err := named(name)
	return c.name, err
}

func named(name string) (charset, error) {
	e, err := htmlindex.Get(strings.TrimSpace(name))
	if err != nil {
		if e, err = ianaindex.IANA.Encoding(strings.TrimSpace(name)); err != nil || e == nil {
			return charset{}, fmt.Errorf("the encoding %q is not known. Write a name such as utf-8, windows-1252, windows-1251, windows-1250, shift_jis or gbk", name)
		}
	}
	title, err := ianaindex.MIME.Name(e)
	if err != nil {
		title = name
	}
	title = strings.Replace(title, "windows-", "Windows-", 1)
	if title == "UTF-8" {
		return charset{name: title}, nil
	}
	return charset{name: title, encoding: e}, nil
}

// lookBytes is the size of the beginning that shows delimiters, titles and UTF-16.
const lookBytes = 64 << 10

// byteOrder recognises a text by marks in its first bytes. ok = false: it has none.
func byteOrder(begin []byte) (c charset, ok bool) {
	utf16 := func(name string, order unicode.Endianness) (charset, bool) {
		return charset{name: name, encoding: unicode.UTF16(order, unicode.UseBOM)}, true
	}
	switch {
	case bytes.HasPrefix(begin, []byte("\xEF\xBB\xBF")):
		return charset{name: "UTF-8"}, true
	case bytes.HasPrefix(begin, []byte{0xFF, 0xFE}):
		return utf16("UTF-16LE", unicode.LittleEndian)
	case bytes.HasPrefix(begin, []byte{0xFE, 0xFF}):
		return utf16("UTF-16BE", unicode.BigEndian)
	}
	if bytes.Contains(begin, []byte("\x1b$B")) || bytes.Contains(begin, []byte("\x1b$@")) {
		return charset{name: "ISO-2022-JP", encoding: japanese.ISO2022JP}, true
	}
	// Without a mark, each other byte of ASCII in UTF-16 is 0.
	var zero [2]int
	begin = begin[:min(len(begin), 512)&^1]
	for i, b := range begin {
		if b == 0 {
			zero[i&1]++
		}
	}
	switch half := len(begin) / 2; {
	case half > 1 && zero[0] == 0 && zero[1]*4 >= half*3:
		return utf16("UTF-16LE", unicode.LittleEndian)
	case half > 1 && zero[1] == 0 && zero[0]*4 >= half*3:
		return utf16("UTF-16BE", unicode.BigEndian)
	}
	return charset{}, false
}

// survey is what the whole text shows of its encoding.
type survey struct {
	valid   int64     // characters of UTF-8 that are not ASCII
	invalid int64     // bytes that are not UTF-8
	high    [128]bool // bytes over 127 that occur, if some byte is not UTF-8
	inURL   bool      // one of them is in a URL
	sample  []byte    // the first line, and lines with such bytes
}

// maxSample bounds the sample of a survey.
const maxSample = 64 << 10

// utf8Text reports whether the text is UTF-8. A few damaged lines do not make it another encoding.
func (s *survey) utf8Text() bool { return s.invalid == 0 || s.valid >= 10*s.invalid }

// look reads a text to its end. Nearly every text is UTF-8, for which one quick look is enough.
func (s *survey) look(in io.Reader) error {
	buf := make([]byte, 256<<10)
	rest := 0 // bytes of a character, or of a line, that the next part may complete
	for first := true; ; first = false {
		n, err := io.ReadFull(in, buf[rest:])
		part := buf[:rest+n]
		last := err == io.EOF || err == io.ErrUnexpectedEOF
		if err != nil && !last {
			return err
		}
		rest = 0
		if !last {
			if end := bytes.LastIndexByte(part, '\n') + 1; end > 0 {
				rest = len(part) - end
			} else {
				rest = incomplete(part)
			}
		}
		whole := part[:len(part)-rest]
		if first {
			line, _, _ := bytes.Cut(whole, []byte("\n"))
			s.sample = append(s.sample, line[:min(len(line), maxSample/4)]...)
			s.sample = append(s.sample, '\n')
		}
		s.add(whole)
		if last {
			return nil
		}
		copy(buf, part[len(whole):])
	}
}

// incomplete returns the number of bytes at the end that begin a character.
func incomplete(part []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(part); n++ {
		if utf8.RuneStart(part[len(part)-n]) {
			if !utf8.FullRune(part[len(part)-n:]) {
				return n
			}
			return 0
		}
	}
	return 0
}

// add adds lines of a text.
func (s *survey) add(text []byte) {
	if ascii(text) == len(text) {
		return
	}
	if utf8.Valid(text) {
		s.valid += int64(utf8.RuneCount(text)) - int64(ascii(text))
		return
	}
	for line := range bytes.Lines(text) {
		if ascii(line) == len(line) {
			continue
		}
		for rest := line; len(rest) > 0; {
			r, size := utf8.DecodeRune(rest)
			switch {
			case r == utf8.RuneError && size == 1:
				s.invalid++
			case size > 1:
				s.valid++
			}
			rest = rest[size:]
		}
		for _, b := range line {
			if b >= 0x80 {
				s.high[b-0x80] = true
			}
		}
		if _, url, ok := bytes.Cut(line, []byte("://")); ok {
			end := bytes.IndexAny(url, " ,;\t|\"\r\n")
			if end < 0 {
				end = len(url)
			}
			s.inURL = s.inURL || ascii(url[:end]) < end
		} else if bytes.IndexByte(line, '/') >= 0 {
			s.inURL = true
		}
		if len(s.sample)+len(line) <= maxSample {
			s.sample = append(s.sample, line...)
		}
	}
}

// ascii counts the bytes that are ASCII.
func ascii(text []byte) (n int) {
	for _, b := range text {
		if b < utf8.RuneSelf {
			n++
		}
	}
	return n
}

// charset chooses the encoding of a text that has been looked at.
func (s *survey) charset(isSite func(host string) bool) (charset, error) {
	if s.utf8Text() {
		return charset{name: "UTF-8"}, nil
	}
	return s.guess(isSite)
}

// notRecognised is the error for a text in no known encoding.
func notRecognised(readings []reading) error {
	if len(readings) == 0 {
		return fmt.Errorf("the text is not UTF-8, and its encoding was not recognised. Save it as UTF-8, or name its encoding, as in -encoding windows-1252")
	}
	text := ""
	for i, r := range readings[:min(len(readings), 4)] {
		separator := cmp.Or(map[bool]string{true: " or "}[i == min(len(readings), 4)-1], ", ")
		if i == 0 {
			separator = ""
		}
		text += fmt.Sprintf("%s%s (%q)", separator, r.name, r.shown)
	}
	return fmt.Errorf("the text is not UTF-8. It may be %s. Name the encoding, as in -encoding %s, or save the file as UTF-8", text, strings.ToLower(readings[0].name))
}
