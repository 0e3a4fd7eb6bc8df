package page

import (
	"strings"
	"testing"
	"unicode/utf8"

	"robots-audit/audit"
	"robots-audit/engine/escape"
)

// TestPolicyFiles checks the words for files that are there, that could not be read, and that are missing.
func TestPolicyFiles(t *testing.T) {
	files := []audit.PolicyFile{
		{Kind: audit.FileTDMRep, URL: "/t", Status: 200, Found: true, Statements: make([]audit.PolicyStatement, 1)},
		{Kind: audit.FileAI, URL: "/a", Status: 503},
		{Kind: audit.FileLLMs, URL: "/l", Status: 200, Found: true, Fault: "line 1 has no title"},
		{Kind: audit.FileLLMs, URL: "/l", Status: 200, Found: true, Links: make([]string, 2), More: 3},
		{Kind: audit.FileRSL, URL: "/r", Code: "timeout", Line: 5},
		{Kind: audit.FileTDMRep, URL: "/t", Status: 503},
		{Kind: audit.FileAI, URL: "/a", Status: 404},
		{Kind: audit.FileRSL},
	}
	got := strings.Join(policyFiles(files), " ")
	want := "tdmrep.json is there, with 1 statement. llms.txt is not well-formed: line 1 has no title. " +
		"llms.txt is there, with 5 links to this site. ai.txt and tdmrep.json could not be read: HTTP 503. " +
		"The RSL licence of line 5 could not be read: connected, but the answer took too long. Not found: ai.txt and RSL."
	if got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	evil := policyFiles([]audit.PolicyFile{{Kind: audit.FileLLMs, Found: true, Fault: strings.Repeat("x`\n\u202e\xff", 1<<12)}})
	if text := evil[0]; len(text) > 300 || strings.Contains(text, "`") || !utf8.ValidString(text) || strings.ContainsFunc(text, escape.IsHidden) {
		t.Errorf("%q", text)
	}
}
