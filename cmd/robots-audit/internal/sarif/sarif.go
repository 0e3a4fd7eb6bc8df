// Package sarif has what we write of SARIF 2.1.0 (docs.oasis-open.org/sarif), the format
// that code review tools read, by its names for things. Columns count characters, since
// SARIF has no columns in bytes.
package sarif

import (
	"encoding/json"
	"io"

	"robots-audit/cmd/internal/cli"
)

// Log is a file of SARIF.
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

// Tool is the program, with the kinds of results that it knows.
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

// RuleProperties are those that GitHub's code scanning sorts and filters by. There
// is no security-severity: no finding is a vulnerability.
type RuleProperties struct {
	Tags      []string `json:"tags"`
	Precision string   `json:"precision"`
	Severity  string   `json:"problem.severity"`
}

// Message is a text, and the same in Markdown.
type Message struct {
	Text     string `json:"text"`
	Markdown string `json:"markdown,omitempty"`
}

// Invocation is how the call went.
type Invocation struct {
	Successful    bool           `json:"executionSuccessful"`
	Notifications []Notification `json:"toolExecutionNotifications,omitempty"`
}

// Notification is what there is to say of the call itself.
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
	Properties   any               `json:"properties,omitempty"` // of the program that writes them
}

// Suppression says why a result is to be ignored.
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

// Artifact names a file: by a URI, or relative to what stands for a folder.
type Artifact struct {
	URI  string `json:"uri"`
	Base string `json:"uriBaseId,omitempty"`
}

// Region is a part of a file. Lines and columns count from 1; 0 = not given.
type Region struct {
	StartLine   int `json:"startLine"`
	StartColumn int `json:"startColumn,omitempty"`
	EndLine     int `json:"endLine,omitempty"` // 0 = StartLine
	EndColumn   int `json:"endColumn,omitempty"`
}

// Fix is an edit that mends a result.
type Fix struct {
	Description Message  `json:"description"`
	Changes     []Change `json:"artifactChanges"`
}

// Change is what of an edit is in one file.
type Change struct {
	Artifact     Artifact      `json:"artifactLocation"`
	Replacements []Replacement `json:"replacements"`
}

// Replacement puts a text in the place of another.
type Replacement struct {
	Deleted  Region   `json:"deletedRegion"`
	Inserted *Message `json:"insertedContent,omitempty"` // nil = nothing
}

// Write writes a log of one run of a version of this program, which is safe for a terminal, too.
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
