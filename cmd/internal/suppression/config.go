package suppression

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"robots-audit/cmd/internal/configfile"
	"robots-audit/engine"
	"robots-audit/engine/wording"
)

// Config is the section [lint] of a configuration file.
type Config struct {
	Severities map[string]engine.Severity // by ID: severities that the team has changed
	Ignores    []*Ignore
}

// IsKey reports whether a key of a configuration file is of the section [lint],
// which ReadConfig reads.
func IsKey(key string) bool { return key == "lint" || strings.HasPrefix(key, "lint.") }

// configKeys are the keys of the section, and those of an entry of ignore.
var configKeys = []string{"severity", "ignore"}

// ReadConfig reads the section [lint] of text, the content of the file name. Each problem is
// reported with its line.
func ReadConfig(name, text string) (c Config, err error) {
	var values map[string]any
	if _, err := toml.Decode(text, &values); err != nil {
		return c, configfile.SyntaxError(name, err)
	}
	section, isTable := values["lint"].(map[string]any)
	if _, isTable := section["severity"].(map[string]any); section["severity"] != nil && !isTable {
		return c, wrongShape(name, lineOfWord(text, "severity", 0))
	}
	if values["lint"] != nil && !isTable {
		return c, wrongShape(name, lineOfWord(text, "lint", 0))
	}
	var file struct {
		Lint struct {
			Severity map[string]string
			Ignore   []struct {
				ID, Reason, File string
				Line             int
			}
		}
	}
	meta, err := toml.Decode(text, &file)
	if err != nil { // a value of the wrong type
		line := 1
		fmt.Sscanf(err.Error(), "toml: line %d ", &line)
		return c, wrongShape(name, line)
	}
	var errs []error
	wrong := func(line int, form string, args ...any) {
		errs = append(errs, fmt.Errorf("%s:%d: %s", name, line, fmt.Sprintf(form, args...)))
	}
	for _, key := range meta.Undecoded() {
		switch {
		case !IsKey(key.String()), len(key) > 2 && !slices.Contains(configKeys, key[1]):
		case len(key) > 2:
			wrong(lineOfWord(text, key[2], 0), "unknown key %q in an entry of ignore. The keys are id, reason, line and file", key[2])
		default:
			rest := ". The settings are severity and ignore"
			if meant := wording.Nearest(key[1], configKeys); meant != "" {
				rest = ". Did you mean " + meant + "?"
			}
			wrong(configfile.LinesOf(text).Of(key.String()), "unknown setting \"lint.%s\"%s", key[1], rest)
		}
	}
	c.Severities = map[string]engine.Severity{}
	for _, written := range slices.Sorted(maps.Keys(file.Lint.Severity)) {
		value := file.Lint.Severity[written]
		line := lineOfWord(text, written, 0)
		id, err := KnownID(written)
		if err != nil {
			wrong(line, "%v", err)
			continue
		}
		var severity engine.Severity
		if severity.UnmarshalText([]byte(value)) != nil {
			wrong(line, "%s: unknown severity %q. Expected info, warning, error or critical. To hide a finding, add it to ignore", id, value)
		}
		c.Severities[id] = severity
	}
	for i, e := range file.Lint.Ignore {
		line := lineOfWord(text, "id", i)
		id, err := KnownID(e.ID)
		switch {
		case e.ID == "":
			wrong(line, "an entry of ignore has no id. Expected { id = \"RUL005\", reason = \"…\" }")
		case err != nil:
			wrong(line, "%v", err)
		case strings.TrimSpace(e.Reason) == "":
			wrong(line, "%s is ignored without a reason. Add reason = \"…\"", id)
		case e.Line < 0:
			wrong(line, "%s: there is no line %d", id, e.Line)
		}
		c.Ignores = append(c.Ignores, &Ignore{ID: id, Line: e.Line, File: e.File, Reason: e.Reason, By: fmt.Sprintf("%s:%d", name, line)})
	}
	return c, errors.Join(errs...)
}

// lineOfWord finds the line where a key is set for the nth time in the section, on its own line or
// in an inline table. If there are fewer, it is the first line of the section.
func lineOfWord(text, key string, n int) int {
	key = regexp.QuoteMeta(key)
	set := regexp.MustCompile(`(?:^|[\s{,."'])` + key + `["']?\s*=`)
	begin := 0
	for i, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(strings.TrimSpace(line), "#") {
			continue
		}
		if begin == 0 && strings.Contains(line, "lint") {
			begin = i + 1
		}
		if begin == 0 {
			continue
		}
		if n -= len(set.FindAllString(line, -1)); n < 0 {
			return i + 1
		}
	}
	return max(begin, 1)
}

// wrongShape is the error for a value of the wrong type in the section [lint].
func wrongShape(name string, line int) error {
	return fmt.Errorf(`%s:%d: wrong form of [lint]. Expected: severity = { RUL005 = "info" }, ignore = [{ id = "RUL005", reason = "…", line = 3, file = "robots.txt" }]`, name, line)
}
