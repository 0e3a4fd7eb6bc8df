// Package cli is the common part of this module's programs. It has streams and exit codes, flags
// and help, completion and manual page, signals, and safe output on a terminal. A program registers
// itself with [Use] before anything else.
package cli

import (
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"strings"

	"robots-audit/cmd/internal/resources"
)

// Program describes a program.
type Program struct {
	Name     string
	About    string               // its purpose, in a paragraph
	Start    string               // the text after it if the program is called without arguments
	Tail     string               // the end of help
	First    func() *flag.FlagSet // flags shown with the list of commands; nil = none
	Commands []Command
	Topics   []Topic
	// otherwise handles arguments that begin with no command; ok = it accepted them.
	Otherwise func(args []string, std Streams) (code int, ok bool)

	ManTitle, ManArguments, ManUse string // of the manual page, in roff
}

// Topic is a subject of help that is no command.
type Topic struct {
	Name, About string
	Short, Text func() string // texts of help NAME and help NAME all
}

// Current is the program that runs.
var Current *Program

// Use sets the program that runs, and adds the commands that every program has.
func Use(p *Program) *Program {
	p.Commands = append(p.Commands,
		Command{Name: "completion", Summary: "print a script that completes commands and flags in bash, zsh or fish", Run: runCompletion, Operand: ShellName},
		Command{Name: "man", Summary: "print the manual page", Run: runMan},
		Command{Name: "version", Summary: "print the version", Run: runVersion},
		Command{Name: "help", Summary: "explain a command", Run: runHelp, Operand: CommandName})
	Current = p
	return p
}

// Main runs the program with the arguments and streams of its process, and ends it.
func (p *Program) Main() {
	watchSignals()
	resources.LimitMemory()
	log.SetOutput(io.Discard) // net/http logs servers that violate the protocol; the report describes them better
	Stop.exit(p.Run(os.Args[1:], Streams{os.Stdin, os.Stdout, os.Stderr}))
}

// Run finds the command and runs it.
func (p *Program) Run(args []string, std Streams) int {
	if len(args) == 0 {
		fmt.Fprintf(std.Err, "%s\n%s\nAll commands: %s help\n", p.About, p.Start, p.Name)
		return ExitUsage
	}
	switch args[0] {
	case "-h", "-help", "--help", "-?":
		return runHelp(nil, std)
	case "-version", "--version":
		return runVersion(nil, std)
	}
	for _, c := range p.Commands {
		if c.Name == args[0] {
			return c.Run(args[1:], std)
		}
	}
	if p.Otherwise != nil {
		if code, ok := p.Otherwise(args, std); ok {
			return code
		}
	}
	_, code := p.find(args[0], std)
	return code
}

// find finds a command by name; nil = unknown, which is reported, with the exit code.
func (p *Program) find(name string, std Streams) (*Command, int) {
	var names []string
	for i := range p.Commands {
		if p.Commands[i].Name == name {
			return &p.Commands[i], ExitDone
		}
		names = append(names, p.Commands[i].Name)
	}
	Complain(std.Err, "unknown command %q%s \"%s help\" lists all commands.", name, DidYouMean(name, names, ""), p.Name)
	return nil, ExitUsage
}

// topicsHelp lists the subjects of help that are no commands.
func (p *Program) topicsHelp() string {
	var b strings.Builder
	for _, t := range p.Topics {
		fmt.Fprintf(&b, "%s help %s explains %s.\n", p.Name, t.Name, t.About)
	}
	return b.String()
}
