package cli

import (
	"cmp"
	"flag"
	"fmt"
	"io"
	"strings"

	"robots-audit/engine/wording"
)

// Help is the help text of a command, without its flags.
type Help struct {
	Use  string // purpose, and at most five examples
	Exit string // its exit codes
	More string // only in help COMMAND all
	Of   string // command that has the same flags and lists them; "" = none
}

// PrintHelp prints the short help of a command. If std.Out is a description, it stores help and
// flags there instead.
func PrintHelp(std Streams, f *flag.FlagSet, help Help) int {
	d, ok := std.Out.(*description)
	if !ok {
		(&description{Command{Name: f.Name()}, help, f}).print(std.Out, false)
		return ExitDone
	}
	d.Flags, d.Help = f, help
	return ExitDone
}

// print prints the help of a command: the part that most users need, or all of it.
func (d *description) print(w io.Writer, all bool) {
	fmt.Fprint(w, d.Help.Use)
	groups, titles := groupedFlags(d.Flags)
	n, most := 0, mostFlags(d.Flags)
	for _, group := range groups {
		n += len(group)
	}
	if all && d.Help.More != "" {
		fmt.Fprint(w, "\n", d.Help.More)
	}
	switch {
	case d.Help.Of != "":
		fmt.Fprintf(w, "\nFlags: those of \"%s help %s all\".\n", Current.Name, d.Help.Of)
	case all:
		for i, group := range groups {
			fmt.Fprintf(w, "\n%s:\n", titles[i])
			printFlags(w, group)
		}
	case len(most) > 0:
		fmt.Fprintln(w, "\nFlags:")
		printShort(w, most)
	}
	if d.Help.Exit != "" {
		fmt.Fprint(w, "\n", d.Help.Exit)
	}
	if !all && (d.Help.More != "" || d.Help.Of == "" && len(most) < n) {
		fmt.Fprintf(w, "\nAll details and flags: %s help %s all\n", Current.Name, d.Name)
	}
}

// printShort prints the beginning of the meaning of flags, and their defaults, in two columns.
func printShort(w io.Writer, flags []*flag.Flag) {
	for _, fl := range flags {
		value, _ := flag.UnquoteUsage(fl)
		name := strings.TrimSpace("-" + fl.Name + " " + value)
		for _, line := range wrap(shortMeaning(fl)+defaultWords(fl), 66) {
			fmt.Fprintf(w, "  %-19s %s\n", name, line)
			name = ""
		}
	}
}

// printFlags prints flags with their meaning and default, as flag.PrintDefaults does, but in lines
// that fit on a terminal.
func printFlags(w io.Writer, flags []*flag.Flag) {
	for _, fl := range flags {
		value, meaning := flagText(fl)
		fmt.Fprintf(w, "  -%s\n", strings.TrimSpace(fl.Name+" "+value))
		for _, line := range wrap(meaning, 72) {
			fmt.Fprintf(w, "      %s\n", line)
		}
	}
}

// flagText returns the name of a flag's value, "" if it takes none, and the meaning of the flag
// with its default.
func flagText(fl *flag.Flag) (value, meaning string) {
	value, meaning = flag.UnquoteUsage(fl)
	return value, meaning + defaultWords(fl)
}

// defaultWords say what a flag's default is; "" = none, or nothing.
func defaultWords(fl *flag.Flag) string {
	switch fl.DefValue {
	case "", "0", "0s", "false":
		return ""
	}
	return " (default " + fl.DefValue + ")"
}

// wrap breaks a text into lines of at most width bytes, except for longer words.
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

const helpUse = `%[1]s help lists the commands.
%[1]s help COMMAND explains one, with the flags that most people need.
%[1]s help COMMAND all lists all its flags.
%[1]s help all explains every command.
%[3]s
Examples:
  %[1]s help %[2]s
  %[1]s help %[2]s all
  %[1]s help all | less
`

func runHelp(args []string, std Streams) int {
	f := flag.NewFlagSet("help", flag.ContinueOnError)
	all := f.Bool("all", false, "explain everything: all flags, or all commands")
	help := Help{Use: fmt.Sprintf(helpUse, Current.Name, Current.Commands[0].Name, Current.topicsHelp())}
	if code, ok := ParseFlags(f, args, help, std); !ok {
		return code
	}
	names := f.Args()
	if n := len(names); n > 0 && names[n-1] == "all" {
		*all, names = true, names[:n-1]
	}
	switch {
	case len(names) == 0 && *all:
		for i, d := range DescribeCommands() {
			if i > 0 {
				fmt.Fprint(std.Out, "\n", strings.Repeat("-", 72), "\n\n")
			}
			d.print(std.Out, true)
		}
		return ExitDone
	case len(names) == 0:
		Current.list(std.Out)
		return ExitDone
	}
	for _, t := range Current.Topics {
		if t.Name == names[0] {
			if *all {
				fmt.Fprint(std.Out, t.Text())
			} else {
				fmt.Fprintf(std.Out, "%s\nAll details: %s help %s all\n", t.Short(), Current.Name, t.Name)
			}
			return ExitDone
		}
	}
	c, code := Current.find(names[0], std)
	if c != nil {
		c.describe().print(std.Out, *all)
	}
	return code
}

// list lists the commands by group, with the text before and after them.
func (p *Program) list(w io.Writer) {
	fmt.Fprint(w, p.About)
	group, others := "", []string{}
	for _, c := range p.Commands {
		if c.Group == "" {
			others = append(others, c.Name)
			continue
		}
		if c.Group != group {
			group = c.Group
			fmt.Fprintf(w, "\n%s:\n", group)
		}
		fmt.Fprintf(w, "  %s %-9s %s\n", p.Name, cmp.Or(c.Shown, c.Name), c.Summary)
	}
	if p.First != nil {
		fmt.Fprintln(w, "\nFlags of an audit:")
		printShort(w, mostFlags(p.First()))
	}
	fmt.Fprintf(w, "\nOther commands: %s.\n%s", strings.Join(others, ", "), p.Tail)
}

// Nearest is wording.Nearest for names typed by hand, which people also abbreviate: "domian" is
// near "domains".
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

// description is the help of a command as data, for completion and the manual page. PrintHelp fills
// it if it is the command's output.
type description struct {
	Command
	Help  Help
	Flags *flag.FlagSet
}

// Write ignores text.
func (d *description) Write(p []byte) (int, error) { return len(p), nil }

// describe gets the help and flags of a command.
func (c Command) describe() *description {
	d := &description{Command: c, Flags: flag.NewFlagSet(c.Name, flag.ContinueOnError)}
	c.Run([]string{"-h"}, Streams{strings.NewReader(""), d, io.Discard})
	return d
}

// DescribeCommands describes every command.
func DescribeCommands() (list []*description) {
	for _, c := range Current.Commands {
		list = append(list, c.describe())
	}
	return list
}
