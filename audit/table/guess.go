package table

import (
	_ "embed"
	"maps"
	"net/url"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

// Programs save a table in the encoding of their country, and do not say which. Bytes have another
// reading in each, but only a few readings are words. A reading counts if its letters are those of
// one language. Of several, titles of known exports, hosts of the audited sites and top-level
// domains choose. If they do not, the user has to: a wrong reading would be a wrong URL.

//go:embed alphabets.tsv
var alphabetLines string

// alphabet has the letters of a language in one encoding.
type alphabet struct {
	encoding      string
	letters, rare map[rune]bool
	domains       []string
}

var alphabets = sync.OnceValue(func() (list []alphabet) {
	for line := range strings.Lines(alphabetLines) {
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if line[0] == '#' {
			continue
		}
		list = append(list, alphabet{cells[0], lettersOf(cells[2]), lettersOf(cells[3]), strings.Fields(cells[4])})
	}
	return list
})

// lettersOf reads a list of letters, in which "а-я" is a range.
func lettersOf(text string) map[rune]bool {
	set := map[rune]bool{}
	last, from := rune(0), rune(-1)
	for _, r := range text {
		switch {
		case r == '-':
			from = last
			continue
		case from >= 0:
			for c := from; c <= r; c++ {
				set[c] = true
			}
			from = -1
		}
		set[r] = true
		last = r
	}
	return set
}

// wide are the encodings with two bytes a character. common says which first bytes are of frequent
// characters, and from which second byte on. Of ten characters at least one has a typical first
// byte.
var wide = []struct {
	name     string
	encoding encoding.Encoding
	common   func(lead, trail byte) bool
	typical  func(lead byte) bool
	kana     bool // the text must have some: others use the same bytes
	domains  []string
}{
	{"Shift_JIS", japanese.ShiftJIS, func(a, b byte) bool {
		return a >= 0x81 && a <= 0x83 || a >= 0x88 && a <= 0x97 || a == 0x98 && b < 0x73
	}, func(a byte) bool { return a < 0xA0 }, false, []string{"jp"}},
	{"EUC-JP", japanese.EUCJP, func(a, _ byte) bool {
		return a == 0xA1 || a >= 0xA3 && a <= 0xA5 || a >= 0xB0 && a <= 0xCF
	}, func(a byte) bool { return a == 0xA4 || a == 0xA5 }, true, []string{"jp"}},
	{"GBK", simplifiedchinese.GBK, func(a, b byte) bool {
		return b >= 0xA1 && (a == 0xA1 || a == 0xA3 || a >= 0xB0 && a <= 0xD7)
	}, func(a byte) bool { return a > 0xC8 }, false, []string{"cn", "sg", "中国"}},
	{"Big5", traditionalchinese.Big5, func(a, _ byte) bool {
		return a == 0xA1 || a == 0xA2 || a >= 0xA4 && a <= 0xC6
	}, func(a byte) bool { return a < 0xB0 }, false, []string{"tw", "hk", "mo", "台灣"}},
	{"EUC-KR", korean.EUCKR, func(a, b byte) bool {
		return b >= 0xA1 && (a == 0xA1 || a == 0xA3 || a >= 0xB0 && a <= 0xC8)
	}, func(a byte) bool { return a <= 0xC8 }, false, []string{"kr", "한국"}},
}

// reading is a possible encoding of a text.
type reading struct {
	charset
	text    string   // of the sample
	domains []string // top-level domains of its languages
	shown   string   // an example from the text
}

// guess chooses the encoding of a text that is not UTF-8.
func (s *survey) guess(isSite func(host string) bool) (charset, error) {
	readings := s.readings()
	for _, prefer := range []struct {
		by   string
		vote func(reading) int
	}{
		{"", titleVotes},
		{"", func(r reading) int { return hostVotes(r, isSite) }},
		{"its top-level domains", domainVotes},
	} {
		if len(readings) < 2 {
			break
		}
		votes := make([]int, len(readings))
		for i, r := range readings {
			votes[i] = prefer.vote(r)
		}
		most := slices.Max(votes)
		kept := readings[:0:0]
		for i, r := range readings {
			if most == 0 || votes[i] == most {
				r.note = prefer.by
				kept = append(kept, r)
			}
		}
		if len(kept) < len(readings) {
			readings = kept
		}
	}
	if len(readings) == 1 || len(readings) > 1 && !s.inURL {
		return readings[0].charset, nil
	}
	return charset{}, notRecognised(readings)
}

// readings returns the encodings in which the text has words: of one language, or else of several of
// a region. Of those that read it alike, it returns the first.
func (s *survey) readings() (list []reading) {
	for _, languages := range [][]alphabet{alphabets(), regions()} {
		for _, a := range languages {
			of, err := named(a.encoding)
			table, ok := of.encoding.(*charmap.Charmap)
			if err != nil || !ok || !s.defined(table) {
				continue
			}
			text, err := table.NewDecoder().String(string(s.sample))
			if err != nil || !words(text, a) {
				continue
			}
			if same := slices.IndexFunc(list, func(r reading) bool { return s.alike(table, r.encoding) }); same >= 0 {
				list[same].domains = append(list[same].domains, a.domains...)
				continue
			}
			list = append(list, reading{of, text, a.domains, example(text)})
		}
		for _, w := range wide {
			text, err := w.encoding.NewDecoder().String(string(s.sample))
			kana := strings.IndexFunc(text, func(r rune) bool { return unicode.In(r, unicode.Hiragana, unicode.Katakana) }) >= 0
			if err == nil && !strings.ContainsRune(text, utf8.RuneError) && frequent(s.sample, w.common, w.typical) && (kana || !w.kana) {
				list = append(list, reading{charset{name: w.name, encoding: w.encoding}, text, w.domains, example(text)})
			}
		}
		if len(list) > 0 {
			return list
		}
	}
	return nil
}

// regions returns an alphabet for each encoding: the letters of all its languages.
func regions() (list []alphabet) {
	for _, a := range alphabets() {
		at := slices.IndexFunc(list, func(r alphabet) bool { return r.encoding == a.encoding })
		if at < 0 {
			list = append(list, alphabet{a.encoding, maps.Clone(a.letters), nil, slices.Clone(a.domains)})
			continue
		}
		maps.Copy(list[at].letters, a.letters)
		list[at].domains = append(list[at].domains, a.domains...)
	}
	return list
}

// defined reports whether an encoding has a character for each byte of the text.
func (s *survey) defined(table *charmap.Charmap) bool {
	for i, is := range s.high {
		if r := table.DecodeByte(byte(0x80 + i)); is && (r == utf8.RuneError || r < 0xA0) {
			return false
		}
	}
	return true
}

// alike reports whether two encodings read all bytes of the text alike.
func (s *survey) alike(table *charmap.Charmap, other encoding.Encoding) bool {
	of, ok := other.(*charmap.Charmap)
	if !ok {
		return false
	}
	for i, is := range s.high {
		if b := byte(0x80 + i); is && table.DecodeByte(b) != of.DecodeByte(b) {
			return false
		}
	}
	return true
}

// punctuation are characters beyond ASCII that are not letters, and usual in texts of all
// languages.
const punctuation = "\u00a0\u202f‘’“”„«»–—€£°®™©·¿¡،؟"

// shared are letters that all encodings of Latin letters have at the same place. Such a letter may be
// of a foreign word, and does not choose between these encodings.
const shared = "áâäçéëíîóôöúüýß"

// words reports whether the characters beyond ASCII are those of words in a language. One in twenty
// may be of another, and one in four in a foreign word.
func words(text string, a alphabet) bool {
	total, strange, foreign, rare := 0, 0, 0, 0
	all := []rune(" " + text + " ")
	for i := 1; i < len(all)-1; i++ {
		last, r, next := all[i-1], all[i], all[i+1]
		if r < utf8.RuneSelf {
			continue
		}
		total++
		lower := unicode.ToLower(r)
		inWord := unicode.IsLetter(last) && unicode.IsLetter(next)
		run := 1 // letters beyond ASCII up to this one
		for run < 4 && run <= i && all[i-run] >= utf8.RuneSelf && unicode.IsLetter(all[i-run]) {
			run++
		}
		switch {
		case strings.ContainsRune(punctuation, r):
			if inWord && r != '’' && r != '·' {
				strange++
			}
		case unicode.IsUpper(r) && (unicode.IsLower(last) || run > 2 && unicode.IsUpper(last) && unicode.IsUpper(all[i-2])):
			strange++ // "cafÈ"; and words of capitals only, which are another encoding of Cyrillic
		case !isLatin(r) && (isLatin(last) || isLatin(next)):
			strange++
		case isLatin(r) && run == 4:
			strange++ // "êàôå" is Cyrillic
		case strings.ContainsRune("ךםןףץς", r) && unicode.IsLetter(next):
			strange++ // these letters end a word
		case unicode.IsMark(r) && !unicode.IsLetter(last) && !unicode.IsMark(last):
			strange++
		case a.letters[lower]:
			if a.rare[lower] {
				rare++
			}
		case strings.ContainsRune(shared, lower):
			foreign++
		default:
			strange++
		}
	}
	return total > 0 && strange*20 <= total && rare*10 <= total && foreign*4 <= total
}

func isLatin(r rune) bool { return unicode.Is(unicode.Latin, r) }

// frequent reports whether most characters of two bytes are frequent ones. A single one within a
// word of ASCII letters is a letter of another encoding.
func frequent(text []byte, common func(lead, trail byte) bool, typical func(lead byte) bool) bool {
	total, good, some := 0, 0, 0
	for i := 0; i < len(text); i++ {
		if text[i] < 0x80 {
			continue
		}
		begin, run := i, 0
		for ; i+1 < len(text) && text[i] >= 0x80; i += 2 {
			if total++; typical(text[i]) {
				some++
			}
			if run++; common(text[i], text[i+1]) {
				good++
			}
		}
		if i < len(text) && text[i] >= 0x80 {
			return false // half a character at the end
		}
		if run == 1 && (begin > 0 && isASCIILetter(text[begin-1]) || i < len(text) && isASCIILetter(text[i])) && common(text[begin], text[begin+1]) {
			good--
		}
		i--
	}
	return total > 0 && good*20 >= total*17 && (total < 10 || some > 0)
}

func isASCIILetter(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' }

// example returns a short part of the text with a character beyond ASCII: a part of a URL if there
// is one.
func example(text string) string {
	shown := ""
	for _, field := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\r\n,;|\"", r) }) {
		at := strings.IndexFunc(field, func(r rune) bool { return r >= utf8.RuneSelf })
		if at < 0 {
			continue
		}
		from := strings.LastIndexByte(field[:at], '/')
		if from >= 0 || shown == "" {
			part := []rune(field[max(from, 0):])
			shown = string(part[:min(len(part), 30)])
		}
		if from >= 0 {
			break
		}
	}
	return shown
}

