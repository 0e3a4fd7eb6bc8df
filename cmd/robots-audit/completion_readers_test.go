//go:build readers

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/clitest"
)

// TestReadersCompletionZsh loads the script into zsh, from fpath and as a source, and completes as
// on a terminal: the words are the arguments of compadd.
func TestReadersCompletionZsh(t *testing.T) {
	script, dir := completionScript(t, "zsh"), completionFolder(t)
	if out, err := exec.Command("zsh", "-n", script).CombinedOutput(); err != nil || len(out) > 0 {
		t.Fatalf("%v: %s", err, out)
	}
	for name, load := range map[string]string{
		"fpath":  "fpath=(" + filepath.Dir(script) + " $fpath); autoload -U compinit; compinit -D -u",
		"source": "autoload -U compinit; compinit -D -u; source " + script,
	} {
		cmd := exec.Command("zsh", "-f", "-c", load+"; print -r -- $_comps[robots-audit]; whence -w _robots-audit")
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil || string(out) != "_robots-audit\n_robots-audit: function\n" {
			t.Errorf("%s: %v: %s", name, err, out)
		}
	}
	var driver strings.Builder
	fmt.Fprintf(&driver, zshDriver, filepath.Dir(script))
	for _, c := range completions {
		fmt.Fprintf(&driver, "try '%s'\n", c.typed)
	}
	cmd := exec.Command("zsh", "-f", "-c", driver.String())
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	checkCompletions(t, out)
}

// zshDriver starts a zsh on a pseudo-terminal, in which a tab prints the offered words between two
// marks.
const zshDriver = `zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z 'PS1=; fpath=(%[1]s $fpath); autoload -U compinit; compinit -D -u
  compadd() { if [[ ${@[1,(i)(-|--)]} == *-(O|A|D)\ * ]]; then builtin compadd "$@"; return; fi
    local -a __hits; builtin compadd -A __hits "$@"; builtin compadd "$@"; hits+=("${(@)__hits/#/$IPREFIX}") }
  show() { typeset -ga hits=(); zle complete-word; print -r -- "<<${(j: :)hits}>>"; BUFFER=; zle accept-line }
  zle -N show; bindkey "^I" show; setopt no_list_beep; zstyle ":completion:*" list-prompt ""; print READY'
zpty -r z reply '*READY*READY*'
try() {
  local text
  zpty -w -n z "$1"$'\t'
  zpty -r z text '*<<*>>*'
  text=${text##*<<}
  print -r -- "${text%%%%>>*}"
}
`

// TestReadersCompletionFish completes with the script in fish.
func TestReadersCompletionFish(t *testing.T) {
	script := completionScript(t, "fish")
	if out, err := exec.Command("fish", "--no-execute", script).CombinedOutput(); err != nil || len(out) > 0 {
		t.Fatalf("%v: %s", err, out)
	}
	driver := "source " + script + "\n"
	for _, c := range completions {
		driver += fmt.Sprintf("echo (complete -C '%s' | string replace -r '\\t.*' '')\n", c.typed)
	}
	cmd := exec.Command("fish", "--no-config", "-c", driver)
	cmd.Dir, cmd.Stderr = completionFolder(t), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	checkCompletions(t, out)
}

// TestReadersMan formats the manual page without a warning.
func TestReadersMan(t *testing.T) {
	name := filepath.Join(t.TempDir(), "robots-audit.1")
	clitest.WriteFile(t, name, cli.ManPage(cli.DescribeCommands()))
	for _, args := range [][]string{{"mandoc", "-T", "lint", "-W", "warning", name}, {"groff", "-man", "-ww", "-z", name}} {
		if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%s: %v: %s", args[0], err, out)
		}
	}
	out, err := exec.Command("mandoc", "-T", "utf8", name).Output()
	if err != nil || len(out) < 10_000 {
		t.Errorf("%d bytes: %v", len(out), err)
	}
}
