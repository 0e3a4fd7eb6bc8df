package main

import (
	"fmt"
	"strings"

	"robots-audit/engine"
)

// families are the groups of findings, by the letters of their ids.
var families = []struct{ letters, name string }{
	{"FET", "fetching"}, {"LOC", "location"}, {"FMT", "format"}, {"DIR", "fields"}, {"GRP", "groups"}, {"RUL", "rules"},
	{"SM", "sitemaps"}, {"YA", "yandex"}, {"AI", "ai"}, {"PRS", "parsers"}, {"MIG", "migration"},
}

// familyOf returns the name of the group that a finding is in.
func familyOf(id string) string {
	for _, f := range families {
		if strings.HasPrefix(id, f.letters) {
			return f.name
		}
	}
	return "other"
}

// markdownText keeps Markdown from reading signs of a text as its own.
func markdownText(text string) string { return markdownSigns.Replace(text) }

var markdownSigns = strings.NewReplacer(`\`, `\\`, "*", `\*`, "_", `\_`, "`", "\\`", "<", "&lt;", "[", `\[`, "|", `\|`)

// listFindings prints the catalogue.
func listFindings(std streams) int {
	for _, k := range engine.FindingKinds() {
		if _, err := fmt.Fprintf(std.out, "%s %-8s %s [%s]\n", k.ID, k.Severity, k.What, strings.Join(k.Profiles, " ")); err != nil {
			return failed(std, err)
		}
	}
	return exitDone
}
