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
	"robots-audit/crawl/errno"
	desk "robots-audit/reports/serve"
)

const serveHelp = `robots-audit serve DIR shows runs in a browser, on this machine alone: their pages, a search
over all URLs, what became of a URL over the runs of a history, versions of robots.txt
side by side, alerts, and an editor that tells at each keystroke which URLs an edited
robots.txt would block and free. DIR is the folder of a run, of several runs, or of a history
as robots-audit schedule keeps one; it may be named several times. Nothing is fetched from
the sites, and nothing is changed in DIR but what is saved in the editor and answered to an
alert; an index for the search is made within the run's folder when it is first needed, and
can be deleted at any time.

The desk listens on 127.0.0.1:7070. On another address it needs -token-file: whoever asks has
to know the token, by a form or with "Authorization: Bearer TOKEN". Connections are not
encrypted: beyond this machine put a proxy with TLS before it.

Behind a proxy the desk always needs -token-file. It refuses requests with Forwarded,
X-Forwarded-*, X-Real-Ip or Via, and those of HTTP/1.0, without one. A proxy that sends none of
these cannot be recognised. The proxy must pass on the Host header, which -hosts names, and the
whole path, and set X-Forwarded-Proto: cookies are for https alone then. Below a path of the
proxy, say it with -base-path.

Every view is a URL that answers JSON to "Accept: application/json":

%s
Examples:
  robots-audit serve monday
  robots-audit serve /var/lib/robots-audit
  robots-audit serve monday -listen 0.0.0.0:7070 -token-file token.txt -hosts desk.example.com
  robots-audit serve monday -token-file token.txt -hosts example.com -base-path /robots-audit
  curl -H 'Accept: application/json' http://127.0.0.1:7070/runs/monday/search?q=/shop/
  curl -H 'Content-Type: application/json' -d '{"robots":"User-agent: *\nDisallow: /shop/\n"}' \
       http://127.0.0.1:7070/runs/monday/sites/www.example.com/try

Exit codes: 2 usage, or DIR holds nothing that could be shown; 4 the desk failed; 130 stopped
by a signal.
`

// defaultListen is where the desk is without -listen.
const defaultListen = "127.0.0.1:7070"

func runServe(args []string, std cli.Streams) int {
	f := flag.NewFlagSet("serve", flag.ContinueOnError)
	listen := f.String("listen", defaultListen, "`address` to answer on; an address that others can reach needs -token-file")
	tokenFile := f.String("token-file", "", "`file` with a token that whoever asks has to know: 16 characters at least")
	proposals := f.String("proposals", "", "`folder` for what is saved in the editor (default proposals, in the folder of the history)")
	var hosts cli.List
	f.Var(&hosts, "hosts", "`names` by which the desk may be asked, beside IP addresses and localhost; may be repeated")
	basePath := f.String("base-path", "", "`path` below which a proxy has the desk, as /robots-audit; the proxy passes it on")
	memory := f.Int64("memory", 512, "`MB` of memory for the sites that the editor has at hand, and for the changes that it looks for")
	if code, ok := cli.ParseFlags(f, args, fmt.Sprintf(serveHelp, desk.Manual()), std); !ok {
		return code
	}
	o := desk.Options{Version: cli.Version, Proposals: *proposals, Memory: *memory << 20}
	for _, names := range hosts {
		o.Hosts = append(o.Hosts, strings.FieldsFunc(names, func(r rune) bool { return r == ',' || r == ' ' })...)
	}
	if *memory < 16 || *memory > 1<<20 {
		return cli.Usage(std, fmt.Errorf("-memory %d: want 16 MB at least, and less than a million", *memory))
	}
	var err error
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
	host, port, err := net.SplitHostPort(*listen)
	if err != nil {
		return cli.Usage(std, fmt.Errorf("-listen %s: %w", *listen, err))
	}
	host = cmp.Or(host, "127.0.0.1") // who means every interface writes 0.0.0.0 or [::]
	if !loopback(host) && o.Token == "" {
		return cli.Usage(std, fmt.Errorf("-listen %s: others can reach that address: name a file with a token, -token-file", *listen))
	}
	if o.History != "" {
		o.Acknowledge = acknowledging(o.History)
	}
	page, err := desk.New(o)
	if err != nil {
		return cli.Failed(std, err)
	}
	l, err := net.Listen("tcp", net.JoinHostPort(host, port))
	if err != nil {
		page.Close() // best effort
		if errno.AddressInUse(err) {
			err = errors.New("something answers there already, perhaps another desk; name another port, as in -listen 127.0.0.1:7071")
		}
		return cli.Usage(std, fmt.Errorf("-listen %s: %w", *listen, err))
	}
	fmt.Fprintf(std.Out, "http://%s%s/\n", l.Addr(), o.BasePath)
	cli.Complain(std.Err, "open the address above in a browser; Ctrl-C ends the desk")
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

// servedFolders finds out what the named folders hold: runs, and at most one history.
func servedFolders(dirs []string) (runs []string, history string, err error) {
	if len(dirs) == 0 {
		return nil, "", errors.New("serve wants a folder: of a run, of several runs, or of a history")
	}
	isFile := func(parts ...string) bool {
		info, err := os.Stat(filepath.Join(parts...))
		return err == nil && info.Mode().IsRegular()
	}
	for _, dir := range dirs {
		switch info, err := os.Stat(dir); {
		case errors.Is(err, fs.ErrNotExist):
			return nil, "", fmt.Errorf("%s: there is no such folder", dir)
		case err != nil:
			return nil, "", err
		case !info.IsDir():
			return nil, "", fmt.Errorf("%s: that is a file: name the run's folder", dir)
		case isFile(dir, "history.db"):
			if history != "" {
				return nil, "", fmt.Errorf("%s and %s: a desk is for one history", history, dir)
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
			if entry.IsDir() && isFile(dir, entry.Name(), "run.json") { // no link: the run would lie elsewhere
				runs = append(runs, filepath.Join(dir, entry.Name()))
			}
		}
		if len(runs) == found {
			return nil, "", fmt.Errorf("%s: no run lies there (it has no run.json), no folders of runs, and no history (history.db)", dir)
		}
	}
	return slices.Compact(runs), history, nil
}

// shortestToken is what cannot be guessed in a lifetime if it is random: some 500 can be tried a second.
const shortestToken = 16

// readToken reads a token out of its file.
func readToken(name string) (string, error) {
	text, err := secretfile.Read(name)
	if err != nil {
		return "", fmt.Errorf("-token-file: %w", err)
	}
	token := strings.TrimSpace(string(text))
	if len(token) < shortestToken || strings.ContainsAny(token, "\r\n") {
		return "", fmt.Errorf("-token-file %s: want one line of %d characters at least", name, shortestToken)
	}
	return token, nil
}

// loopback reports whether an address is of this machine alone.
func loopback(host string) bool {
	if host == "localhost" {
		return true
	}
	a, err := netip.ParseAddr(host)
	return err == nil && a.IsLoopback()
}

// acknowledging enters answers to alerts in a history.
func acknowledging(dir string) func(ctx context.Context, id, until, note string, accept bool) (string, error) {
	return func(ctx context.Context, id, until, note string, accept bool) (string, error) {
		answer := scheduling.Answer{Alert: id, Accept: accept, Until: until, Note: note}
		sentence, err := answer.Enter(ctx, dir, time.Now())
		if refusal := (*scheduling.Refusal)(nil); errors.As(err, &refusal) {
			err = &desk.Refusal{Why: refusal.Error()}
		}
		return sentence, err
	}
}
