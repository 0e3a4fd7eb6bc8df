package findings

import (
	"strings"
	"unicode/utf8"
)

// makePrintable makes all texts of the finding UTF-8, so that they are the same once
// they were written as JSON and read again, and the line its own, so that the
// finding does not hold the whole file.
func (f *Finding) makePrintable() {
	f.Text = strings.Clone(f.Text)
	for _, s := range []*string{&f.Text, &f.What, &f.Why, &f.Fix, &f.Replacement} {
		*s = Printable(*s)
	}
	for i := range f.Samples {
		f.Samples[i] = Printable(f.Samples[i])
	}
}

const hexDigits = "0123456789ABCDEF"

// Printable writes bytes that are not UTF-8 as \xNN.
func Printable(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		if r == utf8.RuneError && size == 1 {
			b.WriteString(`\x`)
			b.WriteByte(hexDigits[s[0]>>4])
			b.WriteByte(hexDigits[s[0]&15])
		} else {
			b.WriteString(s[:size])
		}
		s = s[size:]
	}
	return b.String()
}
