package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"robots-audit/audit"
	"robots-audit/cmd/internal/audits"
	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/resources"
	"robots-audit/crawl"
	"robots-audit/engine"
)

var checkHelp = cli.Help{
	Use: `robots-audit check ROBOTS URL… tests URLs against one robots.txt. ROBOTS is a file, a URL,
or - for standard input. A URL is absolute (http, https or ftp) or a path that
begins with "/".

Examples:
  robots-audit check robots.txt /private/page
  robots-audit check -crawler Googlebot-Image -explain https://example.com/robots.txt /a.png
  robots-audit check -crawler token:MyBot@google-2019 - https://example.com/ < robots.txt
  robots-audit check -jsonl < questions.jsonl
`,
	Exit: `Exit codes: 0 all URLs are allowed; 1 some are blocked; 2 wrong usage; 3 some are
undefined or unknown. With -jsonl: 0, or 4 if input or output fails.
`,
	More: `With the profile google-oss, every text is a valid URL.

robots-audit check -jsonl reads one question per line from standard input, and writes
one answer per line. The documentation describes their form. A question that cannot be
read gets an answer with "error". This is so for:
  an unknown key, or the same key twice
  a missing robots.txt, or two keys that exclude each other
  bytes that are not UTF-8: use "robots_b64" and "urls_b64"
  a line of more than 32 MiB
A URL that cannot be tested gets an "error" in place of its verdict.

With "explain": true a verdict has these keys as well: why, octets, runner_up,
runner_up_line, margin, and without: the verdict without the rule that decides.
The answer then also says why the crawler has this access.

Profiles, and how their verdicts are proved:
` + profileProofs(),
}

// profileProofs lists the profiles, a line each.
func profileProofs() string {
	var list strings.Builder
	for _, p := range engine.Profiles() {
		fmt.Fprintf(&list, "  %-11s  %s\n", p.Name, p.Proof)
	}
	return list.String()
}

func runCheck(args []string, std cli.Streams) int {
	f := flag.NewFlagSet("check", flag.ContinueOnError)
	name := f.String("crawler", "Googlebot", "`name` of the crawler, or NAME@PROFILE. PROFILE is how it reads the file. token:NAME is a product token that is not in the crawler list")
	var further audits.CrawlerList
	further.Flag(f)
	explain := f.Bool("explain", false, "show which group and rule decide, and which rule is second")
	jsonl := f.Bool("jsonl", false, "read questions and write answers as JSON Lines")
	var net audits.Network
	net.Flags(f)
	err := cli.ParseArgs(f, args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return cli.PrintHelp(std, f, checkHelp)
	case err != nil:
		return cli.Usage(std, err)
	case *jsonl && further != "":
		return cli.Usage(std, errors.New("-crawler-list cannot be used with -jsonl. Name a crawler of the built-in list in each question, or token:NAME"))
	case *jsonl && f.NArg() > 0:
		return cli.Usage(std, errors.New("check -jsonl reads its questions from standard input. Remove the arguments"))
	case *jsonl:
		resources.CollectSeldom()
		return checkJSONL(std)
	case f.NArg() < 2:
		return cli.Usage(std, errors.New("check needs a robots.txt (a file, a URL or -) and at least one URL, as in: robots-audit check robots.txt /page"))
	}
	own, err := further.Read()
	if err != nil {
		return cli.Usage(std, err)
	}
	crawler, err := engine.ParseCrawler(*name, own...)
	if err != nil {
		return cli.Usage(std, err)
	}
	remarkOnToken(std.Err, crawler)
	profile, err := engine.ParseProfile(crawler.Profile)
	if err != nil {
		return cli.Usage(std, err)
	}
	urls := f.Args()[1:]
	var wrong []error
	for _, url := range urls {
		if problem := profile.URLProblem(url); problem != "" {
			wrong = append(wrong, fmt.Errorf("%q %s", url, problem))
		}
	}
	if wrong != nil {
		return cli.Usage(std, errors.Join(wrong...))
	}
	client, err := net.Client()
	if err != nil {
		return cli.Usage(std, err)
	}
	address, credentials := withoutCredentials(f.Arg(0))
	answers, _, err := readRobots(address, credentials, std.In, client)
	if err != nil {
		return cli.Usage(std, err)
	}
	reader := answers.Reader(0, profile, crawler)
	robots, group := reader.Robots, reader.Group
	if credentials != nil {
		fmt.Fprintln(std.Err, askedWithPassword)
	}
	warnOfOtherFiles(std.Err, address, urls)
	warnOfResolved(std.Err, group, urls)
	warnOfBody(std.Err, address, answers, crawler, profile)
	out := tabwriter.NewWriter(std.Out, 0, 8, 2, ' ', 0)
	if *explain {
		explainCheck(out, crawler, answers, robots, urls)
	} else {
		printVerdicts(out, &reader, urls)
	}
	if err := out.Flush(); err != nil {
		return cli.Failed(std, err)
	}
	return verdictsExit(group, urls)
}

