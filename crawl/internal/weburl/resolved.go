package weburl

import (
	"bytes"
	"encoding/binary"
)

// Resolver reports whether URLs, one after the other, must be resolved. The zero Resolver is ready
// for use.
type Resolver struct{ origin []byte } // of the previous URL; the next one usually has the same

// IsResolved is a quick test whether an absolute http or https URL is already in
// the form that a crawler requests, as nearly all are. AppendResolved would then
// return it unchanged. The result may be false for some such URLs.
func (r *Resolver) IsResolved(raw []byte) bool {
	n := len(r.origin)
	if n == 0 || len(raw) <= n || raw[n] != '/' || !bytes.Equal(raw[:n], r.origin) {
		if n = plainOrigin(raw); n == 0 {
			return false
		}
		r.origin = append(r.origin[:0], raw[:n]...)
	}
	return isPlainPath(raw, n)
}

// plainOrigin returns the offset of a URL's path if scheme, host and port are
// already in the requested form; otherwise 0.
func plainOrigin(raw []byte) int {
	at := len("https://")
	if !bytes.HasPrefix(raw, []byte("https://")) {
		if at = len("http://"); !bytes.HasPrefix(raw, []byte("http://")) {
			return 0
		}
	}
	end := bytes.IndexByte(raw[at:], '/')
	if end < 0 {
		return 0
	}
	host, end := raw[at:at+end], at+end
	last := host[bytes.LastIndexByte(host, '.')+1:]
	plain := len(last) > 0 && last[0] >= 'a' && !bytes.Contains(host, []byte("xn--"))
	for i := 0; plain && i < len(host); i++ {
		plain = isPlainInName(host[i])
	}
	if !plain { // an address, a port, an international name: tested once for all following URLs
		asked, err := AppendResolved(nil, raw[:end+1], "")
		if err != nil || !bytes.Equal(asked, raw[:end+1]) {
			return 0
		}
	}
	return end
}

// Eight bytes in a word.
const (
	ones = 0x0101010101010101
	high = 0x80 * ones
)

// isPlainPath reports whether a URL is, from its path on, already in the requested
// form. It tests eight bytes at a time; path must be 8 or more.
func isPlainPath(raw []byte, path int) bool {
	var odd, percent, slash uint64 // a set high bit of a byte means yes
	for i := path; i < len(raw); i += 8 {
		if i+8 > len(raw) {
			i = len(raw) - 8 // the last bytes, together with some tested ones
		}
		w := binary.LittleEndian.Uint64(raw[i:])
		// True for bytes below '$', above 'z', one of '<', '>', '\\' and '^', an apostrophe or a
		// backquote; and sometimes for the byte after one of them.
		odd |= w | (w - 0x24*ones) | (w + 5*ones) | ((w | 0x62*ones) ^ 0x7e*ones - ones) | (w ^ '\''*ones - ones) | (w ^ '`'*ones - ones)
		percent |= w ^ '%'*ones - ones
		before := slash >> 56 // for the byte before the first
		slash = (w ^ '/'*ones - ones) & high
		odd |= (before | slash<<8) & (w ^ '.'*ones - ones)
	}
	return odd&high == 0 && (percent&high == 0 || !bytes.Contains(raw[path:], []byte("/%2")))
}
