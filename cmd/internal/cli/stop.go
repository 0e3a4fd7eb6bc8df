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

// Grace is how long sites in flight may take to finish after the first signal.
// What follows, the reports of those that did and the summary, is to be
// done within five seconds of it. Tests that may not depend on the machine's
// speed set their own.
var Grace = 3 * time.Second

// stopper knows what a signal does at the moment. There is one, which hears of
// signals from the first line of main on.
type stopper struct {
	mu    sync.Mutex
	begin func() // what a signal does; nil = end the program at once
	clean func() // removes what is half written, which goes with the program; nil = nothing is
}

// Stop is the stopper of the program.
var Stop stopper

// watchSignals begins to see to signals, also to one that came before. Until a run is at
// work, and in commands that have none, a signal ends the program at once, wherever it
// waits: there is nothing to finish.
func watchSignals() {
	go func() {
		for range signals.Received {
			Stop.handle()
		}
	}()
}

// handle does what a signal does at the moment. Where it ends the program it does
// not give the lock back: in the meantime no run begins its folder, none tells of
// reports that failed because of it, and the program does not end otherwise.
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

// Set says what the next signal does.
func (s *stopper) Set(begin func()) { s.swap(begin) }

// swap is set, and returns what the signal would have done; nil = end the program, or
// one has come already.
func (s *stopper) swap(begin func()) (before func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	before, s.begin, s.clean = s.begin, begin, nil
	return before
}

// Writing says in which folder the run's files are being written; "" = none any more.
func (s *stopper) Writing(out string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.clean = nil; out != "" {
		s.clean = func() { reports.RemoveHalfWritten(out) }
	}
}

// During does something that a signal is not to come in between, and which is to take no
// long time: it waits. What do returns removes from then on what is half written.
func (s *stopper) During(do func() (clean func())) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clean = do()
}

// exit ends the program, unless a signal does.
func (s *stopper) exit(code int) {
	s.mu.Lock()
	os.Exit(code)
}

// OnSignals says what signals do to a run. The first one ends stopping,
// whereupon no further site is begun, and grace later work, with which the
// sites in flight are abandoned. The second ends the program at once; what the
// run has half written in its folder goes with it.
func OnSignals(log *slog.Logger) (stopping, work context.Context, release func()) {
	stopping, halt := context.WithCancel(context.Background())
	work, abandon := context.WithCancel(context.Background())
	var before func() // of a schedule, which ends with the run
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
			before = nil // it was called
		}
		Stop.Set(before)
		halt()
		abandon()
	}
}

// stoppable is a text that ends when ctx does, also while its reader waits for
// more of it, as of a pipe that stays open: nothing else wakes that up.
type stoppable struct {
	ctx   context.Context
	parts chan part
	last  part // what of it is still to be handed out
}

// part is what one Read gave.
type part struct {
	text []byte
	err  error
}

// NewStoppable reads ahead by one part. Where the text has no end, who reads it
// stays behind when the program ends.
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
