//go:build examples

package main

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// githubWorkflow is what of a workflow is run here.
type githubWorkflow struct {
	Env  map[string]string
	Jobs map[string]struct{ Steps []githubStep }
}

type githubStep struct {
	ID, Name, If, Uses, Run string
	Env, With               map[string]string
}

// githubEvent is what a workflow is run for.
type githubEvent struct {
	robots, expect string
	pull, fork     bool
	today          string // key of the cache, when the clock says another
}

// githubRunner does what GitHub's runner does with the steps of a job.
type githubRunner struct {
	*exampleWorld
	flow  githubWorkflow
	api   *httptest.Server
	cache map[string]string // folder of a cached run, by key
}

// expression is one of GitHub's, "${{ … }}".
var expression = regexp.MustCompile(`\$\{\{\s*(.*?)\s*\}\}`)

// run runs a job, and returns the name of the step that failed, and the job's summary.
func (g *githubRunner) run(t *testing.T, e githubEvent) (failed, summary string) {
	t.Helper()
	dir, temp := filepath.Join(g.dir, "workspace"), filepath.Join(g.dir, "temp")
	for _, name := range []string{filepath.Join(temp, "robots-audit"), filepath.Join(temp, "summary"), filepath.Join(temp, "path")} {
		os.RemoveAll(name)
	}
	if err := os.MkdirAll(temp, 0o777); err != nil {
		t.Fatal(err)
	}
	values := map[string]string{
		"github.token": "a-token", "github.event.pull_request.number": "", "steps.cached.outputs.cache-hit": "",
		"github.event.pull_request.head.repo.full_name == github.repository": "false",
	}
	if e.pull {
		values["github.event.pull_request.number"] = "7"
		if !e.fork {
			values["github.event.pull_request.head.repo.full_name == github.repository"] = "true"
		}
	}
	eval := func(text string) string {
		return expression.ReplaceAllStringFunc(text, func(found string) string {
			value, known := values[expression.FindStringSubmatch(found)[1]]
			if !known {
				t.Fatalf("%s is no expression that is known here", found)
			}
			return value
		})
	}
	path := os.Getenv("PATH")
	for _, step := range g.flow.Jobs["robots"].Steps {
		switch step.If { // what is not said is success()
		case "":
			if failed != "" {
				continue
			}
		case "steps.cached.outputs.cache-hit != 'true'":
			if failed != "" || values["steps.cached.outputs.cache-hit"] == "true" {
				continue
			}
		case "${{ !cancelled() }}", "${{ !cancelled() && hashFiles('verify.sarif') != '' && github.event.pull_request.head.repo.full_name == github.repository }}":
		default:
			t.Fatalf("if: %s is not known here", step.If)
		}
		action, version, _ := strings.Cut(step.Uses, "@")
		if step.Uses != "" && !regexp.MustCompile(`^v[0-9]+(\.[0-9]+)*$`).MatchString(version) {
			t.Errorf("%s is not pinned to a version", step.Uses)
		}
		switch action {
		case "":
		case "actions/checkout":
			g.checkout(t, dir, e.robots, e.expect, "")
			continue
		case "actions/cache/restore":
			if from := g.cache[eval(step.With["key"])+e.today]; from != "" {
				values["steps.cached.outputs.cache-hit"] = "true"
				if err := os.CopyFS(filepath.Join(dir, step.With["path"]), os.DirFS(from)); err != nil {
					t.Fatal(err)
				}
			}
			continue
		case "actions/cache/save":
			key := eval(step.With["key"]) + e.today
			g.cache[key] = filepath.Join(t.TempDir(), "cache")
			if err := os.CopyFS(g.cache[key], os.DirFS(filepath.Join(dir, step.With["path"]))); err != nil {
				t.Fatal(err)
			}
			continue
		case "actions/setup-go", "github/codeql-action/upload-sarif", "actions/upload-artifact":
			continue
		default:
			t.Fatalf("%s is not known here", step.Uses)
		}
		output := filepath.Join(temp, "output")
		os.Remove(output)
		env := map[string]string{
			"PATH": path, "CI": "true", "GITHUB_ACTIONS": "true", "GITHUB_WORKSPACE": dir, "RUNNER_TEMP": temp,
			"GITHUB_OUTPUT": output, "GITHUB_PATH": filepath.Join(temp, "path"), "GITHUB_STEP_SUMMARY": filepath.Join(temp, "summary"),
			"GITHUB_API_URL": g.api.URL, "GITHUB_SERVER_URL": "https://github.example", "GITHUB_REPOSITORY": "team/site", "GITHUB_RUN_ID": "42",
		}
		maps.Copy(env, g.flow.Env)
		maps.Copy(env, g.values())
		for name, value := range step.Env {
			env[name] = eval(value)
		}
		if strings.Contains(step.Run, "${{") {
			t.Errorf("%s: an expression within a script, where text of others could be code", step.Name)
		}
		if g.shell(t, dir, step.Run, env, "-e") != 0 && failed == "" {
			failed = step.Name
		}
		if text, err := os.ReadFile(output); err == nil {
			for line := range strings.Lines(string(text)) {
				name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
				values["steps."+step.ID+".outputs."+name] = value
			}
		}
		if text, err := os.ReadFile(filepath.Join(temp, "path")); err == nil {
			path = strings.TrimSpace(string(text)) + ":" + os.Getenv("PATH")
		}
	}
	text, _ := os.ReadFile(filepath.Join(temp, "summary"))
	return failed, string(text)
}

