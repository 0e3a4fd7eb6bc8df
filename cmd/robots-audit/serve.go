package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"robots-audit/audit/secretfile"
	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/scheduling"
	"robots-audit/crawl"
	"robots-audit/crawl/errno"
	desk "robots-audit/reports/serve"
)

var serveHelp = cli.Help{
	Use: `robots-audit serve DIR opens a dashboard of runs in the browser, on this machine only. It
has pages, search in all URLs, history of a URL, versions of robots.txt and alerts.
Its editor shows what an edited robots.txt would block. DIR is the folder of a run, of
several runs, or of a history of robots-audit schedule. You can name several folders.

Examples:
  robots-audit serve monday
  robots-audit serve /var/lib/robots-audit
  robots-audit serve monday -listen 127.0.0.1:8080
  robots-audit serve monday -token-file token.txt -hosts example.com -base-path /robots-audit

The last example is for a dashboard behind a proxy with TLS, which other machines can use.
`,
	More: `It fetches nothing from the sites. In DIR it changes only what you save in the editor and
your answers to alerts. For the search it writes an index into the run's folder. You can
delete the index at any time.

A history shows new runs at once. For a new run in a folder of several runs, start serve again.

The dashboard listens on 127.0.0.1:7070. On another address it needs -token-file: visitors
enter the token in a form, or send "Authorization: Bearer TOKEN". Connections are not
encrypted. If other machines use it, put a proxy with TLS before it.

Behind a proxy, the dashboard always needs -token-file. Without it, it refuses HTTP/1.0
and requests with Forwarded, X-Forwarded-*, X-Real-Ip or Via. It cannot recognize a
proxy that sends none of these. The proxy must pass on the Host header, which -hosts names,
and the whole path. It must set X-Forwarded-Proto. Cookies are then for https only. If the
proxy has the dashboard below a path, name this path with -base-path.

With -mcp, assistants use /mcp below the address, see "robots-audit help mcp". They send
"Authorization: Bearer TOKEN".

Every view is a URL that answers JSON to "Accept: application/json":

` + desk.Manual() + `
  curl -H 'Accept: application/json' http://127.0.0.1:7070/runs/monday/search?q=/shop/
  curl -H 'Content-Type: application/json' -d '{"robots":"User-agent: *\nDisallow: /shop/\n"}' \
       http://127.0.0.1:7070/runs/monday/sites/www.example.com/try
`,
	Exit: `Exit codes: 2 wrong usage, or DIR has nothing to show; 4 the dashboard failed; 130 stopped
by a signal.
`,
}

// defaultListen is the address of the dashboard without -listen.
const defaultListen = "127.0.0.1:7070"

func runServe(args []string, std cli.Streams) int {
	f := flag.NewFlagSet("serve", flag.ContinueOnError)
	listen := f.String("listen", defaultListen, "`address` to listen on. An address that other machines can reach needs -token-file")
	tokenFile := f.String("token-file", "", "`file` with the token that visitors need, at least 16 characters")
	proposals := f.String("proposals", "", "`folder` for files that you save in the editor (default proposals, in the folder of the history)")
	var hosts cli.List
	f.Var(&hosts, "hosts", "host `names` of the dashboard, in addition to IP addresses and localhost. Can be repeated")
	basePath := f.String("base-path", "", "`path` of the dashboard behind a proxy, as /robots-audit. The proxy passes it on")
	memory := f.Int64("memory", 512, "`MB` of memory for the editor")
	withMCP := f.Bool("mcp", false, "also answer assistants, at /mcp below the address. It needs -token-file")
	if code, ok := cli.ParseFlags(f, args, serveHelp, std); !ok {
		return code
	}
	o := desk.Options{Version: cli.Version, Proposals: *proposals, Memory: *memory << 20}
	for _, names := range hosts {
		o.Hosts = append(o.Hosts, strings.FieldsFunc(names, func(r rune) bool { return r == ',' || r == ' ' })...)
	}
	err := checkMemory(*memory)
	if err != nil {
		return cli.Usage(std, err)
	}
	if o.BasePath, err = desk.CleanBasePath(*basePath); err != nil {
		return cli.Usage(std, fmt.Errorf("-base-path %s: %w", *basePath, err))
	}
	if o.Runs, o.History, err = servedFolders(f.Args()); err != nil {
		return cli.Usage(std, err)
	}
	if *tokenFile != "" {
		if o.Token, err = readToken(*tokenFile); err != nil {
			return cli.Usage(std, err)
		}
	}
	if *withMCP && o.Token == "" {
		return cli.Usage(std, errors.New("-mcp needs -token-file: name a file with the token that assistants send"))
	}
	host, port, err := net.SplitHostPort(*listen)
	if err != nil {
		return cli.Usage(std, fmt.Errorf("-listen %s: expected an address with a port, such as %s", *listen, defaultListen))
	}
	host = cmp.Or(host, "127.0.0.1") // for all interfaces, users write 0.0.0.0 or [::]
	if !loopback(host) && o.Token == "" {
		return cli.Usage(std, fmt.Errorf("-listen %s: other machines can reach this address. Protect it: name a file with a token with -token-file", *listen))
	}
	if o.History != "" {
		o.Acknowledge = acknowledging(o.History)
	}
	page, err := desk.New(o)
	if err != nil {
		return cli.Failed(std, err)
	}
	if *withMCP {
		page.Handle("/mcp", newAssistant(page, &crawl.Client{UserAgent: "robots-audit/" + cli.Version}, std.Err).Handler())
	}
	l, err := net.Listen("tcp", net.JoinHostPort(host, port))
	if err != nil {
		page.Close() // best effort
		if errno.AddressInUse(err) {
			err = errors.New("another program uses this port, perhaps another dashboard. Choose another port, as in -listen 127.0.0.1:7071")
		}
		return cli.Usage(std, fmt.Errorf("-listen %s: %w", *listen, err))
	}
	fmt.Fprintf(std.Out, "http://%s%s/\n", l.Addr(), o.BasePath)
	cli.Complain(std.Err, "open this address in a browser. Ctrl-C stops the dashboard")
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	cli.Stop.Set(cancel)
	err = errors.Join(page.Serve(ctx, l), page.Close())
	cli.Stop.Set(nil)
	if err != nil {
		return cli.Failed(std, err)
	}
	return cli.ExitSignal
}

