package cli

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync"
)

// Screen is the output of the log: standard error or, while a progress bar is drawn there, the
// bar's own writer. That one writes above the bar, which would overwrite other output.
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

// Draw sets the writer of the bar; nil = no bar any more.
func (s *Screen) Draw(bars io.Writer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bars = bars
}

// Logging are the flags that decide which log lines a command shows, and how.
type Logging struct {
	Quiet     bool
	verbose   bool
	logFormat string
}

// Flags declares them.
func (l *Logging) Flags(f *flag.FlagSet) {
	f.BoolVar(&l.Quiet, "quiet", false, "show no progress, only warnings and errors")
	f.BoolVar(&l.verbose, "verbose", false, "show log lines with time and level on a terminal, too")
	f.StringVar(&l.logFormat, "log-format", "", "`form` of log lines: text or json (default text, and plain sentences on a terminal)")
}

// Check reports wrong values.
func (l *Logging) Check() error {
	if !slices.Contains([]string{"", "text", "json"}, l.logFormat) {
		return fmt.Errorf("-log-format %q: expected text or json", l.logFormat)
	}
	return nil
}

// NewLog returns the log for these flags: sentences on a terminal, unless a log format is given.
func (l *Logging) NewLog(w io.Writer) *slog.Logger {
	o := &slog.HandlerOptions{Level: slog.LevelInfo}
	if l.Quiet {
		o.Level = slog.LevelWarn
	}
	switch {
	case l.logFormat == "json":
		return slog.New(slog.NewJSONHandler(Escaped{w}, o))
	case l.logFormat == "" && !l.verbose && Terminal(w):
		return slog.New(&sentences{o, w})
	}
	return slog.New(slog.NewTextHandler(w, o))
}

// sentences is a log for people at a terminal: a sentence for each record.
type sentences struct {
	*slog.HandlerOptions
	w io.Writer
}

// Enabled, WithAttrs and WithGroup implement slog.Handler. Logs here have no attributes of their
// own.
func (s *sentences) Enabled(_ context.Context, level slog.Level) bool {
	return level >= s.Level.Level()
}
func (s *sentences) WithAttrs([]slog.Attr) slog.Handler { return s }
func (s *sentences) WithGroup(string) slog.Handler      { return s }

// Handle writes a record.
func (s *sentences) Handle(_ context.Context, r slog.Record) error {
	var more []string
	r.Attrs(func(a slog.Attr) bool {
		value := a.Value.String()
		if err, ok := a.Value.Any().(error); ok {
			value = Plain(err)
		}
		more = append(more, strings.ReplaceAll(a.Key, "_", " ")+": "+value)
		return true
	})
	text := r.Message
	if more != nil {
		text += " (" + strings.Join(more, ", ") + ")"
	}
	var line strings.Builder // one Write per record, since a bar may be drawn below it
	Complain(&line, "%s", text)
	_, err := io.WriteString(s.w, line.String())
	return err
}
