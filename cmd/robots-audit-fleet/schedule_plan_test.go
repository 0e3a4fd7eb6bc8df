package main

import (
	"path/filepath"
	"strings"
	"testing"

	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/clitest"
	"robots-audit/cmd/internal/scheduling"
)

// planned is a configuration of one schedule.
const planned = "[history]\ndir = \"h\"\n[[schedule]]\nname = \"a\"\ncron = \"0 6 * * *\"\ndomains = \"list\"\n"

// TestPlanOff: -plan says which alerts are off, if there is a channel for alerts.
func TestPlanOff(t *testing.T) {
	dir := t.TempDir()
	const file = "[[alerts.file]]\npath = \"a.jsonl\"\n"
	for _, c := range []struct {
		settings, alerts string
		look, ask        bool // they are off
	}{{"", "", false, false}, {"", file, true, true}, {"second-look = true\n", file, false, true}, {"ask-as = \"GPTBot\"\n", file, true, false}} {
		clitest.Write(t, dir, map[string]string{"list": "example.com\n", "config.toml": c.settings + planned + c.alerts})
		code, said := call("schedule", "-config", filepath.Join(dir, "config.toml"), "-plan")
		if code != cli.ExitDone || strings.Contains(said, scheduling.NotLookedFor) != c.look || strings.Contains(said, scheduling.NotAskedAs) != c.ask {
			t.Errorf("%+v: exit code %d: %s", c, code, said)
		}
	}
}

// TestReindexWithoutConfig: a history rebuilt without the configuration lacks its data, and the
// output says so.
func TestReindexWithoutConfig(t *testing.T) {
	dir := t.TempDir()
	if code, said := call("schedule", "-reindex", dir); code != cli.ExitDone || !strings.Contains(said, "without -config the new history has no important URLs, watched crawlers or maintenance windows") {
		t.Errorf("exit code %d: %s", code, said)
	}
	clitest.Write(t, dir, map[string]string{"list": "example.com\n", "config.toml": planned})
	if code, said := call("schedule", "-reindex", dir, "-config", filepath.Join(dir, "config.toml")); code != cli.ExitDone || strings.Contains(said, "without -config") {
		t.Errorf("exit code %d: %s", code, said)
	}
}
