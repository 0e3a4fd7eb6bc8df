package fleetconfig

import (
	"flag"
	"strings"
	"testing"
)

func TestFill(t *testing.T) {
	var c Config
	f := flag.NewFlagSet("x", flag.ContinueOnError)
	c.Flags(f, "servers", "bucket", "region")
	const text = "workers = 3\n[fleet]\nservers = [\"tls://a:1\", \"tls://b:1\"]\nbucket = \"file:///b\"\nregion = \"eu\"\nsecrets = \"s\"\n"
	if err := Fill(f, "c.toml", text, map[string]bool{"region": true}); err != nil {
		t.Fatal(err)
	}
	if want := (Config{Servers: "tls://a:1,tls://b:1", Bucket: "file:///b", Region: DefaultRegion}); c != want {
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
		"[fleet]\nbuket = \"x\"\n": `c.toml: there is no setting "buket" in [fleet]: did you mean bucket?`,
		"[fleet]\nbucket = 3\n":    "c.toml: [fleet] bucket: want a text",
		"fleet = 3\n":              "c.toml: fleet is a table, as [fleet]",
	} {
		err := Fill(flag.NewFlagSet("x", flag.ContinueOnError), "c.toml", text, nil)
		if err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
