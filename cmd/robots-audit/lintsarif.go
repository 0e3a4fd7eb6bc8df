package main

import (
	"io"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/suppression"
	"robots-audit/cmd/robots-audit/internal/sarif"
	"robots-audit/engine"
	"robots-audit/engine/escape"
)

// lintSARIF writes one log of SARIF 2.1.0 (docs.oasis-open.org/sarif), the format of code review
// tools. Columns count characters, since SARIF has no columns in bytes. Ignored findings are in it
// as suppressed.
type lintSARIF struct {
	out         io.Writer
	root        string // the folder to which file names are relative
	uri         string // of the only file, for code review; "" = use its name
	compared    bool   // with a baseline
	results     []sarif.Result
	rules       []sarif.Rule   // of the catalogue, as far as they were found
	ruleIndices map[string]int // into rules
	rooted      bool           // some file is named relative to root
}

// sarifLevels are SARIF's names for severities.
var sarifLevels = [...]string{engine.Info: "note", engine.Warning: "warning", engine.Error: "error", engine.Critical: "error"}

// problemSeverities are GitHub's names for severities.
var problemSeverities = [...]string{engine.Info: "recommendation", engine.Warning: "warning", engine.Error: "error", engine.Critical: "error"}

func (s *lintSARIF) file(name string, findings []lintFinding) error {
	at := s.artifact(name)
	for _, f := range findings {
		r := sarif.Result{
			RuleID: f.ID, RuleIndex: s.ruleIndex(f.ID), Level: sarifLevels[f.Severity], Message: sarif.Message{Text: escape.Printable(f.What + ". " + f.Why + " " + f.Fix)},
			Locations:  []sarif.Location{{Physical: sarif.Physical{Artifact: at, Region: regionOf(&f.Finding)}}},
			Prints:     map[string]string{suppression.SARIFKey: f.fingerprint},
			Properties: lintProperties{f.Severity.String(), f.Profiles, f.More},
		}
		switch {
		case f.known:
			r.State = "unchanged"
		case s.compared:
			r.State = "new"
		}
		if f.ignored != nil {
			r.Suppressions = []sarif.Suppression{{Kind: "external", Reason: f.ignored.Reason}}
			if f.ignored.InFile {
				r.Suppressions[0].Kind = "inSource"
			}
		}
		for _, line := range f.Related {
			r.Related = append(r.Related, sarif.Location{Physical: sarif.Physical{Artifact: at, Region: &sarif.Region{StartLine: line}}})
		}
		if changes := sarifReplacements(&f.Finding); changes != nil {
			r.Fixes = []sarif.Fix{{Description: sarif.Message{Text: f.Fix}, Changes: []sarif.Change{{Artifact: at, Replacements: changes}}}}
		}
		s.results = append(s.results, r)
	}
	return nil
}

// sarifReplacements is the fix of a finding; nil = it has none, or none that columns in characters
// can express. A region of deleted lines includes their line ends: it ends at the start of the next
// line.
func sarifReplacements(f *engine.Finding) []sarif.Replacement {
	var list []sarif.Replacement
	for _, line := range f.Delete {
		if last := len(list) - 1; last >= 0 && list[last].Deleted.EndLine == line {
			list[last].Deleted.EndLine++
		} else {
			list = append(list, sarif.Replacement{Deleted: sarif.Region{StartLine: line, StartColumn: 1, EndLine: line + 1, EndColumn: 1}})
		}
	}
	if f.Replacement != "" && len(f.Text) < 1024 && utf8.ValidString(f.Text) {
		whole := sarif.Region{StartLine: f.Line, StartColumn: 1, EndColumn: utf8.RuneCountInString(f.Text) + 1}
		list = append(list, sarif.Replacement{Deleted: whole, Inserted: &sarif.Message{Text: f.Replacement}})
	}
	return list
}

