package scheduling

import (
	"fmt"
	"path/filepath"

	"robots-audit/audit/watch/alert"
	"robots-audit/audit/watch/delivery"
	"robots-audit/cmd/internal/cli"
)

// testChannels sends a test message through every channel, one after the other, and prints what
// each answered.
func (c *Command) testChannels() int {
	channels := c.File.Alerts.Channels
	if len(channels) == 0 {
		return cli.Usage(c.Std, fmt.Errorf("%s: no channel to test. Add [[alerts.mail]], [[alerts.webhook]] or [[alerts.file]], as in config.toml", c.Config))
	}
	ctx, done := cli.UntilSignal()
	defer done()
	home := alert.Home{Config: c.Config, Base: c.File.History.BaseURL}
	if path, err := filepath.Abs(c.Config); err == nil {
		home.Config = path
	}
	code := cli.ExitDone
	for _, channel := range channels {
		switch t := delivery.Test(ctx, channel, home, Clock()); {
		case ctx.Err() != nil:
			cli.Complain(c.Std.Err, "stopped by a signal")
			return cli.ExitSignal
		case t.State == delivery.Accepted:
			fmt.Fprintf(c.Std.Out, "%s: accepted by %s\n", t.Channel, t.Text)
		default:
			code = cli.ExitFailed
			fmt.Fprintf(c.Std.Out, "%s: not accepted: %s\n", t.Channel, t.Text)
		}
	}
	return code
}
