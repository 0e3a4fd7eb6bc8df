// Command robots-audit tells which URLs of a site are blocked from crawling,
// for which crawler, and by which line of robots.txt.
//
//	robots-audit example.com           audit a site
//	robots-audit -domains list.txt     audit a list of sites
//	robots-audit demo                  the same on built-in demo sites, without a network
//	robots-audit check ROBOTS URL…     test URLs against one robots.txt
//	robots-audit help                  all commands
//
// Results go to standard output, everything else to standard error: log
// lines, or a progress bar where standard error is a terminal.
//
// Exit codes: 0 done; 1 a site fails by -fail-on or -fail-on-blocked; 2 usage or
// configuration; 3 done, but part of the sites is unknown, or none has a host that
// -robots names; 4 the run itself failed; 130 stopped by a signal, after writing what
// there was. The command check has its own, see its help.
package main

import (
	"fmt"
	"io"
	"log"
	"os"
	"slices"
	"strings"

	"robots-audit/cmd/robots-audit/internal/resources"
	"robots-audit/cmd/robots-audit/internal/shell"
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
	operand       shell.Operand // what its arguments are, for completion
}

func commands() []command {
	return []command{
		{"audit", "audit sites, or a list of them (the main job; the name may be left out)", runAudit, shell.None},
		{"demo", "the main job on built-in demo sites, without a network", runDemo, shell.None},
		{"check", "test URLs against one robots.txt", runCheck, shell.File},
		{"lint", "what is wrong with a robots.txt, for whom, and what to do", runLint, shell.File},
		{"compare", "what changed between two runs: which URLs flipped, for whom, by which line", runCompare, shell.Folder},
		{"simulate", "what another robots.txt would do to all URLs that a run knows", runSimulate, shell.Folder},
		{"verify", "hold sites, or a robots.txt, to a file of expectations: the gate for a review or a launch", runVerify, shell.File},
		{"migrate", "check a map of old URLs to new ones before a site moves, and after", runMigrate, shell.None},
		{"schedule", "audit at set times, compare with the run before, and tell of what changed", runSchedule, shell.None},
		{"serve", "a page in the browser: look, search, compare, and try an edit of robots.txt", runServe, shell.Folder},
		{"submit", "have a fleet of machines audit sites, or with -local a fleet in this process", runSubmit, shell.None},
		{"worker", "audit the sites that a fleet's queue has, and put its runs together", runWorker, shell.None},
		{"node", "keep the queue of a fleet: one of its servers", runNode, shell.None},
		{"status", "what a fleet is at: queue, workers, runs", runStatus, shell.None},
		{"report", "make a run's reports again from its records, offline", runReport, shell.Folder},
		{"completion", "print a script that completes commands and flags in bash, zsh or fish", runCompletion, shell.ShellName},
		{"man", "print the manual page", runMan, shell.None},
		{"version", "print the version", runVersion, shell.None},
		{"help", "explain a command", runHelp, shell.CommandName},
	}
}

func main() {
	watchSignals()
	resources.LimitMemory()
	log.SetOutput(io.Discard) // net/http tells the standard logger of servers that talk out of turn; the report does so better
	stop.exit(run(os.Args[1:], streams{os.Stdin, os.Stdout, os.Stderr}))
}

// run finds the command and runs it. Where the first argument is a flag or a site, the
// main job is meant.
func run(args []string, std streams) int {
	if len(args) == 0 {
		fmt.Fprint(std.err, shortHelp)
		return exitUsage
	}
	switch args[0] {
	case "-h", "-help", "--help", "-?":
		return runHelp(nil, std)
	case "-version", "--version":
		return runVersion(nil, std)
	}
	if slices.ContainsFunc(commands(), func(c command) bool { return c.name == args[0] }) {
		c, _ := findCommand(args[0], std)
		return c.run(args[1:], std)
	}
	if strings.HasPrefix(args[0], "-") || looksLikeSite(args[0]) {
		return runAudit(args, std)
	}
	if info, err := os.Stat(args[0]); err == nil && !info.IsDir() || strings.ContainsAny(args[0], "./:") {
		return usage(std, siteArgument(args[0]))
	}
	_, code := findCommand(args[0], std)
	return code
}
