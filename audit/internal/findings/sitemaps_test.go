package findings

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"testing"

	"robots-audit/engine"
)

// TestSitemapFaults checks that each code of a note on a sitemap has one row, and each row a finding of
// the catalogue with one of its severities.
func TestSitemapFaults(t *testing.T) {
	codes := []string{"cross_submitted", "other_host_unknown", "missing_www", "includes_www", "wrong_host", "wrong_base", "undeclared", "sitemap_too_big", "sitemap_loop", "sitemap_depth", "sitemap_budget"}
	for _, name := range []string{"../../../crawl/sitemap_notes.go", "../../../crawl/internal/sitemap/notes.go", "../hreflang/checker.go"} {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if spec, ok := n.(*ast.ValueSpec); ok && strings.HasPrefix(spec.Names[0].Name, "Note") {
				if value, ok := spec.Values[0].(*ast.BasicLit); ok {
					code, _ := strconv.Unquote(value.Value)
					codes = append(codes, code)
				}
			}
			return true
		})
	}
	if len(codes) < 45 || len(codes) != len(sitemapFaults) {
		t.Errorf("%d codes, %d rows", len(codes), len(sitemapFaults))
	}
	rows := 0
	for line := range strings.Lines(sitemapTable) {
		if !strings.HasPrefix(line, "#") {
			rows++
		}
	}
	if rows != len(sitemapFaults) {
		t.Errorf("%d rows for %d codes", rows, len(sitemapFaults))
	}
	for _, code := range codes {
		fault, ok := sitemapFaults[code]
		kind, known := engine.FindingKindByID(fault.id)
		switch {
		case !ok:
			t.Errorf("%s has no row", code)
		case fault.id == "":
		case !known:
			t.Errorf("%s: no finding %q", code, fault.id)
		case fault.severity != kind.Severity && !slices.ContainsFunc(kind.Otherwise, func(d engine.Departure) bool { return d.Severity == fault.severity }):
			t.Errorf("%s: %s is never %v", code, fault.id, fault.severity)
		case fault.one == "" || fault.many == "" || fault.one == fault.many:
			t.Errorf("%s: %q and %q", code, fault.one, fault.many)
		case fault.unless != "" && sitemapFaults[fault.unless].id == "":
			t.Errorf("%s: unless %s", code, fault.unless)
		}
	}
}
