//go:build examples

package main

import (
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/clitest"
)

// TestExampleGitHub runs the example for GitHub Actions with its action, through the situations of
// a team, in order.
func TestExampleGitHub(t *testing.T) {
	g := &githubRunner{exampleWorld: newExampleWorld(t), cache: map[string]string{}}
	var example, ci githubWorkflow
	readExample(t, "github-actions.yml", &example)
	readExample(t, filepath.Join("..", "workflows", "ci.yml"), &ci)
	readExample(t, filepath.Join("..", "actions", "robots-audit", "action.yml"), &g.action)
	if uses := example.Jobs["robots"].Steps[1].Uses; !strings.HasSuffix(uses, "@v"+strings.TrimSuffix(cli.NextVersion, "-dev")) {
		t.Errorf("%s is not of this version", uses)
	}
	comments := &g.api
	*comments = exampleAPI{
		header: "Authorization", token: "Bearer a-token", path: "/repos/team/site/issues/7/comments", change: http.MethodPatch, one: "/repos/team/site/issues/comments/",
		author: "user", us: map[string]any{"type": "Bot"}, others: map[string]any{"type": "User"}, marker: "<!-- robots-audit: robots.txt -->",
	}
	comments.start(t)
	releases := map[string]string{}
	g.server = serveFiles(t, releases)
	workspace := filepath.Join(g.dir, "workspace")
	// job runs the example, and checks the step that fails and the action's result.
	job := func(failed, result string, e githubEvent) githubResult {
		t.Helper()
		got := g.run(t, example.Jobs["robots"].Steps, workspace, e)
		if got.failed != failed || got.outputs["result"] != result {
			t.Fatalf("failed: %q, result %q; want %q, %q", got.failed, got.outputs["result"], failed, result)
		}
		return got
	}
	blocking := exampleRobots + "Disallow: /products/\n"

	// The daily run builds the program and reads the site, without a comment. Code scanning gets
	// the baseline for pull requests.
	got := job("", "passed", githubEvent{robots: exampleRobots})
	hasTexts(t, "summary", got.summary, "### ✅ robots.txt: no verdict changes; all 3 expectations are met", "### ✅ lint: 1 file: nothing found")
	if n := g.fetched("/sitemap.xml"); !got.built || n != 1 || len(comments.writes) > 0 || len(got.uploads) != 2 || got.outputs["flips"] != "0" {
		t.Fatalf("the sitemap was read %d times: %+v, %v", n, got, comments.writes)
	}
	hasTexts(t, "SARIF", got.uploads["robots.txt-verify"], `"version": "`+strings.TrimSuffix(cli.NextVersion, "-dev")+`"`) // the version of the action's ref

	// A pull request that blocks important URLs gets a comment; the site is not read and the
	// program not built again.
	got = job("Gate", "failed", githubEvent{robots: blocking, pull: true})
	comments.holds(t, 1, "### ❌ robots.txt: 2 URLs newly blocked; 1 of 3 expectations fails", "we live of them", "blocked by line 4 `Disallow: /products/`", "| 🔴 newly blocked |", "\n\n### ✅ lint: ")
	if n := g.fetched("/sitemap.xml"); got.built || n != 1 || got.outputs["newly-blocked"] != "2" || got.outputs["flips"] != "2" {
		t.Errorf("the sitemap was read %d times: %v", n, got.outputs)
	}
	hasTexts(t, "SARIF", got.uploads["robots.txt-verify"], `"startLine": 4`, `"uri": "robots.txt"`)
	for name, want := range map[string]string{"verify.xml": `failures="1"`, "changes.json": `"newly_blocked":2`, "lint.sarif": `"robots-audit"`} {
		text, _ := os.ReadFile(filepath.Join(got.outputs["folder"], name))
		hasTexts(t, name, string(text), want)
	}

	// Lint finds an error in a line that looks like a runner command, a mention and a fence. It
	// fails the check, and comes after the changes. A team may accept it.
	hostile := exampleRobots + "Disalow: /a ##[set-output name=code]0 @team ````` <!-- x\n"
	got = job("Gate", "failed", githubEvent{robots: hostile, pull: true})
	comments.holds(t, 2, comments.marker+"\n### ✅ robots.txt: 1 URL newly blocked; all 3 expectations are met", "lists.</sub>\n\n### ❌ lint: 1 file: 1 error", "\n\n``````text\nrobots.txt:4:1: ", "##[set-output name=code]0 @team `````", "\n``````\n\n</details>\n")
	hasTexts(t, "SARIF", got.uploads["robots.txt-lint"], `"DIR003"`, `"startLine": 4`)
	job("", "passed", githubEvent{robots: hostile, pull: true, with: map[string]string{"lint-flags": "  -ignore DIR003\n-severity error "}})
	comments.holds(t, 3, "### ✅ lint: 1 file: ", "1 ignored")

	// Without expectations, changed verdicts are reported, and fail the check if requested.
	none := map[string]string{"expect": ""}
	got = job("", "passed", githubEvent{robots: blocking, pull: true, with: none})
	comments.holds(t, 4, "### ➖ robots.txt: 2 URLs newly blocked", "| 🔴 newly blocked |")
	if got.outputs["newly-blocked"] != "2" || len(got.uploads) != 2 {
		t.Errorf("%+v", got)
	}
	none["fail-on-flips"] = "newly-blocked>1:Googlebot"
	job("Gate", "failed", githubEvent{robots: blocking, pull: true, with: none})
	none["fail-on-flips"] = "newly-blocked>66.7%"
	job("", "passed", githubEvent{robots: blocking, pull: true, with: none})
	none["fail-on-flips"] = "newly-blocked"
	job("Gate", "failed", githubEvent{robots: blocking, pull: true, with: none})
	comments.holds(t, 7, "### ❌ robots.txt: changes that fail-on-flips names: newly-blocked\n\n### ➖ ")

	// The file was deleted: the earlier comment is updated.
	job("Gate", "error", githubEvent{robots: exampleRobots, pull: true, with: map[string]string{"robots": "public/robots.txt"}})
	comments.holds(t, 8, "\n### ❌ robots.txt could not be verified", "\n\n### ❌ robots.txt could not be linted\n\n", g.server.URL+"/team/site/actions/runs/42")

	// Without a comment, the summary has everything.
	got = job("", "passed", githubEvent{robots: exampleRobots, pull: true, with: map[string]string{"comment": "false", "sarif": "false"}})
	hasTexts(t, "summary", got.summary, "✅")
	comments.holds(t, 8, "❌")
	if len(got.uploads) > 0 {
		t.Error("uploaded")
	}

	// The program of a release is downloaded, not built, and kept.
	var built string
	for key, dir := range g.cache {
		if strings.HasPrefix(key, "robots-audit-program-") {
			built = clitest.Read(t, dir, "robots-audit")
		}
	}
	release, archive := exampleRelease(t, "tools/robots-audit", "0.1.9", built)
	maps.Copy(releases, release)
	version := map[string]string{"version": "0.1.9"}
	if got = job("", "passed", githubEvent{robots: exampleRobots, pull: true, with: version}); got.built {
		t.Error("a program of a release is built")
	}
	delete(releases, archive)
	if got = job("", "passed", githubEvent{robots: exampleRobots, pull: true, with: version}); got.built {
		t.Error("a kept program is built")
	}
	version["version"] = "0.1.8"
	job("Download the program", "error", githubEvent{robots: exampleRobots, pull: true, with: version})

	// Invalid inputs are refused at the start.
	job("Prepare", "error", githubEvent{robots: exampleRobots, pull: true, with: map[string]string{"name": "a -->"}})

	// The site is down and there is no run of today: unknown is not a success, and is not cached.
	g.site.Close()
	kept := maps.Clone(g.cache)
	got = job("Gate", "unknown", githubEvent{robots: exampleRobots, pull: true, today: "tomorrow"})
	comments.holds(t, 12, "### ❔ robots.txt could not be verified\n\nThe live site is unknown", "### ✅ lint: ")
	if !maps.Equal(kept, g.cache) || got.outputs["newly-blocked"] != "" {
		t.Errorf("kept: %v; %v", g.cache, got.outputs)
	}

	// Without a site the file is only linted, here and in our own workflow.
	lint := map[string]string{"site": "", "expect": "", "name": "shop"}
	comments.marker = "<!-- robots-audit: shop -->"
	comments.reset()
	got = job("", "passed", githubEvent{robots: blocking, pull: true, with: lint})
	comments.holds(t, 1, "### ✅ lint: 1 file: nothing found")
	if len(got.uploads) != 1 || got.uploads["shop-lint"] == "" || strings.Contains(got.summary, "verified") {
		t.Errorf("%+v", got)
	}
	if got := g.run(t, ci.Jobs["action"].Steps, g.source, githubEvent{pull: true}); got.failed != "" || got.outputs["result"] != "passed" || got.built || len(comments.writes) != 1 {
		t.Errorf("%+v", got)
	}
}

