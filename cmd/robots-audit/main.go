// Command robots-audit tells which URLs of a site are blocked from crawling,
// for which crawler, and by which line of robots.txt.
//
//	robots-audit -domains list.txt     audit a list of sites
//	robots-audit demo                  the same on built-in demo sites, without a network
//	robots-audit check ROBOTS URL…     test URLs against one robots.txt
//	robots-audit help                  all commands
//
// Results go to standard output, everything else to standard error: log
// lines, or a progress bar where standard error is a terminal.
//
// Exit codes: 0 done; 1 a site fails by -fail-on or -fail-on-blocked; 2 usage or
// configuration; 3 done, but part of the sites is unknown; 4 the run itself
// failed; 130 stopped by a signal, after writing what there was. The command
// check has its own, see its help.
package main

import (
	"fmt"
	"io"
	"log"
	"os"
	"runtime/debug"
	"slices"
	"strings"

	"robots-audit/engine/wording"
	"robots-audit/reports"
)

// Exit codes. They are a promise to scripts.
const (
	exitDone     = 0
	exitFindings = 1
	exitUsage    = 2
	exitUnknown  = 3
	exitFailed   = 4
	exitSignal   = 130
)

// streams are the command's standard streams, so that tests can stand in for them.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// command is one of the program's commands.
type command struct {
	name, summary string
	run           func(args []string, std streams) (code int)
}

func commands() []command {
	return []command{
		{"audit", "audit a list of sites (the main job; the name may be left out)", runAudit},
		{"demo", "the main job on built-in demo sites, without a network", runDemo},
		{"check", "test URLs against one robots.txt", runCheck},
		{"lint", "what is wrong with a robots.txt, for whom, and what to do", runLint},
		{"report", "make a run's reports again from its records, offline", runReport},
		{"version", "print the version", runVersion},
		{"help", "explain a command", runHelp},
	}
}

func main() {
	watchSignals()
	limitMemory()
	log.SetOutput(io.Discard) // net/http tells the standard logger of servers that talk out of turn; the report does so better
	stop.exit(run(os.Args[1:], streams{os.Stdin, os.Stdout, os.Stderr}))
}

// run finds the command and runs it. Where the first argument is a flag, the main job is meant.
func run(args []string, std streams) int {
	if len(args) == 0 {
		return runHelp(nil, streams{std.in, std.err, std.err}) + exitUsage
	}
	if args[0] == "-h" || args[0] == "-help" || args[0] == "--help" {
		return runHelp(nil, std)
	}
	if strings.HasPrefix(args[0], "-") {
		return runAudit(args, std)
	}
	all := commands()
	i := slices.IndexFunc(all, func(c command) bool { return c.name == args[0] })
	if i < 0 {
		if _, err := os.Stat(args[0]); err == nil {
			complain(std.err, "robots-audit: %q is a file and no command; to audit the sites it lists: robots-audit -domains %[1]q", args[0])
			return exitUsage
		}
		var names []string
		for _, c := range all {
			names = append(names, c.name)
		}
		rest := ";"
		if meant := wording.Nearest(args[0], names); meant != "" {
			rest = ": did you mean " + meant + "?"
		}
		complain(std.err, "robots-audit: there is no command %q%s \"robots-audit help\" lists them", args[0], rest)
		return exitUsage
	}
	return all[i].run(args[1:], std)
}

func runHelp(args []string, std streams) int {
	if len(args) > 0 {
		if args[0] == "help" {
			fmt.Fprintln(std.out, "robots-audit help [COMMAND] explains a command.")
			return exitDone
		}
		return run([]string{args[0], "-h"}, std)
	}
	fmt.Fprint(std.out, `robots-audit tells which URLs of a site are blocked from crawling, for which
crawler, and by which line of robots.txt.

`)
	for _, c := range commands() {
		fmt.Fprintf(std.out, "  robots-audit %-8s %s\n", c.name, c.summary)
	}
	fmt.Fprint(std.out, `
Examples:
  robots-audit demo
  robots-audit -domains list.txt -out monday
  robots-audit check -crawler Googlebot robots.txt /private/page

"robots-audit help COMMAND" explains one with its flags.
`)
	return exitDone
}

// version is the program's version; a release build sets it.
var version = "0.1.0"

func runVersion(args []string, std streams) int {
	line := "robots-audit " + version
	if info, ok := debug.ReadBuildInfo(); ok {
		line += " " + info.GoVersion
	}
	if build := reports.Build(); build != "unknown" {
		line += " " + build
	}
	fmt.Fprintln(std.out, line)
	return exitDone
}
