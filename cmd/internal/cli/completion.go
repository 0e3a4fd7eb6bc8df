package cli

import (
	"errors"
	"flag"
	"fmt"
	"strings"
)

const completionUse = `%[1]s completion bash|zsh|fish prints a script for this shell.
The shell then completes commands, flags and their values: crawlers, profiles,
formats, severities and files.

Examples:
  source <(%[1]s completion bash)                               bash, in ~/.bashrc
  %[1]s completion zsh > "${fpath[1]}/_%[1]s"            zsh, before compinit
  %[1]s completion fish > ~/.config/fish/completions/%[1]s.fish
`

func runCompletion(args []string, std Streams) int {
	f := flag.NewFlagSet("completion", flag.ContinueOnError)
	if code, ok := ParseFlags(f, args, Help{Use: fmt.Sprintf(completionUse, Current.Name)}, std); !ok {
		return code
	}
	if f.NArg() != 1 {
		return Usage(std, errors.New("completion needs the name of one shell: bash, zsh or fish"))
	}
	script := completionScripts[f.Arg(0)]
	if script == nil {
		return Usage(std, fmt.Errorf("no completion for %q. Choose bash, zsh or fish", f.Arg(0)))
	}
	if _, err := fmt.Fprint(std.Out, script(Current.Name, DescribeCommands())); err != nil {
		return Failed(std, err)
	}
	return ExitDone
}

// completionScripts write the script of each shell, from the flags of the commands.
var completionScripts = map[string]func(program string, commands []*description) string{"bash": bashCompletion, "zsh": zshCompletion, "fish": fishCompletion}

// forProgram replaces robots-audit in a text by the name of a program.
func forProgram(program, text string) string {
	return strings.NewReplacer("robots-audit", program, "robots_audit", strings.ReplaceAll(program, "-", "_")).Replace(text)
}

// sortedFlags are the flags of the command by name.
func (d *description) sortedFlags() (list []*flag.Flag) {
	d.Flags.VisitAll(func(fl *flag.Flag) { list = append(list, fl) })
	return list
}

// shortMeaning is the first sentence about a flag, for short help and completions.
func shortMeaning(fl *flag.Flag) string {
	_, meaning := flag.UnquoteUsage(fl)
	meaning, _, _ = strings.Cut(meaning, ". ")
	return meaning
}

// shellQuoted quotes a text as one word of a shell script.
func shellQuoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

func commandNames(commands []*description) (names []string) {
	for _, c := range commands {
		names = append(names, c.Name)
	}
	return names
}
