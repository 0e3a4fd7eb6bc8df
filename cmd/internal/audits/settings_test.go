package audits

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/google/go-cmp/cmp"

	"robots-audit/cmd/internal/cli"
)

// TestConfigToml checks that the top level of config.toml has the same settings as the flags, with
// the same defaults.
func TestConfigToml(t *testing.T) {
	var file map[string]any
	if _, err := toml.DecodeFile(filepath.Join("..", "..", "..", "config.toml"), &file); err != nil {
		t.Fatal(err)
	}
	delete(file, "lint") // the command lint has no flags for it
	if brief, ok := file[briefTable].(map[string]any); ok {
		delete(file, briefTable)
		for key, value := range brief {
			file[briefTable+"-"+key] = value
		}
	}
	got := map[string]string{}
	for key, value := range file {
		got[key] = fmt.Sprint(value)
		if list, ok := value.([]any); ok && len(list) == 0 {
			got[key] = ""
		}
	}
	want := map[string]string{}
	var s Settings
	s.Flags("audit").VisitAll(func(fl *flag.Flag) {
		if !perRun[fl.Name] {
			want[fl.Name] = fl.DefValue
		}
	})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("flags (-) and config.toml (+) differ:\n%s", diff)
	}
}

func TestPrecedence(t *testing.T) {
	file := filepath.Join(t.TempDir(), "config.toml")
	text := "# settings\nworkers = 3\nout = \"file\"\ntimeout = \"7s\"\nconnect-to = [\":80:127.0.0.1:1\", \":443:127.0.0.1:2\"]\n"
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	environ := map[string]string{"ROBOTS_AUDIT_OUT": "environment", "ROBOTS_AUDIT_WORKERS": "4", "ROBOTS_AUDIT_CONFIG": file}
	var s Settings
	err := s.Load(s.Flags("audit"), []string{"-workers", "5"}, func(name string) (string, bool) { v, ok := environ[name]; return v, ok })
	if err != nil {
		t.Fatal(err)
	}
	got := []string{fmt.Sprint(s.Workers), s.Out, s.timeout.String(), s.ConnectTo.String(), s.Options.Rows}
	want := []string{"5", "environment", "7s", ":80:127.0.0.1:1 :443:127.0.0.1:2", "blocked"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestConfigErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"workers = 3\nworker = 4\n", "config.toml:2: unknown setting \"worker\""},
		{"\n\nworkers = \"many\"\n", "config.toml:3: workers = "},
		{"workers = 3\nout = \n", "config.toml:2: "},
		{"config = \"other.toml\"\n", "config.toml:1: unknown setting \"config\""},
		{"workers = 3\n[lint]\nignore = [{ id = \"RUL005\" }]\n", "config.toml:3: RUL005 is ignored without a reason"},
		{"[brief]\nname = 3\n", "config.toml:2: brief.name = \"3\": expected text"},
		{"[brief]\nnames = \"x\"\n", "config.toml:2: unknown setting \"brief.names\""},
		{"brief = \"x\"\n", "config.toml:1: unknown setting \"brief\""},
		{"[crawl]\npages = 3\n", "unknown setting \"crawl.pages\""},
	} {
		var s Settings
		f := s.Flags("audit")
		err := s.LoadTOML(f, "config.toml", c.text, map[string]bool{})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %s", c.text, err, c.want)
		}
	}
}

// TestConfigTypes gives each key of config.toml a value of each type. A wrong type is refused with
// file and line, and a list is read as a list.
func TestConfigTypes(t *testing.T) {
	values := map[string]string{
		"text": `"x"`, "texts": `["x", "y"]`, "boolean": "true", "integer": "3", "float": "0.25", "mixed": `["x", 3]`, "integers": "[3, 4]",
		"nested": `[["x"]]`, "date": "2026-11-26", "table": `{ a = "x" }`, "tables": `[{ a = "x" }]`,
	}
	allowed := func(fl *flag.Flag) string {
		switch fl.Name {
		case "ask-as", "crawlers", "format", "kinds", "reports", "connect-to", "robots", "ca-cert", "column", "logs":
			return "text texts"
		case "critical-share":
			return "float"
		}
		return map[string]string{"true or false": "boolean", "a whole number": "integer", "a number": "integer float", "a value": "text"}[cli.KindOf(fl)]
	}
	new(Settings).Flags("audit").VisitAll(func(fl *flag.Flag) {
		if perRun[fl.Name] {
			return
		}
		for kind, value := range values {
			f := new(Settings).Flags("audit")
			text := fmt.Sprintf("# a comment\n%s = %s\n", fl.Name, value)
			err := new(Settings).LoadTOML(f, "config.toml", text, nil)
			set := f.Lookup(fl.Name).Value.String()
			switch right := slices.Contains(strings.Fields(allowed(fl)), kind); {
			case right && err != nil:
				t.Errorf("%s: %v", text, err)
			case right && kind == "texts" && strings.ReplaceAll(set, " ", ",") != "x,y":
				t.Errorf("%s: it is %q", text, set)
			case !right && (err == nil || !strings.HasPrefix(err.Error(), "config.toml:2: "+fl.Name+" = ")):
				t.Errorf("%s: it is %q, %v", text, set, err)
			}
		}
	})
	lint := func(kind, right, text string) {
		err := new(Settings).LoadTOML(new(Settings).Flags("audit"), "config.toml", text, nil)
		if (kind == right) != (err == nil) || err != nil && !strings.HasPrefix(err.Error(), "config.toml:3: ") {
			t.Errorf("%s: %v", text, err)
		}
	}
	for kind, value := range values {
		lint(kind, "", "workers = 3\n[lint]\nseverity = "+value+"\n")
		lint(kind, "", "workers = 3\n[lint]\nignore = "+value+"\n")
		if kind != "text" {
			lint(kind, "", "workers = 3\n[lint]\nseverity = { RUL005 = "+value+" }\n")
			lint(kind, "", "workers = 3\n[lint]\nignore = [{ reason = \"r\", id = "+value+" }]\n")
		}
		lint(kind, "text", "workers = 3\n[lint]\nignore = [{ id = \"RUL005\", reason = "+value+" }]\n")
		lint(kind, "text", "workers = 3\n[lint]\nignore = [{ id = \"RUL005\", reason = \"r\", file = "+value+" }]\n")
		lint(kind, "integer", "workers = 3\n[lint]\nignore = [{ id = \"RUL005\", reason = \"r\", line = "+value+" }]\n")
	}
	f := new(Settings).Flags("audit")
	err := new(Settings).LoadTOML(f, "config.toml", "\nworkers = true\n", map[string]bool{"workers": true})
	if err == nil { // an overriding flag does not make the file valid
		t.Error("workers = true is taken where -workers is given")
	}
}

// TestConfigOfSchedule checks that audit and schedule can use the same file.
func TestConfigOfSchedule(t *testing.T) {
	const text = "workers = 3\n[history]\ndir = \"h\"\n[[schedule]]\nworkers = 4\n[alerts.mail]\nx = 1\n[health]\nlisten = 1\n"
	var s Settings
	if err := s.LoadTOML(s.Flags("audit"), "config.toml", text, map[string]bool{}); err != nil || s.Workers != 3 {
		t.Errorf("%d workers, %v", s.Workers, err)
	}
	err := s.LoadTOML(s.Flags("audit"), "config.toml", text+"[[schedul]]\nname = 1\n", map[string]bool{})
	if want := `config.toml:10: unknown setting "schedul". Did you mean schedule?`; err == nil || err.Error() != want { // reported once, whatever is in the table
		t.Errorf("%v, want %s", err, want)
	}
}
