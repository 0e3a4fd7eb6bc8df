package main

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"robots-audit/cmd/robots-audit/internal/fleetconfig"
	"robots-audit/cmd/robots-audit/internal/suppression"
	"robots-audit/engine"
	"robots-audit/engine/wording"
)

// lintConfig is the section [lint] of a configuration file.
type lintConfig struct {
	severities map[string]engine.Severity // by id: what a team holds of it
	ignores    []*suppression.Ignore
}

// isLintKey reports whether a key of a configuration file is of the section [lint],
// which readLintConfig reads.
func isLintKey(key string) bool { return key == "lint" || strings.HasPrefix(key, "lint.") }

// lintKeys are the keys of the section, with what stands in an entry of ignore.
var lintKeys = []string{"severity", "ignore"}

// readLintConfig reads the section [lint] of text, the content of the file name. Each
// thing that is wrong with it is told with its line.
func readLintConfig(name, text string) (c lintConfig, err error) {
	var values map[string]any
	if _, err := toml.Decode(text, &values); err != nil {
		return c, fleetconfig.SyntaxError(name, err)
	}
	section, isTable := values["lint"].(map[string]any)
	if _, isTable := section["severity"].(map[string]any); section["severity"] != nil && !isTable {
		return c, lintShape(name, lineOfWord(text, "severity", 0))
	}
	if values["lint"] != nil && !isTable {
		return c, lintShape(name, lineOfWord(text, "lint", 0))
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
	if err != nil { // a value of another kind
		line := 1
		fmt.Sscanf(err.Error(), "toml: line %d ", &line)
		return c, lintShape(name, line)
	}
	var errs []error
	wrong := func(line int, form string, args ...any) {
		errs = append(errs, fmt.Errorf("%s:%d: %s", name, line, fmt.Sprintf(form, args...)))
	}
	for _, key := range meta.Undecoded() {
		switch {
		case !isLintKey(key.String()), len(key) > 2 && !slices.Contains(lintKeys, key[1]):
		case len(key) > 2:
			wrong(lineOfWord(text, key[2], 0), "there is no %q in an entry of ignore: it has id, reason, line and file", key[2])
		default:
			rest := "; the section has severity and ignore"
			if meant := wording.Nearest(key[1], lintKeys); meant != "" {
				rest = ": did you mean " + meant + "?"
			}
			wrong(fleetconfig.LinesOf(text).Of(key.String()), "there is no setting \"lint.%s\"%s", key[1], rest)
		}
	}
	c.severities = map[string]engine.Severity{}
	for _, written := range slices.Sorted(maps.Keys(file.Lint.Severity)) {
		value := file.Lint.Severity[written]
		line := lineOfWord(text, written, 0)
		id, err := suppression.KnownID(written)
		if err != nil {
			wrong(line, "%v", err)
			continue
		}
		var severity engine.Severity
		if severity.UnmarshalText([]byte(value)) != nil {
			wrong(line, "%s: %q is no severity: want info, warning, error or critical; what is not to be told at all is ignored, with a reason", id, value)
		}
		c.severities[id] = severity
	}
	for i, e := range file.Lint.Ignore {
		line := lineOfWord(text, "id", i)
		id, err := suppression.KnownID(e.ID)
		switch {
		case e.ID == "":
			wrong(line, "an entry of ignore without an id: want { id = \"RUL005\", reason = \"…\" }")
		case err != nil:
			wrong(line, "%v", err)
		case strings.TrimSpace(e.Reason) == "":
			wrong(line, "%s is ignored without a reason: add reason = \"…\"", id)
		case e.Line < 0:
			wrong(line, "%s: line %d is none", id, e.Line)
		}
		c.ignores = append(c.ignores, &suppression.Ignore{ID: id, Line: e.Line, File: e.File, Reason: e.Reason, By: fmt.Sprintf("%s:%d", name, line)})
	}
	return c, errors.Join(errs...)
}

// lineOfWord finds the line on which a key is set for the nth time after the section
// begins, be it on a line of its own or in an inline table; where there are not so
// many, the line on which the section begins.
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

// loadLintConfig reads a configuration file: the section [lint], and those settings of
// an audit that say how a server is reached, which are the same here. A flag of f that
// stands on the command line wins. What else an audit is told is none of lint's, but
// held to be right.
func loadLintConfig(f *flag.FlagSet, name, text string) (lintConfig, error) {
	reached := flag.NewFlagSet("", flag.ContinueOnError)
	new(network).flags(reached)
	var s settings
	all := flag.NewFlagSet("", flag.ContinueOnError)
	s.flags("audit").VisitAll(func(fl *flag.Flag) {
		value := fl.Value
		if reached.Lookup(fl.Name) != nil {
			value = f.Lookup(fl.Name).Value
		}
		all.Var(value, fl.Name, fl.Usage)
	})
	given := map[string]bool{}
	f.Visit(func(fl *flag.Flag) { given[fl.Name] = true })
	if err := s.loadTOML(all, name, text, given); err != nil {
		return lintConfig{}, err
	}
	return readLintConfig(name, text)
}

// lintShape is the error of a value of another kind than the section [lint] has there.
func lintShape(name string, line int) error {
	return fmt.Errorf(`%s:%d: not as [lint] is written: severity = { RUL005 = "info" }, ignore = [{ id = "RUL005", reason = "…", line = 3, file = "robots.txt" }]`, name, line)
}
