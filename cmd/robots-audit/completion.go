package main

import (
	"errors"
	"flag"
	"fmt"
	"strings"
)

const completionHelp = `robots-audit completion bash|zsh|fish prints a script by which that shell completes
commands, flags, and the values of flags: names of crawlers and profiles, formats,
severities, files.

Examples:
  source <(robots-audit completion bash)                               bash, in ~/.bashrc
  robots-audit completion zsh > "${fpath[1]}/_robots-audit"            zsh, before compinit
  robots-audit completion fish > ~/.config/fish/completions/robots-audit.fish
`

// shells are the shells that completion knows, with what makes a script of the commands.
var shells = map[string]func([]*description) string{"bash": bashCompletion, "zsh": zshCompletion, "fish": fishCompletion}

func runCompletion(args []string, std streams) int {
	f := flag.NewFlagSet("completion", flag.ContinueOnError)
	if code, ok := parseFlags(f, args, completionHelp, std); !ok {
		return code
	}
	if f.NArg() != 1 {
		return usage(std, errors.New("completion takes one argument: bash, zsh or fish"))
	}
	script := shells[f.Arg(0)]
	if script == nil {
		return usage(std, fmt.Errorf("there is no completion for %q: want bash, zsh or fish", f.Arg(0)))
	}
	if _, err := fmt.Fprint(std.out, script(describeCommands())); err != nil {
		return failed(std, err)
	}
	return exitDone
}

// describedFlags are the flags of a command in the order of their names.
func describedFlags(d *description) (list []*flag.Flag) {
	d.flags.VisitAll(func(fl *flag.Flag) { list = append(list, fl) })
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
func commandNames(commands []*description) (names []string) {
	for _, c := range commands {
		names = append(names, c.name)
	}
	return names
}
