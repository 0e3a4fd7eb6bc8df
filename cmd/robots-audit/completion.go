package main

import (
	"errors"
	"flag"
	"fmt"

	"robots-audit/cmd/robots-audit/internal/shell"
)

const completionHelp = `robots-audit completion bash|zsh|fish prints a script by which that shell completes
commands, flags, and the values of flags: names of crawlers and profiles, formats,
severities, files.

Examples:
  source <(robots-audit completion bash)                               bash, in ~/.bashrc
  robots-audit completion zsh > "${fpath[1]}/_robots-audit"            zsh, before compinit
  robots-audit completion fish > ~/.config/fish/completions/robots-audit.fish
`

func runCompletion(args []string, std streams) int {
	f := flag.NewFlagSet("completion", flag.ContinueOnError)
	if code, ok := parseFlags(f, args, completionHelp, std); !ok {
		return code
	}
	if f.NArg() != 1 {
		return usage(std, errors.New("completion takes one argument: bash, zsh or fish"))
	}
	script := shell.Scripts[f.Arg(0)]
	if script == nil {
		return usage(std, fmt.Errorf("there is no completion for %q: want bash, zsh or fish", f.Arg(0)))
	}
	var commands []*shell.Command
	for _, d := range describeCommands() {
		commands = append(commands, &shell.Command{Name: d.name, Summary: d.summary, Flags: d.flags, Operand: d.operand})
	}
	if _, err := fmt.Fprint(std.out, script(commands)); err != nil {
		return failed(std, err)
	}
	return exitDone
}
