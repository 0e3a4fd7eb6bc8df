//go:build soak

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"robots-audit/cmd/internal/clitest"
)

// newFewEdited is a world of a few sites, with the command in its own processes.
func newFewEdited(t *testing.T, hosts ...string) *edited {
	t.Helper()
	w := newEdited(t)
	w.files["list"] = strings.Join(hosts, "\n") + "\n"
	w.set(t, "quiet = false", "quiet = true")
	return w
}

// set rewrites the configuration, with replacements by pairs of old and new text.
func (w *edited) set(t *testing.T, replace ...string) {
	t.Helper()
	w.configure(t, "Googlebot,Bingbot,GPTBot")
	w.write(t, "config.toml", strings.NewReplacer(replace...).Replace(w.files["config.toml"]))
}

// users are the users of a world's processes, if not the test's own user.
var users = map[*edited]*syscall.SysProcAttr{}

// command starts robots-audit schedule with the configuration and more arguments, in a process with
// the world's time.
func (w *edited) command(t *testing.T, args ...string) *process {
	t.Helper()
	exe := filepath.Join(w.dir, "robots-audit-fleet")
	if users[w] == nil {
		exe = clitest.Self(t)
	}
	return started(t, &exec.Cmd{Path: exe, SysProcAttr: users[w], Args: append([]string{"robots-audit-fleet", "schedule", "-config", filepath.Join(w.dir, "config.toml")}, args...),
		Env: append(os.Environ(), clitest.ClockOfTest+"="+w.now.Format(time.RFC3339))})
}

// ends runs command until it ends.
func (w *edited) ends(t *testing.T, args ...string) (code int, said string) {
	t.Helper()
	p := w.command(t, args...)
	code = p.wait()
	return code, p.said.String()
}

// process makes the due runs in a process, and moves the time on by an hour.
func (w *edited) process(t *testing.T) (code int, said string) {
	t.Helper()
	code, said = w.ends(t, "-once")
	w.now = w.now.Add(time.Hour)
	return code, said
}

// stories are the reported events, one per line: kind, condition, run.
func (w *edited) stories(t *testing.T) string {
	t.Helper()
	var text strings.Builder
	events, _ := w.told(t)
	for _, e := range events {
		fmt.Fprintf(&text, "%s %s %s\n", e.Kind, e.Condition, e.Run)
	}
	return text.String()
}

// wholeRun reports whether a run's folder is complete: its end, and its reports.
func (w *edited) wholeRun(id string) bool {
	text, err := os.ReadFile(filepath.Join(w.dir, "history", "runs", id, "run.json"))
	_, page := os.Stat(filepath.Join(w.dir, "history", "runs", id, "index.html"))
	return err == nil && page == nil && strings.Contains(string(text), `"finished": "`)
}
