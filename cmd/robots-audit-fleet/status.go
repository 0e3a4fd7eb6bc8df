package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"time"

	"robots-audit/audit/fleet"
	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/configfile"
)

var statusHelp = cli.Help{
	Use: `robots-audit-fleet status shows what a fleet does: errors, progress of runs and time left.
It also shows workers and their speed, slow, failed and waiting sites, queue and nodes.

Examples:
  robots-audit-fleet status -config fleet.toml
  robots-audit-fleet status -config fleet.toml -watch
  robots-audit-fleet status -config fleet.toml -run 20270104-060000-k3x9ab2c
  robots-audit-fleet status -servers tls://n1.example:4222 -secrets /etc/robots-audit/fleet -json
  robots-audit-fleet status -config fleet.toml -listen 127.0.0.1:7073
`,
	More: `AGAIN counts sites that a worker has now and another had before. BACK counts sites that a
worker returned. UNKNOWN counts sites that could not be read. FAILED counts sites that
failed too often. LEFT is estimated from the last five minutes. "robots-audit-fleet help
fleet" lists the keys of -json and the metrics.
`,
	Exit: `Exit codes: 0 done; 2 wrong usage or configuration; 4 the fleet cannot be reached; 130 stopped
by a signal.
`,
}

// statusPause is the time between two updates of -watch.
const statusPause = 2 * time.Second

// statusCommand is a call of the command status.
type statusCommand struct {
	configfile.Fleet
	watch, asJSON bool
	runID, listen string
}

// flags declares the command's flags.
func (c *statusCommand) flags(f *flag.FlagSet) {
	c.Fleet.Flags(f, "servers", "secrets")
	f.BoolVar(&c.watch, "watch", false, "show it again every two seconds, until Ctrl-C")
	f.StringVar(&c.runID, "run", "", "only the run with this `ID`, as submit prints it")
	f.BoolVar(&c.asJSON, "json", false, "print it as JSON")
	f.StringVar(&c.listen, "listen", "", "`host:port` for /healthz and /metrics of the fleet, until Ctrl-C")
}

// check reports flags that are missing or wrong.
func (c *statusCommand) check() error {
	if err := c.Missing("status", "servers"); err != nil {
		return err
	}
	if c.runID != "" && !fleet.ValidID(c.runID) {
		return fmt.Errorf("-run %q: not the ID of a run. submit prints the ID", c.runID)
	}
	return nil
}

// run shows a fleet's status: once, or until ctx ends.
func (c *statusCommand) run(ctx context.Context, env *environment) error {
	conn, end, err := env.connect(ctx, &c.Fleet, "status", 0, 0)
	if err == nil {
		defer end()
		if c.listen != "" {
			err = answer(ctx, c.listen, conn)
		} else {
			err = c.show(ctx, env, conn)
		}
	}
	if ctx.Err() != nil { // the other error may be a result of that
		return ctx.Err()
	}
	return err
}

// answer serves /healthz and /metrics until ctx ends.
func answer(ctx context.Context, address string, conn *fleet.Conn) error {
	served, err := serve(ctx, address, conn)
	if err != nil {
		return err
	}
	return served()
}

// show prints the status once, or with -watch until ctx ends.
func (c *statusCommand) show(ctx context.Context, env *environment, conn *fleet.Conn) error {
	for {
		status, err := fleet.ReadStatus(ctx, conn)
		if err != nil {
			return err
		}
		if c.runID != "" {
			if err := status.Only(ctx, conn, c.runID); err != nil {
				return err
			}
		}
		var picture bytes.Buffer // written at once, so that -watch does not flicker
		columns := cli.Width(env.std.Out)
		if c.watch && cli.TakesSequences(env.std.Out) {
			picture.WriteString("\x1b[H\x1b[2J")
		}
		if c.asJSON {
			err = status.WriteJSON(&picture)
		} else {
			err = status.WriteText(&picture, columns)
		}
		if err == nil {
			_, err = env.std.Out.Write(picture.Bytes())
		}
		if err != nil || !c.watch {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(statusPause):
		}
	}
}
