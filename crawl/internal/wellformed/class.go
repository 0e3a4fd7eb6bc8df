package wellformed

// Classes of ASCII bytes.
const (
	isSpace uint8 = 1 << iota
	isStart       // a name may begin with it
	isName        // allowed in a name
	isText        // does not end a run of character data
	isValue       // does not end a run of an attribute's value
	isPlain       // does not end a run of a comment, an instruction or a CDATA section
	isBad         // not a character of XML
)

var class = func() (table [256]uint8) {
	for i := range 128 {
		c := byte(i)
		k := isText | isValue | isPlain
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			k |= isSpace
		case c < ' ':
			k = isBad
		case 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' || c == ':':
			k |= isStart | isName
		case '0' <= c && c <= '9':
			k |= isName
		case c == '<' || c == '&':
			k = isPlain
		case c == '"' || c == '\'':
			k = isText | isPlain
		case c == '>':
			k = isValue | isPlain
		case c == ']':
			k = isValue
		case c == '-':
			k = isText | isValue | isName
		case c == '.':
			k |= isName
		case c == '?':
			k = isText | isValue
		}
		table[i] = k
	}
	return table
}()

// run returns the end of the run of bytes of a class that begins at b[i].
func run(b []byte, i int, of uint8) int {
	for i < len(b) && class[b[i]]&of != 0 {
		i++
	}
	return i
}

// isNameStart reports whether a name may begin with r (production 4).
func isNameStart(r rune) bool {
	switch {
	case r < 0x80:
		return class[r]&isStart != 0
	case r < 0x300:
		return r >= 0xc0 && r != 0xd7 && r != 0xf7
	case r < 0x2000:
		return r >= 0x370 && r != 0x37e
	case r < 0x3001:
		return r == 0x200c || r == 0x200d || 0x2070 <= r && r <= 0x218f || 0x2c00 <= r && r <= 0x2fef
	}
	return r <= 0xd7ff || 0xf900 <= r && r <= 0xfdcf || 0xfdf0 <= r && r <= 0xfffd || 0x10000 <= r && r <= 0xeffff
}

// isNameRune reports whether a name may contain r (production 4a).
func isNameRune(r rune) bool {
	if r < 0x80 {
		return class[r]&isName != 0
	}
	return isNameStart(r) || r == 0xb7 || 0x300 <= r && r <= 0x36f || r == 0x203f || r == 0x2040
}

// isRune reports whether r is a character of XML (production 2).
func isRune(r rune) bool {
	return r >= ' ' && r <= 0xd7ff || r == '\t' || r == '\n' || r == '\r' || r >= 0xe000 && r <= 0xfffd || r >= 0x10000 && r <= 0x10ffff
}
