package main

import (
	"os"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// The test binary is the command: scripts under testdata/script call it as a
// user would.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"robots-audit": func() {
		if d, err := time.ParseDuration(os.Getenv(graceOfTest)); err == nil {
			grace = d
		}
		main()
	}})
}

// graceOfTest names the environment variable by which a test sets grace in the
// process that it starts.
const graceOfTest = "TEST_GRACE"

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			env.Setenv("HOME", env.WorkDir)
			if err := os.MkdirAll(env.WorkDir, 0o777); err != nil {
				return err
			}
			return writeExports(env.WorkDir)
		},
	})
}