// ruleIndex returns the index of a finding's kind in the rules of the log. It adds the kind if it
// is new.
func (s *lintSARIF) ruleIndex(id string) int {
	if i, ok := s.ruleIndices[id]; ok {
		return i
	}
	k, _ := engine.FindingKindByID(id)
	rule := sarif.Rule{ID: k.ID, Name: k.Name, Short: sarif.Message{Text: k.What}, Full: sarif.Message{Text: k.Why}, HelpURI: sourcesOf(&k)[0].url, Help: sarif.Message{Text: k.Fix, Markdown: ruleHelp(&k)}}
	rule.Default.Level = sarifLevels[k.Severity]
	rule.Properties = sarif.RuleProperties{Tags: []string{"robots.txt", familyOf(k.ID)}, Precision: "high", Severity: problemSeverities[k.Severity]}
	if s.ruleIndices == nil {
		s.ruleIndices = map[string]int{}
	}
	s.ruleIndices[id] = len(s.rules)
	s.rules = append(s.rules, rule)
	return len(s.rules) - 1
}

// ruleHelp describes a finding and its fix in Markdown.
func ruleHelp(k *engine.FindingKind) string {
	return "**" + k.ID + ": " + markdownText(k.Name) + "**\n\n" + markdownText(sentence(k.What)) + ". " + markdownText(k.Why) + "\n\n**Fix:** " + markdownText(k.Fix) + "\n\nSources: " + sourceLinks(k)
}

// regionOf is the position of a finding in characters. A finding about the whole file is put at
// line 1, since review tools need a line.
func regionOf(f *engine.Finding) *sarif.Region {
	if f.Line == 0 {
		return &sarif.Region{StartLine: 1, StartColumn: 1, EndLine: 1, EndColumn: 1}
	}
	if f.Byte > 0 { // a sitemap, whose lines may be as long as the file
		return &sarif.Region{StartLine: f.Line, StartColumn: f.Column, EndLine: f.Line, EndColumn: f.EndColumn, ByteOffset: f.Byte - 1}
	}
	character := func(column int) int {
		return utf8.RuneCountInString(f.Text[:min(max(column-1, 0), len(f.Text))]) + 1
	}
	return &sarif.Region{StartLine: f.Line, StartColumn: character(f.Column), EndLine: f.Line, EndColumn: character(f.EndColumn)}
}

func (s *lintSARIF) end(unread []string) error {
	run := sarif.Run{Results: s.results, Invocations: []sarif.Invocation{{Successful: len(unread) == 0}}}
	if s.rooted {
		run.Bases = sarif.Bases(s.root)
	}
	if slices.ContainsFunc(s.results, func(r sarif.Result) bool { return r.Suppressions != nil }) {
		for i := range s.results { // an empty list means that a result is not suppressed
			s.results[i].Suppressions = append([]sarif.Suppression{}, s.results[i].Suppressions...)
		}
	}
	for _, text := range unread {
		run.Invocations[0].Notifications = append(run.Invocations[0].Notifications, sarif.Notification{Level: "error", Message: sarif.Message{Text: text}})
	}
	run.Tool.Driver.Rules = s.rules
	return sarif.Write(s.out, cli.Version, run)
}

// artifact names a file, a URL or standard input. A file in the folder root or below is named
// relative to it.
func (s *lintSARIF) artifact(name string) sarif.Artifact {
	of := sarif.Artifact{URI: name}
	switch remote := strings.Contains(name, "://"); {
	case s.uri != "":
		if of.URI = s.uri; !isAbsoluteURI(s.uri) {
			of.Base = sarif.SourceRoot
		}
	case !remote && name != "stdin":
		of = sarif.File(s.root, name)
	}
	s.rooted = s.rooted || of.Base != ""
	return of
}

// isAbsoluteURI reports whether a URI has a scheme.
func isAbsoluteURI(uri string) bool {
	u, err := url.Parse(uri)
	return err == nil && u.Scheme != ""
}

// lintProperties are properties of a result for which SARIF has no name.
type lintProperties struct {
	Severity string   `json:"severity"`
	Profiles []string `json:"profiles"`
	More     int      `json:"more,omitempty"`
}
