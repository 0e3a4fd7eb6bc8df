package hreflang

import (
	"encoding/binary"
	"math/bits"
)

const (
	chunkBits = 18   // chunks of texts have 256 KiB
	mostText  = 8192 // bytes of one set
)

// texts keeps the URLs of sets: the loc of the first entry, and of each URL what differs from it.
type texts struct {
	chunks [][]byte
	size   int
	buffer []byte
}

// add keeps the texts of an entry, and returns their position; noText = they are not kept.
func (t *texts) add(e *entry) int32 {
	loc := e.locText
	b := append(binary.AppendUvarint(t.buffer[:0], uint64(len(loc))), loc...)
	for i := range e.alternates {
		url := e.text[e.alternates[i].from:e.alternates[i].to]
		prefix := samePrefix(loc, url)
		suffix := sameSuffix(loc[prefix:], url[prefix:])
		b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(prefix)), uint64(suffix))
		rest := url[prefix : len(url)-suffix]
		b = append(binary.AppendUvarint(b, uint64(len(rest))), rest...)
	}
	if t.buffer = b; len(b) > mostText || t.size+len(b) > maxText {
		return noText
	}
	n := len(t.chunks)
	if n == 0 || len(t.chunks[n-1])+len(b) > cap(t.chunks[n-1]) {
		t.chunks = append(t.chunks, make([]byte, 0, min(1<<chunkBits, max(2*t.size, mostText))))
		n++
	}
	last := &t.chunks[n-1]
	at := (n-1)<<chunkBits | len(*last)
	*last = append(*last, b...)
	t.size += len(b)
	return int32(at)
}

// samePrefix returns how many bytes two texts have in common at their beginning.
func samePrefix(a, b []byte) (n int) {
	for len(a)-n >= 8 && len(b)-n >= 8 {
		if x := binary.LittleEndian.Uint64(a[n:]) ^ binary.LittleEndian.Uint64(b[n:]); x != 0 {
			return n + bits.TrailingZeros64(x)/8
		}
		n += 8
	}
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// sameSuffix returns how many bytes two texts have in common at their end.
func sameSuffix(a, b []byte) (n int) {
	for len(a) >= 8 && len(b) >= 8 {
		if x := binary.LittleEndian.Uint64(a[len(a)-8:]) ^ binary.LittleEndian.Uint64(b[len(b)-8:]); x != 0 {
			return n + bits.LeadingZeros64(x)/8
		}
		a, b, n = a[:len(a)-8], b[:len(b)-8], n+8
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b, n = a[:len(a)-1], b[:len(b)-1], n+1
	}
	return n
}

// read returns the texts at a position; nil = they were not kept.
func (t *texts) read(at int32, n int) (loc []byte, urls [][]byte) {
	if at < 0 {
		return nil, nil
	}
	b := t.chunks[at>>chunkBits][at&(1<<chunkBits-1):]
	number := func() int {
		x, size := binary.Uvarint(b)
		b = b[size:]
		return int(x)
	}
	size := number()
	loc, b = b[:size], b[size:]
	for range n {
		prefix, suffix, size := number(), number(), number()
		url := append(append(append([]byte{}, loc[:prefix]...), b[:size]...), loc[len(loc)-suffix:]...)
		urls, b = append(urls, url), b[size:]
	}
	return loc, urls
}