// warnOfOtherFiles warns of URLs that belong to another robots.txt than the one given.
func warnOfOtherFiles(w io.Writer, address string, urls []string) {
	asked, fetched := engine.RobotsURL(address)
	if !fetched {
		return
	}
	if _, path, _ := strings.Cut(strings.SplitN(address, "://", 2)[1], "/"); path != "" && !engine.IsRobotsURL(address) {
		cli.Complain(w, "%s: no crawler looks for a robots.txt here. %s is tested", cli.Named(address), cli.Named(asked))
	}
	for _, url := range urls {
		if governs, absolute := engine.RobotsURL(url); absolute && governs != asked {
			cli.Complain(w, "%s: the rules of %s apply to this URL, not those of %s. It is tested anyway", cli.Named(url), cli.Named(governs), cli.Named(asked))
		}
	}
}

// warnOfBody warns of a response that is no robots.txt but a page, a program or an image. Its
// verdicts come from the few rules that parsers find in it, or from none.
func warnOfBody(w io.Writer, address string, answers *audit.Answers, c engine.Crawler, p *engine.Profile) {
	for _, f := range answers.Lint(0, []engine.Crawler{c}, engine.LintOptions{Profiles: []*engine.Profile{p}}) {
		if f.Line == 0 && f.Severity >= engine.Error && (f.ID == "FET006" || f.ID == "FMT002") {
			cli.Complain(w, "%s: %s. It is tested as crawlers read it", cli.Named(address), cli.OnOneLine(f.What))
		}
	}
}

// printVerdicts writes a row for each URL: the verdict, the URL, and why.
func printVerdicts(w io.Writer, reader *audit.Reader, urls []string) {
	for _, url := range urls {
		v := reader.Verdict(url)
		if v.Rule.Line > 0 {
			v.Why = fmt.Sprintf("line %d: %s", v.Rule.Line, cli.OnOneLine(v.Rule.String()))
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", v.Verdict, cli.Named(url), cli.OnOneLine(v.Why))
	}
}

// verdictsExit is the exit code of check; its help lists the codes.
func verdictsExit(group *engine.Group, urls []string) int {
	code := 0
	for _, url := range urls {
		switch group.Verdict(url).Verdict {
		case engine.Disallow:
			return 1
		case engine.Undefined, engine.Unknown:
			code = 3
		}
	}
	return code
}

// askedWithPassword is printed if a robots.txt was fetched with credentials.
const askedWithPassword = "robots-audit: tested with a name and password. Crawlers have none, and may get another answer"

// withoutCredentials removes the name and password from a URL; nil = it has none that can be sent.
func withoutCredentials(name string) (string, *crawl.Credentials) {
	d, why := audit.ParseDomain(name)
	if why != "" || d.Credentials == nil {
		return name, nil
	}
	scheme, rest, _ := strings.Cut(name, "://")
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	return scheme + "://" + rest[strings.LastIndexByte(rest[:end], '@')+1:], d.Credentials
}

// readRobots reads the robots.txt that the user named, from a file, a URL or standard input, as no.
// 0 of the answers. It also returns the response's Cache-Control header.
func readRobots(name string, c *crawl.Credentials, in io.Reader, client *crawl.Client) (answers *audit.Answers, cacheControl string, err error) {
	if isURL(name) {
		origin := strings.TrimSuffix(strings.SplitN(name, "#", 2)[0], "/robots.txt")
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
		defer cancel()
		host := strings.SplitN(strings.SplitN(origin, "://", 2)[1], "/", 2)[0]
		site := client.Site(host)
		defer site.Close()
		if c != nil {
			if err := site.Authenticate(origin, *c); err != nil {
				return nil, "", err
			}
		}
		answers, file := audit.Ask(ctx, site, origin)
		if n := len(file.Hops); n > 0 {
			cacheControl = file.Hops[n-1].Header.Get("Cache-Control")
		}
		return answers, cacheControl, nil
	}
	file, pipe, err := openNamed(name, in)
	if err != nil {
		return nil, "", err
	}
	defer file.Close()
	return atHand(pipe, file)
}

// isURL reports whether a named file is a URL.
func isURL(name string) bool {
	return strings.HasPrefix(name, "http://") || strings.HasPrefix(name, "https://")
}

// openNamed opens a named file or standard input. pipe names it if it is a pipe.
func openNamed(name string, in io.Reader) (file io.ReadCloser, pipe string, err error) {
	if name == "-" {
		return io.NopCloser(in), "standard input", nil
	}
	if err := noFile(name); err != nil {
		return nil, "", err
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, "", err
	}
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
		name = ""
	}
	return f, name, nil
}

// maxAtHand bounds the bytes that are read of a robots.txt at hand, far past every profile's own limit.
const maxAtHand = 16 << 20

// atHand reads a robots.txt that needs no request, as if a server had sent it with 200. If it comes
// from a pipe, its name is given, and it cannot be empty: the command before the pipe has failed.
func atHand(pipe string, in io.Reader) (*audit.Answers, string, error) {
	body, err := io.ReadAll(io.LimitReader(in, maxAtHand))
	if err == nil && pipe != "" && len(body) == 0 {
		err = fmt.Errorf("%s is empty. To test an empty robots.txt, name it as a file", pipe)
	}
	answers := &audit.Answers{}
	answers.Add(0, "", &crawl.RobotsFile{Outcome: crawl.Outcome{Status: 200}, Body: body})
	return answers, "", err
}

// remarkOnToken prints a remark about a crawler's name, if there is one.
func remarkOnToken(w io.Writer, c engine.Crawler) {
	if remark := audits.TokenRemark(c); remark != "" {
		cli.Complain(w, "%s", cli.OnOneLine(remark))
	}
}
