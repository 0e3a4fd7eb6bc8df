// Package fleetcommand is the commands of a fleet: [Node], [Worker] and [Status], and a
// [Submission], which has a fleet do a run. Each is data that flags fill, a check of it, and Run,
// which does what it says until its context ends.
//
// What only the program knows comes in an [Env]: its version, its log, and how settings that
// travel become an auditor. Reading flags and configuration, signals and exit codes are the
// program's affair; an error that is a [Misuse] says that the mistake is in what flags and
// configuration say.
package fleetcommand

import (
	"context"
	"flag"
	"io"
	"log/slog"
	"strings"
	"time"

	"robots-audit/cmd/robots-audit-fleet/internal/fleetwork"
	"robots-audit/engine/escape"
)

// Command is a command of a fleet.
type Command interface {
	// Flags declares the command's own flags.
	Flags(f *flag.FlagSet)
	// Check says what is missing among them, or wrong.
	Check() error
	// Run does what they say. It ends without an error, or with that of ctx, once ctx has ended.
	Run(ctx context.Context, env *Env) error
}

// Env is what a command has of the program that runs it.
type Env struct {
	Version string // of the program
	Out     io.Writer
	Columns func() int // of the terminal that Out is; 0 = it is none
	Clears  bool       // that terminal takes control sequences
	Log     *slog.Logger
	Grace   time.Duration // that sites in work have to finish
	// Prepare returns what makes of a run's settings what an audit makes of its flags. workers are
	// those of this process; perAddress is what all its runs together may ask of an IP address at
	// a time, 0 = each as much as it says itself; cache is a file of robots.txt answers, "" =
	// there is none. end closes it.
	Prepare func(workers, perAddress int, cache string) (prepare fleetwork.Prepare, end func(), err error)
}

// Misuse is an error of what flags and configuration say, whatever the fleet would.
type Misuse struct{ Err error }

// Error says what is wrong.
func (m Misuse) Error() string { return m.Err.Error() }

// Unwrap returns Err.
func (m Misuse) Unwrap() error { return m.Err }

// nodeLog takes what a node says.
func (e *Env) nodeLog(level, text string) {
	levels := map[string]slog.Level{"info": slog.LevelDebug, "warning": slog.LevelWarn, "error": slog.LevelError}
	e.Log.Log(context.Background(), levels[level], onOneLine(text))
}

// onOneLine is what others say, fit for a line of the log.
func onOneLine(s string) string { return strings.ReplaceAll(escape.Printable(s), "\t", " ") }
