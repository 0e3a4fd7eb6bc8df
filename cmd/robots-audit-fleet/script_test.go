package main

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"robots-audit/cmd/internal/audits"
	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/clitest"
	"robots-audit/cmd/internal/scheduling"
	"robots-audit/reports"
)

func TestMain(m *testing.M) {
	clitest.TestMain(m, program, &scheduling.Clock, map[string]func(){"robots-audit": auditHere})
}

// auditHere is the audit of one machine, for comparison.
func auditHere() {
	var s audits.Settings
	f := s.Flags("audit")
	std := cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}
	code, ok := audits.Parse(&s, f, os.Args[1:], cli.Help{}, std)
	if ok {
		code = audits.AuditList(&s, std)
	}
	os.Exit(code)
}

// TestScripts runs the scripts under testdata/script.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			env.Setenv("HOME", env.WorkDir)
			env.Setenv(clitest.RaceOfTest, os.Getenv(clitest.RaceOfTest))
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"serve": clitest.Serve, "exits": clitest.Exits, "same": sameRuns, "rebuild": rebuild},
	})
}

// rebuild is a command of scripts: "rebuild RUN" makes the reports of a run again from its records.
func rebuild(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: rebuild RUN")
	}
	rebuilt, err := reports.Options{Dir: ts.MkAbs(args[0]), Version: cli.Version}.Rebuild()
	if err != nil || rebuilt.Unfinished || rebuilt.Failed > 0 {
		ts.Fatalf("%+v, %v", rebuilt, err)
	}
}
