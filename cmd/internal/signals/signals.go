// Package signals receives the signals that end the program from its start.
//
// Packages that the program imports need some tens of milliseconds to initialize, all before main.
// This one has so few imports that it is among the first; its signals wait for main.
package signals

import (
	"os"
	"os/signal"
	"syscall"
)

// Received gets Ctrl-C and similar signals, and the loss of the terminal (SIGHUP) unless the
// program was started with nohup. It has room for two signals: the second must not get lost while
// the first is handled.
var Received = make(chan os.Signal, 2)

func init() {
	kinds := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		kinds = append(kinds, syscall.SIGHUP)
	}
	signal.Notify(Received, kinds...)
}
