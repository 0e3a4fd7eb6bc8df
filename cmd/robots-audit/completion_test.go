package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/clitest"
)

// completionScript writes the script for a shell into a file.
func completionScript(t *testing.T, shell string) string {
	t.Helper()
	var text, said strings.Builder
	if code := run([]string{"completion", shell}, cli.Streams{In: strings.NewReader(""), Out: &text, Err: &said}); code != cli.ExitDone || said.Len() > 0 {
		t.Fatalf("exit code %d: %s", code, &said)
	}
	name := filepath.Join(t.TempDir(), "_robots-audit")
	clitest.WriteFile(t, name, text.String())
	return name
}

// completions are typed texts, with words that are offered for them and words that are not.
var completions = []struct{ typed, words, not string }{
	{"robots-audit ", "audit demo check lint report completion man version help", "-rows"},
	{"robots-audit com", "completion", "check"},
	{"robots-audit -ro", "-rows", "-out"},
	{"robots-audit --do", "--domains", "-domains"},
	{"robots-audit example.com -crawl-", "-crawl-pages -crawl-depth -crawl-time", "-crawlers"},
	{"robots-audit -rows ", "blocked all", "text"},
	{"robots-audit demo --log-format j", "json", "text"},
	{"robots-audit -crawlers Bingb", "Bingbot", "Googlebot"},
	{"robots-audit -crawlers Googlebot,Bingb", "Googlebot,Bingbot", "Bingbot"},
	{"robots-audit lint -sev", "-severity", "-rows"},
	{"robots-audit lint -profile yan", "yandex yandex-2016", "google"},
	{"robots-audit help li", "lint", "list"},
	{"robots-audit completion ", "bash zsh fish", "lint"},
	{"robots-audit check rob", "robots.txt", "check"},
	{"robots-audit -domains li", "list.txt", "robots.txt"},
	{"robots-audit -out mon", "monday", "robots.txt"},
}

// completionFolder is a folder with files to complete.
func completionFolder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"robots.txt", "list.txt"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "monday"), 0o777); err != nil {
		t.Fatal(err)
	}
	return dir
}

// checkCompletions checks the words that a shell offered, a line for each of completions.
func checkCompletions(t *testing.T, output []byte) {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(string(output), "\n"), "\n")
	if len(lines) != len(completions) {
		t.Fatalf("%d lines, want %d: %s", len(lines), len(completions), output)
	}
	for i, c := range completions {
		offered := " " + lines[i] + " "
		for word := range strings.FieldsSeq(c.words) {
			if !strings.Contains(offered, " "+word+" ") && !strings.Contains(offered, " "+word+"/ ") {
				t.Errorf("%q is not completed to %q but %q", c.typed, word, lines[i])
			}
		}
		if strings.Contains(offered, " "+c.not+" ") {
			t.Errorf("%q is completed to %q", c.typed, c.not)
		}
	}
}

// bashDriver completes each line of standard input as bash does on a terminal.
const bashDriver = `source "$1"
while IFS= read -r line; do
  read -ra COMP_WORDS <<<"$line"
  case $line in *' ') COMP_WORDS+=('');; esac
  COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMPREPLY=()
  set -- $(complete -p robots-audit)
  "$3" 2>/dev/null
  echo "${COMPREPLY[*]}"
done
`

// TestCompletionBash loads the script into bash and completes.
func TestCompletionBash(t *testing.T) {
	shell, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash here")
	}
	script := completionScript(t, "bash")
	if out, err := exec.Command(shell, "-n", script).CombinedOutput(); err != nil || len(out) > 0 {
		t.Fatalf("%v: %s", err, out)
	}
	var typed strings.Builder
	for _, c := range completions {
		typed.WriteString(c.typed + "\n")
	}
	cmd := exec.Command(shell, "--norc", "-c", bashDriver, "bash", script)
	cmd.Dir, cmd.Stdin, cmd.Stderr = completionFolder(t), strings.NewReader(typed.String()), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	checkCompletions(t, out)
}

// TestCompletionErrors checks that errors say what is expected.
func TestCompletionErrors(t *testing.T) {
	for _, c := range []struct{ shell, want string }{
		{"", "robots-audit: completion needs the name of one shell: bash, zsh or fish\n"},
		{"csh", "robots-audit: no completion for \"csh\". Choose bash, zsh or fish\n"},
	} {
		if code, said := call(append([]string{"completion"}, strings.Fields(c.shell)...)...); code != cli.ExitUsage || said != c.want {
			t.Errorf("%q: exit code %d: %s", c.shell, code, said)
		}
	}
}

// TestManRoff checks that no text of the manual page is an instruction to the formatter, and that
// every flag of the audit is in it.
func TestManRoff(t *testing.T) {
	for text, want := range map[string]string{
		".x": `\&.x`, "'x": `\&'x`, `a\b`: `a\eb`, "-x": `\-x`, "a.b": "a.b", "SITE…": `SITE\&...`,
	} {
		if got := cli.Roff(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	page := cli.ManPage(cli.DescribeCommands())
	for line := range strings.SplitSeq(page, "\n") {
		if strings.ContainsFunc(line, func(r rune) bool { return r > '~' }) {
			t.Errorf("not ASCII: %s", line)
		}
		if name, _, _ := strings.Cut(line, " "); strings.HasPrefix(line, ".") && !strings.Contains(" .TH .SH .SS .B .I .BR .RI .TP .PP .RS .RE .nf .fi ", " "+name+" ") {
			t.Errorf("an instruction: %s", line)
		}
	}
	for _, want := range []string{"\n.B \\-domains \\fIfile\\fR\n", "\n.B \\-crawl\n", ".SS lint\n", "Examples:\n.RS 4\n.nf\n"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %q", want)
		}
	}
}
