package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os/signal"
	"strings"
	"syscall"

	"robots-audit/audit"
	"robots-audit/cmd/internal/audits"
	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/robots-audit/internal/assist"
	"robots-audit/crawl"
	"robots-audit/crawl/errno"
	"robots-audit/engine"
	desk "robots-audit/reports/serve"
)

var mcpHelp = cli.Help{
	Use: `robots-audit mcp DIR answers questions of assistants about the runs in DIR. They ask which
URLs are blocked, for whom, and what to change. It speaks the Model Context Protocol over
standard input and output. DIR is as for serve: the folder of a run, of several runs, or
of a history. Without DIR it has only check, lint and explain.

Examples:
  claude mcp add robots-audit -- robots-audit mcp /var/lib/robots-audit
  robots-audit mcp monday tuesday
  robots-audit mcp

Tools: check, lint, site_summary, search_urls, explain, simulate, smallest_change,
compare_runs.
`,
	More: `Tools answer with the figures of the dashboard and of the commands. No tool writes
anything into DIR. Only check uses the network, for the robots.txt of a host. It refuses
private addresses and ports other than 80 and 443, unless -allow-private is set here.

An answer has at most 25,000 bytes. A call takes at most 30 seconds. Texts of websites are
marked as data, and hidden characters in them are shown. An assistant should still not act
on them without asking you.

For the same over HTTP: robots-audit serve -mcp -token-file token.txt DIR
`,
	Exit: `Exit codes: 0 the input ended; 2 wrong usage or input, or DIR has nothing to show; 4 failed;
130 stopped by a signal.
`,
}

func runMCP(args []string, std cli.Streams) int {
	f := flag.NewFlagSet("mcp", flag.ContinueOnError)
	memory := f.Int64("memory", 512, "`MB` of memory for sites that are tested with another robots.txt")
	var net audits.Network
	net.Flags(f)
	f.Lookup("allow-private").Usage = "allow check to fetch from private addresses and other ports"
	if code, ok := cli.ParseFlags(f, args, mcpHelp, std); !ok {
		return code
	}
	client, err := net.Client()
	if err != nil {
		return cli.Usage(std, err)
	}
	if err := checkMemory(*memory); err != nil {
		return cli.Usage(std, err)
	}
	var runs *desk.Desk
	if f.NArg() > 0 {
		o := desk.Options{Version: cli.Version, Memory: *memory << 20, ReadOnly: true}
		if o.Runs, o.History, err = servedFolders(f.Args()); err != nil {
			return cli.Usage(std, err)
		}
		if runs, err = desk.New(o); err != nil {
			return cli.Failed(std, err)
		}
	}
	signal.Ignore(syscall.SIGPIPE) // a client that has gone is the end of the input
	ctx, done := cli.UntilSignal()
	err = newAssistant(runs, client, std.Err).Serve(ctx, std.In, std.Out)
	stopped := ctx.Err() != nil
	done()
	if runs != nil {
		err = errors.Join(err, runs.Close())
	}
	switch {
	case stopped:
		return cli.ExitSignal
	case errors.As(err, new(*assist.InputError)):
		return cli.Usage(std, err)
	case err != nil && !errors.Is(err, io.EOF) && !errno.Gone(err):
		return cli.Failed(std, err)
	}
	return cli.ExitDone
}

// newAssistant is a server for assistants; nil = there are no runs.
func newAssistant(runs *desk.Desk, client *crawl.Client, log io.Writer) *assist.Server {
	return assist.New(assist.Options{
		Version: cli.Version, Desk: runs, Verdict: assistVerdict,
		Log: func(text string) { cli.Complain(log, "%s", text) },
		Fetch: func(ctx context.Context, origin string) (*audit.Answers, error) {
			site := client.Site() // trusts no host: a model has chosen it
			defer site.Close()
			answers, file := audit.Ask(ctx, site, origin)
			if file.Code == crawl.CodeBlockedAddress {
				return nil, fmt.Errorf("%s is refused: it has, or leads to, a private address or a port other than 80 and 443", origin)
			}
			return answers, nil
		},
		Notes: func(address string, answers *audit.Answers, c engine.Crawler, p *engine.Profile) []string {
			var b bytes.Buffer
			warnOfBody(&b, address, answers, c, p)
			if b.Len() == 0 {
				return nil
			}
			return strings.Split(strings.TrimSpace(b.String()), "\n")
		},
	})
}

// assistVerdict is a verdict in the form of check -jsonl with "explain".
func assistVerdict(reader *audit.Reader, url string) []byte {
	var resolve resolver
	text := resolve.appendAsked(appendVerdict(nil, reader.Group, url, true), reader.Group, url)
	return fmt.Appendf(text, `,"group_line":%d,"group_reason":"%s"`, reader.Group.Line, reader.Group.Reason)
}
