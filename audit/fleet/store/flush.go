package store

import (
	"os"
	"sync"
)

// shared lets one call serve many callers. Callers that come during a call wait for the next call together,
// which begins after all of them have come.
type shared struct {
	one  sync.Mutex // locked during a call
	mu   sync.Mutex
	next *call
}

type call struct {
	done chan struct{}
	err  error
}

// do returns the result of a call of f that began after do was called.
func (s *shared) do(f func() error) error {
	s.mu.Lock()
	c, first := s.next, s.next == nil
	if first {
		c = &call{done: make(chan struct{})}
		s.next = c
	}
	s.mu.Unlock()
	if !first {
		<-c.done
		return c.err
	}
	s.one.Lock()
	defer s.one.Unlock()
	s.mu.Lock()
	s.next = nil // a caller who comes now is too late for this call
	s.mu.Unlock()
	c.err = f()
	close(c.done)
	return c.err
}

// syncFile waits until a file is on the disk.
func syncFile(name string) error {
	f, err := os.OpenFile(name, os.O_RDWR, 0) // Windows needs a file that is open for writing
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}
