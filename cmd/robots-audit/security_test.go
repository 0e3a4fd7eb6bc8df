package main

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"robots-audit/cmd/internal/clitest"
)

// TestSecurityTests checks that the tests that SECURITY.md names for each promise exist.
func TestSecurityTests(t *testing.T) {
	text := clitest.Read(t, "../../.github/SECURITY.md")
	named := regexp.MustCompile("`(Test\\w+)`")
	promises := 0
	for line := range strings.Lines(text) {
		cells := strings.Split(line, " | ")
		if len(cells) != 3 || strings.HasPrefix(line, "| from") {
			continue
		}
		promises++
		found := 0
		for part := range strings.SplitSeq(cells[2], ";") {
			folder, tests, _ := strings.Cut(part, ": ")
			files, err := filepath.Glob(filepath.Join("../..", strings.Trim(folder, " |`"), "*_test.go"))
			if err != nil {
				t.Fatal(err)
			}
			var code strings.Builder
			for _, name := range files {
				source := clitest.Read(t, name)
				code.WriteString(source)
			}
			for _, test := range named.FindAllStringSubmatch(tests, -1) {
				if found++; !strings.Contains(code.String(), "func "+test[1]+"(t *testing.T)") {
					t.Errorf("%s has no %s", folder, test[1])
				}
			}
		}
		if found == 0 {
			t.Errorf("no test holds: %s", line)
		}
	}
	if promises < 10 {
		t.Errorf("%d promises", promises)
	}
}
