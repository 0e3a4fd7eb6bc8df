package main

import (
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"robots-audit/audit/fleet"
	"robots-audit/audit/history"
	"robots-audit/engine/wording"
)

// shortHelp is what is said to somebody who calls the program without anything.
const shortHelp = `robots-audit tells which URLs of a site are blocked from crawling, for which
crawler, and by which line of robots.txt.

  robots-audit example.com           audit a site
  robots-audit -domains list.txt     audit a list of sites, one a line
  robots-audit demo                  see it work on built-in sites, without a network

"robots-audit help" says what else it does.
`

// manyFirst is how many of the flags that matter first a command has where they are shown first.
const manyFirst = 5

// printHelp prints a command's help and its flags, or gives them to whoever wants
// them as data. Where a command has many flags, the first are those that matter most.
func printHelp(std streams, f *flag.FlagSet, help string) int {
	if d, ok := std.out.(*description); ok {
		d.flags, d.help = f, help
		return exitDone
	}
	fmt.Fprint(std.out, help)
	n := 0
	f.VisitAll(func(*flag.Flag) { n++ })
	if n == 0 {
		return exitDone
	}
	groups, titles := groupedFlags(f)
	first := flagsOf(f, firstFlags)
	if len(first) < manyFirst {
		first = nil
	}
	if first != nil {
		fmt.Fprint(std.out, "\nMost used:\n")
		printFlags(std.out, first)
	}
	for i, group := range groups {
		group = slices.DeleteFunc(group, func(fl *flag.Flag) bool { return slices.Contains(first, fl) })
		if len(group) > 0 {
			fmt.Fprintf(std.out, "\n%s:\n", titles[i])
			printFlags(std.out, group)
		}
	}
	return exitDone
}

// printFlags prints flags with their meaning and their default, as flag.PrintDefaults does,
// but in lines that fit on a terminal.
func printFlags(w io.Writer, flags []*flag.Flag) {
	for _, fl := range flags {
		value, meaning := flagText(fl)
		fmt.Fprintf(w, "  -%s\n", strings.TrimSpace(fl.Name+" "+value))
		for _, line := range wrap(meaning, 72) {
			fmt.Fprintf(w, "      %s\n", line)
		}
	}
}

// flagText returns what a flag's value is called, "" where it takes none, and what the
// flag means, with its default.
func flagText(fl *flag.Flag) (value, meaning string) {
	value, meaning = flag.UnquoteUsage(fl)
	switch fl.DefValue {
	case "", "0", "0s", "false":
	default:
		meaning += " (default " + fl.DefValue + ")"
	}
	return value, meaning
}

// wrap breaks a text into lines of at most width bytes, but for longer words.
func wrap(text string, width int) (lines []string) {
	line := ""
	for word := range strings.FieldsSeq(text) {
		if line != "" && len(line)+1+len(word) > width {
			lines, line = append(lines, line), ""
		}
		line = strings.TrimPrefix(line+" "+word, " ")
	}
	return append(lines, line)
}

const helpHelp = `robots-audit help [COMMAND] explains a command with all its flags; without one it
lists the commands. robots-audit help -all explains every command, and robots-audit
help history the database of past runs: its views, and ten ready queries; help fleet
what a fleet keeps where: streams, bucket, the JSON of status, metrics.

Examples:
  robots-audit help audit
  robots-audit help -all | less
`

func runHelp(args []string, std streams) int {
	f := flag.NewFlagSet("help", flag.ContinueOnError)
	all := f.Bool("all", false, "explain every command")
	if code, ok := parseFlags(f, args, helpHelp, std); !ok {
		return code
	}
	switch {
	case *all:
		for i, c := range commands() {
			if i > 0 {
				fmt.Fprint(std.out, "\n", strings.Repeat("-", 72), "\n\n")
			}
			c.run([]string{"-h"}, std)
		}
		return exitDone
	case f.Arg(0) == "history":
		fmt.Fprint(std.out, history.Manual())
		return exitDone
	case f.Arg(0) == "fleet":
		fmt.Fprint(std.out, fleet.Manual())
		return exitDone
	case f.NArg() > 0:
		c, code := findCommand(f.Arg(0), std)
		if c == nil {
			return code
		}
		return c.run([]string{"-h"}, std)
	}
	fmt.Fprint(std.out, `robots-audit tells which URLs of a site are blocked from crawling, for which
crawler, and by which line of robots.txt.

  robots-audit SITE…      audit these sites
`)
	for _, c := range commands() {
		fmt.Fprintf(std.out, "  robots-audit %-10s %s\n", c.name, c.summary)
	}
	fmt.Fprint(std.out, `
Examples:
  robots-audit demo
  robots-audit example.com
  robots-audit -domains list.txt -out monday
  robots-audit check -crawler Googlebot robots.txt /private/page

The flags of an audit that matter first, before or after the sites:
`)
	var s settings
	for _, fl := range flagsOf(s.flags("audit"), firstFlags) {
		value, meaning := flagText(fl)
		for i, line := range wrap(meaning, 54) {
			name := ""
			if i == 0 {
				name = strings.TrimSpace("-" + fl.Name + " " + value)
			}
			fmt.Fprintf(std.out, "  %-18s %s\n", name, line)
		}
	}
	fmt.Fprint(std.out, `
"robots-audit help audit" lists all of them, "robots-audit help COMMAND" explains a command,
"robots-audit help history" the database of past runs, "robots-audit help fleet" what a fleet
keeps where.
`)
	return exitDone
}

// findCommand finds a command by name; nil = there is none, which has been told, with
// the exit code.
func findCommand(name string, std streams) (*command, int) {
	all := commands()
	var names []string
	for i := range all {
		if all[i].name == name {
			return &all[i], exitDone
		}
		names = append(names, all[i].name)
	}
	rest := ";"
	if meant := nearest(name, names); meant != "" {
		rest = ": did you mean " + meant + "?"
	}
	complain(std.err, "robots-audit: there is no command %q%s \"robots-audit help\" lists them", name, rest)
	return nil, exitUsage
}

// nearest is wording.Nearest for names that are typed by hand, of which people also
// leave out the end: "domian" is near "domains".
func nearest(name string, names []string) string {
	meant := wording.Nearest(name, names)
	for _, n := range names {
		if meant == "" && len(name) >= 4 && len(n) > len(name) {
			meant = wording.Nearest(name, []string{n[:len(name)]})
			if meant != "" {
				meant = n
			}
		}
	}
	return meant
}

// description is what a command says of itself, for completion and the manual page. As
// the output of a command that is asked for its help it takes that as data.
type description struct {
	command
	help  string
	flags *flag.FlagSet
}

// Write takes no text.
func (d *description) Write(p []byte) (int, error) { return len(p), nil }

// describeCommands asks every command for its help and its flags.
func describeCommands() (list []*description) {
	for _, c := range commands() {
		d := &description{command: c, flags: flag.NewFlagSet(c.name, flag.ContinueOnError)}
		c.run([]string{"-h"}, streams{strings.NewReader(""), d, io.Discard})
		list = append(list, d)
	}
	return list
}
