package cli

import (
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"robots-audit/engine/wording"
)

// manyFirst is how many of the flags that matter first a command has where they are shown first.
const manyFirst = 5

// PrintHelp prints a command's help and its flags, or gives them to whoever wants
// them as data. Where a command has many flags, the first are those that matter most.
func PrintHelp(std Streams, f *flag.FlagSet, help string) int {
	if d, ok := std.Out.(*description); ok {
		d.Flags, d.Help = f, help
		return ExitDone
	}
	fmt.Fprint(std.Out, help)
	n := 0
	f.VisitAll(func(*flag.Flag) { n++ })
	if n == 0 {
		return ExitDone
	}
	groups, titles := groupedFlags(f)
	first := FlagsOf(f, FirstFlags)
	if len(first) < manyFirst {
		first = nil
	}
	if first != nil {
		fmt.Fprint(std.Out, "\nMost used:\n")
		printFlags(std.Out, first)
	}
	for i, group := range groups {
		group = slices.DeleteFunc(group, func(fl *flag.Flag) bool { return slices.Contains(first, fl) })
		if len(group) > 0 {
			fmt.Fprintf(std.Out, "\n%s:\n", titles[i])
			printFlags(std.Out, group)
		}
	}
	return ExitDone
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

const helpHelp = `%[1]s help [COMMAND] explains a command with all its flags; without one it
lists the commands. %[1]s help -all explains every command.
%[3]s
Examples:
  %[1]s help %[2]s
  %[1]s help -all | less
`

func runHelp(args []string, std Streams) int {
	f := flag.NewFlagSet("help", flag.ContinueOnError)
	all := f.Bool("all", false, "explain every command")
	if code, ok := ParseFlags(f, args, fmt.Sprintf(helpHelp, Current.Name, Current.Commands[0].Name, Current.topicsHelp()), std); !ok {
		return code
	}
	if *all {
		for i, c := range Current.Commands {
			if i > 0 {
				fmt.Fprint(std.Out, "\n", strings.Repeat("-", 72), "\n\n")
			}
			c.Run([]string{"-h"}, std)
		}
		return ExitDone
	}
	if f.NArg() == 0 {
		Current.list(std.Out)
		return ExitDone
	}
	for _, t := range Current.Topics {
		if t.Name == f.Arg(0) {
			fmt.Fprint(std.Out, t.Text())
			return ExitDone
		}
	}
	c, code := Current.find(f.Arg(0), std)
	if c == nil {
		return code
	}
	return c.Run([]string{"-h"}, std)
}

// list lists the commands, with what is said before and after them.
func (p *Program) list(w io.Writer) {
	fmt.Fprint(w, p.Head)
	for _, c := range p.Commands {
		fmt.Fprintf(w, "  %s %-10s %s\n", p.Name, c.Name, c.Summary)
	}
	fmt.Fprint(w, p.Examples)
	if p.First != nil {
		fmt.Fprint(w, "\nThe flags of an audit that matter first, before or after the sites:\n")
		for _, fl := range FlagsOf(p.First(), FirstFlags) {
			value, meaning := flagText(fl)
			for i, line := range wrap(meaning, 54) {
				name := ""
				if i == 0 {
					name = strings.TrimSpace("-" + fl.Name + " " + value)
				}
				fmt.Fprintf(w, "  %-18s %s\n", name, line)
			}
		}
	}
	fmt.Fprint(w, p.Tail)
}

// Nearest is wording.Nearest for names that are typed by hand, of which people also
// leave out the end: "domian" is near "domains".
func Nearest(name string, names []string) string {
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
	Command
	Help  string
	Flags *flag.FlagSet
}

// Write takes no text.
func (d *description) Write(p []byte) (int, error) { return len(p), nil }

// DescribeCommands asks every command for its help and its flags.
func DescribeCommands() (list []*description) {
	for _, c := range Current.Commands {
		d := &description{Command: c, Flags: flag.NewFlagSet(c.Name, flag.ContinueOnError)}
		c.Run([]string{"-h"}, Streams{strings.NewReader(""), d, io.Discard})
		list = append(list, d)
	}
	return list
}
