package main

import (
	"context"
	"flag"
	"log/slog"
	"strings"

	"robots-audit/cmd/internal/cli"
	"robots-audit/engine/escape"
)

// command is node, worker or status: data that flags fill, a check of it, and run, which does what
// it says until its context ends.
type command interface {
	// flags declares the command's own flags.
	flags(f *flag.FlagSet)
	// check says what is missing among them, or wrong.
	check() error
	// run does what they say. It ends without an error, or with that of ctx, once ctx has ended.
	run(ctx context.Context, env *environment) error
}

// environment is what a command has of its process.
type environment struct {
	std cli.Streams
	log *slog.Logger
}

// misuse is an error in what flags and configuration say, whatever the fleet would.
type misuse struct{ error }

func (m misuse) Unwrap() error { return m.error }

// nodeLog takes a line of the log of a node.
func (e *environment) nodeLog(level, text string) {
	levels := map[string]slog.Level{"info": slog.LevelDebug, "warning": slog.LevelWarn, "error": slog.LevelError}
	e.log.Log(context.Background(), levels[level], onOneLine(text))
}

// onOneLine makes a text of others fit for a line of the log.
func onOneLine(s string) string { return strings.ReplaceAll(escape.Printable(s), "\t", " ") }
