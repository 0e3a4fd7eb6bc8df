package configfile

import (
	"flag"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
)

func TestFill(t *testing.T) {
	var c Fleet
	f := flag.NewFlagSet("x", flag.ContinueOnError)
	c.Flags(f, "servers", "bucket", "region")
	const text = "workers = 3\n[fleet]\nservers = [\"tls://a:1\", \"tls://b:1\"]\nbucket = \"file:///b\"\nregion = \"eu\"\nsecrets = \"s\"\n"
	if err := FillFleet(f, "c.toml", text, map[string]bool{"region": true}); err != nil {
		t.Fatal(err)
	}
	if want := (Fleet{Servers: "tls://a:1,tls://b:1", Bucket: "file:///b", Region: DefaultRegion}); c != want {
		t.Errorf("%+v, want %+v", c, want)
	}
	if err := c.Missing("worker", "servers", "bucket"); err != nil {
		t.Error(err)
	}
	if err := c.Missing("worker", "secrets"); err == nil || !strings.Contains(err.Error(), "worker needs -secrets: the folder") {
		t.Error(err)
	}
}

func TestFillErrors(t *testing.T) {
	for text, want := range map[string]string{
		"[fleet]\nbuket = \"x\"\n": `c.toml:2: unknown setting "buket" in [fleet]. Did you mean bucket?`,
		"\nfleet = 3\n":            "c.toml:2: fleet is not a table. Write [fleet], and its settings below it",
		"\n[[fleet]]\n":            "c.toml:2: fleet is not a table. Write [fleet], and its settings below it",
	} {
		err := FillFleet(flag.NewFlagSet("x", flag.ContinueOnError), "c.toml", text, nil)
		if err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// Each key is refused with its line for each wrong type; only servers may be a list.
func TestFillTypes(t *testing.T) {
	for _, m := range meanings {
		for _, value := range []string{"3", "0.5", "true", "2026-11-26", `["a", 3]`, `[["a"]]`, `{ a = "x" }`, `[{ a = "x" }]`, `["a", "b"]`} {
			text := "workers = 3\n[fleet]\n" + m.name + " = " + value + "\n"
			err := FillFleet(flag.NewFlagSet("x", flag.ContinueOnError), "c.toml", text, nil)
			if list := m.name == "servers" && value == `["a", "b"]`; list != (err == nil) || !list && !strings.HasPrefix(err.Error(), "c.toml:3: [fleet] "+m.name+": expected ") {
				t.Errorf("%s: %v", text, err)
			}
		}
	}
}

// A Windows path in double quotes is no valid TOML: the error says what to write instead.
func TestSyntaxError(t *testing.T) {
	for text, want := range map[string]string{
		`dir = "C:\users\h"`:  `f.toml:1: this line is not TOML. Expected single quotes around a text with \, such as 'C:\robots'`,
		`dir = "C:\data"`:     `single quotes around`,
		"a = 1\nb = 2\na = 3": `f.toml:3: the key or table of this line is in the file twice. Remove one of the two`,
		"[a]\nb = 2\n[a]":     `f.toml:3: the key or table of this line is in the file twice. Remove one of the two`,
		`dir = `:              `f.toml:1: this line is not TOML. Expected key = value, such as out = "monday"`,
	} {
		_, err := toml.Decode(text, new(map[string]any))
		got := SyntaxError("f.toml", err).Error()
		if !strings.Contains(got, want) || strings.Contains(got, "quotes") != strings.Contains(text, `\`) {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
