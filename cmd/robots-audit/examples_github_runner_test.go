//go:build examples

package main

import (
	"cmp"
	"encoding/json"
	"maps"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// githubWorkflow is the part of a workflow that is run here.
type githubWorkflow struct {
	On struct {
		Call struct {
			Inputs map[string]struct{ Description, Default string }
		} `yaml:"workflow_call"`
	}
	Jobs map[string]struct {
		Uses  string
		With  map[string]string
		Steps []githubStep
	}
}

type githubStep struct {
	ID, Name, If, Uses, Run, Shell string
	Env, With                      map[string]string
}

type githubAction struct {
	Inputs  map[string]struct{ Description, Default string }
	Outputs map[string]struct{ Description, Value string }
	Runs    struct {
		Using string
		Steps []githubStep
	}
}

// githubEvent is the event for which a workflow runs.
type githubEvent struct {
	robots string
	pull   bool
	today  string            // key of a cached run, if not today's
	with   map[string]string // inputs other than those of the workflow
	values map[string]string // more values of expressions
}

type githubResult struct {
	failed  string            // the step that failed first, "" = none
	summary string            // of the job
	outputs map[string]string // of the action
	uploads map[string]string // SARIF, by category
	built   bool              // the program was built
}

// githubRunner runs the steps of a job as GitHub's runner does.
type githubRunner struct {
	*exampleWorld
	action githubAction
	api    exampleAPI
	server *httptest.Server  // of releases
	cache  map[string]string // cached folders, by key
	event  githubEvent
	path   string // the variable PATH
	result githubResult
}

// githubScope is the scope of a job's or an action's steps, with the values of expressions.
type githubScope struct {
	values map[string]string
	failed bool
}

// githubUses is how workflows name the action.
var githubUses = regexp.MustCompile(`^(\./|OWNER/robots-audit/)\.github/actions/robots-audit(@v[0-9.]+)?$`)

// run runs a job in a folder, which is checked out again unless it is the module itself.
func (g *githubRunner) run(t *testing.T, steps []githubStep, dir string, e githubEvent) githubResult {
	t.Helper()
	temp := filepath.Join(g.dir, "temp") // the runner empties it before each job
	os.RemoveAll(temp)
	if err := os.MkdirAll(temp, 0o777); err != nil {
		t.Fatal(err)
	}
	g.event, g.path, g.result = e, os.Getenv("PATH"), githubResult{uploads: map[string]string{}}
	values := map[string]string{"github.token": "a-token", "github.event.pull_request.number": "", "github.event.pull_request.head.repo.full_name": ""}
	if e.pull {
		values["github.event.pull_request.number"] = "7"
		values["github.event.pull_request.head.repo.full_name"] = "team/site"
	}
	maps.Copy(values, e.values)
	g.steps(t, steps, &githubScope{values: values}, dir, temp, "")
	text, _ := os.ReadFile(filepath.Join(temp, "summary"))
	g.result.summary = string(text)
	return g.result
}

// steps runs steps; action is the folder of their action, "" = of a job.
func (g *githubRunner) steps(t *testing.T, steps []githubStep, in *githubScope, dir, temp, action string) {
	t.Helper()
	for _, step := range steps {
		for _, name := range []string{"cache-hit", "code", "flips-code", "flips", "newly-blocked", "sarif", "result", "folder", "found", "keep"} {
			in.values["steps."+step.ID+".outputs."+name] += "" // an output that a step has not set is empty
		}
	}
	for _, step := range steps {
		if !in.holds(t, step.If) {
			continue
		}
		with := map[string]string{}
		for name, value := range step.With {
			with[name] = in.eval(t, value)
		}
		uses, version, _ := strings.Cut(step.Uses, "@")
		if step.Uses != "" && !strings.HasPrefix(step.Uses, "./") && !regexp.MustCompile(`^v[0-9]+(\.[0-9]+)*$`).MatchString(version) {
			t.Errorf("%s is not pinned to a version", step.Uses)
		}
		key := with["key"]
		if strings.HasPrefix(key, "robots-audit-run-") {
			key += g.event.today
		}
		switch {
		case uses == "":
			g.runStep(t, step, in, dir, temp, action)
		case githubUses.MatchString(step.Uses):
			g.composite(t, step.ID, with, in, dir, temp, version)
		case uses == "actions/checkout" && with["path"] != "": // the program
			if err := os.Symlink(g.source, filepath.Join(dir, with["path"])); err != nil || with["repository"] != "tools/robots-audit" {
				t.Fatal(err, with)
			}
		case uses == "actions/checkout":
			if dir != g.source {
				g.checkout(t, dir, g.event.robots, exampleExpect, "")
			}
		case uses == "actions/cache/restore":
			if from := g.cached(key, with["restore-keys"]); from != "" {
				in.values["steps."+step.ID+".outputs.cache-hit"] = "true"
				copyProgram(t, from, with["path"])
			}
		case uses == "actions/cache/save":
			if g.cache[key] != "" || key == "" {
				t.Errorf("%q is kept twice", key)
			}
			g.cache[key] = filepath.Join(t.TempDir(), "cache")
			copyProgram(t, with["path"], g.cache[key])
		case uses == "github/codeql-action/upload-sarif":
			g.upload(t, with)
		case uses == "actions/setup-go" && (regexp.MustCompile(`^1\.[0-9]+$`).MatchString(with["go-version"]) || isFile(dir, with["go-version-file"], with["cache-dependency-path"])):
		case uses == "actions/upload-artifact":
			if _, err := os.Stat(with["path"]); err != nil {
				t.Error(err)
			}
		default:
			t.Fatalf("%s with %v is not known here", step.Uses, with)
		}
	}
}

// cached returns the folder that is kept under a key, or else the newest of those whose keys have this
// beginning.
func (g *githubRunner) cached(key, beginning string) string {
	if from := g.cache[key]; from != "" || beginning == "" {
		return from
	}
	newest := ""
	for kept := range g.cache {
		if strings.HasPrefix(kept, beginning) {
			newest = max(newest, kept)
		}
	}
	return g.cache[newest]
}

// isFile reports whether these files of a folder exist.
func isFile(dir string, names ...string) bool {
	return !slices.ContainsFunc(names, func(name string) bool {
		info, err := os.Stat(filepath.Join(dir, name))
		return err != nil || info.IsDir()
	})
}

// copyProgram copies a folder, with the modes of its files.
func copyProgram(t *testing.T, from, to string) {
	t.Helper()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
}

// upload takes a log for code scanning.
func (g *githubRunner) upload(t *testing.T, with map[string]string) {
	t.Helper()
	text, err := os.ReadFile(with["sarif_file"])
	if err != nil {
		t.Error(err)
	}
	var log struct{ Runs []any }
	if err := json.Unmarshal(text, &log); err != nil || len(log.Runs) != 1 || g.result.uploads[with["category"]] != "" {
		t.Errorf("%s: one run a category: %v, %s", with["category"], err, text)
	}
	g.result.uploads[with["category"]] = string(text)
}

func (g *githubRunner) composite(t *testing.T, id string, with map[string]string, in *githubScope, dir, temp, version string) {
	t.Helper()
	of := &githubScope{values: maps.Clone(in.values)}
	for name := range of.values {
		if strings.HasPrefix(name, "steps.") {
			delete(of.values, name)
		}
	}
	of.values["github.action_ref"], of.values["github.action_repository"] = version, "tools/robots-audit"
	if _, ours := with["site"]; ours { // as a team sets it
		with["site"], with["audit-flags"] = g.values()["SITE"], g.values()["AUDIT_FLAGS"]
	}
	maps.Copy(with, g.event.with)
	for name, input := range g.action.Inputs {
		of.values["inputs."+name] = in.eval(t, input.Default)
	}
	for name, value := range with {
		if _, known := g.action.Inputs[name]; !known {
			t.Errorf("the action has no input %s", name)
		}
		of.values["inputs."+name] = value
	}
	g.steps(t, g.action.Runs.Steps, of, dir, temp, filepath.Join(g.source, ".github", "actions", "robots-audit"))
	in.failed = in.failed || of.failed
	g.result.outputs = map[string]string{}
	for name, output := range g.action.Outputs {
		g.result.outputs[name] = of.eval(t, output.Value)
		in.values["steps."+id+".outputs."+name] = g.result.outputs[name]
	}
}

func (g *githubRunner) runStep(t *testing.T, step githubStep, in *githubScope, dir, temp, action string) {
	t.Helper()
	output := filepath.Join(temp, "output")
	os.Remove(output)
	env := map[string]string{
		"PATH": g.path, "CI": "true", "GITHUB_ACTIONS": "true", "GITHUB_WORKSPACE": dir, "RUNNER_TEMP": temp, "GITHUB_ACTION_PATH": action,
		"GITHUB_OUTPUT": output, "GITHUB_PATH": filepath.Join(temp, "path"), "GITHUB_STEP_SUMMARY": filepath.Join(temp, "summary"),
		"GITHUB_API_URL": g.api.URL, "GITHUB_SERVER_URL": g.server.URL, "GITHUB_REPOSITORY": "team/site", "GITHUB_RUN_ID": "42",
	}
	for name, value := range step.Env {
		env[name] = in.eval(t, value)
	}
	if step.Shell != "bash" {
		t.Errorf("%s: in an action each script names its shell", step.Name)
	}
	if g.shell(t, dir, step.Run, env, "-e", "-o", "pipefail") != 0 {
		in.failed = true
		g.result.failed = cmp.Or(g.result.failed, step.Name)
	}
	g.result.built = g.result.built || step.Name == "Build the program"
	runnerCommands(t, g.said)
	if text, err := os.ReadFile(output); err == nil {
		for line := range strings.Lines(string(text)) {
			name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
			in.values["steps."+step.ID+".outputs."+name] = value
		}
	}
	if text, err := os.ReadFile(filepath.Join(temp, "path")); err == nil {
		g.path = strings.TrimSpace(string(text)) + ":" + os.Getenv("PATH")
	}
}

// runnerCommands looks in a log for commands to the runner that are not from our scripts: "::"
// starts one at the beginning of a line, "##[" anywhere.
func runnerCommands(t *testing.T, log string) {
	t.Helper()
	stopped := ""
	for line := range strings.Lines(log) {
		line = strings.TrimSpace(line)
		token, stops := strings.CutPrefix(line, "::stop-commands::")
		switch {
		case stopped != "":
			if line == "::"+stopped+"::" {
				stopped = ""
			}
		case stops:
			stopped = token
		case strings.HasPrefix(line, "::error title=robots-audit::"), strings.HasPrefix(line, "::warning title=robots-audit::"):
		case strings.HasPrefix(line, "::"), strings.Contains(line, "##["):
			t.Errorf("a command to the runner: %s", line)
		}
	}
}

// expression matches an expression of GitHub, "${{ … }}".
var expression = regexp.MustCompile(`\$\{\{\s*(.*?)\s*\}\}`)

// eval replaces expressions by their values.
func (s *githubScope) eval(t *testing.T, text string) string {
	t.Helper()
	return expression.ReplaceAllStringFunc(text, func(found string) string { return s.value(t, expression.FindStringSubmatch(found)[1]) })
}

// value is the value of a literal, or of a name of a context.
func (s *githubScope) value(t *testing.T, name string) string {
	t.Helper()
	if text, literal := strings.CutPrefix(name, "'"); literal {
		return strings.TrimSuffix(text, "'")
	}
	value, known := s.values[name]
	if !known && !(strings.HasPrefix(name, "steps.prepare.outputs.") && s.failed) {
		t.Fatalf("%s is no expression that is known here", name)
	}
	return value
}

// holds reports whether a step runs: all comparisons are true, and no step has failed, unless there
// is a status function.
func (s *githubScope) holds(t *testing.T, condition string) bool {
	t.Helper()
	if found := expression.FindStringSubmatch(condition); found != nil {
		condition = found[1]
	}
	success, holds := true, true
	for term := range strings.SplitSeq(condition, " && ") {
		equal, unequal := strings.Split(term, " == "), strings.Split(term, " != ")
		switch {
		case term == "":
		case term == "!cancelled()":
			success = false
		case len(equal) == 2:
			holds = holds && s.value(t, equal[0]) == s.value(t, equal[1])
		case len(unequal) == 2:
			holds = holds && s.value(t, unequal[0]) != s.value(t, unequal[1])
		default:
			t.Fatalf("if: %s is not known here", condition)
		}
	}
	return holds && !(success && s.failed)
}
