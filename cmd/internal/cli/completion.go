package cli

import (
	"errors"
	"flag"
	"fmt"

	"robots-audit/cmd/internal/shell"
)

const completionHelp = `%[1]s completion bash|zsh|fish prints a script by which that shell completes
commands, flags, and the values of flags: names of crawlers and profiles, formats,
severities, files.

Examples:
  source <(%[1]s completion bash)                               bash, in ~/.bashrc
  %[1]s completion zsh > "${fpath[1]}/_%[1]s"            zsh, before compinit
  %[1]s completion fish > ~/.config/fish/completions/%[1]s.fish
`

func runCompletion(args []string, std Streams) int {
	f := flag.NewFlagSet("completion", flag.ContinueOnError)
	if code, ok := ParseFlags(f, args, fmt.Sprintf(completionHelp, Current.Name), std); !ok {
		return code
	}
	if f.NArg() != 1 {
		return Usage(std, errors.New("completion takes one argument: bash, zsh or fish"))
	}
	script := shell.Scripts[f.Arg(0)]
	if script == nil {
		return Usage(std, fmt.Errorf("there is no completion for %q: want bash, zsh or fish", f.Arg(0)))
	}
	var commands []*shell.Command
	for _, d := range DescribeCommands() {
		commands = append(commands, &shell.Command{Name: d.Name, Summary: d.Summary, Flags: d.Flags, Operand: d.Operand})
	}
	if _, err := fmt.Fprint(std.Out, script(Current.Name, commands)); err != nil {
		return Failed(std, err)
	}
	return ExitDone
}
