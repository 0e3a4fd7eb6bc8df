package weburl

import (
	"bytes"
	"encoding/binary"
)

// Resolver reports for one URL after the other whether it must be resolved. The zero Resolver is ready for
// use.
type Resolver struct{ origin []byte } // of the URL before: the next one mostly lies there as well

// IsResolved says whether an absolute http or https URL is plainly written as it is
// asked for, as nearly all are: then AppendResolved would give the same. It
// may be false of some that are.
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

// plainOrigin returns where the path of a URL begins whose scheme, host and port are
// written as they are asked for; 0 where they are not.
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
	if !plain { // an address, a port, an international name: seen once for all URLs that follow
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

// isPlainPath says whether all of a URL from its path on is plainly as it is asked
// for. It looks at eight bytes at a time; path is 8 or more.
func isPlainPath(raw []byte, path int) bool {
	var odd, percent, slash uint64 // the high bit of a byte says yes
	for i := path; i < len(raw); i += 8 {
		if i+8 > len(raw) {
			i = len(raw) - 8 // once more what is known, and the rest
		}
		w := binary.LittleEndian.Uint64(raw[i:])
		// True for bytes below '$', above 'z', one of '<', '>', '\\' and '^', an apostrophe or a backquote;
		// and sometimes for the byte after one of them.
		odd |= w | (w - 0x24*ones) | (w + 5*ones) | ((w | 0x62*ones) ^ 0x7e*ones - ones) | (w ^ '\''*ones - ones) | (w ^ '`'*ones - ones)
		percent |= w ^ '%'*ones - ones
		before := slash >> 56 // of the byte before the first
		slash = (w ^ '/'*ones - ones) & high
		odd |= (before | slash<<8) & (w ^ '.'*ones - ones)
	}
	return odd&high == 0 && (percent&high == 0 || !bytes.Contains(raw[path:], []byte("/%2")))
}
