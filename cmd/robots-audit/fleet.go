package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"

	"robots-audit/audit/fleet"
	"robots-audit/cmd/robots-audit/internal/fleetcommand"
	"robots-audit/cmd/robots-audit/internal/fleetconfig"
	"robots-audit/cmd/robots-audit/internal/fleetwork"
	"robots-audit/cmd/robots-audit/internal/job"
	"robots-audit/crawl"
)

// This file is the wiring of a fleet: its commands, and how settings that travel become an
// auditor. An audit on one machine comes by nothing of it.

func runNode(args []string, std streams) int {
	return runFleet("node", fleetcommand.NodeHelp, new(fleetcommand.Node), args, std)
}

func runWorker(args []string, std streams) int {
	return runFleet("worker", fleetcommand.WorkerHelp, new(fleetcommand.Worker), args, std)
}

func runStatus(args []string, std streams) int {
	return runFleet("status", fleetcommand.StatusHelp, new(fleetcommand.Status), args, std)
}

// runFleet runs a command of a fleet.
func runFleet(name, help string, c fleetcommand.Command, args []string, std streams) int {
	var s settings // of these commands: config, quiet and log-format
	f := flag.NewFlagSet(name, flag.ContinueOnError)
	c.Flags(f)
	f.StringVar(&s.config, "config", "", "read the table [fleet] of this TOML `file`")
	f.BoolVar(&s.quiet, "quiet", false, "only warnings and errors")
	f.StringVar(&s.logFormat, "log-format", "text", "`form` of log lines: text or json")
	if code, ok := parseFlags(f, args, help, std); !ok {
		return code
	}
	if err := s.loadFleet(f); err != nil {
		return usage(std, err)
	}
	if err := c.Check(); err != nil {
		return usage(std, err)
	}
	ctx, release := untilSignal()
	defer release()
	env := fleetEnv(newLog(&s, std.err), std)
	env.Prepare = func(workers, perAddress int, cache string) (fleetwork.Prepare, func(), error) {
		return prepareCached(&settings{cache: cache, noCache: cache == ""}, env.Log, workers, perAddress)
	}
	err := c.Run(ctx, env)
	switch {
	case ctx.Err() != nil && (err == nil || errors.Is(err, context.Canceled)):
		complain(std.err, "robots-audit: stopped by a signal")
		return exitSignal
	case err != nil:
		return refused(std, err)
	}
	return exitDone
}

// loadFleet adds to the flags of a command of a fleet what environment and configuration say.
func (s *settings) loadFleet(f *flag.FlagSet) error {
	fixed := map[string]bool{}
	f.Visit(func(fl *flag.Flag) { fixed[fl.Name] = true })
	f.VisitAll(func(fl *flag.Flag) {
		if value, ok := os.LookupEnv(environmentName(fl.Name)); ok && !fixed[fl.Name] && (fleetconfig.IsFlag(fl.Name) || fl.Name == "config") {
			fixed[fl.Name] = true
			f.Set(fl.Name, value) // texts take whatever it is
		}
	})
	if s.config != "" {
		text, err := readBounded(s.config, maxConfig)
		if err == nil {
			err = fleetconfig.Fill(f, s.config, string(text), fixed)
		}
		if err != nil {
			return fmt.Errorf("configuration: %w", err)
		}
	}
	if f.NArg() > 0 {
		return fmt.Errorf("%s takes no arguments, and has been given %q", f.Name(), f.Arg(0))
	}
	if s.logFormat != "text" && s.logFormat != "json" {
		return fmt.Errorf("-log-format %q: want text or json", s.logFormat)
	}
	return nil
}

// fleetEnv is what a command of a fleet has of this program, but for Prepare.
func fleetEnv(log *slog.Logger, std streams) *fleetcommand.Env {
	return &fleetcommand.Env{
		Version: version, Out: std.out, Columns: func() int { return width(std.out) }, Clears: takesSequences(std.out), Log: log, Grace: grace,
	}
}

// refused tells why a command of a fleet ends, and returns its exit code.
func refused(std streams, err error) int {
	if misused(err) {
		return usage(std, err)
	}
	return failed(std, err)
}

// misused reports whether a mistake of use is what ends a command of a fleet.
func misused(err error) bool {
	var wrong fleetcommand.Misuse
	return errors.As(err, &wrong) || errors.Is(err, fleet.ErrList) || errors.Is(err, fleetwork.ErrFolder)
}

// prepareCached is prepare for auditors that use the cache that settings ask for. end closes it.
func prepareCached(of *settings, log *slog.Logger, workers, perAddress int) (with fleetwork.Prepare, end func(), err error) {
	with = prepare(workers, perAddress)
	cache, remark, err := of.openCache(log)
	if err != nil || cache == nil && remark == "" {
		return with, func() {}, err
	}
	plain := with
	with = func(ctx context.Context, run *fleet.Run, inputs string, list func() (io.ReadCloser, error)) (*fleetwork.Audit, error) {
		a, err := plain(ctx, run, inputs, list)
		if err == nil {
			a.Auditor.Client.Cache = cache
			a.Remarks = append(a.Remarks, remark)
		}
		return a, err
	}
	return with, func() { closeCache(cache, log) }, nil
}

// prepare returns what makes of a run's settings what an audit makes of its flags. workers are
// those of this process; perAddress is what all its runs together may ask of an IP address at a
// time, 0 = each as much as it says itself. A run that says less has a bound of its own.
func prepare(workers, perAddress int) fleetwork.Prepare {
	addresses := crawl.NewAddresses(perAddress)
	return func(ctx context.Context, run *fleet.Run, inputs string, list func() (io.ReadCloser, error)) (*fleetwork.Audit, error) {
		var s settings
		f := s.flags("audit")
		_, scheduled := run.Settings[job.ScheduleKey]
		if scheduled {
			f.String(job.ScheduleKey, "", "")
		}
		if err := fleetwork.Unpack(f, run); err != nil {
			return nil, err
		}
		if s.use(f); scheduled { // its list has the schedule's name
			delete(s.used, "domains")
		}
		s.workers = workers
		s.useCopies(inputs)
		if err := s.check(); err != nil {
			return nil, err
		}
		a, err := s.prepared(run.Submitted, list)
		if err == nil && perAddress > 0 && (s.perAddress == 0 || s.perAddress >= perAddress) {
			a.Auditor.Client.Addresses = addresses
		}
		return a, err
	}
}

// useCopies has the settings name the copies of files that lie in a folder.
func (s *settings) useCopies(dir string) {
	for name, value := range map[string]*string{"urls": &s.urls, "indexed": &s.indexed, "segments": &s.segments, "crawler-list": (*string)(&s.further)} {
		if *value != "" {
			*value = fleetwork.Copy(dir, name, 0, *value)
		}
	}
	for name, values := range map[string]list{"robots": s.robots, "ca-cert": s.caCert} {
		for i := range values {
			values[i] = fleetwork.Copy(dir, name, i, values[i])
		}
	}
}
