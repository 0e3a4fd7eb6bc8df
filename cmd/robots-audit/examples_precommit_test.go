//go:build examples

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"robots-audit/cmd/internal/clitest"
)

// TestExamplePreCommit installs the hook with pre-commit as its comment says, and commits with it.
func TestExamplePreCommit(t *testing.T) {
	w := newExampleWorld(t)
	text := clitest.Read(t, "..", "..", ".pre-commit-hooks.yaml")
	var config strings.Builder
	for line := range strings.Lines(text) {
		if settings, ok := strings.CutPrefix(line, "#   "); ok {
			config.WriteString(settings)
		}
	}
	settings := config.String()
	for of, is := range map[string]string{"https://git.example.com/robots-audit.git": "file://" + w.source, "v0.2.0": "v9.9.9"} {
		if !strings.Contains(settings, of) {
			t.Fatalf("the hook's comment has no %s: %s", of, settings)
		}
		settings = strings.ReplaceAll(settings, of, is)
	}

	dir := filepath.Join(w.dir, "site")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	env := append(os.Environ(), "PRE_COMMIT_HOME="+filepath.Join(w.dir, "pre-commit"), "GOFLAGS=-trimpath -modcacherw", "CGO_ENABLED=0",
		"GIT_AUTHOR_NAME=test", "GIT_AUTHOR_EMAIL=test@example.com", "GIT_COMMITTER_NAME=test", "GIT_COMMITTER_EMAIL=test@example.com")
	in := func(name string, args ...string) (string, error) {
		cmd := exec.Command(name, args...)
		cmd.Dir, cmd.Env = dir, env
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	write := func(name, text string) {
		t.Helper()
		clitest.Write(t, dir, map[string]string{name: text})
	}
	write(".pre-commit-config.yaml", settings)
	write("robots.txt", "User-agent: *\nDisallow: /cart/\n")
	for _, args := range [][]string{{"git", "init", "-q"}, {"git", "add", "-A"}, {"pre-commit", "install"}, {"git", "commit", "-q", "-m", "fine"}} {
		if said, err := in(args[0], args[1:]...); err != nil {
			t.Fatalf("%q: %v: %s", args, err, said)
		}
	}
	write("robots.txt", "User-agent: *\nDisalow: /cart/\n")
	said, err := in("git", "commit", "-q", "-a", "-m", "misspelt")
	if err == nil || !strings.Contains(said, "robots.txt:2:1") || !strings.Contains(said, "Disalow") {
		t.Errorf("a misspelt rule is committed: %v, %s", err, said)
	}
	if said, err := in("git", "log", "--format=%s"); err != nil || said != "fine\n" {
		t.Errorf("commits: %q, %v", said, err)
	}
}
