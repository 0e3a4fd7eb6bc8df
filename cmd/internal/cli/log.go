package cli

import (
	"io"
	"log/slog"
	"sync"
)

// Screen is where log lines go: to standard error, and while a progress bar is
// drawn there, to the bar's own writer, which puts them above the bar. Written
// past it they would be wiped out with the bar.
type Screen struct {
	mu   sync.Mutex
	W    io.Writer
	bars io.Writer // nil = no bar is drawn
}

func (s *Screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.bars != nil {
		if n, err := s.bars.Write(p); err == nil {
			return n, nil
		}
	}
	return s.W.Write(p)
}

// Draw sets the writer of the bar that is drawn from now on; nil = none.
func (s *Screen) Draw(bars io.Writer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bars = bars
}

// NewLog returns the log of the form text or json; where it is quiet, only with warnings and errors.
func NewLog(quiet bool, form string, w io.Writer) *slog.Logger {
	o := &slog.HandlerOptions{Level: slog.LevelInfo}
	if quiet {
		o.Level = slog.LevelWarn
	}
	if form == "json" {
		return slog.New(slog.NewJSONHandler(Escaped{w}, o))
	}
	return slog.New(slog.NewTextHandler(w, o))
}
