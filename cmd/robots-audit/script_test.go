package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/clitest"
	"robots-audit/cmd/internal/scheduling"
)

func TestMain(m *testing.M) { clitest.TestMain(m, RobotsAudit, &scheduling.Clock, nil) }

// call runs the command in this process, and returns its exit code and all output.
func call(args ...string) (code int, said string) { return callWith("", args...) }

// callWith is call with a standard input.
func callWith(in string, args ...string) (code int, said string) {
	var text bytes.Buffer
	code = run(args, cli.Streams{In: strings.NewReader(in), Out: &text, Err: &text})
	return code, text.String()
}

func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir:         "testdata/script",
		WorkdirRoot: os.Getenv("ROBOTS_AUDIT_SCRIPTS"), // to inspect their files
		Setup: func(env *testscript.Env) error {
			env.Setenv("HOME", env.WorkDir)
			env.Setenv(clitest.RaceOfTest, os.Getenv(clitest.RaceOfTest))
			if err := os.MkdirAll(env.WorkDir, 0o777); err != nil {
				return err
			}
			return clitest.WriteExports(env.WorkDir)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"serve": clitest.Serve, "exits": clitest.Exits},
	})
}
