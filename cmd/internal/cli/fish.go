package cli

import (
	"fmt"
	"strings"
)

// fishCompletion makes the script for fish. Flags are completed with one dash and with two.
func fishCompletion(program string, commands []*description) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Completion of %[1]s for fish, made by: %[1]s completion fish\n\ncomplete -c %[1]s -f\n", program)
	names := commandNames(commands)
	for _, c := range commands {
		fmt.Fprintf(&b, "complete -c %s -n __fish_use_subcommand -a %s -d %s\n", program, c.Name, fishQuoted(c.Summary))
	}
	for _, c := range commands {
		when := "__fish_seen_subcommand_from " + c.Name
		if c.Name == "audit" { // the default command, whose name is optional
			when = "not __fish_seen_subcommand_from " + strings.TrimPrefix(strings.Join(names, " "), "audit ")
		}
		begin := "complete -c " + program + " -n " + fishQuoted(when)
		for _, fl := range c.sortedFlags() {
			value := ""
			switch by := c.completedBy(fl); {
			case by.none:
			case by.values != nil && by.list:
				value = " -x -a " + fishQuoted("(__fish_append , "+strings.Join(by.values, " ")+")")
			case by.values != nil:
				value = " -x -a " + fishQuoted(strings.Join(by.values, " "))
			case by.file:
				value = " -r -F"
			case by.folder:
				value = " -x -a '(__fish_complete_directories)'"
			default:
				value = " -x"
			}
			fmt.Fprintf(&b, "%s -o %s -l %[2]s%s -d %s\n", begin, fl.Name, value, fishQuoted(shortMeaning(fl)))
		}
		switch c.Operand {
		case File:
			fmt.Fprintf(&b, "%s -F\n", begin)
		case Folder:
			fmt.Fprintf(&b, "%s -x -a '(__fish_complete_directories)'\n", begin)
		case CommandName:
			fmt.Fprintf(&b, "%s -x -a %s\n", begin, fishQuoted(strings.Join(names, " ")))
		case ShellName:
			fmt.Fprintf(&b, "%s -x -a 'bash zsh fish'\n", begin)
		}
	}
	return b.String()
}

// fishQuoted quotes a text as one word of a fish script.
func fishQuoted(text string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(text) + "'"
}
