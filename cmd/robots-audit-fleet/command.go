package main

import (
	"context"
	"flag"
	"log/slog"
	"strings"

	"robots-audit/cmd/internal/cli"
	"robots-audit/engine/escape"
)

// command is node, worker or status: data from flags, a check of it, and run, which works until its
// context ends.
type command interface {
	// flags declares the command's own flags.
	flags(f *flag.FlagSet)
	// check reports flags that are missing or wrong.
	check() error
	// run executes the command. Once ctx has ended, it returns nil or the error of ctx.
	run(ctx context.Context, env *environment) error
}

// environment is what a command uses of its process.
type environment struct {
	std cli.Streams
	log *slog.Logger
}

// misuse is an error in flags or configuration, independent of the fleet.
type misuse struct{ error }

func (m misuse) Unwrap() error { return m.error }

// nodeLog logs a line of a node.
func (e *environment) nodeLog(level, text string) {
	levels := map[string]slog.Level{"info": slog.LevelDebug, "warning": slog.LevelWarn, "error": slog.LevelError}
	e.log.Log(context.Background(), levels[level], onOneLine(text))
}

// onOneLine makes foreign text safe for a log line.
func onOneLine(s string) string { return strings.ReplaceAll(escape.Printable(s), "\t", " ") }
