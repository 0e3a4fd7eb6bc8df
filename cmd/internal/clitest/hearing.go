package clitest

import (
	"bytes"
	"strings"
	"sync"
)

// Hearing is what a process says, while it says it.
type Hearing struct {
	mu   sync.Mutex
	text bytes.Buffer
	More chan struct{} // gets something where there is more to hear
}

// NewHearing hears nothing yet.
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

// Has reports whether a text was said.
func (h *Hearing) Has(words string) func() bool {
	return func() bool { return strings.Contains(h.String(), words) }
}
