package main

import (
	"path/filepath"
	"strings"
	"testing"

	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/clitest"
	"robots-audit/cmd/internal/scheduling"
)

// TestPlanSecondLook: -plan says that AL06 cannot come, where somebody would be told of it.
func TestPlanSecondLook(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		clitest.WriteFile(t, path, text)
		return path
	}
	list := write("list", "example.com\n")
	for text, want := range map[string]bool{
		"":                                      false,
		"[[alerts.file]]\npath = \"a.jsonl\"\n": true,
		"[alerts]\n[[alerts.file]]\npath = \"a\"\n!": false, // with second-look
	} {
		look := ""
		if strings.HasSuffix(text, "!") {
			text, look = strings.TrimSuffix(text, "!"), "second-look = true\n"
		}
		config := write("config.toml", look+"[history]\ndir = \"history\"\n[[schedule]]\nname = \"a\"\ncron = \"0 6 * * *\"\ndomains = \""+filepath.ToSlash(list)+"\"\n"+text)
		if code, said := call("schedule", "-config", config, "-plan"); code != cli.ExitDone || strings.Contains(said, scheduling.NotLookedFor) != want {
			t.Errorf("%q: exit code %d: %s", text, code, said)
		}
	}
}

// TestReindexWithoutConfig: what the configuration alone knows is not in a history that is
// made anew without it, which is said.
func TestReindexWithoutConfig(t *testing.T) {
	dir := t.TempDir()
	if code, said := call("schedule", "-reindex", dir); code != cli.ExitDone || !strings.Contains(said, "without -config the history is made without important URLs, watched crawlers and maintenance windows") {
		t.Errorf("exit code %d: %s", code, said)
	}
	config := filepath.Join(dir, "config.toml")
	clitest.WriteFile(t, config, "[history]\ndir = \"h\"\n[[schedule]]\nname = \"a\"\ncron = \"0 6 * * *\"\ndomains = \"list\"\n")
	clitest.Write(t, dir, map[string]string{"list": "example.com\n"})
	if code, said := call("schedule", "-reindex", dir, "-config", config); code != cli.ExitDone || strings.Contains(said, "without -config") {
		t.Errorf("exit code %d: %s", code, said)
	}
}
