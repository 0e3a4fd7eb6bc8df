//go:build examples

package main

import (
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/clitest"
	"robots-audit/cmd/robots-audit/internal/gate"
)

// gitlabPipeline is the part of a pipeline that is run here.
type gitlabPipeline struct {
	Variables map[string]string
	Robots    struct {
		BeforeScript []string `yaml:"before_script"`
		Script       []string
		AfterScript  []string `yaml:"after_script"`
		Cache        struct{ Paths []string }
		Artifacts    struct {
			Reports struct{ JUnit, CodeQuality string }
			Paths   []string
		}
	}
}

// TestExampleGitLab runs the example for GitLab CI through the situations of a team, in order.
func TestExampleGitLab(t *testing.T) {
	w := newExampleWorld(t)
	var pipeline gitlabPipeline
	readExample(t, "gitlab-ci.yml", &pipeline)
	job := &pipeline.Robots
	notes := &exampleAPI{
		header: "PRIVATE-TOKEN", token: "a-token", path: "/projects/3/merge_requests/7/notes", change: http.MethodPut, one: "/projects/3/merge_requests/7/notes/",
		author: "author", us: map[string]any{"id": 77}, others: map[string]any{"id": 5}, marker: gate.Marker,
	}
	notes.start(t)
	dir := filepath.Join(w.dir, "build")
	run := func(robots, expectations string, variables map[string]string) int {
		t.Helper()
		w.checkout(t, dir, robots, expectations, strings.TrimSuffix(job.Cache.Paths[0], "/"))
		env := map[string]string{"PATH": w.path, "CI": "true", "GITLAB_CI": "true", "CI_PROJECT_DIR": dir, "CI_PROJECT_ID": "3", "CI_API_V4_URL": notes.URL, "CI_JOB_URL": "https://gitlab.example/job/42"}
		maps.Copy(env, pipeline.Variables)
		maps.Copy(env, w.values())
		maps.Copy(env, variables)
		code := w.shell(t, dir, "set -eo pipefail\n"+strings.Join(append(append([]string{}, job.BeforeScript...), job.Script...), "\n"), env)
		if after := w.shell(t, dir, "set -eo pipefail\n"+strings.Join(job.AfterScript, "\n"), env); after != 0 {
			t.Errorf("after_script: exit code %d", after)
		}
		return code
	}
	merge := map[string]string{"CI_MERGE_REQUEST_IID": "7", "NOTE_TOKEN": "a-token"}

	// The daily run reads the site, without a note.
	if code := run(exampleRobots, exampleExpect, map[string]string{"NOTE_TOKEN": "a-token"}); code != 0 || len(notes.writes) > 0 {
		t.Fatalf("exit code %d, %v", code, notes.writes)
	}
	w.keepProgram(t, filepath.Join(dir+".tool", "bin", "robots-audit"))
	if n := w.fetched("/sitemap.xml"); n != 1 {
		t.Fatalf("the sitemap was read %d times", n)
	}

	// A merge request that blocks important URLs gets a note; the site is not read again.
	if code := run(exampleRobots+"Disallow: /products/\n", exampleExpect, merge); code != cli.ExitFindings {
		t.Fatalf("exit code %d", code)
	}
	notes.holds(t, 1, "### ❌ robots.txt: 2 URLs newly blocked; 1 of 3 expectations fails", "we live of them", "blocked by line 4 `Disallow: /products/`")
	if n := w.fetched("/sitemap.xml"); n != 1 {
		t.Errorf("the sitemap was read %d times", n)
	}
	for _, name := range job.Artifacts.Paths {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s is not there: %v", name, err)
		}
	}
	hasTexts(t, "JUnit", clitest.Read(t, dir, job.Artifacts.Reports.JUnit), `failures="1"`)
	hasTexts(t, "Code Quality", clitest.Read(t, dir, job.Artifacts.Reports.CodeQuality), `"path": "robots.txt"`, `"begin": 4`, `"fingerprint"`)

	// Invalid expectations: the same note says so, and replaces the earlier text.
	if code := run(exampleRobots, "/a,Googlebut,allow\n", merge); code != cli.ExitUsage {
		t.Errorf("exit code %d", code)
	}
	notes.holds(t, 2, "### ❌ robots.txt could not be verified", "https://gitlab.example/job/42")

	// A program that cannot be fetched fails, and the same note says so.
	if code := run(exampleRobots, exampleExpect, map[string]string{"CI_MERGE_REQUEST_IID": "7", "NOTE_TOKEN": "a-token", "TOOL_VERSION": "v0.0.0"}); code != 128 {
		t.Errorf("exit code %d", code)
	}
	notes.holds(t, 3, "### ❌ robots.txt could not be verified")

	// The site is down and there is no run: nothing is judged. Without a token, the log has the
	// text of the note.
	w.site.Close()
	os.RemoveAll(filepath.Join(dir, "run"))
	if code := run(exampleRobots, exampleExpect, map[string]string{"CI_MERGE_REQUEST_IID": "7"}); code != cli.ExitUnknown {
		t.Errorf("exit code %d", code)
	}
	notes.holds(t, 3)
	hasTexts(t, "log", w.said, "### ❌ robots.txt could not be verified")
}
