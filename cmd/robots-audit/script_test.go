package main

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// The test binary is the command: scripts under testdata/script call it as a
// user would.
func TestMain(m *testing.M) {
	if !strings.HasPrefix(filepath.Base(os.Args[0]), "robots-audit") { // the tests themselves end by Ctrl-C; scripts call a copy of them by the program's name
		signal.Reset()
	}
	if os.Getenv(raceOfTest) == "" {
		os.Setenv(raceOfTest, "atexit_sleep_ms=50")
	}
	testscript.Main(m, map[string]func(){"robots-audit": func() {
		if d, err := time.ParseDuration(os.Getenv(graceOfTest)); err == nil {
			grace = d
		}
		if at, err := time.Parse(time.RFC3339, os.Getenv(clockOfTest)); err == nil {
			began := time.Now()
			clock = func() time.Time { return at.Add(time.Since(began)) }
		}
		if v := os.Getenv(versionOfTest); v != "" {
			version = v
		}
		main()
	}})
}

// graceOfTest names the environment variable by which a test sets grace in the
// process that it starts.
const graceOfTest = "TEST_GRACE"

// clockOfTest names the one by which it sets the clock of a schedule.
const clockOfTest = "TEST_CLOCK"

// raceOfTest names the one that the race detector reads: a process under it sleeps a second at its
// end, to see what other goroutines do meanwhile, and tests start hundreds.
const raceOfTest = "GORACE"

// versionOfTest names the one by which it sets the version of the program.
const versionOfTest = "TEST_VERSION"

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			env.Setenv("HOME", env.WorkDir)
			env.Setenv(raceOfTest, os.Getenv(raceOfTest))
			if err := os.MkdirAll(env.WorkDir, 0o777); err != nil {
				return err
			}
			return writeExports(env.WorkDir)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"serve": serve, "exits": exits, "same": sameRuns},
	})
}

// serve is a command of scripts: "serve FOLDER" answers for the hosts whose files are
// in folders of their names, at the address $SERVER. Of a file NAME.to the URL in it is
// where NAME is redirected.
func serve(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: serve FOLDER")
	}
	sites := ts.MkAbs(args[0])
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := filepath.Join(sites, filepath.Base(r.Host), filepath.Base(r.URL.Path))
		if to, err := os.ReadFile(name + ".to"); err == nil {
			http.Redirect(w, r, strings.TrimSpace(string(to)), http.StatusMovedPermanently)
			return
		}
		http.ServeFile(w, r, name)
	}))
	ts.Defer(server.Close)
	ts.Setenv("SERVER", server.Listener.Addr().String())
}

// exits is a command of scripts: "exits CODE COMMAND…" is exec with its exit code.
func exits(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND…")
	}
	code, err := 0, ts.Exec(args[1], args[2:]...)
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		code = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if want := args[0]; strconv.Itoa(code) != want {
		ts.Fatalf("exit code %d, want %s", code, want)
	}
}
