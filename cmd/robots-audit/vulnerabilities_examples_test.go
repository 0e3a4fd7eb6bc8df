//go:build examples

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/mod/semver"

	"robots-audit/cmd/internal/clitest"
)

// TestExampleVulnerabilities runs the step of .ci/run with a scanner that ends in each possible
// way: unchecked parts are reported, and findings fail.
func TestExampleVulnerabilities(t *testing.T) {
	text := clitest.Read(t, "..", "..", ".ci", "run")
	_, script, _ := strings.Cut(text, "\nstep vulnerabilities\n")
	script, _, found := strings.Cut(script, "\nstep ")
	if !found {
		t.Fatal("no such step")
	}
	for _, c := range []struct {
		name, db, installs, ends string
		failed                   bool
		says                     string
	}{
		{"online, nothing found", "", "0", "0", false, "[./...]"},
		{"online, findings", "", "0", "3", true, ""},
		{"no network", "", "0", "1", false, "not checked"},
		{"no scanner", "", "1", "0", false, "not checked"},
		{"a copy, nothing found", "file:///a copy", "0", "0", false, "[-db][file:///a copy][./...]"},
		{"a copy, findings", "file:///a copy", "0", "3", true, ""},
		{"a copy that cannot be read", "file:///a copy", "0", "1", true, ""},
		{"a copy and no scanner", "file:///a copy", "1", "0", true, "no vulnerability scanner"},
	} {
		bin := t.TempDir()
		for name, text := range map[string]string{"go": "exit " + c.installs, "govulncheck": "printf '[%s]' \"$@\"; exit " + c.ends} {
			if err := os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/bash\n"+text+"\n"), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		cmd := exec.Command("bash", "-euo", "pipefail", "-c", script)
		cmd.Env = []string{"PATH=" + bin + ":" + os.Getenv("PATH"), "GOBIN=" + bin}
		if c.db != "" {
			cmd.Env = append(cmd.Env, "GOVULNDB="+c.db)
		}
		out, err := cmd.CombinedOutput()
		if (err != nil) != c.failed || !strings.Contains(string(out), c.says) || !c.failed && c.ends+c.installs == "00" && strings.Contains(string(out), "not checked") {
			t.Errorf("%s: %v, %s", c.name, err, out)
		}
	}
}

// TestExampleModules checks that indirect modules have at least the versions in which known
// vulnerabilities are fixed.
func TestExampleModules(t *testing.T) {
	text := clitest.Read(t, "..", "..", "go.mod")
	for module, least := range map[string]string{
		"github.com/antchfx/xpath": "v1.3.6", // an expression that selects endlessly
	} {
		_, version, _ := strings.Cut(text, "\n\t"+module+" ")
		if version, _, _ = strings.Cut(strings.TrimSpace(version), " "); semver.Compare(version, least) < 0 {
			t.Errorf("%s %s, want %s at least", module, version, least)
		}
	}
}
