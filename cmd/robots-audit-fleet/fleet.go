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
	"robots-audit/cmd/internal/audits"
	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/configfile"
	"robots-audit/cmd/internal/job"
	"robots-audit/cmd/robots-audit-fleet/internal/fleetwork"
	"robots-audit/crawl"
)

// This file sets up a fleet: its commands, and how the settings of a run become an auditor. An
// audit on one machine uses nothing of it.

func runNode(args []string, std cli.Streams) int {
	return runFleet("node", nodeHelp, new(nodeCommand), args, std)
}

func runWorker(args []string, std cli.Streams) int {
	return runFleet("worker", workerHelp, new(workerCommand), args, std)
}

func runStatus(args []string, std cli.Streams) int {
	return runFleet("status", statusHelp, new(statusCommand), args, std)
}

func runFleet(name string, help cli.Help, c command, args []string, std cli.Streams) int {
	var s audits.Settings // of these commands: config, and the log flags
	f := flag.NewFlagSet(name, flag.ContinueOnError)
	c.flags(f)
	f.StringVar(&s.Config, "config", "", "read the table [fleet] of this TOML `file`")
	s.Logging.Flags(f)
	if code, ok := cli.ParseFlags(f, args, help, std); !ok {
		return code
	}
	if err := loadFleet(&s, f); err != nil {
		return cli.Usage(std, err)
	}
	if err := c.check(); err != nil {
		return cli.Usage(std, err)
	}
	ctx, release := cli.UntilSignal()
	defer release()
	err := c.run(ctx, &environment{std, s.NewLog(std.Err)})
	switch {
	case ctx.Err() != nil && (err == nil || errors.Is(err, context.Canceled)):
		cli.Complain(std.Err, "stopped by a signal")
		return cli.ExitSignal
	case err != nil:
		return refused(std, err)
	}
	return cli.ExitDone
}

// loadFleet adds environment and configuration to the flags of a fleet command.
func loadFleet(s *audits.Settings, f *flag.FlagSet) error {
	fixed := map[string]bool{}
	f.Visit(func(fl *flag.Flag) { fixed[fl.Name] = true })
	f.VisitAll(func(fl *flag.Flag) {
		if value, ok := os.LookupEnv(cli.EnvironmentName(fl.Name)); ok && !fixed[fl.Name] && (configfile.IsFleetFlag(fl.Name) || fl.Name == "config") {
			fixed[fl.Name] = true
			f.Set(fl.Name, value) // text flags accept any value
		}
	})
	if s.Config != "" {
		text, err := cli.ReadBounded(s.Config, cli.MaxConfig)
		if err == nil {
			err = configfile.FillFleet(f, s.Config, string(text), fixed)
		}
		if err != nil {
			return fmt.Errorf("-config %w", err)
		}
	}
	if f.NArg() > 0 {
		return fmt.Errorf("%s takes no arguments. Remove %q", f.Name(), f.Arg(0))
	}
	if err := s.Logging.Check(); err != nil {
		return err
	}
	return nil
}

// refused prints why a fleet command ends, and returns its exit code.
func refused(std cli.Streams, err error) int {
	if misused(err) {
		return cli.Usage(std, err)
	}
	return cli.Failed(std, err)
}

// misused reports whether a command ends because of wrong usage.
func misused(err error) bool {
	var wrong misuse
	return errors.As(err, &wrong) || errors.Is(err, fleet.ErrList) || errors.Is(err, fleetwork.ErrFolder)
}

// prepareCached is prepare for auditors with the cache of the settings. end closes it.
func prepareCached(of *audits.Settings, log *slog.Logger, workers, perAddress int) (with fleetwork.Prepare, end func(), err error) {
	with = prepare(workers, perAddress)
	cache, remark, err := of.OpenCache(log)
	if err != nil || cache == nil && remark == "" {
		return with, func() {}, err
	}
	plain := with
	with = func(ctx context.Context, run *fleet.Run, inputs string, list func() (io.ReadCloser, error)) (*audits.Preparation, error) {
		a, err := plain(ctx, run, inputs, list)
		if err == nil {
			a.Auditor.Client.Cache = cache
			a.Remarks = append(a.Remarks, remark)
		}
		return a, err
	}
	return with, func() { audits.CloseCache(cache, log) }, nil
}

// prepare returns a function that makes an auditor from a run's settings, as an audit does from its
// flags. workers are those of this process. perAddress limits the requests of all its runs to an IP
// address at a time; 0 = each run has only its own limit. A run with a lower limit keeps that.
func prepare(workers, perAddress int) fleetwork.Prepare {
	addresses := crawl.NewAddresses(perAddress)
	return func(ctx context.Context, run *fleet.Run, inputs string, list func() (io.ReadCloser, error)) (*audits.Preparation, error) {
		var s audits.Settings
		f := s.Flags("audit")
		_, scheduled := run.Settings[job.ScheduleKey]
		if scheduled {
			f.String(job.ScheduleKey, "", "")
		}
		if err := fleetwork.Unpack(f, run); err != nil {
			return nil, err
		}
		if s.Use(f); scheduled { // its list is named after the schedule
			delete(s.Used, "domains")
		}
		s.Workers = workers
		useCopies(&s, inputs)
		if err := s.Check(); err != nil {
			return nil, err
		}
		a, err := s.Prepared(run.Submitted, list)
		if err == nil && perAddress > 0 && (s.PerAddress == 0 || s.PerAddress >= perAddress) {
			a.Auditor.Client.Addresses = addresses
		}
		return a, err
	}
}

// useCopies replaces the file names in the settings by those of copies in a folder.
func useCopies(s *audits.Settings, dir string) {
	for name, value := range map[string]*string{"urls": &s.URLs, "indexed": &s.Indexed, "segments": &s.Segments, "brief-logo": &s.Brief.Logo, "crawler-list": (*string)(&s.Further)} {
		if *value != "" {
			*value = fleetwork.Copy(dir, name, 0, *value)
		}
	}
	for name, values := range map[string]cli.List{"robots": s.Robots, "ca-cert": s.CACert} {
		for i := range values {
			values[i] = fleetwork.Copy(dir, name, i, values[i])
		}
	}
}
