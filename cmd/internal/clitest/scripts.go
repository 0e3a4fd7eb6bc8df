package clitest

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// Serve is a command of scripts: "serve FOLDER" serves the hosts whose files are in folders of
// their names, at the address $SERVER. A file NAME.to contains the URL to which NAME is redirected.
func Serve(ts *testscript.TestScript, _ bool, args []string) {
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

// Exits is a command of scripts: "exits CODE COMMAND…" is exec that expects an exit code.
func Exits(ts *testscript.TestScript, _ bool, args []string) {
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
