package cli

import (
	"flag"
	"slices"
	"strings"

	"robots-audit/engine"
	"robots-audit/reports"
	"robots-audit/reports/changes"
)

// flagGroup is a group of flags as help and the man page show them.
type flagGroup struct {
	title string
	Flags string // names, with blanks between them
}

// FlagGroups say where help shows each flag of each command. Add a new flag here, and to
// flagValues if its values can be listed: help, the man page and completion need no more.
// Within a group, help keeps the order that is written here.
var FlagGroups = []flagGroup{
	{"What is audited", "expect run domains site robots free block map old-host new-host proposed staging important crawlers crawler-list crawler profile urls urls-column indexed segments kinds crawl crawl-pages crawl-depth second-look explain jsonl"},
	{"When", "once plan ack accept until note reindex"},
	{"How polite", "user-agent contact delay rate connections per-address workers timeout retries crawl-time cache no-cache"},
	{"How far", "max-urls max-sitemaps max-sitemap-bytes max-origins site-timeout allow-private connect-to ca-cert"},
	{"Reports", "out write resume reports single-file rows format csv-bom"},
	{"The desk", "token-file base-path proposals memory"},
	{"The fleet", "servers bucket secrets region local wait name runs tries retry-delay lease scratch listen dir cluster peers max-store init renew hosts watch"},
	{"Output and exit code", "fail-on fail-on-blocked critical-share severity ignore baseline write-baseline max json sarif sarif-uri junit list markdown all quiet log-format config"},
}

// FirstFlags are the ten that matter first, in this order.
const FirstFlags = "domains crawlers out rows crawl urls reports fail-on resume config"

// GroupOf returns the index of a flag's group; -1 = it has none.
func GroupOf(name string) int {
	return slices.IndexFunc(FlagGroups, func(g flagGroup) bool { return slices.Contains(strings.Fields(g.Flags), name) })
}

// FlagsOf returns those of the named flags that a set has. Their names are separated by blanks.
func FlagsOf(f *flag.FlagSet, names string) (list []*flag.Flag) {
	for name := range strings.FieldsSeq(names) {
		if fl := f.Lookup(name); fl != nil {
			list = append(list, fl)
		}
	}
	return list
}

// groupedFlags are the flags of a set by group; a last group without a title has those
// that are in none.
func groupedFlags(f *flag.FlagSet) (groups [][]*flag.Flag, titles []string) {
	add := func(title string, flags []*flag.Flag) {
		if len(flags) > 0 {
			groups, titles = append(groups, flags), append(titles, title)
		}
	}
	for _, g := range FlagGroups {
		add(g.title, FlagsOf(f, g.Flags))
	}
	var rest []*flag.Flag
	f.VisitAll(func(fl *flag.Flag) {
		if GroupOf(fl.Name) < 0 {
			rest = append(rest, fl)
		}
	})
	add("Further", rest)
	return groups, titles
}

// flagValues are the values of flags, for completion: of one command ("compare fail-on") or of
// every command that has the flag. A flag that is not here takes the name of a file or folder if
// its usage calls the value `file` or `folder`; otherwise its values cannot be listed.
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

// IsList are the flags that take several values, with commas between them. In a configuration
// file their value may be an array.
var IsList = map[string]bool{"crawlers": true, "crawler": true, "profile": true, "format": true, "kinds": true, "reports": true}

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

// completed says how the value of a flag is completed.
type completed struct {
	values []string // what it may be
	list   bool     // several of them, with commas between them
	file   bool     // the name of a file
	folder bool     // the name of a folder
	none   bool     // the flag takes no value
}

// completedBy returns how the value of a flag of the command is completed.
func (d *description) completedBy(fl *flag.Flag) completed {
	called, _ := flag.UnquoteUsage(fl)
	for _, name := range []string{d.Name + " " + fl.Name, fl.Name} {
		if values := flagValues[name]; values != nil {
			return completed{values: values(), list: IsList[fl.Name]}
		}
	}
	yes, _ := fl.Value.(interface{ IsBoolFlag() bool })
	return completed{none: yes != nil && yes.IsBoolFlag(), file: strings.EqualFold(called, "file"), folder: strings.EqualFold(called, "folder")}
}
