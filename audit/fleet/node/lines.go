package node

import (
	"fmt"
	"sync"
)

// lines passes on what the server says. It has the methods of server.Logger.
type lines struct {
	to func(level, text string)

	mu    sync.Mutex
	first string // fatal line
}

func (l *lines) Noticef(format string, v ...any) { l.to("info", fmt.Sprintf(format, v...)) }
func (l *lines) Warnf(format string, v ...any)   { l.to("warning", fmt.Sprintf(format, v...)) }
func (l *lines) Errorf(format string, v ...any)  { l.to("error", fmt.Sprintf(format, v...)) }

// Fatalf ends no process: Start returns the line, and what comes later is an error like others.
func (l *lines) Fatalf(format string, v ...any) {
	text := fmt.Sprintf(format, v...)
	l.mu.Lock()
	if l.first == "" {
		l.first = text
	}
	l.mu.Unlock()
	l.to("error", text)
}

// Debugf and Tracef are not asked for.
func (l *lines) Debugf(string, ...any) {}
func (l *lines) Tracef(string, ...any) {}

// fatal is the first line that says why the server cannot go on; "" = none did.
func (l *lines) fatal() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.first
}
