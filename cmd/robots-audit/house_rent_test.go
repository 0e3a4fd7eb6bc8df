package main

import (
	"bytes"
	"fmt"
	"go/scanner"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// sizesFile has the maximum size of each part of the module: a line has a kind of size, the part,
// and the size. A change that makes a part larger must also change this file, and its commit says
// why.
const sizesFile = "testdata/house.txt"

// maxFiles is the maximum number of files in a package's folder, without tests. A folder with more
// is in the table, and may not grow.
const maxFiles = 55

// sizes are sizes by kind and part: "lines audit/compare", "linked cmd/robots-audit".
type sizes map[string]int

// slack is how far a size may exceed its limit, so that a small change need not change the table.
func slack(key string, limit int) int {
	switch kind, _, _ := strings.Cut(key, " "); kind {
	case "packages", "files":
		return 0
	case "lines":
		return max(30, limit/50)
	}
	return limit / 50
}

// exceeded lists the sizes that are over their limits, or have none.
func (s sizes) exceeded(limits sizes) (list []string) {
	for _, key := range slices.Sorted(maps.Keys(s)) {
		limit, known := limits[key]
		switch {
		case !known:
			if dir, files := strings.CutPrefix(key, "files "); files {
				list = append(list, fmt.Sprintf("%s: %d files, but at most %d in a folder", dir, s[key], maxFiles))
				continue
			}
			list = append(list, fmt.Sprintf("%s: %d, and %s has no limit for it", key, s[key], sizesFile))
		case s[key] > limit+slack(key, limit):
			list = append(list, fmt.Sprintf("%s: %d, but at most %d by %s", key, s[key], limit, sizesFile))
		}
	}
	return list
}

// replacedBy returns the sizes, with measured kinds replaced.
func (s sizes) replacedBy(measured sizes) sizes {
	kinds := map[string]bool{}
	for key := range measured {
		kind, _, _ := strings.Cut(key, " ")
		kinds[kind] = true
	}
	kinds["files"] = kinds["lines"] // there may be no entry left
	all := maps.Clone(s)
	maps.DeleteFunc(all, func(key string, _ int) bool {
		kind, _, _ := strings.Cut(key, " ")
		return kinds[kind]
	})
	maps.Copy(all, measured)
	return all
}

// readSizes reads the table; one that does not exist is empty.
func readSizes(text string) (sizes, error) {
	list := sizes{}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		var kind, part string
		var n int
		if _, err := fmt.Sscan(line, &kind, &part, &n); err != nil {
			return nil, fmt.Errorf("%s: %q: %w", sizesFile, line, err)
		}
		list[kind+" "+part] = n
	}
	return list, nil
}

// String is the table in the form of its file.
func (s sizes) String() string {
	var b strings.Builder
	b.WriteString("# How large each part of the house may be: see house_rent_test.go.\n")
	for _, key := range slices.Sorted(maps.Keys(s)) {
		kind, part, _ := strings.Cut(key, " ")
		fmt.Fprintf(&b, "%-8s %-50s %6d\n", kind, part, s[key])
	}
	return b.String()
}

