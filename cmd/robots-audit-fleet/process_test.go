package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"robots-audit/cmd/internal/clitest"
)

// process is a command that runs in its own process.
type process struct {
	*exec.Cmd
	said  *clitest.Hearing // its output
	read  int              // how much of it says has read
	ended chan struct{}
}

// started starts a command, and kills it when the test ends.
func started(t *testing.T, c *exec.Cmd) *process {
	t.Helper()
	p := &process{Cmd: c, said: clitest.NewHearing(), ended: make(chan struct{})}
	c.Stdout, c.Stderr = p.said, p.said
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		c.Wait() // the exit code is enough
		close(p.ended)
	}()
	t.Cleanup(p.kill)
	return p
}

// fleetProcess starts a command of a fleet.
func fleetProcess(t *testing.T, args ...string) *process {
	t.Helper()
	return started(t, &exec.Cmd{Path: clitest.Self(t), Args: append([]string{"robots-audit-fleet"}, args...), Env: append(os.Environ(), clitest.GraceOfTest+"=100ms")})
}

func (p *process) kill() {
	p.Process.Kill()
	<-p.ended
}

// wait waits until the process has ended, and returns its exit code. After some minutes it kills
// it.
func (p *process) wait() (code int) {
	kill := time.AfterFunc(2*time.Minute, func() { p.Process.Kill() })
	defer kill.Stop()
	<-p.ended
	return p.ProcessState.ExitCode()
}

// says waits for a line with some words. It returns the lines between the last one found and this
// one.
func (p *process) says(t *testing.T, words string) (before []string) {
	t.Helper()
	for ended := false; ; {
		for line := range strings.Lines(p.said.String()[p.read:]) {
			if !strings.HasSuffix(line, "\n") {
				break // the rest of the line is still to come
			}
			p.read += len(line)
			if strings.Contains(line, words) {
				return before
			}
			before = append(before, strings.TrimSuffix(line, "\n"))
		}
		if ended {
			t.Fatalf("the process ended and did not say %q: %q", words, before)
		}
		select {
		case <-p.ended:
			ended = true
		case <-p.said.More:
		}
	}
}