// TestExampleGitHub runs the example for GitHub Actions: what a team meets, in order.
func TestExampleGitHub(t *testing.T) {
	g := &githubRunner{exampleWorld: newExampleWorld(t), cache: map[string]string{}}
	readExample(t, "github-actions.yml", &g.flow)
	comments := &g.exampleWorld.api
	comments.author = func(ours bool) map[string]any {
		return map[string]any{"type": map[bool]string{true: "Bot", false: "User"}[ours]}
	}
	comments.reset()
	g.api = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer a-token" {
			comments.faults = append(comments.faults, "no token")
		}
		comments.serve(w, r, "/repos/team/site/issues/7/comments", "/repos/team/site/issues/comments/", http.MethodPatch, "user")
	}))
	defer g.api.Close()
	const verifies = "Hold robots.txt to the expectations"
	blocking := exampleRobots + "Disallow: /products/\n"

	// The daily run reads the site; nobody is told.
	if failed, summary := g.run(t, githubEvent{robots: exampleRobots, expect: exampleExpect}); failed != "" || !strings.Contains(summary, "✅ robots.txt: all 3 expectations are met; nothing flips") || len(comments.writes) > 0 {
		t.Fatalf("failed: %q, summary %s, %v", failed, summary, comments.writes)
	}
	if n := g.fetched("/sitemap.xml"); n != 1 {
		t.Fatalf("the sitemap was read %d times", n)
	}

	// A pull request that blocks what must not be: told in a comment; the site is not read again.
	if failed, _ := g.run(t, githubEvent{robots: blocking, expect: exampleExpect, pull: true}); failed != verifies {
		t.Fatalf("failed: %q", failed)
	}
	comments.holds(t, 1, "### ❌ robots.txt: 1 of 3 expectations fails; 2 known URLs newly blocked", "we live of them", "disallow by line 4 `Disallow: /products/`", "| 🔴 newly blocked |")
	if n := g.fetched("/sitemap.xml"); n != 1 {
		t.Errorf("the sitemap was read %d times", n)
	}
	for name, want := range map[string]string{"verify.xml": `failures="1"`, "verify.sarif": `"startLine": 4`} {
		if text, err := os.ReadFile(filepath.Join(g.dir, "workspace", name)); err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: %v, %s", name, err, text)
		}
	}

	// A fork may not write: the summary has it, and the gate is closed all the same.
	if failed, summary := g.run(t, githubEvent{robots: blocking, expect: exampleExpect, pull: true, fork: true}); failed != verifies || !strings.Contains(summary, "❌") {
		t.Errorf("failed: %q, summary %s", failed, summary)
	}
	comments.holds(t, 1, "❌")

	// It is mended: the same comment says so.
	if failed, _ := g.run(t, githubEvent{robots: exampleRobots + "Disallow: /about\n", expect: strings.Replace(exampleExpect, "/about,GPTBot,same", "/about,GPTBot,disallow", 1), pull: true}); failed != "" {
		t.Errorf("failed: %q", failed)
	}
	comments.holds(t, 2, "### ✅ robots.txt: all 3 expectations are met; 1 known URL newly blocked")

	// Expectations that are none: the comment of before is not left to stand.
	if failed, _ := g.run(t, githubEvent{robots: exampleRobots, expect: "/a,Googlebut,allow\n", pull: true}); failed != verifies {
		t.Errorf("failed: %q", failed)
	}
	comments.holds(t, 3, "### ❌ robots.txt could not be verified", "https://github.example/team/site/actions/runs/42")

	// The site is down, and there is no run of today: nothing is judged, and nothing kept.
	g.site.Close()
	if failed, _ := g.run(t, githubEvent{robots: exampleRobots, expect: exampleExpect, pull: true, today: "tomorrow"}); failed != "Read the live site" || len(g.cache) != 1 {
		t.Errorf("failed: %q, %d runs are kept", failed, len(g.cache))
	}
	comments.holds(t, 4, "### ❌ robots.txt could not be verified")
}
