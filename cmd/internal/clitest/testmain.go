// Package clitest is shared by the tests of the programs. It has a test binary that is also the
// program, the output of processes, random moments, and test files.
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

// TestMain runs the tests of a program. The test binary is also the program, if it is called by the
// program's name, as scripts and tests with processes do. others are further programs that scripts
// call.
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

// GraceOfTest names the environment variable with which a test sets Grace in a process that it
// starts.
const GraceOfTest = "TEST_GRACE"

// ClockOfTest names the variable for the clock of a schedule.
const ClockOfTest = "TEST_CLOCK"

// RaceOfTest names the variable of the race detector. Under it a process sleeps a second before it
// exits, to watch other goroutines; tests start hundreds of processes.
const RaceOfTest = "GORACE"

// VersionOfTest names the variable for the version of the program.
const VersionOfTest = "TEST_VERSION"
