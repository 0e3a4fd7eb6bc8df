package main

import (
	"io"
	"log/slog"
)

// newLog returns the log that the settings ask for.
func newLog(s *settings, w io.Writer) *slog.Logger {
	o := &slog.HandlerOptions{Level: slog.LevelInfo}
	if s.quiet {
		o.Level = slog.LevelWarn
	}
	if s.logFormat == "json" {
		return slog.New(slog.NewJSONHandler(w, o))
	}
	return slog.New(slog.NewTextHandler(w, o))
}
