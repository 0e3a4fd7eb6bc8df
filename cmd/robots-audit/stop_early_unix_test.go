//go:build unix

package main

import (
	"bufio"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"robots-audit/cmd/internal/cli"
)

// A signal that comes while the packages of this module begin, before main, is seen to like any
// other. The runtime says when each has begun.
func TestSignalBeforeMain(t *testing.T) {
	program, err := exec.LookPath("robots-audit")
	if err != nil {
		t.Fatal(err)
	}
	p := exec.Command(program, "check", "-", "https://a.example/")
	p.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	in, err := p.StdinPipe() // stays open: it has not ended before
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	said, err := p.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	sent, last := false, ""
	for lines := bufio.NewScanner(said); lines.Scan(); {
		if last = lines.Text(); !sent && strings.HasPrefix(last, "init robots-audit/") {
			if err := p.Process.Signal(syscall.SIGTERM); err != nil {
				t.Error(err)
			}
			sent = true
		}
	}
	p.Wait()
	if code := p.ProcessState.ExitCode(); !sent || code != cli.ExitSignal || last != "robots-audit: stopped by a signal" {
		t.Errorf("sent: %t, exit code %d: %s", sent, code, last)
	}
}
