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

// statusHelp is the help of the command.
const statusHelp = `robots-audit-fleet status tells what a fleet is at: what is wrong, how far runs are and when they are
done, what each worker does and how fast, which sites are in work longest, which failed and why,
how many wait to be tried again, and how the queue and its nodes are.

AGAIN are those held that were given out before, BACK the sites that a worker gave back, UNKNOWN
those that could not be read, FAILED those of which too many tries came to no end. The time that is
LEFT goes by the last five minutes. "robots-audit-fleet help fleet" has the keys of -json and the metrics.

Examples:
  robots-audit-fleet status -config fleet.toml
  robots-audit-fleet status -config fleet.toml -watch
  robots-audit-fleet status -config fleet.toml -run 20270104-060000-k3x9ab2c
  robots-audit-fleet status -servers tls://n1.example:4222 -secrets /etc/robots-audit/fleet -json
  robots-audit-fleet status -config fleet.toml -listen 127.0.0.1:7073

Exit codes: 0 done; 2 usage or configuration; 4 the fleet cannot be reached; 130 stopped by a signal.
`

// statusPause is the time between two pictures of -watch.
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
	f.BoolVar(&c.watch, "watch", false, "tell it again every two seconds, until a signal comes")
	f.StringVar(&c.runID, "run", "", "only the run with this `id`, as submit prints it")
	f.BoolVar(&c.asJSON, "json", false, "tell it as JSON")
	f.StringVar(&c.listen, "listen", "", "`host:port` for /healthz and /metrics of the fleet, until a signal comes")
}

// check looks for what is missing, or wrong.
func (c *statusCommand) check() error {
	if err := c.Missing("status", "servers"); err != nil {
		return err
	}
	if c.runID != "" && !fleet.ValidID(c.runID) {
		return fmt.Errorf("-run %q: not the id of a run", c.runID)
	}
	return nil
}

// run tells a fleet's status: once, or until ctx ends.
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
	if ctx.Err() != nil { // whatever else went wrong by that
		return ctx.Err()
	}
	return err
}

// answer answers for /healthz and /metrics until ctx ends.
func answer(ctx context.Context, address string, conn *fleet.Conn) error {
	served, err := serve(ctx, address, conn)
	if err != nil {
		return err
	}
	return served()
}

// show tells it once, or with -watch until ctx ends.
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
