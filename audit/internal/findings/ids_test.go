package findings

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
	"testing"

	"robots-audit/engine"
)

// TestIDs looks up every id and kind of this package in the engine's catalogue.
func TestIDs(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "ids.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var ids, kinds []string
	ast.Inspect(file, func(n ast.Node) bool {
		if text, ok := n.(*ast.BasicLit); ok {
			if id, _ := strconv.Unquote(text.Value); strings.ContainsAny(id, "0123456789") {
				ids = append(ids, id)
			} else {
				kinds = append(kinds, id)
			}
		}
		return true
	})
	if len(ids) == 0 || len(kinds) == 0 {
		t.Fatalf("ids.go lists %d ids and %d kinds", len(ids), len(kinds))
	}
	for _, id := range ids {
		if _, ok := engine.FindingKindByID(id); !ok {
			t.Errorf("the engine knows no finding %s", id)
		}
	}
	for _, kind := range kinds {
		known := false
		for _, k := range engine.FindingKinds() {
			known = known || strings.HasPrefix(k.ID, kind)
		}
		if !known {
			t.Errorf("no id of a finding begins with %s", kind)
		}
	}
}
