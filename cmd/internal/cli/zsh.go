package cli

import (
	"flag"
	"fmt"
	"strings"
)

// zshFrame is the script for zsh, to be saved in fpath as _robots-audit or sourced. %[1]s are the
// commands with their descriptions, %[2]s the flags of each.
const zshFrame = `#compdef robots-audit
# Completion of robots-audit for zsh, made by: robots-audit completion zsh

_robots-audit() {
  local -a commands
  local command=audit
  commands=(
%[1]s  )
  if (( CURRENT > 2 && ${commands[(I)${words[2]}:*]} )); then
    command=${words[2]}
    shift words
    (( CURRENT-- ))
  elif (( CURRENT == 2 )) && [[ $PREFIX != -* ]]; then
    _describe -t commands command commands
    return
  fi
  case $command in
%[2]s  esac
}

_robots-audit_list() {
  compset -P '*,'
  compadd -q -S , -- "$@"
}

if [ "$funcstack[1]" = _robots-audit ]; then
  _robots-audit "$@"
elif (( $+functions[compdef] )); then
  compdef _robots-audit robots-audit
fi
`

func zshCompletion(program string, commands []*description) string {
	var names, flags strings.Builder
	escape := strings.NewReplacer(`\`, `\\`, `:`, `\:`, `[`, `\[`, `]`, `\]`)
	for _, c := range commands {
		fmt.Fprintf(&names, "    %s\n", shellQuoted(c.Name+":"+strings.ReplaceAll(c.Summary, ":", `\:`)))
		fmt.Fprintf(&flags, "  %s)\n    _arguments \\\n", c.Name)
		for _, fl := range c.sortedFlags() {
			value, _ := flag.UnquoteUsage(fl)
			action := ""
			switch by := c.completedBy(fl); {
			case by.none:
			case by.values != nil && by.list:
				action = ":" + escape.Replace(value) + forProgram(program, ":_robots-audit_list ") + strings.Join(by.values, " ")
			case by.values != nil:
				action = ":" + escape.Replace(value) + ":(" + strings.Join(by.values, " ") + ")"
			case by.file:
				action = ":" + escape.Replace(value) + ":_files"
			case by.folder:
				action = ":" + escape.Replace(value) + ":_files -/"
			default:
				action = ":" + escape.Replace(value) + ": "
			}
			fmt.Fprintf(&flags, "      '(-%[1]s --%[1]s)'{-%[1]s,--%[1]s}%[2]s \\\n", fl.Name, shellQuoted("["+escape.Replace(shortMeaning(fl))+"]"+action))
		}
		operand := map[Operand]string{
			File: "*:file:_files", Folder: "*:folder:_files -/",
			CommandName: "1:command:(" + strings.Join(commandNames(commands), " ") + ")", ShellName: "1:shell:(bash zsh fish)",
		}[c.Operand]
		if operand == "" {
			operand = "*:site: "
		}
		fmt.Fprintf(&flags, "      '(-help --help)'{-help,--help}'[explain the command]' \\\n      %s;;\n", shellQuoted(operand))
	}
	return fmt.Sprintf(forProgram(program, zshFrame), names.String(), flags.String())
}
