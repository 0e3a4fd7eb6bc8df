// Command robots-audit-fleet audits long lists of sites with many machines. Nodes keep a queue,
// workers audit the sites in it, and a bucket keeps the reports.
//
//	robots-audit-fleet submit -domains list.txt -local -out monday     a fleet in one process
//	robots-audit-fleet help                                            all commands
//
// For an audit on one machine use robots-audit, which has none of these commands. Results go to
// standard output, everything else to standard error.
//
// Exit codes: 0 done; 1 a site fails by -fail-on or -fail-on-blocked; 2 usage or configuration; 3
// done, but some sites are unknown; 4 the run, or the fleet, failed; 130 stopped by a signal.
package main

import (
	"robots-audit/audit/fleet"
	"robots-audit/audit/watch/history"
	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/scheduling"
)

var program = cli.Use(&cli.Program{
	Name: "robots-audit-fleet",
	About: `robots-audit-fleet audits long lists of sites on many machines. It writes the same
reports as robots-audit on one machine.
`,
	Start: `  robots-audit-fleet submit -domains list.txt -local -out monday       try it in one process
  robots-audit-fleet node -name n1 -dir n1 -listen 127.0.0.1:4222      run a queue
  robots-audit-fleet worker -config fleet.toml                         audit sites of the queue
  robots-audit-fleet submit -config fleet.toml -domains list.txt       put a list into the queue
`,
	Tail: `One command:    robots-audit-fleet help COMMAND
All its flags:  robots-audit-fleet help COMMAND all
Stored data:    robots-audit-fleet help fleet
Past runs:      robots-audit-fleet help history
`,
	Commands: []cli.Command{
		{Name: "submit", Group: "Audit", Summary: "have a fleet audit sites, or try it in this process with -local", Run: runSubmit},
		{Name: "schedule", Group: "Audit", Summary: "as robots-audit schedule, with audits by a fleet", Run: runSchedule},
		{Name: "status", Group: "Audit", Summary: "show queue, workers and runs of a fleet", Run: runStatus},
		{Name: "node", Group: "Machines", Summary: "run a server of the queue", Run: runNode},
		{Name: "worker", Group: "Machines", Summary: "audit sites of the queue, and put runs together", Run: runWorker},
	},
	Topics: []cli.Topic{
		{Name: "fleet", About: "where a fleet stores what: streams, bucket, JSON of status, metrics", Short: fleet.Summary, Text: fleet.Manual},
		{Name: "history", About: "the database of past runs: its views, and ten ready queries", Short: history.Summary, Text: history.Manual},
	},
	ManTitle:     "audit which URLs of many sites are blocked from crawling,\nwith many machines",
	ManArguments: `.I COMMAND`,
	ManUse:       "Flags have one dash or two, and can be before and after other arguments.",
})

func main() { program.Main() }

func run(args []string, std cli.Streams) int { return program.Run(args, std) }

func runSchedule(args []string, std cli.Streams) int {
	return scheduling.Run(args, std, fleetSchedule{})
}
