package book

import "encoding/binary"

// A row in a spool is the sequence of its fields: numbers, and texts after their lengths.

func appendNumber[N ~int | ~int64 | ~uint8](row []byte, n N) []byte {
	return binary.AppendVarint(row, int64(n))
}

func appendText(row []byte, s string) []byte { return append(appendNumber(row, len(s)), s...) }

// fields are the fields of a row that have not been read yet.
type fields string

func (f *fields) number() int64 {
	n, size := int64(0), 0
	var u uint64
	for shift := 0; size < len(*f); shift += 7 {
		c := (*f)[size]
		size++
		u |= uint64(c&0x7f) << shift
		if c < 0x80 {
			break
		}
	}
	if n = int64(u >> 1); u&1 != 0 {
		n = ^n
	}
	*f = (*f)[size:]
	return n
}

func (f *fields) text() string {
	n := f.number()
	s := string((*f)[:n])
	*f = (*f)[n:]
	return s
}