// checkSizes compares measured sizes with the table, or writes the table.
func checkSizes(t *testing.T, measured sizes) {
	t.Helper()
	text, err := os.ReadFile(sizesFile)
	if err != nil && !*update {
		t.Fatal(err)
	}
	limits, err := readSizes(string(text))
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(sizesFile, []byte(limits.replacedBy(measured).String()), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	for _, line := range measured.exceeded(limits) {
		t.Errorf("%s.\nMake it smaller, or run go test ./cmd/robots-audit -run %s -update, and say in the commit why it must grow", line, t.Name())
	}
}

// measuredSizes counts the packages below root, their lines of code, and their files if there are
// more than most.
func measuredSizes(root fs.FS, most int) (sizes, error) {
	measured, files := sizes{}, map[string]int{}
	for name, err := range goFiles(root) {
		if err != nil {
			return nil, err
		}
		text, err := fs.ReadFile(root, name)
		if err != nil {
			return nil, err
		}
		dir := path.Dir(name)
		files[dir]++
		measured["lines "+dir] += linesOfCode(text)
	}
	for dir, n := range files {
		if n > most {
			measured["files "+dir] = n
		}
	}
	measured["packages module"] = len(files)
	return measured, nil
}

// linesOfCode counts the lines of a Go file that are not blank or comments only.
func linesOfCode(text []byte) int {
	var s scanner.Scanner
	set := token.NewFileSet()
	file := set.AddFile("", -1, len(text))
	s.Init(file, text, nil, 0)
	count, last := 0, 0
	for {
		pos, tok, literal := s.Scan()
		if tok == token.EOF {
			return count
		}
		if tok == token.SEMICOLON && literal == "\n" { // it is not in the text, and may be on another line after a comment
			continue
		}
		at := file.Line(pos)
		for line := range strings.SplitSeq(literal, "\n") { // a raw string has many lines
			if at > last && (literal == "" || strings.TrimSpace(line) != "") {
				count, last = count+1, at
			}
			at++
		}
	}
}

// TestHouseRent prevents that packages, their lines of code, their folders and the linked packages
// grow unnoticed.
func TestHouseRent(t *testing.T) {
	root := filepath.Join("..", "..")
	measured, err := measuredSizes(os.DirFS(root), maxFiles)
	if err != nil {
		t.Fatal(err)
	}
	for _, program := range []string{"cmd/robots-audit", "cmd/robots-audit-fleet"} {
		list := exec.Command("go", "list", "-deps", "./"+program)
		list.Dir, list.Stderr = root, os.Stderr
		list.Env = append(os.Environ(), "GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=0") // the linked packages depend on them
		packages, err := list.Output()
		if err != nil {
			t.Fatal(err)
		}
		measured["linked "+program] = bytes.Count(packages, []byte("\n"))
	}
	checkSizes(t, measured)
}

// TestHouseRentFaults measures a small module, and finds the sizes over a limit.
func TestHouseRentFaults(t *testing.T) {
	house := fstest.MapFS{
		"audit/a.go":          {Data: []byte("// Package audit\npackage audit\n\n/* a\n   comment */\nvar x = `a\n\n  b`\n\nfunc f() { // f\n}\n")},
		"audit/b.go":          {Data: []byte("package audit\n\nvar y = 1 /* c\n*/ + 2\n")},
		"audit/a_test.go":     {Data: []byte("package audit\n")},
		"audit/testdata/c.go": {Data: []byte("package c\n")},
		"crawl/c.go":          {Data: []byte("package crawl")},
	}
	measured, err := measuredSizes(house, 1)
	if err != nil {
		t.Fatal(err)
	}
	want := sizes{"lines audit": 8, "lines crawl": 1, "packages module": 2, "files audit": 2}
	if !maps.Equal(measured, want) {
		t.Fatalf("%v, want %v", measured, want)
	}
	for _, c := range []struct {
		measured, limits sizes
		want             string
	}{
		{sizes{"lines a": 130}, sizes{"lines a": 100}, ""},
		{sizes{"lines a": 131}, sizes{"lines a": 100}, "lines a: 131, but at most 100 by testdata/house.txt"},
		{sizes{"lines a": 5100}, sizes{"lines a": 5000}, ""},
		{sizes{"lines a": 5101}, sizes{"lines a": 5000}, "lines a: 5101, but at most 5000 by testdata/house.txt"},
		{sizes{"lines b": 1}, sizes{"lines a": 100}, "lines b: 1, and testdata/house.txt has no limit for it"},
		{sizes{"packages module": 51}, sizes{"packages module": 50}, "packages module: 51, but at most 50 by testdata/house.txt"},
		{sizes{"files a": 61}, sizes{"files a": 60}, "files a: 61, but at most 60 by testdata/house.txt"},
		{sizes{"files a": 56}, nil, "a: 56 files, but at most 55 in a folder"},
		{sizes{"linked p": 511}, sizes{"linked p": 500}, "linked p: 511, but at most 500 by testdata/house.txt"},
		{sizes{"lines a": 1}, sizes{"lines a": 100, "lines gone": 5}, ""},
	} {
		if got := strings.Join(c.measured.exceeded(c.limits), "\n"); got != c.want {
			t.Errorf("%v by %v: %q, want %q", c.measured, c.limits, got, c.want)
		}
	}
	before := sizes{"lines gone": 5, "files gone": 60, "lines audit": 9, "KB robots-audit": 40000}
	after := sizes{"lines audit": 8, "lines crawl": 1, "packages module": 2, "files audit": 2, "KB robots-audit": 40000}
	if got, err := readSizes(before.replacedBy(measured).String()); err != nil || !maps.Equal(got, after) {
		t.Errorf("%v, %v; want %v", got, err, after)
	}
}