// TestExampleGitHubAction checks that every input and output of the action is described and used,
// and that scripts contain no foreign values.
func TestExampleGitHubAction(t *testing.T) {
	dir := filepath.Join("..", "..", ".github", "actions", "robots-audit")
	text := clitest.Read(t, dir, "action.yml")
	var action githubAction
	if err := yaml.Unmarshal([]byte(text), &action); err != nil {
		t.Fatal(err)
	}
	if action.Runs.Using != "composite" || len(action.Inputs) == 0 || len(action.Outputs) == 0 {
		t.Fatalf("%+v", action)
	}
	for name, input := range action.Inputs {
		if input.Description == "" || !strings.Contains(text, "${{ inputs."+name+" }}") {
			t.Errorf("input %s: no description, or not used", name)
		}
	}
	for name, output := range action.Outputs {
		if output.Description == "" || output.Value == "" {
			t.Errorf("output %s: no description, or no value", name)
		}
	}
	scripts, err := filepath.Glob(filepath.Join(dir, "steps", "*"))
	if err != nil || len(scripts) == 0 {
		t.Fatal("no scripts")
	}
	var watch githubWorkflow
	readExample(t, filepath.Join("..", "workflows", "watch.yml"), &watch)
	runs := map[string]bool{"shared": true}
	for folder, steps := range map[string][]githubStep{`"$GITHUB_ACTION_PATH/steps/`: action.Runs.Steps, ".robots-audit/.github/actions/robots-audit/steps/": watch.Jobs["watch"].Steps} {
		for _, step := range steps {
			script, ok := strings.CutPrefix(step.Run, "bash "+folder)
			if runs[strings.TrimSuffix(script, `"`)] = true; step.Run != "" && !ok {
				t.Errorf("%s: a script that is not in steps, where shellcheck checks it: %s", step.Name, step.Run)
			}
		}
	}
	for _, script := range scripts {
		text, err := os.ReadFile(script)
		if err != nil || strings.Contains(string(text), "${{") || !runs[filepath.Base(script)] {
			t.Errorf("%s: %v; or an expression in it, or no step runs it", script, err)
		}
	}
}
