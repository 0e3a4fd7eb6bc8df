// Package shell makes the scripts by which shells complete the program's commands,
// flags, and the values of flags. A script is made of what the commands say of
// themselves, so that a new flag is completed without a line here; flagValues lists
// the values of those that take one of a few.
package shell

import (
	"flag"
	"strings"
)

// Command is a command as a shell completes it.
type Command struct {
	Name, Summary string
	Flags         *flag.FlagSet
	Operand       Operand
}

// Operand is what the arguments of a command are that are no flags.
type Operand int

// The kinds of arguments.
const (
	None Operand = iota // or what nobody can list
	File
	Folder
	CommandName
	ShellName
)

// Scripts make the script of a shell for a program, by the shell's name.
var Scripts = map[string]func(program string, commands []*Command) string{"bash": bashCompletion, "zsh": zshCompletion, "fish": fishCompletion}

// named puts the name of a program into a text that is written for robots-audit.
func named(program, text string) string {
	return strings.NewReplacer("robots-audit", program, "robots_audit", strings.ReplaceAll(program, "-", "_")).Replace(text)
}

// flags are the flags of a command in the order of their names.
func (c *Command) flags() (list []*flag.Flag) {
	c.Flags.VisitAll(func(fl *flag.Flag) { list = append(list, fl) })
	return list
}

// shortMeaning is the beginning of what a flag means, for a list of completions.
func shortMeaning(fl *flag.Flag) string {
	_, meaning := flag.UnquoteUsage(fl)
	meaning, _, _ = strings.Cut(meaning, ";")
	meaning, _, _ = strings.Cut(meaning, ": ")
	return meaning
}

// shellQuoted is a text as a word of a shell script.
func shellQuoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// commandNames are the names of commands.
func commandNames(commands []*Command) (names []string) {
	for _, c := range commands {
		names = append(names, c.Name)
	}
	return names
}
