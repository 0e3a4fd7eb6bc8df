package compare

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestPatch compares whole patches.
func TestPatch(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"a\n", "a\n", ""},
		{"a\nb\nc\nd\ne\n", "a\nb\nc\nd\ne2\n", "@@ -2,4 +2,4 @@\n b\n c\n d\n-e\n+e2\n"},
		{"a", "a\n", "@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+a\n"},
		{"a\r\nb\r\n", "a\r\n", "@@ -1,2 +1,1 @@\n a\r\n-b\r\n"},
		{"", "a\n", "@@ -0,0 +1,1 @@\n+a\n"},
		{"a\n", "", "@@ -1,1 +0,0 @@\n-a\n"},
	} {
		want := ""
		if c.want != "" {
			want = "diff --git a/robots.txt b/robots.txt\n--- a/robots.txt\n+++ b/robots.txt\n" + c.want
		}
		if got := Patch("robots.txt", []byte(c.old), []byte(c.new)); got != want {
			t.Errorf("%q → %q:\n%s", c.old, c.new, got)
		}
	}
}

// TestGitApply lets git apply patches of drawn files, with all line ends, with and without the last one.
func TestGitApply(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	random := rand.New(rand.NewPCG(42, 7))
	draw := func() string {
		var b strings.Builder
		for range random.IntN(25) {
			fmt.Fprintf(&b, "%s%s", []string{"", "a", "Disallow: /b", "\t\"ü\\", "--- a", "@@ -1 +1 @@"}[random.IntN(6)], []string{"\n", "\n", "\r\n", "\r"}[random.IntN(4)])
		}
		return strings.TrimSuffix(b.String(), []string{"", "\n"}[random.IntN(2)])
	}
	type pair struct {
		old *string
		new string
	}
	some := "a\nb\n"
	list := []pair{{nil, some}, {nil, ""}, {&some, ""}, {new(string), some}}
	for range 60 {
		old := draw()
		list = append(list, pair{&old, draw()})
	}
	for _, c := range list {
		dir := t.TempDir()
		file := filepath.Join(dir, "robots.txt")
		var old []byte
		if c.old != nil {
			old = append([]byte{}, *c.old...)
			if err := os.WriteFile(file, old, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		patch := Patch("robots.txt", old, []byte(c.new))
		if patch == "" && c.new == string(old) {
			continue
		}
		git := exec.Command("git", "-c", "core.autocrlf=false", "apply", "--whitespace=nowarn", "-")
		git.Dir, git.Stdin = dir, strings.NewReader(patch)
		git.Env = append(os.Environ(), "GIT_DIR="+filepath.Join(dir, "none"), "GIT_CEILING_DIRECTORIES="+dir)
		said, err := git.CombinedOutput()
		got, readErr := os.ReadFile(file)
		if err != nil || readErr != nil || string(got) != c.new {
			t.Fatalf("%q → %q: %v %v: %s\n%s\ngot %q", old, c.new, err, readErr, said, patch, got)
		}
	}
}
