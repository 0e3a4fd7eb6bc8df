package node

import (
	"fmt"
	"strings"
	"sync"
)

// lines passes on the server's log lines. It implements server.Logger.
type lines struct {
	to func(level, text string)

	mu    sync.Mutex
	first string // fatal line
}

func (l *lines) Noticef(format string, v ...any) { l.to("info", fmt.Sprintf(format, v...)) }
func (l *lines) Errorf(format string, v ...any)  { l.to("error", fmt.Sprintf(format, v...)) }

// Warnf drops the warning about plain passwords: the passwords of Secrets are 256 random bits in files that
// only their owner can read.
func (l *lines) Warnf(format string, v ...any) {
	if text := fmt.Sprintf(format, v...); !strings.HasPrefix(text, "Plaintext passwords detected") {
		l.to("warning", text)
	}
}

// Fatalf does not end the process. Start returns the line; later lines are errors like others.
func (l *lines) Fatalf(format string, v ...any) {
	text := fmt.Sprintf(format, v...)
	l.mu.Lock()
	if l.first == "" {
		l.first = text
	}
	l.mu.Unlock()
	l.to("error", text)
}

// Debugf and Tracef are never called.
func (l *lines) Debugf(string, ...any) {}
func (l *lines) Tracef(string, ...any) {}

// fatal is the first line that says why the server cannot go on; "" = none.
func (l *lines) fatal() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.first
}
