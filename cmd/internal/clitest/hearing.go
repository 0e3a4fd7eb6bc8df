package clitest

import (
	"bytes"
	"strings"
	"sync"
)

// Hearing collects the output of a process while it runs.
type Hearing struct {
	mu   sync.Mutex
	text bytes.Buffer
	More chan struct{} // receives a value when there is more output
}

// NewHearing returns an empty Hearing.
func NewHearing() *Hearing { return &Hearing{More: make(chan struct{}, 1)} }

func (h *Hearing) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	select {
	case h.More <- struct{}{}:
	default:
	}
	return h.text.Write(p)
}

func (h *Hearing) String() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.text.String()
}

// Has returns a function that reports whether the output contains a text.
func (h *Hearing) Has(words string) func() bool {
	return func() bool { return strings.Contains(h.String(), words) }
}
