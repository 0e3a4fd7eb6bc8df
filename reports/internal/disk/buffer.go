package disk

import "sync"

// maxKept is the capacity, in bytes, up to which a buffer is reused. A buffer that a rare long text
// has enlarged would stay in memory for ever.
const maxKept = 128 << 10

// buffers is a pool of unused buffers.
//
// Thousands of sites are in flight at once, and most of a site's time is spent waiting for the network or
// the disk. So buffers are not tied to sites: they go back as soon as they are empty.
var buffers sync.Pool

// GetBuffer returns an empty buffer of any capacity; nil if none is free.
func GetBuffer() []byte {
	if buf, ok := buffers.Get().(*[]byte); ok {
		return *buf
	}
	return nil
}

// PutBuffer takes a buffer back. The caller must not use it any more.
func PutBuffer(buf []byte) {
	if cap(buf) > 0 && cap(buf) < maxKept {
		buf = buf[:0]
		buffers.Put(&buf)
	}
}