// titleVotes counts the cells that are titles of known exports, and not only in ASCII.
func titleVotes(r reading) (n int) {
	first, _, _ := strings.Cut(r.text, "\n")
	for _, cell := range strings.FieldsFunc(first, func(r rune) bool { return strings.ContainsRune(",;\t|\"\r", r) }) {
		if _, known := titles()[normal(cell)]; known && strings.IndexFunc(cell, func(r rune) bool { return r >= utf8.RuneSelf }) >= 0 {
			n++
		}
	}
	return n
}

// hosts yields the hosts of the URLs in the sample.
func (r reading) hosts(yield func(string) bool) {
	for rest := r.text; ; {
		_, after, found := strings.Cut(rest, "://")
		if !found {
			return
		}
		end := strings.IndexAny(after, "/?# ,;\t|\"\r\n")
		if end < 0 {
			end = len(after)
		}
		if u, err := url.Parse("http://" + after[:end]); err == nil && u.Hostname() != "" && !yield(u.Hostname()) {
			return
		}
		rest = after[end:]
	}
}

// hostVotes counts hosts of audited sites that are not only in ASCII.
func hostVotes(r reading, isSite func(host string) bool) (n int) {
	if isSite == nil {
		return 0
	}
	for host := range r.hosts {
		if ascii([]byte(host)) < len(host) && isSite(host) {
			n++
		}
	}
	return n
}

// domainVotes is 1 if a URL is under a top-level domain of the encoding's languages.
func domainVotes(r reading) int {
	for host := range r.hosts {
		if slices.Contains(r.domains, host[strings.LastIndexByte(host, '.')+1:]) {
			return 1
		}
	}
	return 0
}
