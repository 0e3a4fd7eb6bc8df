package main

import (
	"flag"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"robots-audit/cmd/internal/audits"
	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/clitest"
)

// TestHelpPages checks that every help page has at most 40 lines. Every flag of every command must
// be on the page of all its flags, once and in a suitable group.
func TestHelpPages(t *testing.T) { clitest.HelpPages(t, call) }

// TestFlagValues checks that the flags accept the values that completion offers.
func TestFlagValues(t *testing.T) {
	script, err := os.ReadFile(completionScript(t, "fish"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"crawlers", "rows", "format", "kinds", "fail-on", "log-format"} {
		offer := regexp.MustCompile(` -n 'not .* -l ` + name + ` -x -a '(?:\(__fish_append , )?([^')]+)`).FindSubmatch(script) // the name of audit is optional
		if offer == nil {
			t.Errorf("-%s: no value is offered", name)
			continue
		}
		for value := range strings.FieldsSeq(string(offer[1])) {
			var s audits.Settings
			f := s.Flags("audit")
			if err := f.Set(name, value); err != nil {
				t.Error(err)
			}
			if err := s.Check(); err != nil {
				t.Errorf("-%s %s: %v", name, value, err)
			}
			if _, err := s.Auditor(); err != nil {
				t.Errorf("-%s %s: %v", name, value, err)
			}
		}
	}
}

func TestNearest(t *testing.T) {
	names := []string{"domains", "out", "rows", "max-urls", "max-sitemaps", "allow-private", "second-look"}
	for name, want := range map[string]string{
		"domain": "domains", "domian": "domains", "doamins": "domains", "max-url": "max-urls", "maxurls": "max-urls", "ROWS": "rows", "row": "rows",
		"second": "second-look", "secnod": "second-look", "x": "", "format": "", "": "",
	} {
		if got := cli.Nearest(name, names); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

// TestParseArgs reads flags before, between and after other arguments.
func TestParseArgs(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"a -x 1 b --y c", "1 true a b c"},
		{"-x=1 a -y=false", "1 false a"},
		{"a -x 1 -- -y b", "1 false a -y b"},
		{"-- -x 1", "0 false -x 1"},
		{"- -y", "0 true -"},
		{"", "0 false"},
	} {
		f := flag.NewFlagSet("test", flag.ContinueOnError)
		x, y := f.String("x", "0", ""), f.Bool("y", false, "")
		if err := cli.ParseArgs(f, strings.Fields(c.args)); err != nil {
			t.Errorf("%s: %v", c.args, err)
		}
		got := append([]string{*x, map[bool]string{true: "true", false: "false"}[*y]}, f.Args()...)
		if !slices.Equal(got, strings.Fields(c.want)) {
			t.Errorf("%s: %q, want %s", c.args, got, c.want)
		}
	}
}

// TestUnknownEnvironment warns only of variables that look like settings.
func TestUnknownEnvironment(t *testing.T) {
	var s audits.Settings
	got := cli.UnknownEnvironment(s.Flags("audit"), []string{"ROBOTS_AUDIT_MAX_URLS=3", "ROBOTS_AUDIT_MAX_URL=3", "HOME=/", "ROBOTS_AUDIT_FROBNICATION=secret", "robots_audit_out=x"})
	want := []string{
		"environment variable ROBOTS_AUDIT_MAX_URL is not a setting and is ignored. Did you mean ROBOTS_AUDIT_MAX_URLS?",
		"environment variable ROBOTS_AUDIT_FROBNICATION is not a setting and is ignored.",
		"environment variable robots_audit_out is not a setting and is ignored. Did you mean ROBOTS_AUDIT_OUT?",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// TestHelpDefaults: the short help of a command has the defaults of its flags.
func TestHelpDefaults(t *testing.T) {
	for command, want := range map[string]string{
		"serve": "address to listen on (default 127.0.0.1:7070)",
		"lint":  "critical or never (default error)",
		"audit": "critical or never (default: never)",
	} {
		if code, out := call("help", command); code != 0 || !strings.Contains(out, want) {
			t.Errorf("help %s does not say %q:\n%s", command, want, out)
		}
	}
}
