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

// Received are Ctrl-C and its like. A terminal that goes away (SIGHUP) is one of them, but
// for those who told the program not to mind (nohup). There is room for two: the second
// must not be lost while somebody sees to the first.
var Received = make(chan os.Signal, 2)

func init() {
	kinds := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		kinds = append(kinds, syscall.SIGHUP)
	}
	signal.Notify(Received, kinds...)
}
