package engine

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// caseFile is a robots.txt of the recorded cases with its questions.
type caseFile struct {
	ID      string
	What    string
	Tags    []string
	Profile string   // the profile of these verdicts, if the set has several
	Also    []string // profiles with the same verdicts
	Robots  string
	Base64  []byte `json:"robots_b64"` // if the text is not UTF-8
	Asks    []ask
}

type ask struct {
	Agents  []string // product tokens, verbatim
	URL     string
	Verdict string
	Line    *int
	Quirks  []string
	Google  string // the verdict of Google's matcher, if it differs
}

func (f *caseFile) body() []byte {
	if f.Base64 != nil {
		return f.Base64
	}
	return []byte(f.Robots)
}

// readCases reads a set of recorded cases from testdata.
func readCases(t testing.TB, name string) []caseFile {
	t.Helper()
	var list []caseFile
	readRows(t, name, func(line []byte) error {
		var f caseFile
		err := json.Unmarshal(line, &f)
		list = append(list, f)
		return err
	})
	return list
}

// readRows calls row with every line of a file of testdata, compressed or not.
func readRows(t testing.TB, name string, row func(line []byte) error) {
	t.Helper()
	file, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	if strings.HasSuffix(name, ".gz") {
		unzipped, err := gzip.NewReader(file)
		if err != nil {
			t.Fatal(err)
		}
		lines = bufio.NewScanner(unzipped)
	}
	lines.Buffer(nil, 4<<20)
	n := 0
	for ; lines.Scan(); n++ {
		if err := row(lines.Bytes()); err != nil {
			t.Fatalf("%s:%d: %v", name, n+1, err)
		}
	}
	if err := lines.Err(); err != nil || n == 0 {
		t.Fatalf("%s: %d lines, %v", name, n, err)
	}
}

// crawlerOf returns the crawler of a case for a profile: from the list, or else
// from the product token.
func crawlerOf(t testing.TB, name, profile string) Crawler {
	t.Helper()
	var unknown *UnknownCrawlerError
	c, err := ParseCrawler(name + "@" + profile)
	if errors.As(err, &unknown) {
		c, err = ParseCrawler("token:" + name + "@" + profile)
	}
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func mustCrawler(t testing.TB, name string) Crawler {
	t.Helper()
	c, err := ParseCrawler(name)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func mustProfile(t testing.TB, name string) *Profile {
	t.Helper()
	p, ok := ProfileByName(name)
	if !ok {
		t.Fatalf("no profile %q", name)
	}
	return p
}
