package clitest

import (
	"flag"
	"strings"
	"testing"

	"robots-audit/cmd/internal/cli"
)

// maxHelp is the maximum number of lines of a help page: those of a large terminal.
const maxHelp = 40

// ownGroups are groups of flags that only one command has.
var ownGroups = map[string]string{
	"Dashboard": "serve mcp", "Schedule and alerts": "schedule", "Findings": "lint", "Fleet": "submit worker node status", "Links": "audit submit",
}

// wanted are the correct groups of flags that were once in a wrong one.
var wanted = map[string]string{
	"serve listen": "Dashboard", "serve hosts": "Dashboard", "node listen": "Fleet", "worker listen": "Fleet", "status run": "Fleet", "verify run": "What to audit",
	"check timeout": "Requests", "lint markdown": "Findings", "verify markdown": "Output", "worker workers": "Fleet", "audit workers": "Requests", "check explain": "Output",
}

// HelpPages tests all help pages of the program that runs. call runs it.
func HelpPages(t *testing.T, call func(args ...string) (code int, out string)) {
	t.Helper()
	page := func(args ...string) string {
		t.Helper()
		code, text := call(args...)
		if code != cli.ExitDone || text == "" {
			t.Errorf("%q: exit code %d: %s", args, code, text)
		}
		return text
	}
	short := func(args ...string) string {
		t.Helper()
		text := page(args...)
		if n := strings.Count(text, "\n"); n > maxHelp {
			t.Errorf("%q: %d lines, want at most %d", args, n, maxHelp)
		}
		_, examples, _ := strings.Cut(text, "\nExamples:\n")
		examples, _, _ = strings.Cut(examples, "\n\n")
		if n := strings.Count(examples, "\n"); args[0] == "help" && len(args) > 1 && n > 5 || len(args) > 1 && examples == "" {
			t.Errorf("%q: %d lines of examples", args, n)
		}
		return text
	}
	list := short("help")
	if !strings.Contains(list, " help COMMAND all\n") {
		t.Error("help does not say how to see all flags")
	}
	for _, topic := range cli.Current.Topics {
		text, all := page("help", topic.Name), page("help", topic.Name, "all")
		if n := strings.Count(text, "\n"); n > maxHelp || len(all) <= len(text) || !strings.HasSuffix(text, " help "+topic.Name+" all\n") {
			t.Errorf("help %s: %d lines, want at most %d, and how to see the rest:\n%s", topic.Name, n, maxHelp, text)
		}
	}
	for _, c := range cli.DescribeCommands() {
		if !strings.Contains(list, " "+c.Name) && !strings.Contains(list, " "+c.Shown) {
			t.Errorf("help does not name %s", c.Name)
		}
		text := short("help", c.Name)
		if direct := page(c.Name, "-h"); direct != text {
			t.Errorf("%s -h is not help %[1]s:\n%s", c.Name, direct)
		}
		all := page("help", c.Name, "-all")
		if word := page("help", c.Name, "all"); word != all {
			t.Errorf("help %s all is not help %[1]s -all:\n%s", c.Name, word)
		}
		group, in := "", map[string]string{}
		for line := range strings.Lines(all) {
			line = strings.TrimSuffix(line, "\n")
			if name, ok := strings.CutPrefix(line, "  -"); ok && cli.IsGroup(group) {
				name, _, _ = strings.Cut(name, " ")
				if in[name] != "" {
					t.Errorf("%s: -%s is shown twice", c.Name, name)
				}
				in[name] = group
			} else if title, ok := strings.CutSuffix(line, ":"); ok && line[0] != ' ' {
				group = title
			} else if line != "" && line[0] != ' ' {
				group = ""
			}
		}
		if c.Help.Of != "" {
			if len(in) > 0 {
				t.Errorf("%s repeats the flags of %s: %v", c.Name, c.Help.Of, in)
			}
			continue
		}
		c.Flags.VisitAll(func(fl *flag.Flag) {
			got := in[fl.Name]
			delete(in, fl.Name)
			own := ownGroups[got]
			switch want := wanted[c.Name+" "+fl.Name]; {
			case got == "":
				t.Errorf("%s: -%s is not shown: write its name into one of FlagGroups (cmd/internal/cli/flags.go)", c.Name, fl.Name)
			case want != "" && got != want:
				t.Errorf("%s: -%s is in %q, want %q", c.Name, fl.Name, got, want)
			case own != "" && !strings.Contains(" "+own+" ", " "+c.Name+" "):
				t.Errorf("%s: -%s is in %q, which is for %s", c.Name, fl.Name, got, own)
			}
		})
		if len(in) > 0 {
			t.Errorf("%s has no flags %v", c.Name, in)
		}
	}
}
