package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPlanSecondLook: -plan says that AL06 cannot come, where somebody would be told of it.
func TestPlanSecondLook(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
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
		config := write("config.toml", look+"[history]\ndir = \"history\"\n[[schedule]]\nname = \"a\"\ncron = \"0 6 * * *\"\ndomains = \""+list+"\"\n"+text)
		if code, said := endedIn("schedule", "-config", config, "-plan"); code != exitDone || strings.Contains(said, notLookedFor) != want {
			t.Errorf("%q: exit code %d: %s", text, code, said)
		}
	}
}
