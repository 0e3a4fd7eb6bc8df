package cli

import (
	"flag"
	"slices"
	"strings"
)

// flagGroup is a group of flags as help and the man page show them.
type flagGroup struct {
	title string
	Flags string // names, with blanks between them
}

// FlagGroups say of every flag of every command where help shows it: the one place
// to add a new flag to. Within a group flags stand in the order that is written here.
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
