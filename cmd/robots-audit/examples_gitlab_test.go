//go:build examples

package main

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"robots-audit/cmd/internal/cli"
)

// gitlabPipeline is what of a pipeline is run here.
type gitlabPipeline struct {
	Variables map[string]string
	Robots    struct {
		BeforeScript []string `yaml:"before_script"`
		Script       []string
		AfterScript  []string `yaml:"after_script"`
		Cache        struct{ Paths []string }
		Artifacts    struct {
			Reports struct{ JUnit string }
			Paths   []string
		}
	}
}

// TestExampleGitLab runs the example for GitLab CI: what a team meets, in order.
func TestExampleGitLab(t *testing.T) {
	w := newExampleWorld(t)
	var pipeline gitlabPipeline
	readExample(t, "gitlab-ci.yml", &pipeline)
	job := &pipeline.Robots
	notes := &w.api
	notes.author = func(ours bool) map[string]any { return map[string]any{"id": map[bool]int{true: 77, false: 5}[ours]} }
	notes.reset()
	api := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		if r.Header.Get("PRIVATE-TOKEN") != "a-token" {
			notes.faults = append(notes.faults, "no token")
		}
		if r.URL.Path == "/user" {
			json.NewEncoder(out).Encode(map[string]any{"id": 77})
			return
		}
		notes.serve(out, r, "/projects/3/merge_requests/7/notes", "/projects/3/merge_requests/7/notes/", http.MethodPut, "author")
	}))
	defer api.Close()
	dir := filepath.Join(w.dir, "build")
	run := func(robots, expectations, merge, token string) int {
		t.Helper()
		w.checkout(t, dir, robots, expectations, strings.TrimSuffix(job.Cache.Paths[0], "/"))
		env := map[string]string{"PATH": os.Getenv("PATH"), "CI": "true", "GITLAB_CI": "true", "CI_PROJECT_DIR": dir, "CI_PROJECT_ID": "3", "CI_API_V4_URL": api.URL, "CI_JOB_URL": "https://gitlab.example/job/42"}
		if merge != "" {
			env["CI_MERGE_REQUEST_IID"] = merge
		}
		if token != "" {
			env["NOTE_TOKEN"] = token
		}
		maps.Copy(env, pipeline.Variables)
		maps.Copy(env, w.values())
		code := w.shell(t, dir, "set -eo pipefail\n"+strings.Join(append(append([]string{}, job.BeforeScript...), job.Script...), "\n"), env)
		if after := w.shell(t, dir, "set -eo pipefail\n"+strings.Join(job.AfterScript, "\n"), env); after != 0 {
			t.Errorf("after_script: exit code %d", after)
		}
		return code
	}
	blocking := exampleRobots + "Disallow: /products/\n"

	// The daily run reads the site; nobody is told.
	if code := run(exampleRobots, exampleExpect, "", "a-token"); code != 0 || len(notes.writes) > 0 {
		t.Fatalf("exit code %d, %v", code, notes.writes)
	}
	if n := w.fetched("/sitemap.xml"); n != 1 {
		t.Fatalf("the sitemap was read %d times", n)
	}

	// A merge request that blocks what must not be: told in a note; the site is not read again.
	if code := run(blocking, exampleExpect, "7", "a-token"); code != cli.ExitFindings {
		t.Fatalf("exit code %d", code)
	}
	notes.holds(t, 1, "### ❌ robots.txt: 1 of 3 expectations fails; 2 known URLs newly blocked", "we live of them", "disallow by line 4 `Disallow: /products/`")
	if n := w.fetched("/sitemap.xml"); n != 1 {
		t.Errorf("the sitemap was read %d times", n)
	}
	for _, name := range append(job.Artifacts.Paths, job.Artifacts.Reports.JUnit) {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s is not there: %v", name, err)
		}
	}

	// Without a token nothing is posted, and the gate is closed all the same.
	if code := run(blocking, exampleExpect, "7", ""); code != cli.ExitFindings {
		t.Errorf("exit code %d", code)
	}

	// It is mended: the same note says so.
	if code := run(exampleRobots, exampleExpect, "7", "a-token"); code != 0 {
		t.Errorf("exit code %d", code)
	}
	notes.holds(t, 2, "### ✅ robots.txt: all 3 expectations are met; nothing flips")

	// Expectations that are none: the note of before is not left to stand.
	if code := run(exampleRobots, "/a,Googlebut,allow\n", "7", "a-token"); code != cli.ExitUsage {
		t.Errorf("exit code %d", code)
	}
	notes.holds(t, 3, "### ❌ robots.txt could not be verified", "https://gitlab.example/job/42")

	// The site is down, and there is no run: nothing is judged.
	w.site.Close()
	os.RemoveAll(filepath.Join(dir, "run"))
	if code := run(exampleRobots, exampleExpect, "7", "a-token"); code != cli.ExitUnknown {
		t.Errorf("exit code %d", code)
	}
	notes.holds(t, 4, "### ❌ robots.txt could not be verified")
}
