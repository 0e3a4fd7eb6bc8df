// Package clitest is what the tests of the programs share: a test binary that is the program, what
// a process says, random moments, and files to read.
package clitest

import (
	"maps"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"robots-audit/cmd/internal/cli"
)

// TestMain runs the tests of a program, of which the test binary is one: scripts, and tests that
// start processes, call it by the name of the program. Others are further programs that scripts call.
func TestMain(m *testing.M, p *cli.Program, clock *func() time.Time, others map[string]func()) {
	if name := strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe"); name != p.Name && others[name] == nil { // the tests themselves end by Ctrl-C; scripts call a copy of them by the program's name
		signal.Reset()
	}
	if os.Getenv(RaceOfTest) == "" {
		os.Setenv(RaceOfTest, "atexit_sleep_ms=50")
	}
	programs := map[string]func(){p.Name: func() {
		if d, err := time.ParseDuration(os.Getenv(GraceOfTest)); err == nil {
			cli.Grace = d
		}
		if at, err := time.Parse(time.RFC3339, os.Getenv(ClockOfTest)); err == nil {
			began := time.Now()
			*clock = func() time.Time { return at.Add(time.Since(began)) }
		}
		if v := os.Getenv(VersionOfTest); v != "" {
			cli.Version = v
		}
		p.Main()
	}}
	maps.Copy(programs, others)
	testscript.Main(m, programs)
}

// GraceOfTest names the environment variable by which a test sets grace in the
// process that it starts.
const GraceOfTest = "TEST_GRACE"

// ClockOfTest names the one by which it sets the clock of a schedule.
const ClockOfTest = "TEST_CLOCK"

// RaceOfTest names the one that the race detector reads: a process under it sleeps a second at its
// end, to see what other goroutines do meanwhile, and tests start hundreds.
const RaceOfTest = "GORACE"

// VersionOfTest names the one by which it sets the version of the program.
const VersionOfTest = "TEST_VERSION"
