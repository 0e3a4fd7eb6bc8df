// Command robots-audit-fleet audits long lists of sites with many machines: nodes keep a
// queue, workers audit the sites in it, and a bucket keeps the reports.
//
//	robots-audit-fleet submit -domains list.txt -local -out monday     a fleet in one process
//	robots-audit-fleet help                                            all commands
//
// An audit on one machine is made by robots-audit, which has none of this in it. Results go to
// standard output, everything else to standard error.
//
// Exit codes: 0 done; 1 a site fails by -fail-on or -fail-on-blocked; 2 usage or
// configuration; 3 done, but part of the sites is unknown; 4 the run, or the fleet, failed; 130
// stopped by a signal.
package main

import (
	"robots-audit/audit/fleet"
	"robots-audit/audit/watch/history"
	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/scheduling"
)

const about = `robots-audit-fleet audits long lists of sites with many machines. It makes the
reports that robots-audit makes on one.

`

const examples = `  robots-audit-fleet submit -domains list.txt -local -out monday       try it in one process
  robots-audit-fleet node -name n1 -dir n1 -listen 127.0.0.1:4222      keep a queue
  robots-audit-fleet worker -config fleet.toml                         audit what it has
  robots-audit-fleet submit -config fleet.toml -domains list.txt       put a list into it
`

var program = cli.Use(&cli.Program{
	Name:  "robots-audit-fleet",
	Short: about + examples + "\n\"robots-audit-fleet help\" says what else it does.\n",
	Head:  about,
	Commands: []cli.Command{
		{Name: "submit", Summary: "have a fleet of machines audit sites, or with -local a fleet in this process", Run: runSubmit},
		{Name: "worker", Summary: "audit the sites that a fleet's queue has, and put its runs together", Run: runWorker},
		{Name: "node", Summary: "keep the queue of a fleet: one of its servers", Run: runNode},
		{Name: "status", Summary: "what a fleet is at: queue, workers, runs", Run: runStatus},
		{Name: "schedule", Summary: "robots-audit schedule, whose audits a fleet may make", Run: runSchedule},
	},
	Examples: "\nExamples:\n" + examples,
	Tail: `
"robots-audit-fleet help COMMAND" explains a command, "robots-audit-fleet help fleet" what a
fleet keeps where.
`,
	Topics: []cli.Topic{
		{Name: "fleet", About: "what a fleet keeps where: streams, bucket, the JSON of status, metrics", Text: fleet.Manual},
		{Name: "history", About: "the database of past runs: its views, and ten ready queries", Text: history.Manual},
	},
	ManTitle:     "audit which URLs of many sites are blocked from crawling,\nwith many machines",
	ManArguments: `.I COMMAND`,
	ManUse:       "Flags may have one dash or two, and stand before and after other arguments.",
})

func main() { program.Main() }

// run runs the program, as main does.
func run(args []string, std cli.Streams) int { return program.Run(args, std) }

func runSchedule(args []string, std cli.Streams) int {
	return scheduling.Run(args, std, fleetSchedule{})
}
