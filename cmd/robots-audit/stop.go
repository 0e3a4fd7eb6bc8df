package main

import (
	"context"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"
)

// grace is how long sites in flight may take to finish after the first signal.
// What follows, the reports of those that did and the summary, is to be
// done within five seconds of it. Tests that may not depend on the machine's
// speed set their own.
var grace = 3 * time.Second

// onSignals watches for Ctrl-C and its like. The first signal ends stopping,
// whereupon no further site is begun, and grace later work, with which the
// sites in flight are abandoned. The second ends the program at once; what the
// run in folder out has half written goes with it.
func onSignals(log *slog.Logger, out string) (stopping, work context.Context, release func()) {
	stopping, stop := context.WithCancel(context.Background())
	work, abandon := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2) // room for both: the second must not be lost while we see to the first
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	over := make(chan struct{})
	go func() {
		select {
		case <-signals:
		case <-over:
			return
		}
		stop()
		time.AfterFunc(grace, abandon)
		log.Warn("stopping: sites in work have some seconds to finish; a second signal ends at once")
		select {
		case <-signals:
			removeHalfWritten(out)
			os.Exit(exitSignal)
		case <-over:
		}
	}()
	return stopping, work, func() {
		signal.Stop(signals)
		close(over)
		stop()
		abandon()
	}
}

// removeHalfWritten clears the folder of files that are being written, while
// others may still be at it. What is finished lies elsewhere.
func removeHalfWritten(out string) {
	for range 10 {
		if os.RemoveAll(filepath.Join(out, ".robots-audit", "tmp")) == nil {
			return
		}
	}
}
