package engine

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "write the verdicts of testdata/verdicts anew, for review")

// TestVerdicts checks all profiles against the tables of testdata/verdicts:
// rows of questions times columns of profiles. "D2" is a disallow by line 2,
// "A0" an allow by no rule, "U" an undefined, "?" an unknown.
func TestVerdicts(t *testing.T) {
	files, err := filepath.Glob("testdata/verdicts/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i+1 < len(archive.Files); i += 2 {
			body, asks := archive.Files[i], &archive.Files[i+1]
			name := strings.TrimSuffix(body.Name, ".robots")
			if asks.Name != name+".asks" {
				t.Fatalf("%s: %s is followed by %s", file, body.Name, asks.Name)
			}
			want := string(asks.Data)
			got := verdictTable(t, body.Data, want)
			asks.Data = []byte(got)
			if got != want && !*update {
				t.Errorf("%s: %s:\n%s\n%s", file, name, body.Data, got)
			}
		}
		if *update {
			if err := os.WriteFile(file, txtar.Format(archive), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// verdictTable answers the questions of a table, the first two words of its
// lines, and writes it.
func verdictTable(t *testing.T, body []byte, asks string) string {
	var out bytes.Buffer
	fmt.Fprintf(&out, "%-50s", "crawler and URL")
	for _, p := range Profiles() {
		fmt.Fprintf(&out, " %-11s", p.Name)
	}
	for line := range strings.Lines(asks) {
		words := strings.Fields(line)
		if len(words) < 2 || words[1] == "and" {
			continue
		}
		fmt.Fprintf(&out, "\n%-50s", words[0]+" "+words[1])
		for _, p := range Profiles() {
			d := p.Parse(body).Group(crawlerOf(t, words[0], p.Name)).Verdict(words[1])
			fmt.Fprintf(&out, " %-11s", cell(d))
		}
	}
	return strings.ReplaceAll(trimLines(out.String()), "\t", " ") + "\n"
}

func cell(d Decision) string {
	if d.Verdict == Unknown {
		return "?"
	}
	return fmt.Sprintf("%c%d", strings.ToUpper(d.Verdict.String())[0], d.Line())
}

func trimLines(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}
