// Package suppression holds what a team has decided about findings: which of them
// are ignored, and why (Ignore), and which were there before (Baseline). It works on
// findings and text, and reads no files.
package suppression

import (
	"fmt"
	"path"
	"strconv"
	"strings"

	"robots-audit/engine"
	"robots-audit/engine/wording"
)

// Ignore is a decision to leave findings out.
type Ignore struct {
	ID     string // of the catalogue of findings
	Line   int    // 1-based; 0 = any, and the file as a whole
	File   string // a path, or the end of one, or a URL; "" = any file
	Reason string // "" = none was given, as there is none with a flag
	By     string // where it is written: "-ignore RUL005:3", "config.toml:12", "robots.txt:3"
	InFile bool   // it is a comment of the robots.txt itself

	end  int  // of a comment: the last line it is for, Line being the first; 0 = Line
	met  bool // a file was looked at that it is for
	used bool // it matched a finding
}

// Parse reads the value of a flag: ids with a line or without, as "RUL005,RUL009:3".
// A value that names no finding of the catalogue is an error.
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

// KnownID returns an id as the catalogue of findings has it. One that it does not
// have is an error, which names the one that was probably meant.
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

// matches reports whether the decision is about a finding of a file that it is for.
func (i *Ignore) matches(f *engine.Finding) bool {
	return i.ID == f.ID && (i.Line == 0 || i.Line <= f.Line && f.Line <= max(i.Line, i.end))
}

// For returns those of a list that are for a file.
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

// sameFile reports whether name, a path or a URL, is the one that is meant, or ends
// with it: "public/robots.txt" is "robots.txt" to a team that has but one.
func sameFile(name, meant string) bool {
	name, meant = FileKey(name), FileKey(meant)
	return name == meant || strings.HasSuffix(name, "/"+meant)
}

// FileKey writes a path so that one file has one name; a URL stays as it is.
func FileKey(name string) string {
	if strings.Contains(name, "://") {
		return name
	}
	return path.Clean(strings.ReplaceAll(name, "\\", "/"))
}

// Find returns the first decision of a list that is about a finding; nil = there is
// none. Every one that is about it counts as used.
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

// Unused tells of the decisions that matched nothing in the files they are for, a
// sentence each.
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
