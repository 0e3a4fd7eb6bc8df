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

// A signal during the initialization of this module's packages, before main, is handled like any
// other. The runtime reports each initialization.
func TestSignalBeforeMain(t *testing.T) {
	program, err := exec.LookPath("robots-audit")
	if err != nil {
		t.Fatal(err)
	}
	p := exec.Command(program, "check", "-", "https://a.example/")
	p.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	in, err := p.StdinPipe() // stays open, so that it has not ended before
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
