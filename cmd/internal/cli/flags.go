package cli

import (
	"flag"
	"slices"
	"strings"

	"robots-audit/audit"
	"robots-audit/audit/compare"
	"robots-audit/engine"
	"robots-audit/reports"
)

// flagGroup is a group of flags in help and the man page. A name is that of a flag, or COMMAND.FLAG
// if only this command's flag belongs here.
type flagGroup struct {
	title string
	Flags string // names, with blanks between them
	Most  string // flags that most users need: help COMMAND shows only these
}

// FlagGroups say where help shows each flag of each command. Add a new flag here, and to
// flagValues if its values can be listed: help, the man page and completion need no more.
// Help keeps the order that is written here.
var FlagGroups = []flagGroup{
	{"What to audit", "domains expect run map site robots all-sites free block old-host new-host proposed staging important urls column encoding urls-column indexed segments kinds", "domains expect run map site robots free block old-host new-host proposed staging urls"},
	{"Crawlers", "crawlers crawler crawler-list profile", "crawlers crawler"},
	{"Access logs", "logs logs-format rules logs.format from to ranges dns", "logs rules logs.format from to logs.ranges"},
	{"Links", "crawl crawl-pages crawl-depth crawl-time", "crawl"},
	{"Schedule and alerts", "once now test plan ack accept assign schedule.all until note owner reindex", "once now test plan ack accept assign schedule.all until note owner reindex"},
	{"Dashboard", "serve.listen token-file serve.hosts base-path proposals memory mcp", "serve.listen token-file serve.hosts base-path proposals mcp"},
	{"Fleet", "servers bucket secrets region local wait name worker.workers runs worker.per-address worker.cache lease scratch tries retry-delay dir listen cluster peers max-store init renew hosts status.run watch", "servers bucket secrets local wait name worker.workers dir listen cluster peers init hosts status.run watch"},
	{"Reports", "out write resume rows sheets reports brief-name brief-logo format single-file csv-bom", "out write resume rows reports"},
	{"Findings", "lint.list lint.markdown severity fix dry-run stdin-filename ignore baseline write-baseline max", "lint.list severity fix dry-run stdin-filename ignore baseline write-baseline"},
	{"Exit code", "fail-on fail-on-flips fail-on-blocked critical-share", "fail-on fail-on-flips"},
	{"Requests", "delay rate connections per-address workers timeout retries user-agent contact cache no-cache second-look ask-as ask-as-pages connect-to ca-cert allow-private", ""},
	{"Limits", "site-timeout max-urls max-sitemaps max-sitemap-bytes max-origins", ""},
	{"Output", "explain json jsonl sarif code-quality sarif-uri junit markdown all quiet verbose log-format config", "explain json jsonl sarif code-quality junit markdown config"},
}

// GroupOf returns the index of the group of a command's flag; -1 = it has none.
func GroupOf(command, name string) int {
	for _, written := range []string{command + "." + name, name} {
		if i := slices.IndexFunc(FlagGroups, func(g flagGroup) bool { return slices.Contains(strings.Fields(g.Flags), written) }); i >= 0 {
			return i
		}
	}
	return -1
}

// IsGroup reports whether a group of flags has this title.
func IsGroup(title string) bool {
	return slices.ContainsFunc(FlagGroups, func(g flagGroup) bool { return g.title == title })
}

// FlagsOf returns those of the named flags that a set has. Names are separated by blanks.
func FlagsOf(f *flag.FlagSet, names string) (list []*flag.Flag) {
	for name := range strings.FieldsSeq(names) {
		if fl := f.Lookup(name); fl != nil {
			list = append(list, fl)
		}
	}
	return list
}

// inGroup returns the flags of a set that belong to a group and are in names.
func inGroup(f *flag.FlagSet, group int, names string) (list []*flag.Flag) {
	for written := range strings.FieldsSeq(names) {
		fl := f.Lookup(strings.TrimPrefix(written, f.Name()+"."))
		if fl != nil && GroupOf(f.Name(), fl.Name) == group {
			list = append(list, fl)
		}
	}
	return list
}

// groupedFlags are the flags of a set by group.
func groupedFlags(f *flag.FlagSet) (groups [][]*flag.Flag, titles []string) {
	for i, g := range FlagGroups {
		if flags := inGroup(f, i, g.Flags); len(flags) > 0 {
			groups, titles = append(groups, flags), append(titles, g.title)
		}
	}
	return groups, titles
}

// mostFlags are the flags of a set that most users need.
func mostFlags(f *flag.FlagSet) (list []*flag.Flag) {
	for i, g := range FlagGroups {
		list = append(list, inGroup(f, i, g.Most)...)
	}
	return list
}

// flagValues are the values of flags, for completion: of one command ("compare fail-on") or of
// every command that has the flag. A flag that is not here takes a file or folder name if its usage
// calls the value `file` or `folder`. Otherwise its values cannot be listed.
var flagValues = map[string]func() []string{
	"crawlers":         crawlerNames,
	"crawler":          crawlerNames,
	"ask-as":           audit.AskAsNames,
	"profile":          profileNames,
	"rows":             listed("blocked all"),
	"sheets":           listed("main all"),
	"format":           reports.Formats,
	"reports":          reportNames,
	"report reports":   reports.Extras,
	"kinds":            listed("hreflang image video"),
	"compare fail-on":  compare.FailOnKinds,
	"simulate fail-on": compare.FailOnKinds,
	"fail-on-flips":    compare.FailOnKinds,
	"fail-on":          listed("info warning error critical never"),
	"severity":         listed("info warning error critical"),
	"log-format":       listed("text json"),
}

// IsList are the flags that take several values, with commas between them. In a configuration
// file their value may be an array.
var IsList = map[string]bool{"ask-as": true, "crawlers": true, "crawler": true, "profile": true, "format": true, "kinds": true, "reports": true}

func listed(names string) func() []string { return func() []string { return strings.Fields(names) } }

func reportNames() []string {
	return slices.Concat(reports.Levels(), reports.Kinds(), reports.Extras())
}

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

// completed describes how the value of a flag is completed.
type completed struct {
	values []string // allowed values
	list   bool     // a list of them, separated by commas
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
