//go:build examples

package main

import (
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"robots-audit/cmd/internal/clitest"
)

// actionStep runs one step of the action without the variable without, and returns its exit code,
// output and outputs.
func actionStep(t *testing.T, step, without string, env map[string]string) (code int, said, outputs string) {
	t.Helper()
	dir := t.TempDir()
	actions, err := filepath.Abs(filepath.Join("..", "..", ".github", "actions", "robots-audit"))
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(dir, "temp", "robots-audit", "robots.txt")
	if err := os.MkdirAll(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	workspace := filepath.Join(dir, "workspace")
	for name, text := range map[string]string{filepath.Join(folder, "lint.txt"): "", filepath.Join(folder, "lint.log"): "1 file: nothing found\n", filepath.Join(workspace, "robots.txt"): "User-agent: *\n"} {
		os.MkdirAll(filepath.Dir(name), 0o777)
		clitest.WriteFile(t, name, text)
	}
	all := map[string]string{
		"PATH": os.Getenv("PATH"), "GITHUB_ACTION_PATH": actions, "GITHUB_OUTPUT": filepath.Join(dir, "output"), "GITHUB_PATH": filepath.Join(dir, "path"), "GITHUB_STEP_SUMMARY": filepath.Join(dir, "summary"),
		"RUNNER_TEMP": filepath.Join(dir, "temp"), "GITHUB_SERVER_URL": "https://github.example", "GITHUB_API_URL": "http://127.0.0.1:1", "GITHUB_REPOSITORY": "team/site", "GITHUB_RUN_ID": "42",
		"FOLDER": folder, "NAME": "robots.txt", "SITE": "", "EXPECT": "", "FAIL_ON_FLIPS": "never", "FAIL_ON": "error", "AUDIT_FLAGS": "", "VERSION": "", "LINT_FLAGS": "", "BASELINE": "", "ROBOTS": "robots.txt", "SARIF": "true", "COMMENT": "true",
		"PULL_REQUEST": "7", "HEAD_REPOSITORY": "team/site", "LINT": "0", "READ": "", "VERIFY": "", "FLIPS": "", "TOKEN": "a-token",
	}
	maps.Copy(all, env)
	delete(all, without)
	w := exampleWorld{dir: dir}
	code = w.shell(t, workspace, "bash "+filepath.Join(actions, "steps", step), all, "-e", "-o", "pipefail")
	text, _ := os.ReadFile(all["GITHUB_OUTPUT"])
	runnerCommands(t, w.said)
	if n := strings.Count(w.said, "::stop-commands::"); n != strings.Count(w.said, "\n::")-strings.Count(w.said, "\n::error")-strings.Count(w.said, "\n::warning")-strings.Count(w.said, "\n::stop-commands") {
		t.Errorf("%s: the runner no longer listens: %s", step, w.said)
	}
	return code, w.said, string(text)
}

// A FILE that is not in the workspace, or flags that lint nothing, fail the check.
func TestExampleGitHubLintsNothing(t *testing.T) {
	for _, env := range []map[string]string{
		{"ROBOTS": "--help"}, {"ROBOTS": "-"}, {"ROBOTS": "-rules"}, {"ROBOTS": ""}, {"ROBOTS": "."}, {"LINT_FLAGS": "-help"}, {"LINT_FLAGS": "-list"},
	} {
		_, said, outputs := actionStep(t, "lint", "", env)
		if strings.Contains(outputs, "code=0") || strings.Contains(outputs, "code=1") || strings.Contains(outputs, "sarif=") {
			t.Errorf("%v: %s, %s", env, outputs, said)
		}
	}
	if _, said, outputs := actionStep(t, "lint", "", nil); !strings.Contains(outputs, "code=0\n") || !strings.Contains(outputs, "sarif=") {
		t.Errorf("%s, %s", outputs, said)
	}
}

// Inputs that name another's folder, or a flag, are refused before anything is removed.
func TestExampleGitHubPrepares(t *testing.T) {
	for _, c := range []struct {
		env    map[string]string
		code   int
		output string
	}{
		{nil, 0, "comment=true\nsarif=true\n"},
		{map[string]string{"NAME": ".."}, 2, ""},
		{map[string]string{"NAME": "."}, 2, ""},
		{map[string]string{"NAME": "-rf"}, 2, ""},
		{map[string]string{"NAME": "a -->"}, 2, ""},
		{map[string]string{"SITE": "--help"}, 2, ""},
		{map[string]string{"SARIF": "yes"}, 2, ""},
		{map[string]string{"FAIL_ON_FLIPS": "all"}, 2, ""},
		{map[string]string{"FAIL_ON_FLIPS": "newly-blocked,", "SITE": "http://shop.example"}, 2, ""},
		{map[string]string{"FAIL_ON_FLIPS": "newly-blocked>5%:Googlebot,newly-allowed-clicks>1.5,change", "SITE": "http://shop.example"}, 0, "comment=true\n"},
		{map[string]string{"EXPECT": "expect.csv"}, 2, ""},
		{map[string]string{"HEAD_REPOSITORY": "someone/site"}, 0, "comment=false\nsarif=false\n"},
		{map[string]string{"HEAD_REPOSITORY": "", "GITHUB_REPOSITORY": ""}, 0, "comment=false\nsarif=false\n"},
		{map[string]string{"PULL_REQUEST": "", "HEAD_REPOSITORY": ""}, 0, "comment=false\nsarif=true\n"},
	} {
		if code, said, outputs := actionStep(t, "prepare", "", c.env); code != c.code || !strings.Contains(outputs, c.output) {
			t.Errorf("%v: %d, %s, %s", c.env, code, outputs, said)
		}
	}
}

// A missing variable is named, in every step, and the runner accepts commands afterwards.
func TestExampleGitHubMissing(t *testing.T) {
	for step, variables := range map[string]string{
		"prepare": "NAME SITE HEAD_REPOSITORY", "lint": "ROBOTS LINT_FLAGS", "read": "SITE AUDIT_FLAGS", "verify": "READ EXPECT", "gate": "FOLDER FLIPS", "comment": "TOKEN PULL_REQUEST LINT GITHUB_API_URL", "build": "ACTION_REF PROGRAM", "download": "VERSION ACTION_REPOSITORY GITHUB_SERVER_URL",
	} {
		for name := range strings.FieldsSeq(variables) {
			env := map[string]string{"ACTION_REF": "v1.0.0", "ACTION_REPOSITORY": "", "PROGRAM": t.TempDir()}
			if code, said, _ := actionStep(t, step, name, env); code != 2 || !strings.Contains(said, "::error title=robots-audit::The action has not given this step "+name) {
				t.Errorf("%s without %s: %d, %s", step, name, code, said)
			}
		}
	}
}

// Whatever the API does, the step ends after a limited number of requests, does not change the
// check's result, and reports the problem.
func TestExampleGitHubAPIFaults(t *testing.T) {
	list := func(n int) string {
		return "[" + strings.TrimSuffix(strings.Repeat(`{"id": 1, "body": "a comment", "user": {"type": "User"}},`, n), ",") + "]"
	}
	const ours = `[{"id": 9, "body": null, "user": null}, {"id": 77, "body": "<!-- robots-audit: robots.txt -->\n", "user": {"type": "Bot"}}]`
	for _, c := range []struct {
		name         string
		read         int    // status of the list of comments
		header, body string // of it
		write        int    // status of the write request
		requests     int    // at most
		says         string // about the reason; "" = the comment is written
	}{
		{"pages without end", 200, "", list(100), 201, 26, "more comments than a pull request can have"},
		{"an empty body", 200, "", "", 0, 1, "gave no list of comments"},
		{"no list", 200, "", `{"id": 1}`, 0, 1, "gave no list of comments"},
		{"no JSON", 200, "", "<html>", 0, 1, "gave no list of comments"},
		{"things that are no comments", 200, "", `[1, null, "x", {"id": "../x", "body": 3, "user": "x"}]`, 200, 2, "was not expected (200)"}, // 201 would be
		{"come again in 15 minutes", 429, "Retry-After: 900", "", 0, 1, "allows no more requests at the moment (429)"},
		{"a limit", 403, "X-RateLimit-Remaining: 0", "", 0, 1, "allows no more requests at the moment (403)"},
		{"no permission to write", 200, "", list(3), 403, 2, "may not do that (403); it takes pull-requests: write"},
		{"down", 503, "", "", 0, 4, "has a fault at the moment (503)"},
		{"a redirect of what is read", 302, "Location: /", "", 0, 1, "was not expected (302)"},
		{"a redirect of what is written", 200, "Location: /elsewhere", list(3), 307, 2, "was not expected (307)"},
		{"a comment without a text, and ours", 200, "", ours, 200, 2, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var asked []string
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if asked = append(asked, r.Method+" "+r.URL.Path); len(asked) > 200 {
					panic(http.ErrAbortHandler) // ends a step that would not end
				}
				if name, value, ok := strings.Cut(c.header, ": "); ok {
					w.Header().Set(name, value)
				}
				w.WriteHeader(map[bool]int{true: c.read, false: c.write}[r.Method == http.MethodGet])
				io.WriteString(w, c.body)
			}))
			defer server.Close()
			code, said, _ := actionStep(t, "comment", "", map[string]string{"GITHUB_API_URL": server.URL})
			if code != 0 || len(asked) > c.requests || strings.Contains(said, "could not be written") != (c.says != "") || !strings.Contains(said, c.says) {
				t.Errorf("code %d, %d requests, %s", code, len(asked), said)
			}
			if last := asked[len(asked)-1]; c.body == ours && last != "PATCH /repos/team/site/issues/comments/77" {
				t.Errorf("ours was lost: %s", last)
			}
		})
	}
	if code, said, _ := actionStep(t, "comment", "", nil); code != 0 || !strings.Contains(said, "could not be reached") { // no server
		t.Errorf("%d, %s", code, said)
	}
}
