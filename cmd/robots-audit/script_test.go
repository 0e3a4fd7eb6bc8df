package main

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"robots-audit/cmd/internal/clitest"
	"robots-audit/cmd/internal/scheduling"
)

func TestMain(m *testing.M) { clitest.TestMain(m, RobotsAudit, &scheduling.Clock, nil) }

func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
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
