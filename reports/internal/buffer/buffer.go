// Package buffer lends buffers for text that waits to be compressed or written.
//
// Thousands of sites are in flight at once, and most of a site's time is the
// network's or the disk's, when it needs none: so buffers belong to nobody. They
// are given back as soon as they are empty, and one that a rare long text has
// made large is left to the garbage collector, since it would stay in memory for
// ever.
package buffer

import "sync"

// maxKept is the capacity, in bytes, from which on a buffer is not lent again.
const maxKept = 128 << 10

var pool sync.Pool

// Get returns an empty buffer of any capacity; nil where none is free.
func Get() []byte {
	if buf, ok := pool.Get().(*[]byte); ok {
		return *buf
	}
	return nil
}

// Put takes a buffer back. Nobody may use it any more.
func Put(buf []byte) {
	if cap(buf) > 0 && cap(buf) < maxKept {
		buf = buf[:0]
		pool.Put(&buf)
	}
}
