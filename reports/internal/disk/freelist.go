package disk

import "sync"

// FreeList reuses values that take long to make. Unlike a sync.Pool it keeps them over garbage
// collections, which occur every few sites: it keeps as many as were ever in use at once. The zero
// FreeList is ready for use.
type FreeList[T any] struct {
	mu   sync.Mutex
	free []*T
}

// Get returns an unused value, or a new one from made.
func (l *FreeList[T]) Get(made func() *T) *T {
	l.mu.Lock()
	defer l.mu.Unlock()
	if n := len(l.free); n > 0 {
		v := l.free[n-1]
		l.free = l.free[:n-1]
		return v
	}
	return made()
}

// Put takes a value back. The caller must not use it any more.
func (l *FreeList[T]) Put(v *T) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.free = append(l.free, v)
}
