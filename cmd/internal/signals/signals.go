// Package signals hears of the signals that end the program from its first moments on.
//
// Packages that the program imports take some tens of milliseconds to begin, all before
// main. This one needs so few others that it is among the first to begin; what it hears
// waits for main.
package signals

import (
	"os"
	"os/signal"
	"syscall"
)

// Received gets Ctrl-C and similar signals. The loss of the terminal (SIGHUP) is one of them, unless the
// program was started with nohup. There is room for two signals: the second must not get lost while the
// first is handled.
var Received = make(chan os.Signal, 2)

func init() {
	kinds := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		kinds = append(kinds, syscall.SIGHUP)
	}
	signal.Notify(Received, kinds...)
}
