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

// newFewEdited are two sites and the command as processes of their own.
func newFewEdited(t *testing.T, hosts ...string) *edited {
	t.Helper()
	w := newEdited(t)
	w.files["list"] = strings.Join(hosts, "\n") + "\n"
	w.set(t, "quiet = false", "quiet = true")
	return w
}

// set writes the configuration anew, with replacements by pairs of old and new text.
func (w *edited) set(t *testing.T, replace ...string) {
	t.Helper()
	w.configure(t, "Googlebot,Bingbot,GPTBot")
	w.write(t, "config.toml", strings.NewReplacer(replace...).Replace(w.files["config.toml"]))
}

// users are as whom the processes of a world run, where that is not the test's own user.
var users = map[*edited]*syscall.SysProcAttr{}

// command is robots-audit schedule with the configuration and more arguments, as a process
// that has the world's time, and says what it does into said.
func (w *edited) command(t *testing.T, args ...string) (p *exec.Cmd, said *clitest.Hearing) {
	t.Helper()
	exe := filepath.Join(w.dir, "robots-audit-fleet")
	if users[w] == nil {
		var err error
		if exe, err = os.Executable(); err != nil {
			t.Fatal(err)
		}
	}
	said = clitest.NewHearing()
	return &exec.Cmd{Path: exe, SysProcAttr: users[w], Args: append([]string{"robots-audit-fleet", "schedule", "-config", filepath.Join(w.dir, "config.toml")}, args...), Stdout: said, Stderr: said,
		Env: append(os.Environ(), clitest.ClockOfTest+"="+w.now.Format(time.RFC3339))}, said
}

// ends runs a process to its end.
func ends(t *testing.T, p *exec.Cmd, said *clitest.Hearing) (code int, text string) {
	t.Helper()
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	kill := time.AfterFunc(time.Minute, func() { p.Process.Kill() })
	defer kill.Stop()
	p.Wait() // its code says what there is to know
	return p.ProcessState.ExitCode(), said.String()
}

// process makes the runs that are due in a process, and has an hour pass.
func (w *edited) process(t *testing.T) (code int, said string) {
	t.Helper()
	p, of := w.command(t, "-once")
	code, said = ends(t, p, of)
	w.now = w.now.Add(time.Hour)
	return code, said
}

// stories are the told events, one a line: kind, condition, run.
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
