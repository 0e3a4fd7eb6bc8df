// Package codequality writes GitLab's Code Quality report (docs.gitlab.com, "Code Quality"): a JSON
// array of issues, each at a line of a file of the repository.
package codequality

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"path/filepath"
	"strings"

	"robots-audit/cmd/internal/cli"
)

// Severity is GitLab's name of a severity.
type Severity string

// The severities that we use, least severe first.
const (
	Info     Severity = "info"
	Minor    Severity = "minor"
	Major    Severity = "major"
	Critical Severity = "critical"
)

// Issue is one finding.
type Issue struct {
	Description string   `json:"description"`
	Check       string   `json:"check_name"`
	Fingerprint string   `json:"fingerprint"`
	Severity    Severity `json:"severity"`
	Location    Location `json:"location"`
}

// Location is where an issue is.
type Location struct {
	Path  string `json:"path"` // from the root of the repository
	Lines struct {
		Begin int `json:"begin"`
	} `json:"lines"`
}

// New makes an issue. name is that of the file, and is written relative to root if it is below it. An
// issue keeps its fingerprint when its line moves: it depends on check, file and print.
func New(root, name string, line int, check, print, description string, severity Severity) Issue {
	i := Issue{Description: description, Check: check, Severity: severity, Location: Location{Path: path(root, name)}}
	i.Location.Lines.Begin = max(line, 1)
	sum := sha256.Sum256([]byte(strings.Join([]string{check, i.Location.Path, print}, "\x00")))
	i.Fingerprint = hex.EncodeToString(sum[:16])
	return i
}

// path is the name of a file as GitLab knows it.
func path(root, name string) string {
	if strings.Contains(name, "://") {
		return name
	}
	whole := name
	if !filepath.IsAbs(whole) {
		whole = filepath.Join(root, whole)
	}
	if inside, err := filepath.Rel(root, whole); err == nil && filepath.IsLocal(inside) {
		name = inside
	}
	return filepath.ToSlash(name)
}

// Write writes a report. Its text is also safe for a terminal.
func Write(w io.Writer, issues []Issue) error {
	if issues == nil {
		issues = []Issue{}
	}
	enc := json.NewEncoder(cli.Escaped{W: w})
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(issues)
}
