package suppression

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"robots-audit/engine"
)

// TestConfigErrors checks that each error in the section [lint] has a line and says what would be
// valid.
func TestConfigErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"[lint]\nseverity = { RUL05 = \"info\" }\n", `c.toml:2: unknown finding "RUL05". Did you mean RUL005?`},
		{"[lint.severity]\nRUL004 = \"info\"\nRUL005 = \"off\"\n", `c.toml:3: RUL005: unknown severity "off". Expected info, warning, error or critical. To hide a finding, add it to ignore`},
		{"[lint]\n\nignore = [\n  { id = \"RUL004\", reason = \"x\" },\n  # { id = \"RUL009\" },\n  { id = \"RUL005\", reason = \" \" },\n]\n", "c.toml:6: RUL005 is ignored without a reason. Add reason"},
		{"[lint]\nignore = [{ reason = \"x\" }]\n", "c.toml:1: an entry of ignore has no id"},
		{"[[lint.ignore]]\nid = \"RUL004\"\nreason = \"x\"\n[[lint.ignore]]\nid = \"FOO1\"\nreason = \"x\"\n", `c.toml:5: unknown finding "FOO1"`},
		{"[lint]\nignore = [{ id = \"RUL004\", reason = \"x\", lines = 3 }]\n", `c.toml:2: unknown key "lines" in an entry of ignore. The keys are id, reason, line and file`},
		{"[lint]\nignore = [{ id = \"RUL004\", reason = \"x\", line = -3 }]\n", "c.toml:2: RUL004: there is no line -3"},
		{"workers = 3\n[lint]\nignored = []\n", `c.toml:3: unknown setting "lint.ignored". Did you mean ignore?`},
		{"[[lint.ignores]]\nid = \"RUL004\"\n", `c.toml:1: unknown setting "lint.ignores". Did you mean ignore?`},
		{"lint = 3\n", "c.toml:1: wrong form of [lint]"},
		{"[lint]\nseverity = \"info\"\n", "c.toml:2: wrong form of [lint]"},
		{"[lint]\nignore = [{ id = \"RUL004\", reason = \"x\",\n line = \"3\" }]\n", "c.toml:3: wrong form of [lint]"},
		{"[lint]\nignore = [\"RUL004\"]\n", "c.toml:2: wrong form of [lint]"},
		{"[lint]\nseverity = { RUL004 = 3 }\n", "c.toml:2: wrong form of [lint]"},
	} {
		_, err := ReadConfig("c.toml", c.text)
		if err == nil || !strings.HasPrefix(err.Error(), c.want) || strings.Count(err.Error(), "\n") > 0 {
			t.Errorf("%q: %v, want %s", c.text, err, c.want)
		}
	}
	c, err := ReadConfig("c.toml", "[lint]\nseverity = { rul005 = \"warning\" }\nignore = [{ id = \"RUL004\", line = 3, file = \"r.txt\", reason = \"x\" }]\n")
	if err != nil || c.Severities["RUL005"] != engine.Warning || len(c.Ignores) != 1 || c.Ignores[0].By != "c.toml:3" || c.Ignores[0].Line != 3 {
		t.Errorf("%+v, %v", c, err)
	}
}

// TestConfigExample checks that lint can read the commented examples in config.toml.
func TestConfigExample(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "config.toml"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "\n[lint]\n")
	for _, key := range configKeys {
		section = strings.Replace(section, "\n"+key+" = ", "\n#", 1) // the empty default
	}
	c, err := ReadConfig("config.toml", "[lint]\n"+strings.ReplaceAll(section, "\n#   ", "\n"))
	if err != nil || len(c.Severities) != 1 || len(c.Ignores) != 2 {
		t.Errorf("%+v, %v", c, err)
	}
}
