package main

import (
	"encoding/json"
	"io"
	"net/url"
	"strings"
	"unicode/utf8"

	"robots-audit/engine"
	"robots-audit/engine/escape"
)

// lintSARIF writes one log of SARIF 2.1.0 (docs.oasis-open.org/sarif), the format
// that code review tools read. Its columns count characters, since SARIF has no
// columns in bytes.
type lintSARIF struct {
	out         io.Writer
	results     []sarifResult
	rules       []sarifRule    // those of the catalogue that were found
	ruleIndices map[string]int // into rules
}

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool        sarifTool         `json:"tool"`
	Invocations []sarifInvocation `json:"invocations"`
	ColumnKind  string            `json:"columnKind"`
	Results     []sarifResult     `json:"results"`
}

type sarifTool struct {
	Driver struct {
		Name    string      `json:"name"`
		Version string      `json:"version"`
		Rules   []sarifRule `json:"rules"`
	} `json:"driver"`
}

type sarifRule struct {
	ID      string       `json:"id"`
	Short   sarifMessage `json:"shortDescription"`
	Full    sarifMessage `json:"fullDescription"`
	Help    sarifMessage `json:"help"`
	Default struct {
		Level string `json:"level"`
	} `json:"defaultConfiguration"`
}

type sarifMessage struct {
	Text string `json:"text"`
}

type sarifInvocation struct {
	Successful    bool                `json:"executionSuccessful"`
	Notifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
}

type sarifNotification struct {
	Level   string       `json:"level"`
	Message sarifMessage `json:"message"`
}

type sarifResult struct {
	RuleID     string          `json:"ruleId"`
	RuleIndex  int             `json:"ruleIndex"`
	Level      string          `json:"level"`
	Message    sarifMessage    `json:"message"`
	Locations  []sarifLocation `json:"locations"`
	Related    []sarifLocation `json:"relatedLocations,omitempty"`
	Fixes      []sarifFix      `json:"fixes,omitempty"`
	Properties sarifProperties `json:"properties"`
}

type sarifProperties struct {
	Severity string   `json:"severity"`
	Profiles []string `json:"profiles"`
	More     int      `json:"more,omitempty"`
}

type sarifLocation struct {
	Physical sarifPhysical `json:"physicalLocation"`
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Region   *sarifRegion  `json:"region,omitempty"`
}

type sarifArtifact struct {
	URI string `json:"uri"`
}

type sarifRegion struct {
	StartLine   int `json:"startLine"`
	StartColumn int `json:"startColumn,omitempty"`
	EndLine     int `json:"endLine,omitempty"` // 0 = StartLine
	EndColumn   int `json:"endColumn,omitempty"`
}

type sarifFix struct {
	Description sarifMessage  `json:"description"`
	Changes     []sarifChange `json:"artifactChanges"`
}

type sarifChange struct {
	Artifact     sarifArtifact      `json:"artifactLocation"`
	Replacements []sarifReplacement `json:"replacements"`
}

type sarifReplacement struct {
	Deleted  sarifRegion   `json:"deletedRegion"`
	Inserted *sarifMessage `json:"insertedContent,omitempty"` // nil = nothing
}

// sarifLevels are SARIF's names for severities.
var sarifLevels = [...]string{engine.Info: "note", engine.Warning: "warning", engine.Error: "error", engine.Critical: "error"}

func (s *lintSARIF) file(name string, findings []lintFinding) error {
	at := sarifArtifact{fileURI(name)}
	for _, f := range findings {
		r := sarifResult{
			RuleID: f.ID, RuleIndex: s.ruleIndex(f.ID), Level: sarifLevels[f.Severity], Message: sarifMessage{escape.Printable(f.What + ". " + f.Why + " " + f.Fix)},
			Locations:  []sarifLocation{{sarifPhysical{Artifact: at, Region: regionOf(&f.Finding)}}},
			Properties: sarifProperties{f.Severity.String(), f.Profiles, f.More},
		}
		for _, line := range f.Related {
			r.Related = append(r.Related, sarifLocation{sarifPhysical{Artifact: at, Region: &sarifRegion{StartLine: line}}})
		}
		if changes := sarifReplacements(&f.Finding); changes != nil {
			r.Fixes = []sarifFix{{sarifMessage{f.Fix}, []sarifChange{{at, changes}}}}
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
		list = append(list, sarifReplacement{whole, &sarifMessage{f.Replacement}})
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
	rule := sarifRule{ID: k.ID, Short: sarifMessage{k.What}, Full: sarifMessage{k.Why}, Help: sarifMessage{k.Fix}}
	rule.Default.Level = sarifLevels[k.Severity]
	if s.ruleIndices == nil {
		s.ruleIndices = map[string]int{}
	}
	s.ruleIndices[id] = len(s.rules)
	s.rules = append(s.rules, rule)
	return len(s.rules) - 1
}

// regionOf is the position of a finding in characters. A finding about the file as
// a whole is put at its first line, since review tools need a line.
func regionOf(f *engine.Finding) *sarifRegion {
	if f.Line == 0 {
		return &sarifRegion{StartLine: 1}
	}
	character := func(column int) int {
		return utf8.RuneCountInString(f.Text[:min(max(column-1, 0), len(f.Text))]) + 1
	}
	return &sarifRegion{StartLine: f.Line, StartColumn: character(f.Column), EndColumn: character(f.EndColumn)}
}

func (s *lintSARIF) end(unread []string) error {
	run := sarifRun{ColumnKind: "unicodeCodePoints", Results: s.results, Invocations: []sarifInvocation{{Successful: len(unread) == 0}}}
	if run.Results == nil {
		run.Results = []sarifResult{}
	}
	for _, text := range unread {
		run.Invocations[0].Notifications = append(run.Invocations[0].Notifications, sarifNotification{"error", sarifMessage{text}})
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

// fileURI is the URI of a file in SARIF: relative if the name is.
func fileURI(name string) string {
	if strings.Contains(name, "://") {
		return name
	}
	uri := url.URL{Path: strings.ReplaceAll(name, "\\", "/")}
	if strings.HasPrefix(uri.Path, "/") {
		uri.Scheme = "file"
	}
	return uri.String()
}
