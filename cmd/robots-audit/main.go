// Command robots-audit says which URLs of a site are blocked from crawling,
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
	"flag"
	"os"
	"strings"

	"robots-audit/audit/watch/history"
	"robots-audit/cmd/internal/audits"
	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/scheduling"
)

const about = `robots-audit tells which URLs of a site are blocked from crawling, for which
crawler, and by which line of robots.txt.

`

var RobotsAudit = cli.Use(&cli.Program{
	Name: "robots-audit",
	Short: about + `  robots-audit example.com           audit a site
  robots-audit -domains list.txt     audit a list of sites, one a line
  robots-audit demo                  see it work on built-in sites, without a network

"robots-audit help" says what else it does.
`,
	Head: about + `  robots-audit SITE…      audit these sites
`,
	Examples: `
Examples:
  robots-audit demo
  robots-audit example.com
  robots-audit -domains list.txt -out monday
  robots-audit check -crawler Googlebot robots.txt /private/page
`,
	First: func() *flag.FlagSet { return new(audits.Settings).Flags("audit") },
	Tail: `
"robots-audit help audit" lists all of them, "robots-audit help COMMAND" explains a command,
"robots-audit help history" the database of past runs. Audits by many machines are made by
a program of its own, robots-audit-fleet.
`,
	Commands: []cli.Command{
		{Name: "audit", Summary: "audit sites, or a list of them (the main job; the name may be left out)", Run: runAudit},
		{Name: "demo", Summary: "the main job on built-in demo sites, without a network", Run: runDemo},
		{Name: "check", Summary: "test URLs against one robots.txt", Run: runCheck, Operand: cli.File},
		{Name: "lint", Summary: "what is wrong with a robots.txt, for whom, and what to do", Run: runLint, Operand: cli.File},
		{Name: "compare", Summary: "what changed between two runs: which URLs flipped, for whom, by which line", Run: runCompare, Operand: cli.Folder},
		{Name: "simulate", Summary: "what another robots.txt would do to all URLs that a run knows", Run: runSimulate, Operand: cli.Folder},
		{Name: "verify", Summary: "hold sites, or a robots.txt, to a file of expectations: the gate for a review or a launch", Run: runVerify, Operand: cli.File},
		{Name: "migrate", Summary: "check a map of old URLs to new ones before a site moves, and after", Run: runMigrate},
		{Name: "schedule", Summary: "audit at set times, compare with the run before, and tell of what changed", Run: func(args []string, std cli.Streams) int { return scheduling.Run(args, std, nil) }},
		{Name: "serve", Summary: "a page in the browser: look, search, compare, and try an edit of robots.txt", Run: runServe, Operand: cli.Folder},
		{Name: "report", Summary: "make a run's reports again from its records, offline", Run: runReport, Operand: cli.Folder},
	},
	Topics:       []cli.Topic{{Name: "history", About: "the database of past runs: its views, and ten ready queries", Text: history.Manual}},
	Otherwise:    otherwise,
	ManTitle:     "which URLs of a site are blocked from crawling,\nfor which crawler, and by which line of robots.txt",
	ManArguments: `.I SITE\fR|\fICOMMAND` + "\n.RI [ FLAGS ]",
	ManUse:       "Where no command is named, sites are audited. Flags may have one dash or\ntwo, and stand before and after other arguments.",
})

func main() { RobotsAudit.Main() }

// run runs the program, as main does.
func run(args []string, std cli.Streams) int { return RobotsAudit.Run(args, std) }

// otherwise takes the first argument for a flag or a site of the main job, and says where the
// commands of a fleet have gone.
func otherwise(args []string, std cli.Streams) (code int, ok bool) {
	switch args[0] {
	case "submit", "worker", "node", "status":
		cli.Complain(std.Err, "%s is a command of the program robots-audit-fleet: robots-audit-fleet %[1]s", args[0])
		return cli.ExitUsage, true
	}
	if strings.HasPrefix(args[0], "-") || audits.LooksLikeSite(args[0]) {
		return runAudit(args, std), true
	}
	if info, err := os.Stat(args[0]); err == nil && !info.IsDir() || strings.ContainsAny(args[0], "./:") {
		return cli.Usage(std, audits.SiteArgument(args[0])), true
	}
	return 0, false
}
