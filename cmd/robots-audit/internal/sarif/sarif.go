// Package sarif has the parts of SARIF 2.1.0 (docs.oasis-open.org/sarif) that we write, the format
// of code review tools. Names are those of the standard. Columns count characters, since SARIF has
// no columns in bytes.
package sarif

import (
	"encoding/json"
	"io"

	"robots-audit/cmd/internal/cli"
)

// Log is a SARIF file.
type Log struct {
	Schema  string `json:"$schema"`
	Version string `json:"version"`
	Runs    []Run  `json:"runs"`
}

// Run is what one call of the program found.
type Run struct {
	Tool        Tool                `json:"tool"`
	Bases       map[string]Artifact `json:"originalUriBaseIds,omitempty"`
	Invocations []Invocation        `json:"invocations"`
	ColumnKind  string              `json:"columnKind"`
	Results     []Result            `json:"results"`
}

// Tool is the program, with its kinds of results.
type Tool struct {
	Driver struct {
		Name    string `json:"name"`
		Version string `json:"version"`
		Rules   []Rule `json:"rules"`
	} `json:"driver"`
}

// Rule is a kind of result.
type Rule struct {
	ID      string  `json:"id"`
	Name    string  `json:"name"`
	Short   Message `json:"shortDescription"`
	Full    Message `json:"fullDescription"`
	HelpURI string  `json:"helpUri"`
	Help    Message `json:"help"`
	Default struct {
		Level string `json:"level"`
	} `json:"defaultConfiguration"`
	Properties RuleProperties `json:"properties"`
}

// RuleProperties are those by which GitHub's code scanning sorts and filters. There is no
// security-severity, since no finding is a vulnerability.
type RuleProperties struct {
	Tags      []string `json:"tags"`
	Precision string   `json:"precision"`
	Severity  string   `json:"problem.severity"`
}

// Message is a text, in plain form and in Markdown.
type Message struct {
	Text     string `json:"text"`
	Markdown string `json:"markdown,omitempty"`
}

// Invocation reports the outcome of the call.
type Invocation struct {
	Successful    bool           `json:"executionSuccessful"`
	Notifications []Notification `json:"toolExecutionNotifications,omitempty"`
}

// Notification is a message about the call itself.
type Notification struct {
	Level   string  `json:"level"`
	Message Message `json:"message"`
}

// Result is one finding.
type Result struct {
	RuleID       string            `json:"ruleId"`
	RuleIndex    int               `json:"ruleIndex"`
	Level        string            `json:"level"`
	Message      Message           `json:"message"`
	Locations    []Location        `json:"locations"`
	Prints       map[string]string `json:"partialFingerprints"`
	State        string            `json:"baselineState,omitempty"`
	Suppressions []Suppression     `json:"suppressions,omitzero"` // nil in all results, or in none
	Related      []Location        `json:"relatedLocations,omitempty"`
	Fixes        []Fix             `json:"fixes,omitempty"`
	Properties   any               `json:"properties,omitempty"` // specific to the program that writes them
}

// Suppression says why a result is ignored.
type Suppression struct {
	Kind   string `json:"kind"`
	Reason string `json:"justification,omitempty"`
}

// Location is where a result is.
type Location struct {
	Physical Physical `json:"physicalLocation"`
}

// Physical is a place in a file.
type Physical struct {
	Artifact Artifact `json:"artifactLocation"`
	Region   *Region  `json:"region,omitempty"`
}

// Artifact names a file: by a URI, or relative to a base folder.
type Artifact struct {
	URI  string `json:"uri"`
	Base string `json:"uriBaseId,omitempty"`
}

// Region is a part of a file. Lines and columns count from 1; 0 = not given.
type Region struct {
	StartLine   int   `json:"startLine"`
	StartColumn int   `json:"startColumn,omitempty"`
	EndLine     int   `json:"endLine,omitempty"` // 0 = StartLine
	EndColumn   int   `json:"endColumn,omitempty"`
	ByteOffset  int64 `json:"byteOffset,omitempty"` // from 0
}

// Fix is an edit that fixes a result.
type Fix struct {
	Description Message  `json:"description"`
	Changes     []Change `json:"artifactChanges"`
}

// Change is the part of an edit in one file.
type Change struct {
	Artifact     Artifact      `json:"artifactLocation"`
	Replacements []Replacement `json:"replacements"`
}

// Replacement replaces a region with a text.
type Replacement struct {
	Deleted  Region   `json:"deletedRegion"`
	Inserted *Message `json:"insertedContent,omitempty"` // nil = nothing
}

// Write writes a log with one run of a version of this program. Its text is also safe for a
// terminal.
func Write(w io.Writer, version string, run Run) error {
	if run.Results == nil {
		run.Results = []Result{}
	}
	if run.Tool.Driver.Rules == nil {
		run.Tool.Driver.Rules = []Rule{}
	}
	run.Tool.Driver.Name, run.Tool.Driver.Version = "robots-audit", version
	run.ColumnKind = "unicodeCodePoints"
	enc := json.NewEncoder(cli.Escaped{W: w})
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(Log{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []Run{run}})
}
