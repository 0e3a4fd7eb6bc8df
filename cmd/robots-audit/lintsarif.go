package main

import (
	"encoding/json"
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"robots-audit/cmd/robots-audit/internal/suppression"
	"robots-audit/engine"
	"robots-audit/engine/escape"
)

// lintSARIF writes one log of SARIF 2.1.0 (docs.oasis-open.org/sarif), the format
// that code review tools read. Its columns count characters, since SARIF has no
// columns in bytes. What is ignored is in it as suppressed.
type lintSARIF struct {
	out         io.Writer
	root        string // the folder that names of files are relative to
	uri         string // of the one file, as code review knows it; "" = by its name
	compared    bool   // with a baseline
	results     []sarifResult
	rules       []sarifRule    // those of the catalogue that were found
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
		r := sarifResult{
			RuleID: f.ID, RuleIndex: s.ruleIndex(f.ID), Level: sarifLevels[f.Severity], Message: sarifMessage{Text: escape.Printable(f.What + ". " + f.Why + " " + f.Fix)},
			Locations:  []sarifLocation{{sarifPhysical{Artifact: at, Region: regionOf(&f.Finding)}}},
			Prints:     map[string]string{suppression.SARIFKey: f.fingerprint},
			Properties: sarifProperties{f.Severity.String(), f.Profiles, f.More},
		}
		switch {
		case f.known:
			r.State = "unchanged"
		case s.compared:
			r.State = "new"
		}
		if f.ignored != nil {
			r.Suppressions = []sarifSuppression{{"external", f.ignored.Reason}}
			if f.ignored.InFile {
				r.Suppressions[0].Kind = "inSource"
			}
		}
		for _, line := range f.Related {
			r.Related = append(r.Related, sarifLocation{sarifPhysical{Artifact: at, Region: &sarifRegion{StartLine: line}}})
		}
		if changes := sarifReplacements(&f.Finding); changes != nil {
			r.Fixes = []sarifFix{{sarifMessage{Text: f.Fix}, []sarifChange{{at, changes}}}}
		}
		s.results = append(s.results, r)
	}
	return nil
}

// sarifReplacements is the edit of a finding; nil = there is none, or none that
// characters can express. Lines that go take their ends with them: the region ends
// where the next line begins.
func sarifReplacements(f *engine.Finding) []sarifReplacement {
	var list []sarifReplacement
	for _, line := range f.Delete {
		if last := len(list) - 1; last >= 0 && list[last].Deleted.EndLine == line {
			list[last].Deleted.EndLine++
		} else {
			list = append(list, sarifReplacement{Deleted: sarifRegion{StartLine: line, StartColumn: 1, EndLine: line + 1, EndColumn: 1}})
		}
	}
	if f.Replacement != "" && len(f.Text) < 1024 && utf8.ValidString(f.Text) {
		whole := sarifRegion{StartLine: f.Line, StartColumn: 1, EndColumn: utf8.RuneCountInString(f.Text) + 1}
		list = append(list, sarifReplacement{whole, &sarifMessage{Text: f.Replacement}})
	}
	return list
}

// ruleIndex returns the index of a finding's kind in the rules of the log, to which
// it adds the kind if it is new.
func (s *lintSARIF) ruleIndex(id string) int {
	if i, ok := s.ruleIndices[id]; ok {
		return i
	}
	k, _ := engine.FindingKindByID(id)
	rule := sarifRule{ID: k.ID, Name: k.Name, Short: sarifMessage{Text: k.What}, Full: sarifMessage{Text: k.Why}, HelpURI: sourcesOf(&k)[0].url, Help: sarifMessage{k.Fix, ruleHelp(&k)}}
	rule.Default.Level = sarifLevels[k.Severity]
	rule.Properties = sarifRuleProperties{[]string{"robots.txt", familyOf(k.ID)}, "high", problemSeverities[k.Severity]}
	if s.ruleIndices == nil {
		s.ruleIndices = map[string]int{}
	}
	s.ruleIndices[id] = len(s.rules)
	s.rules = append(s.rules, rule)
	return len(s.rules) - 1
}

// ruleHelp tells in Markdown what a finding is, and what to do.
func ruleHelp(k *engine.FindingKind) string {
	return "**" + k.ID + ": " + markdownText(k.Name) + "**\n\n" + markdownText(sentence(k.What)) + ". " + markdownText(k.Why) + "\n\n**What to do:** " + markdownText(k.Fix) + "\n\nWho says so: " + sourceLinks(k)
}

// regionOf is the position of a finding in characters. A finding about the file as
// a whole is put at its first line, since review tools need a line.
func regionOf(f *engine.Finding) *sarifRegion {
	if f.Line == 0 {
		return &sarifRegion{StartLine: 1, StartColumn: 1, EndLine: 1, EndColumn: 1}
	}
	character := func(column int) int {
		return utf8.RuneCountInString(f.Text[:min(max(column-1, 0), len(f.Text))]) + 1
	}
	return &sarifRegion{StartLine: f.Line, StartColumn: character(f.Column), EndLine: f.Line, EndColumn: character(f.EndColumn)}
}

func (s *lintSARIF) end(unread []string) error {
	run := sarifRun{ColumnKind: "unicodeCodePoints", Results: s.results, Invocations: []sarifInvocation{{Successful: len(unread) == 0}}}
	if run.Results == nil {
		run.Results = []sarifResult{}
	}
	if s.rooted {
		run.Bases = map[string]sarifArtifact{sourceRoot: {URI: strings.TrimSuffix(fileURI(s.root), "/") + "/"}}
	}
	if slices.ContainsFunc(s.results, func(r sarifResult) bool { return r.Suppressions != nil }) {
		for i := range s.results { // an empty list says that a result is not suppressed
			s.results[i].Suppressions = append([]sarifSuppression{}, s.results[i].Suppressions...)
		}
	}
	for _, text := range unread {
		run.Invocations[0].Notifications = append(run.Invocations[0].Notifications, sarifNotification{"error", sarifMessage{Text: text}})
	}
	run.Tool.Driver.Name, run.Tool.Driver.Version = "robots-audit", version
	if run.Tool.Driver.Rules = s.rules; s.rules == nil {
		run.Tool.Driver.Rules = []sarifRule{}
	}
	enc := json.NewEncoder(escaped{s.out})
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}})
}

// sourceRoot stands for the folder that files are relative to, by the name that
// SARIF's authors and GitHub have for it.
const sourceRoot = "%SRCROOT%"

// artifact names a file, a URL or standard input: a file in the folder root, or
// beneath it, relative to that folder.
func (s *lintSARIF) artifact(name string) sarifArtifact {
	uri, remote := name, strings.Contains(name, "://")
	switch {
	case s.uri != "":
		if u, err := url.Parse(s.uri); err == nil && u.Scheme != "" {
			return sarifArtifact{URI: s.uri}
		}
		uri = s.uri
	case remote || name == "stdin":
		return sarifArtifact{URI: name}
	default:
		if !filepath.IsAbs(name) {
			name = filepath.Join(s.root, name)
		}
		inside, err := filepath.Rel(s.root, name)
		if err != nil || inside == ".." || strings.HasPrefix(inside, ".."+string(filepath.Separator)) {
			return sarifArtifact{URI: fileURI(name)}
		}
		uri = (&url.URL{Path: filepath.ToSlash(inside)}).String()
	}
	s.rooted = true
	return sarifArtifact{uri, sourceRoot}
}

// fileURI is the URI of a file or folder whose name is absolute.
func fileURI(name string) string {
	path := filepath.ToSlash(name)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // C:/
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}
