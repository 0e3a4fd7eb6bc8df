package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// house is the dependency rule: what the files of each package may import,
// tests left aside. Packages of the standard library stand one by one only
// where purity is the point.
var house = map[string]struct {
	std    []string // standard library; nil = any
	others []string // prefixes of other modules and of this one's packages
	goes   bool     // may start goroutines
}{
	// Bytes in, verdicts out: no network, no files, no clock.
	"engine": {std: []string{"bytes", "cmp", "embed", "encoding/json", "errors", "fmt", "iter", "maps", "math", "math/bits", "net/netip", "slices", "sort", "strconv", "strings", "sync", "sync/atomic", "unicode", "unicode/utf8", "unsafe"},
		others: []string{"golang.org/x/net/idna"}},
	// Text from elsewhere, shown so that nothing in it hides.
	"engine/escape": {std: []string{"fmt", "strings", "unicode", "unicode/utf8"}},
	// The web in, bytes and URLs out: judges nothing.
	"crawl":                     {others: []string{"robots-audit/crawl/internal/", "github.com/gocolly/colly/v2", "github.com/klauspost/compress", "github.com/cenkalti/backoff/v5", "code.dny.dev/ssrf", "go.etcd.io/bbolt", "github.com/jlaffaye/ftp", "golang.org/x/", "github.com/PuerkitoBio/goquery"}},
	"crawl/internal/wellformed": {std: []string{"bytes", "encoding/binary", "regexp", "slices", "strconv", "strings", "unicode/utf8"}},
	// The knot: a domain in, records out. The one owner of goroutines.
	"audit": {others: []string{"robots-audit/engine", "robots-audit/crawl", "golang.org/x/sync/errgroup", "golang.org/x/net/idna"}, goes: true},
	// Records in, files out.
	"reports":                 {others: []string{"robots-audit/engine", "robots-audit/audit", "robots-audit/reports/internal/", "github.com/klauspost/compress", "github.com/gofrs/flock", "github.com/parquet-go/parquet-go"}},
	"reports/internal/buffer": {std: []string{"sync"}},
	"reports/internal/disk":   {std: []string{"errors", "fmt", "hash/crc32", "io", "io/fs", "os", "path", "slices", "syscall"}},
	"reports/internal/xlsx": {std: []string{"archive/zip", "bytes", "cmp", "encoding/xml", "fmt", "hash/crc32", "io", "io/fs", "os", "regexp", "slices", "strconv", "strings", "sync", "time", "unicode/utf8"},
		others: []string{"robots-audit/engine/escape", "robots-audit/reports/internal/buffer", "robots-audit/reports/internal/disk", "github.com/xuri/excelize/v2", "github.com/klauspost/compress/flate"}},
	// Flags and wiring; the demo's server and check -jsonl need goroutines.
	"cmd/robots-audit": {others: []string{"robots-audit/", "github.com/BurntSushi/toml", "github.com/vbauerster/mpb/v8", "golang.org/x/term", "golang.org/x/sync/errgroup"}, goes: true},
}

// TestHouse reads the imports of every package and holds them to the house's
// rule; and it finds packages that the rule does not know.
func TestHouse(t *testing.T) {
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(name string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && name != root && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") || strings.HasPrefix(d.Name(), "_")) { // Go looks into none of these
			return filepath.SkipDir
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		dir := filepath.ToSlash(filepath.Dir(rel))
		rule, ok := house[dir]
		if !ok {
			t.Errorf("%s: the house has no room %q", rel, dir)
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, imp := range file.Imports {
			path, err := strconv.Unquote(imp.Path.Value)
			if err != nil {
				return err
			}
			first, _, _ := strings.Cut(path, "/")
			allowed := slices.ContainsFunc(rule.others, func(o string) bool { return strings.HasPrefix(path, o) })
			if !strings.Contains(first, ".") && first != "robots-audit" {
				allowed = rule.std == nil || slices.Contains(rule.std, path)
			}
			if !allowed {
				t.Errorf("%s imports %s, which %s may not", rel, path, dir)
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if _, ok := n.(*ast.GoStmt); ok && !rule.goes {
				t.Errorf("%s starts a goroutine; audit alone does", rel)
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestTopLevel holds the top level to what it was meant to hold: of what git
// knows, where it is at hand. Lists and reports of whoever tries the program
// here are their own affair.
func TestTopLevel(t *testing.T) {
	allowed := []string{"go.mod", "go.sum", "cmd", "audit", "crawl", "engine", "reports", "config.toml", "README.md", "LICENSE", "CHANGELOG.md"}
	root := filepath.Join("..", "..")
	for _, name := range allowed {
		if _, err := os.Stat(filepath.Join(root, name)); err != nil {
			t.Error(err)
		}
	}
	tracked, err := exec.Command("git", "-C", root, "ls-files", "-z").Output()
	if err != nil {
		t.Logf("no list of files from git: %v", err)
	}
	for file := range strings.SplitSeq(string(tracked), "\x00") {
		if name, _, _ := strings.Cut(file, "/"); !strings.HasPrefix(name, ".") && name != "" && !slices.Contains(allowed, name) {
			t.Errorf("%s does not belong at the top level", file)
		}
	}
}
