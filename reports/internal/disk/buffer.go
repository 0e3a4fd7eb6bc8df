package disk

import "sync"

// maxKept is the capacity, in bytes, from which on a buffer is not lent again. One that a
// rare long text has made large would stay in memory for ever.
const maxKept = 128 << 10

// buffers is a pool of unused buffers.
//
// Thousands of sites are in flight at once, and most of a site's time is spent waiting for the network or
// the disk. So buffers are not tied to sites: they go back as soon as they are empty.
var buffers sync.Pool

// GetBuffer lends an empty buffer of any capacity; nil where none is free.
func GetBuffer() []byte {
	if buf, ok := buffers.Get().(*[]byte); ok {
		return *buf
	}
	return nil
}

// PutBuffer takes a buffer back. Nobody may use it any more.
func PutBuffer(buf []byte) {
	if cap(buf) > 0 && cap(buf) < maxKept {
		buf = buf[:0]
		buffers.Put(&buf)
	}
}
