package match

// signature says which kinds of bytes a text contains, one bit each. A path
// without a bit that a pattern needs cannot match it. Most paths have no "?", "&",
// "=" or ".", which most wildcard patterns contain.
type signature uint64

// signatureBits are the kinds. Lower-case letters, the most frequent in paths,
// and the marks that are frequent in patterns have one bit each.
var signatureBits = func() (t [256]signature) {
	const marks = "/-._?=&%+,:;~@!$'()#|"
	const letters, capitals, digits, others = 0, 26, 36, 62
	for c := range t {
		switch {
		case c >= 'a' && c <= 'z':
			t[c] = 1 << (letters + c - 'a')
		case c >= 'A' && c <= 'Z':
			t[c] = 1 << (capitals + (c-'A')%10)
		case c >= '0' && c <= '9':
			t[c] = 1 << (digits + (c-'0')/2)
		default:
			t[c] = 1 << (others + c>>7)
		}
	}
	for i, c := range []byte(marks) {
		t[c] = 1 << (digits + 5 + i)
	}
	return t
}()

// signatureOf returns the signature of a text; it is 0 only for "".
func signatureOf(text string) (s signature) {
	t := &signatureBits
	for ; len(text) >= 4; text = text[4:] {
		s |= t[text[0]] | t[text[1]] | (t[text[2]] | t[text[3]])
	}
	for i := range len(text) {
		s |= t[text[i]]
	}
	return s
}

// commonBits are the kinds of bytes that are frequent in paths.
var commonBits = signatureOf("/-_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
