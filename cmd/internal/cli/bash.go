package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// bashFrame is the script for bash 3.2 and later. %[1]s are the names of the commands and %[2]s the
// flags of each. %[3]s completes the value of a flag by command and flag, and %[4]s other arguments
// by command.
const bashFrame = `# Completion of robots-audit for bash, made by: robots-audit completion bash

_robots_audit() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}
  local commands='%[1]s' command=audit flags dashes IFS=$'\n'
  COMPREPLY=()
  case " $commands " in *" ${COMP_WORDS[1]} "*) command=${COMP_WORDS[1]};; esac
  if [ "$cur" = "=" ]; then # bash takes -flag=value for three words
    cur=
  elif [ "$prev" = "=" ]; then
    prev=${COMP_WORDS[COMP_CWORD-2]}
  fi
  case "$command ${prev/#--/-}" in
%[3]s  esac
  if [[ $cur == -* ]]; then
    case $command in
%[2]s    esac
    dashes=-
    if [[ $cur == --* ]]; then dashes=--; fi
    COMPREPLY=($(compgen -P "$dashes" -W "${flags// /$IFS}" -- "${cur#"$dashes"}"))
    return
  fi
  if [ "$COMP_CWORD" = 1 ]; then
    COMPREPLY=($(compgen -W "${commands// /$IFS}" -- "$cur"))
    return
  fi
  case $command in
%[4]s  esac
}

# _robots_audit_list completes the last of the values with commas between them.
_robots_audit_list() {
  local IFS=$'\n' before=
  case $cur in *,*) before=${cur%%,*},;; esac
  COMPREPLY=($(compgen -P "$before" -W "${1// /$IFS}" -- "${cur##*,}"))
}

_robots_audit_files() {
  local IFS=$'\n'
  compopt -o filenames 2>/dev/null
  COMPREPLY=($(compgen "$1" -- "$cur"))
}

complete -F _robots_audit robots-audit
`

func bashCompletion(program string, commands []*description) string {
	var flags, values, operands strings.Builder
	byAction := map[string][]string{} // pairs of command and flag, by the action that completes the value
	for _, c := range commands {
		var names []string
		for _, fl := range c.sortedFlags() {
			names = append(names, fl.Name)
			action := ""
			switch by := c.completedBy(fl); {
			case by.none:
				continue
			case by.values != nil && by.list:
				action = forProgram(program, "_robots_audit_list ") + shellQuoted(strings.Join(by.values, " "))
			case by.values != nil:
				action = "COMPREPLY=($(compgen -W " + shellQuoted(strings.Join(by.values, "\n")) + ` -- "$cur"))`
			case by.file:
				action = forProgram(program, "_robots_audit_files -f")
			case by.folder:
				action = forProgram(program, "_robots_audit_files -d")
			}
			byAction[action] = append(byAction[action], shellQuoted(c.Name+" -"+fl.Name))
		}
		fmt.Fprintf(&flags, "    %s) flags=%s;;\n", c.Name, shellQuoted(strings.Join(append(names, "help"), " ")))
		action := map[Operand]string{
			File: forProgram(program, "_robots_audit_files -f"), Folder: forProgram(program, "_robots_audit_files -d"),
			CommandName: `COMPREPLY=($(compgen -W "${commands// /$IFS}" -- "$cur"))`,
			ShellName:   "COMPREPLY=($(compgen -W " + shellQuoted("bash\nzsh\nfish") + ` -- "$cur"))`,
		}[c.Operand]
		if action != "" {
			fmt.Fprintf(&operands, "  %s) %s;;\n", c.Name, action)
		}
	}
	for _, action := range slices.Sorted(maps.Keys(byAction)) {
		fmt.Fprintf(&values, "  %s) %s return;;\n", strings.Join(byAction[action], "|"), strings.TrimPrefix(action+";", ";"))
	}
	return fmt.Sprintf(forProgram(program, bashFrame), strings.Join(commandNames(commands), " "), flags.String(), values.String(), operands.String())
}
