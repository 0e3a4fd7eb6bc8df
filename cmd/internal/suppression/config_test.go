package suppression

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"robots-audit/engine"
)

// TestConfigErrors holds what is wrong in the section [lint] to a line and to what
// would be right.
func TestConfigErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"[lint]\nseverity = { RUL05 = \"info\" }\n", `c.toml:2: unknown finding "RUL05". Did you mean RUL005?`},
		{"[lint.severity]\nRUL004 = \"info\"\nRUL005 = \"off\"\n", `c.toml:3: RUL005: "off" is no severity: want info, warning, error or critical; what is not to be told at all is ignored`},
		{"[lint]\n\nignore = [\n  { id = \"RUL004\", reason = \"x\" },\n  # { id = \"RUL009\" },\n  { id = \"RUL005\", reason = \" \" },\n]\n", "c.toml:6: RUL005 is ignored without a reason: add reason"},
		{"[lint]\nignore = [{ reason = \"x\" }]\n", "c.toml:1: an entry of ignore without an id"},
		{"[[lint.ignore]]\nid = \"RUL004\"\nreason = \"x\"\n[[lint.ignore]]\nid = \"FOO1\"\nreason = \"x\"\n", `c.toml:5: unknown finding "FOO1"`},
		{"[lint]\nignore = [{ id = \"RUL004\", reason = \"x\", lines = 3 }]\n", `c.toml:2: there is no "lines" in an entry of ignore: it has id, reason, line and file`},
		{"[lint]\nignore = [{ id = \"RUL004\", reason = \"x\", line = -3 }]\n", "c.toml:2: RUL004: line -3 is none"},
		{"workers = 3\n[lint]\nignored = []\n", `c.toml:3: there is no setting "lint.ignored": did you mean ignore?`},
		{"[[lint.ignores]]\nid = \"RUL004\"\n", `c.toml:1: there is no setting "lint.ignores": did you mean ignore?`},
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

// TestConfigExample holds the examples in the comments of config.toml to what
// lint reads.
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
