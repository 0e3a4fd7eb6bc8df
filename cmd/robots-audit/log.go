package main

import (
	"io"
	"log/slog"
	"sync"
)

// screen is where log lines go: to standard error, and while a progress bar is
// drawn there, to the bar's own writer, which puts them above the bar. Written
// past it they would be wiped out with the bar.
type screen struct {
	mu   sync.Mutex
	w    io.Writer
	bars io.Writer // nil = no bar is drawn
}

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.bars != nil {
		if n, err := s.bars.Write(p); err == nil {
			return n, nil
		}
	}
	return s.w.Write(p)
}

// draw sets the writer of the bar that is drawn from now on; nil = none.
func (s *screen) draw(bars io.Writer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bars = bars
}

// newLog returns the log that the settings ask for.
func newLog(s *settings, w io.Writer) *slog.Logger {
	o := &slog.HandlerOptions{Level: slog.LevelInfo}
	if s.quiet {
		o.Level = slog.LevelWarn
	}
	if s.logFormat == "json" {
		return slog.New(slog.NewJSONHandler(escaped{w}, o))
	}
	return slog.New(slog.NewTextHandler(w, o))
}