// checkMemory reports a wrong number of MB for a dashboard.
func checkMemory(mb int64) error {
	if mb < 16 || mb > 1<<20 {
		return fmt.Errorf("-memory %d: expected a number of MB from 16 to 1048576", mb)
	}
	return nil
}

// servedFolders sorts the named folders into runs and at most one history.
func servedFolders(dirs []string) (runs []string, history string, err error) {
	if len(dirs) == 0 {
		return nil, "", errors.New("serve needs a folder: of a run, of several runs, or of a history, as in: robots-audit serve monday")
	}
	isFile := func(parts ...string) bool {
		info, err := os.Stat(filepath.Join(parts...))
		return err == nil && info.Mode().IsRegular()
	}
	for _, dir := range dirs {
		switch info, err := os.Stat(dir); {
		case errors.Is(err, fs.ErrNotExist):
			return nil, "", fmt.Errorf("%s: no such folder. Name the folder of a run, of several runs, or of a history", dir)
		case err != nil:
			return nil, "", err
		case !info.IsDir():
			return nil, "", fmt.Errorf("%s: this is a file. Name the folder of the run", dir)
		case isFile(dir, "history.db"):
			if history != "" {
				return nil, "", fmt.Errorf("%s and %s: a dashboard shows one history only. Name one of them", history, dir)
			}
			history = dir
			continue
		case isFile(dir, "run.json"):
			runs = append(runs, filepath.Clean(dir))
			continue
		}
		entries, err := os.ReadDir(dir)
		if err != nil {
			return nil, "", err
		}
		found := len(runs)
		for _, entry := range entries {
			if entry.IsDir() && isFile(dir, entry.Name(), "run.json") { // no symbolic link: the run would be elsewhere
				runs = append(runs, filepath.Join(dir, entry.Name()))
			}
		}
		if len(runs) == found {
			return nil, "", fmt.Errorf("%s: nothing to show here: no run (run.json), no folders of runs, and no history (history.db)", dir)
		}
	}
	return slices.Compact(runs), history, nil
}

// shortestToken is the length of a random token that cannot be guessed in a lifetime, at some 500
// attempts per second.
const shortestToken = 16

func readToken(name string) (string, error) {
	text, err := secretfile.Read(name)
	if err != nil {
		return "", fmt.Errorf("-token-file: %w", err)
	}
	token := strings.TrimSpace(string(text))
	if len(token) < shortestToken || strings.ContainsAny(token, "\r\n") {
		return "", fmt.Errorf("-token-file %s: expected one line of at least %d characters", name, shortestToken)
	}
	return token, nil
}

// loopback reports whether an address is local to this machine.
func loopback(host string) bool {
	if host == "localhost" {
		return true
	}
	a, err := netip.ParseAddr(host)
	return err == nil && a.IsLoopback()
}

// acknowledging writes answers to alerts to a history.
func acknowledging(dir string) func(context.Context, desk.Answer) (string, error) {
	return func(ctx context.Context, a desk.Answer) (string, error) {
		answer := scheduling.Answer{Alerts: a.Alerts, Accept: a.Accept, Until: a.Until, Note: a.Note, Assign: a.Assign, Owner: a.Owner}
		sentence, err := answer.Enter(ctx, dir, time.Now())
		if refusal := (*scheduling.Refusal)(nil); errors.As(err, &refusal) {
			err = &desk.Refusal{Why: refusal.Why}
		}
		return sentence, err
	}
}
