package cli

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"sync"
	"time"

	"robots-audit/cmd/internal/signals"
	"robots-audit/reports"
)

// Grace is how long sites in progress may take to finish after the first signal. Their reports and
// the summary must be complete within five seconds of the signal. Tests that must not depend on
// speed set another time.
var Grace = 3 * time.Second

// stopper decides what a signal does at the moment. There is only one; it receives signals from the
// start of main.
type stopper struct {
	mu    sync.Mutex
	begin func() // what a signal does; nil = end the program at once
	clean func() // removes unfinished files if the program ends; nil = there are none
}

// Stop is the stopper of the program.
var Stop stopper

// watchSignals starts to handle signals, also one that came before. Without a run a signal ends the
// program at once, because there is nothing to finish.
func watchSignals() {
	go func() {
		for range signals.Received {
			Stop.handle()
		}
	}()
}

// handle does what a signal currently does. If that ends the program, the lock is kept. So until
// the end no run creates its folder, no failed report is logged, and nothing else exits.
func (s *stopper) handle() {
	s.mu.Lock()
	if begin := s.begin; begin != nil {
		s.begin = nil
		s.mu.Unlock()
		begin()
		return
	}
	if s.clean != nil {
		s.clean()
	}
	fmt.Fprintln(os.Stderr, Current.Name+": stopped by a signal")
	os.Exit(ExitSignal)
}

// Set sets what the next signal does.
func (s *stopper) Set(begin func()) { s.swap(begin) }

// swap is Set, and returns the previous function; nil = a signal ends the program, or one has come
// already.
func (s *stopper) swap(begin func()) (before func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	before, s.begin, s.clean = s.begin, begin, nil
	return before
}

// Writing sets the folder in which the run is writing files; "" = none any more.
func (s *stopper) Writing(out string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.clean = nil; out != "" {
		s.clean = func() { reports.RemoveHalfWritten(out) }
	}
}

// During runs do without interruption by a signal, which waits. So do must be short. The function
// that it returns removes unfinished files from then on.
func (s *stopper) During(do func() (clean func())) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clean = do()
}

// exit ends the program, unless a signal is ending it.
func (s *stopper) exit(code int) {
	s.mu.Lock()
	os.Exit(code)
}

// OnSignals sets what signals do during a run. The first ends stopping, so that no further site
// starts, and after Grace also work, so that sites in progress are abandoned. The second ends the
// program at once and removes unfinished files.
func OnSignals(log *slog.Logger) (stopping, work context.Context, release func()) {
	stopping, halt := context.WithCancel(context.Background())
	work, abandon := context.WithCancel(context.Background())
	var before func() // of a schedule, which then ends with the run
	before = Stop.swap(func() {
		if before != nil {
			before()
		}
		halt()
		time.AfterFunc(Grace, abandon)
		log.Warn("stopping: sites in progress have some seconds to finish. A second signal stops at once")
	})
	return stopping, work, func() {
		if stopping.Err() != nil {
			before = nil // already called
		}
		Stop.Set(before)
		halt()
		abandon()
	}
}

// stoppable is a reader that ends with ctx, even while it waits for input. Nothing else interrupts
// a read from an open pipe.
type stoppable struct {
	ctx   context.Context
	parts chan part
	last  part // what of it is not yet read
}

// part is the result of one Read.
type part struct {
	text []byte
	err  error
}

// NewStoppable reads one part ahead. If the input has no end, its goroutine lasts until the program
// ends.
func NewStoppable(ctx context.Context, in io.Reader) *stoppable {
	s := &stoppable{ctx: ctx, parts: make(chan part)}
	go func() {
		for {
			p := part{text: make([]byte, 32<<10)}
			var n int
			n, p.err = in.Read(p.text)
			p.text = p.text[:n]
			select {
			case s.parts <- p:
			case <-ctx.Done():
				return
			}
			if p.err != nil {
				return
			}
		}
	}()
	return s
}

func (s *stoppable) Read(p []byte) (int, error) {
	if s.ctx.Err() != nil {
		return 0, io.EOF
	}
	if len(s.last.text) == 0 {
		if s.last.err != nil {
			return 0, s.last.err
		}
		select {
		case s.last = <-s.parts:
		case <-s.ctx.Done():
			return 0, io.EOF
		}
	}
	n := copy(p, s.last.text)
	s.last.text = s.last.text[n:]
	return n, nil
}

// UntilSignal returns a context that a signal ends, until done.
func UntilSignal() (ctx context.Context, done func()) {
	ctx, cancel := context.WithCancel(context.Background())
	Stop.Set(cancel)
	return ctx, func() {
		Stop.Set(nil)
		cancel()
	}
}
