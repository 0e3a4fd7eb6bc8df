package store

import (
	"os"
	"sync"
)

// shared has one call serve many: those who come while one is under way wait for the next one
// together, which begins after all of them have come.
type shared struct {
	one  sync.Mutex // held while a call is under way
	mu   sync.Mutex
	next *call
}

type call struct {
	done chan struct{}
	err  error
}

// do returns what a call of f has returned that began after do did.
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
	s.next = nil // who comes now is too late for this one
	s.mu.Unlock()
	c.err = f()
	close(c.done)
	return c.err
}

// syncFile waits until a file is on the disk.
func syncFile(name string) error {
	f, err := os.OpenFile(name, os.O_RDWR, 0) // Windows asks for one that may be written to
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}
