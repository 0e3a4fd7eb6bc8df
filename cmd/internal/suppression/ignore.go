// Package suppression has a team's decisions about findings: which are ignored, and why (Ignore),
// and which existed before (Baseline). It works on findings and text, and reads no files.
package suppression

import (
	"fmt"
	"path"
	"strconv"
	"strings"

	"robots-audit/engine"
	"robots-audit/engine/wording"
)

// Ignore is a decision to ignore findings.
type Ignore struct {
	ID     string // of the catalogue of findings
	Line   int    // 1-based; 0 = any line, and the whole file
	File   string // a path, or the end of one, or a URL; "" = any file
	Reason string // "" = none was given; flags have none
	By     string // its location: "-ignore RUL005:3", "config.toml:12", "robots.txt:3"
	InFile bool   // it is a comment of the robots.txt itself

	end  int  // of a comment: the last line it is for; Line is the first; 0 = Line
	met  bool // a file that it is for was linted
	used bool // it matched a finding
}

// Parse reads the value of a flag: IDs with or without a line, as "RUL005,RUL009:3". An unknown ID
// is an error.
func Parse(value string) ([]*Ignore, error) {
	var list []*Ignore
	for item := range strings.SplitSeq(value, ",") {
		item = strings.TrimSpace(item)
		id, line, lined := strings.Cut(item, ":")
		known, err := KnownID(id)
		if err != nil {
			return nil, err
		}
		i := &Ignore{ID: known, By: "-ignore " + item}
		if lined {
			if i.Line, err = strconv.Atoi(line); err != nil || i.Line < 1 {
				return nil, fmt.Errorf("%q: expected ID or ID:LINE, as RUL005:3", line)
			}
		}
		list = append(list, i)
	}
	return list, nil
}

// KnownID returns an ID in the spelling of the catalogue of findings. For an unknown one the error
// names the ID that was probably intended.
func KnownID(id string) (string, error) {
	if _, ok := engine.FindingKindByID(strings.ToUpper(id)); ok {
		return strings.ToUpper(id), nil
	}
	var ids []string
	for _, k := range engine.FindingKinds() {
		ids = append(ids, k.ID)
	}
	if meant := wording.Nearest(id, ids); meant != "" {
		return "", fmt.Errorf("unknown finding %q. Did you mean %s?", id, meant)
	}
	return "", fmt.Errorf("unknown finding %q. \"robots-audit lint -list\" lists all findings", id)
}

// matches reports whether the decision applies to a finding, in a file that it is for.
func (i *Ignore) matches(f *engine.Finding) bool {
	return i.ID == f.ID && (i.Line == 0 || i.Line <= f.Line && f.Line <= i.End())
}

// End is the last line that a comment of robots.txt is for.
func (i *Ignore) End() int { return max(i.Line, i.end) }

// For returns the decisions of a list that are for a file.
func For(list []*Ignore, file string) []*Ignore {
	var those []*Ignore
	for _, i := range list {
		if i.File == "" || sameFile(file, i.File) {
			i.met = true
			those = append(those, i)
		}
	}
	return those
}

// sameFile reports whether the path or URL name is meant, or ends with it: a team with one file may
// write "robots.txt" for "public/robots.txt".
func sameFile(name, meant string) bool {
	name, meant = FileKey(name), FileKey(meant)
	return name == meant || strings.HasSuffix(name, "/"+meant)
}

// FileKey normalises a path, so that a file has only one name; a URL is unchanged.
func FileKey(name string) string {
	if strings.Contains(name, "://") {
		return name
	}
	return path.Clean(strings.ReplaceAll(name, "\\", "/"))
}

// Find returns the first decision of a list that applies to a finding; nil = none. All that apply
// count as used.
func Find(list []*Ignore, f *engine.Finding) *Ignore {
	var first *Ignore
	for _, i := range list {
		if i.matches(f) {
			i.used = true
			if first == nil {
				first = i
			}
		}
	}
	return first
}

// Copies returns decisions of their own, for a trial: those of the list do not count as used by it.
func Copies(list []*Ignore) []*Ignore {
	var copies []*Ignore
	for _, i := range list {
		of := *i
		copies = append(copies, &of)
	}
	return copies
}

// Unused lists the decisions that matched nothing in the files they are for, in a sentence each.
func Unused(list []*Ignore) []string {
	var remarks []string
	for _, i := range list {
		if i.used || !i.met && !i.InFile {
			continue
		}
		if k, _ := engine.FindingKindByID(i.ID); k.Needs == "urls" || k.Needs == "site" {
			remarks = append(remarks, fmt.Sprintf("%s: only audits report %s, and they ignore nothing. Remove the entry", i.By, i.ID))
			continue
		}
		where := ""
		switch {
		case i.end > i.Line:
			where = fmt.Sprintf(" in line %d or %d", i.Line, i.end)
		case i.Line > 0:
			where = fmt.Sprintf(" in line %d", i.Line)
		}
		remarks = append(remarks, fmt.Sprintf("%s: %s is not found%s. Remove this ignore", i.By, i.ID, where))
	}
	return remarks
}
