//go:build soak

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/clitest"
	"robots-audit/reports/changes"
)

// TestComparisonKills ends comparisons at random moments, by a kill or a signal, in a folder with
// an earlier one. Afterwards the folder has one of the two, complete: after a signal at once, and
// after a kill once the next comparison has begun.
func TestComparisonKills(t *testing.T) {
	n, dice := clitest.Times(t)
	dir := demoRun(t)
	robots := filepath.Join(t.TempDir(), "robots.txt")
	clitest.Write(t, filepath.Dir(robots), map[string]string{"robots.txt": "User-agent: *\nDisallow: /\n"})
	older := func(out string) []string { return []string{"compare", dir, dir, "-out", out} }
	newer := func(out string) []string {
		return []string{"simulate", "-robots", robots, "-site", "www.bookshop.example", dir, "-out", out}
	}
	wants := map[string]map[string]string{"older": {}, "newer": {}, "": {}}
	var length time.Duration
	for name, args := range map[string]func(string) []string{"older": older, "newer": newer} {
		out := filepath.Join(t.TempDir(), "out")
		began := time.Now()
		if code, said := endedBy(t, nil, nil, args(out)...); code != cli.ExitDone {
			t.Fatalf("exit code %d: %s", code, said)
		}
		length = time.Since(began)
		wants[name] = read(t, out)
	}
	seen := map[string]int{}
	for i := 0; i < n; {
		out := filepath.Join(t.TempDir(), "out")
		over := "older"
		if dice.IntN(4) == 0 {
			over = ""
		}
		if over != "" {
			clitest.Write(t, out, wants[over])
		}
		by := []os.Signal{os.Kill, os.Kill, syscall.SIGTERM, os.Interrupt}[dice.IntN(4)]
		when := func() { time.Sleep(time.Duration(dice.Int64N(int64(length)))) }
		if dice.IntN(3) > 0 {
			pause := time.Duration(dice.Int64N(int64(time.Millisecond)))
			when = func() { untilNamed(out, 10*length); time.Sleep(pause) }
		}
		code, said := endedBy(t, by, when, newer(out)...)
		if code == cli.ExitDone { // it ended before the signal
			os.RemoveAll(out)
			continue
		}
		i++
		if by == os.Kill || code == -1 { // a signal before the program handles signals
			if r, err := changes.Open(changes.Options{Dir: out}); err != nil {
				t.Errorf("after %v over %q: %v", by, over, err)
			} else {
				r.Discard()
			}
		} else if code != cli.ExitSignal {
			t.Errorf("%v: exit code %d: %s", by, code, said)
		}
		got := map[string]string{}
		if _, err := os.Stat(out); err == nil {
			got = read(t, out)
		} else if over != "" {
			t.Fatal(err)
		}
		is := "a mixture"
		for _, name := range []string{"newer", over} {
			if len(differences(wants[name], got)) == 0 {
				is = name
			}
		}
		seen[by.String()+" over "+over+" leaves "+is]++
		if is == "a mixture" {
			t.Errorf("after %v over %q: of the one differ %q, of the other %q", by, over, differences(wants[over], got), differences(wants["newer"], got))
		}
		if code, said := endedBy(t, nil, nil, newer(out)...); code != cli.ExitDone {
			t.Errorf("the next one: exit code %d: %s", code, said)
		}
		if diff := differences(wants["newer"], read(t, out)); len(diff) > 0 {
			t.Errorf("the next one: not as a clean one: %q", diff)
		}
		os.RemoveAll(out)
	}
	t.Log(seen)
}

// untilNamed waits until the files in a folder are renamed, which takes a moment, or at most for a
// while.
func untilNamed(out string, while time.Duration) {
	for began := time.Now(); time.Since(began) < while; {
		for _, name := range []string{"aside", "replaced"} {
			if _, err := os.Lstat(filepath.Join(out, ".robots-audit", name)); err == nil {
				return
			}
		}
	}
}

// endedBy runs the command in its own process, and sends it a signal, nil = none, once when has
// returned.
func endedBy(t *testing.T, by os.Signal, when func(), args ...string) (code int, said string) {
	t.Helper()
	var text strings.Builder
	p := &exec.Cmd{Path: clitest.Self(t), Args: append([]string{"robots-audit"}, args...), Stdout: &text, Stderr: &text}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	if by != nil {
		when()
		p.Process.Signal(by) // an error means that it has ended
	}
	p.Wait() // its exit code is enough
	return p.ProcessState.ExitCode(), text.String()
}
