package shell

import (
	"flag"
	"strings"

	"robots-audit/engine"
	"robots-audit/reports"
	"robots-audit/reports/changes"
)

// flagValues are the values that a flag takes, for completion: of a command, "compare fail-on",
// or of all that have it. A flag that is not here
// takes the file or folder that its meaning calls `file` or `folder`, or what nobody
// can list.
var flagValues = map[string]func() []string{
	"crawlers":         crawlerNames,
	"crawler":          crawlerNames,
	"profile":          profileNames,
	"rows":             listed("blocked all"),
	"format":           reports.Formats,
	"reports":          reportNames,
	"kinds":            listed("hreflang image video"),
	"compare fail-on":  changes.Gates,
	"simulate fail-on": changes.Gates,
	"fail-on":          listed("info warning error critical"),
	"severity":         listed("info warning error critical"),
	"log-format":       listed("text json"),
}

// valueLists are the flags that take several of their values, with commas between them.
var valueLists = map[string]bool{"crawlers": true, "crawler": true, "profile": true, "format": true, "kinds": true, "reports": true}

func listed(names string) func() []string { return func() []string { return strings.Fields(names) } }

func reportNames() []string { return append(reports.Levels(), reports.Kinds()...) }

func crawlerNames() (names []string) {
	for _, c := range engine.Crawlers() {
		names = append(names, c.Name)
	}
	return names
}

func profileNames() (names []string) {
	for _, p := range engine.Profiles() {
		names = append(names, p.Name)
	}
	return names
}

// completed is what the value of a flag can be completed to.
type completed struct {
	values []string // what it may be
	list   bool     // several of them, with commas between them
	file   bool     // the name of a file
	folder bool     // the name of a folder
	none   bool     // the flag takes no value
}

// completedBy returns how the value of a flag is completed.
func completedBy(c *Command, fl *flag.Flag) completed {
	called, _ := flag.UnquoteUsage(fl)
	for _, name := range []string{c.Name + " " + fl.Name, fl.Name} {
		if values := flagValues[name]; values != nil {
			return completed{values: values(), list: valueLists[fl.Name]}
		}
	}
	yes, _ := fl.Value.(interface{ IsBoolFlag() bool })
	return completed{none: yes != nil && yes.IsBoolFlag(), file: strings.EqualFold(called, "file"), folder: strings.EqualFold(called, "folder")}
}

// Values are what a flag of a command can be completed to; nil = nobody can list that.
func Values(c *Command, fl *flag.Flag) []string { return completedBy(c, fl).values }
