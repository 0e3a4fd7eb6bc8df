// Command robots-audit shows which URLs of a site are blocked from crawling,
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
// Exit codes: 0 done; 1 a site fails by -fail-on or -fail-on-blocked; 2 usage or configuration,
// or a list without a site; 3 done, but some sites are unknown, or -robots names a host that no site has; 4 the run itself
// failed; 130 stopped by a signal, after writing the results so far. The command check has its own,
// see its help.
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

var RobotsAudit = cli.Use(&cli.Program{
	Name: "robots-audit",
	About: `robots-audit shows which URLs are blocked, for which crawler, and the line that blocks them.
`,
	Start: `  robots-audit demo                  try it on built-in sites, without a network
  robots-audit example.com           audit a site
  robots-audit -domains list.txt     audit a list of sites, one per line
`,
	First: func() *flag.FlagSet { return new(audits.Settings).Flags("audit") },
	Tail: `One command:    robots-audit help COMMAND; all its flags: help COMMAND all
Past runs:      robots-audit help history; many machines: robots-audit-fleet help
`,
	Commands: []cli.Command{
		{Name: "audit", Group: "Audit", Shown: "SITE…", Summary: "audit sites, or a list of them with -domains FILE", Run: runAudit},
		{Name: "check", Group: "Audit", Summary: "test URLs against one robots.txt", Run: runCheck, Operand: cli.File},
		{Name: "lint", Group: "Audit", Summary: "find mistakes in a robots.txt, and how to fix them", Run: runLint, Operand: cli.File},
		{Name: "logs", Group: "Audit", Summary: "read access logs: what crawlers did, and whether they obeyed", Run: runLogs, Operand: cli.File},
		{Name: "demo", Group: "Audit", Summary: "audit built-in demo sites, without a network", Run: runDemo},
		{Name: "compare", Group: "Change", Summary: "show what changed between two runs, and which line did it", Run: runCompare, Operand: cli.Folder},
		{Name: "simulate", Group: "Change", Summary: "try another robots.txt on all URLs of a run", Run: runSimulate, Operand: cli.Folder},
		{Name: "verify", Group: "Change", Summary: "test sites or a robots.txt against a file of expectations", Run: runVerify, Operand: cli.File},
		{Name: "migrate", Group: "Change", Summary: "check the redirects of a site move, before and after", Run: runMigrate},
		{Name: "schedule", Group: "Watch", Summary: "audit at set times, compare, and send alerts", Run: func(args []string, std cli.Streams) int { return scheduling.Run(args, std, nil) }},
		{Name: "serve", Group: "Watch", Summary: "open a dashboard of runs in the browser", Run: runServe, Operand: cli.Folder},
		{Name: "mcp", Group: "Watch", Summary: "answer questions of assistants about runs and robots.txt", Run: runMCP, Operand: cli.Folder},
		{Name: "report", Summary: "write the reports of a run again from its records, offline", Run: runReport, Operand: cli.Folder},
	},
	Topics:       []cli.Topic{{Name: "history", About: "the database of past runs: its views, and ten ready queries", Short: history.Summary, Text: history.Manual}},
	Otherwise:    otherwise,
	ManTitle:     "which URLs of a site are blocked from crawling,\nfor which crawler, and by which line of robots.txt",
	ManArguments: `.I SITE\fR|\fICOMMAND` + "\n.RI [ FLAGS ]",
	ManUse:       "Without a command it audits sites. Flags have one dash or\ntwo, and can be before and after other arguments.",
})

func main() { RobotsAudit.Main() }

func run(args []string, std cli.Streams) int { return RobotsAudit.Run(args, std) }

// otherwise treats the first argument as a flag or a site of an audit, or as a command of the other
// program.
func otherwise(args []string, std cli.Streams) (code int, ok bool) {
	switch args[0] {
	case "submit", "worker", "node", "status":
		cli.Complain(std.Err, "%s is a command of another program. Use: robots-audit-fleet %[1]s", args[0])
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
