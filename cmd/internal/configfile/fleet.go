package configfile

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"robots-audit/engine/wording"
)

// FleetTable is the name of the fleet's table.
const FleetTable = "fleet"

// DefaultRegion is the region if none is named.
const DefaultRegion = "default"

// Fleet has the common flags of a fleet's commands: where its queue and bucket are.
type Fleet struct {
	Servers string // URLs, separated by commas
	Bucket  string // URL
	Secrets string // folder; "" = none
	Region  string
}

// meanings are the flags of a fleet, in the order of help.
var meanings = []struct{ name, value, usage string }{
	{"servers", "", "`URLs` of the fleet's nodes, separated by commas: tls://n1.example:4222,tls://n2.example:4222"},
	{"bucket", "", "`URL` of the bucket for lists and results, such as file:///srv/audits on a disk that all machines share"},
	{"secrets", "", "`folder` with the fleet's certificates and passwords, made by robots-audit-fleet node -init"},
	{"region", DefaultRegion, "`name` of the region. Its workers audit the sites of a run"},
}

// Flags declares the named flags.
func (c *Fleet) Flags(f *flag.FlagSet, names ...string) {
	fields := map[string]*string{"servers": &c.Servers, "bucket": &c.Bucket, "secrets": &c.Secrets, "region": &c.Region}
	for _, m := range meanings {
		if slices.Contains(names, m.name) {
			f.StringVar(fields[m.name], m.name, m.value, m.usage)
		}
	}
}

// IsFleetFlag reports whether a flag is one of these, and so also a key of the table.
func IsFleetFlag(name string) bool {
	for _, m := range meanings {
		if m.name == name {
			return true
		}
	}
	return false
}

// IsFleetKey reports whether a key of a configuration file ("fleet.bucket") is in the table.
func IsFleetKey(key string) bool {
	first, _, _ := strings.Cut(key, ".")
	return first == FleetTable
}

// SyntaxError names the line of a file that is no valid TOML. A wrong escape after \ mostly comes
// from a Windows path.
func SyntaxError(name string, err error) error {
	var at toml.ParseError
	if !errors.As(err, &at) {
		return fmt.Errorf("%s: %w", name, err)
	}
	if strings.Contains(at.Message, "already") {
		return fmt.Errorf("%s:%d: the key or table of this line is in the file twice. Remove one of the two", name, at.Position.Line)
	}
	hint := `key = value, such as out = "monday"`
	if strings.Contains(at.Message, "hexadecimal digits") || strings.Contains(at.Message, "invalid escape") {
		hint = `single quotes around a text with \, such as 'C:\robots'`
	}
	return fmt.Errorf("%s:%d: this line is not TOML. Expected %s", name, at.Position.Line, hint)
}

// FillFleet sets the flags of f from the table, except fixed ones. text is the content of the file
// name. The error joins all problems, one per line.
func FillFleet(f *flag.FlagSet, name, text string, fixed map[string]bool) error {
	var tree map[string]any
	if _, err := toml.Decode(text, &tree); err != nil {
		return SyntaxError(name, err)
	}
	value, there := tree[FleetTable]
	if !there {
		return nil
	}
	lines := LinesOf(text)
	table, ok := value.(map[string]any)
	if !ok {
		return fmt.Errorf("%s:%d: %s is not a table. Write [%[3]s], and its settings below it", name, lines.Of(FleetTable), FleetTable)
	}
	var errs []error
	for _, key := range slices.Sorted(maps.Keys(table)) {
		at := fmt.Sprintf("%s:%d", name, lines.Of(FleetTable+"."+key))
		if !IsFleetFlag(key) {
			errs = append(errs, unknown(at, key))
			continue
		}
		texts, ok := Texts(table[key])
		want := ListForm
		if key != "servers" {
			_, ok = table[key].(string)
			want = TextForm
		}
		switch {
		case !ok:
			errs = append(errs, fmt.Errorf("%s: [%s] %s: expected %s", at, FleetTable, key, want))
		case f.Lookup(key) != nil && !fixed[key]:
			f.Set(key, strings.Join(texts, ",")) // text flags accept any value
		}
	}
	return errors.Join(errs...)
}

// TextForm and ListForm describe the expected value in messages about a wrong type.
const (
	TextForm = "text in quotation marks"
	ListForm = `a list such as ["a", "b"], or one text`
)

// Texts returns a value of the file that is a list of texts; a single text is a list of one. ok is
// false for another type.
func Texts(value any) (texts []string, ok bool) {
	if text, one := value.(string); one {
		return []string{text}, true
	}
	list, ok := value.([]any)
	for _, each := range list {
		text, isText := each.(string)
		texts, ok = append(texts, text), ok && isText
	}
	return texts, ok
}

// unknown reports a key that the table does not have.
func unknown(at, key string) error {
	var names []string
	for _, m := range meanings {
		names = append(names, m.name)
	}
	if meant := wording.Nearest(key, names); meant != "" {
		return fmt.Errorf("%s: unknown setting %q in [%s]. Did you mean %s?", at, key, FleetTable, meant)
	}
	return fmt.Errorf("%s: unknown setting %q in [%s]. It has %s", at, key, FleetTable, wording.And(names))
}

// SplitList splits a list of URLs or addresses.
func SplitList(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' })
}

// Missing reports required flags that are not set; nil = all are set.
func (c *Fleet) Missing(command string, names ...string) error {
	fields := map[string]string{"servers": c.Servers, "bucket": c.Bucket, "secrets": c.Secrets, "region": c.Region}
	for _, m := range meanings {
		if slices.Contains(names, m.name) && fields[m.name] == "" {
			return fmt.Errorf("%s needs -%s: the %s. Or set it in [%s] of the file of -config", command, m.name, strings.NewReplacer("`", "").Replace(m.usage), FleetTable)
		}
	}
	return nil
}
