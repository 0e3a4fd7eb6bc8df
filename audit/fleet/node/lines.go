package node

import (
	"fmt"
	"strings"
	"sync"
)

// lines passes on what the server says. It has the methods of server.Logger.
type lines struct {
	to func(level, text string)

	mu    sync.Mutex
	first string // fatal line
}

func (l *lines) Noticef(format string, v ...any) { l.to("info", fmt.Sprintf(format, v...)) }
func (l *lines) Errorf(format string, v ...any)  { l.to("error", fmt.Sprintf(format, v...)) }

// Warnf leaves out a warning of what is so by design: the passwords of Secrets are 256 bits of
// chance, and lie in files of the owner's alone.
func (l *lines) Warnf(format string, v ...any) {
	if text := fmt.Sprintf(format, v...); !strings.HasPrefix(text, "Plaintext passwords detected") {
		l.to("warning", text)
	}
}

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
