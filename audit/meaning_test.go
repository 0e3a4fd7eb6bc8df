package audit

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"robots-audit/crawl"
	"robots-audit/engine"
)

// codes returns the stable codes declared in a folder: names that begin with Code, Note or Left.
// Codes of limits and states have other texts.
func codes(t *testing.T, folder string) map[string]string {
	t.Helper()
	found := map[string]string{}
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	noError(t, err)
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		noError(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || len(spec.Values) != 1 {
				return true
			}
			value, ok := spec.Values[0].(*ast.BasicLit)
			name := spec.Names[0].Name
			if ok && value.Kind == token.STRING && (strings.HasPrefix(name, "Code") || strings.HasPrefix(name, "Note") || strings.HasPrefix(name, "Left")) {
				text, _ := strconv.Unquote(value.Value)
				found[name] = text
			}
			return true
		})
	}
	return found
}

// TestMeanings checks that there are words for every code that can be in a sentence.
func TestMeanings(t *testing.T) {
	ours, theirs := codes(t, "."), codes(t, "../crawl")
	rooms, err := filepath.Glob("../crawl/internal/*")
	noError(t, err)
	for _, room := range rooms {
		maps.Copy(theirs, codes(t, room))
	}
	if len(ours) < 15 || len(theirs) < 70 {
		t.Fatalf("%d and %d codes found", len(ours), len(theirs))
	}
	for name, code := range ours {
		if meanings[code] == "" && crawl.Meaning(code) == "" {
			t.Errorf("%s (%s) has no words", name, code)
		}
	}
	for name, code := range theirs {
		if crawl.Meaning(code) == "" && meanings[code] == "" {
			t.Errorf("%s (%s) has no words", name, code)
		}
	}
}

// TestReadWhy checks that the access result is in words, for any cause of a missing answer.
func TestReadWhy(t *testing.T) {
	for name, code := range codes(t, "../crawl") {
		if !strings.HasPrefix(name, "Code") {
			continue
		}
		for _, p := range engine.Profiles() {
			r := p.Read(engine.File{Error: code})
			if why := ReadWhy(r.Why); strings.Contains(why, "_") || strings.HasPrefix(why, code+":") || strings.HasSuffix(why, ": "+code) {
				t.Errorf("%s: %s", p.Name, why)
			}
		}
	}
	if got, want := ReadWhy("tls_wrong_host: full disallow"), "the certificate belongs to another name: full disallow"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
