//go:build examples

package main

import (
	"cmp"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/clitest"
)

// exampleServer is a build server whose example is a short file. Its job runs here as on the server.
type exampleServer struct {
	file    string // the example
	results string // file of JUnit that the server reads
	keeps   bool   // the folder of a job has the files of the job before
	// scripts returns the scripts that the job runs one after the other, and its variables. text is the
	// example with the values of a team.
	scripts func(t *testing.T, text string) (scripts []string, env map[string]string)
	shell   []string // runs a script
}

// TestExampleServers runs the examples for Jenkins, Azure and Bitbucket through the situations of a
// team.
func TestExampleServers(t *testing.T) {
	w := newExampleWorld(t)
	for _, s := range []exampleServer{
		{"Jenkinsfile", "verify.xml", true, jenkinsScripts, []string{"sh", "-xe"}},
		{"azure-pipelines.yml", "verify.xml", true, azureScripts, []string{"bash", "--noprofile", "--norc"}},
		{"bitbucket-pipelines.yml", "test-results/verify.xml", false, bitbucketScripts, []string{"bash", "-e"}},
	} {
		t.Run(s.file, func(t *testing.T) { s.test(t, w) })
	}
}

func (s *exampleServer) test(t *testing.T, w *exampleWorld) {
	dir := filepath.Join(w.dir, s.file)
	const hostile = "url,crawler,expect,profile,note\n/products/*,Googlebot,allow,,##vso[task.complete result=Succeeded]\n"
	files := w.files
	defer func() { w.files = files }()
	for _, c := range []struct {
		name            string
		robots, expects string
		values          map[string]string // instead of those of the team
		down            bool              // the site does not answer
		code            int
		tests           string // in the results; "" = there are none
	}{
		{name: "passes", tests: `tests="3" failures="0"`},
		{name: "blocks", robots: exampleRobots + "Disallow: /products/\n", expects: hostile, code: cli.ExitFindings, tests: `tests="1" failures="1"`},
		{name: "the site is down", down: true, code: cli.ExitUnknown},
		{name: "expectations that cannot be read", expects: "/a,Googlebut,allow\n", code: cli.ExitUsage},
		{name: "a program that cannot be fetched", values: map[string]string{"TOOL_VERSION": "v0.0.0"}, code: 128},
		{name: "a program that cannot be built", values: map[string]string{"PATH": w.fakeGo(t, "exit 9") + ":" + os.Getenv("PATH")}, code: 9},
	} {
		values := w.values()
		values["PATH"] = w.path
		maps.Copy(values, c.values)
		text := clitest.Read(t, "..", "..", ".github", "examples", s.file)
		for is, want := range map[string]string{
			"https://www.example.com": values["SITE"], "https://git.example.com/robots-audit.git": values["TOOL_REPOSITORY"], "v" + strings.TrimSuffix(cli.NextVersion, "-dev"): values["TOOL_VERSION"],
			`AUDIT_FLAGS: ""`: `AUDIT_FLAGS: "` + values["AUDIT_FLAGS"] + `"`, `AUDIT_FLAGS=""`: `AUDIT_FLAGS="` + values["AUDIT_FLAGS"] + `"`, `AUDIT_FLAGS = ''`: `AUDIT_FLAGS = '` + values["AUDIT_FLAGS"] + `'`,
		} {
			text = strings.Replace(text, is, want, 1)
		}
		scripts, env := s.scripts(t, text)
		env["PATH"] = values["PATH"]
		if !s.keeps {
			os.RemoveAll(dir)
		}
		clitest.Write(t, dir, map[string]string{"robots.txt": cmp.Or(c.robots, exampleRobots), "expect.csv": cmp.Or(c.expects, exampleExpect)})
		if w.files = files; c.down {
			w.files = nil
		}
		code, said := 0, ""
		for _, script := range scripts {
			if code == 0 {
				code = w.script(t, dir, script, env, s.shell...)
				said += w.said
			}
		}
		if code != c.code {
			t.Errorf("%s: exit code %d, want %d", c.name, code, c.code)
		}
		results, err := os.ReadFile(filepath.Join(dir, s.results))
		if (err == nil) != (c.tests != "") || !strings.Contains(string(results), c.tests) {
			t.Errorf("%s: results %s, %v", c.name, results, err)
		}
		if c.expects == hostile && !strings.Contains(said, "task.complete") {
			t.Errorf("%s: the note is not in the log", c.name)
		}
		if s.file == "azure-pipelines.yml" && strings.Contains(said, "##") {
			t.Errorf("%s: a command to the agent: %s", c.name, said)
		}
		if c.name == "passes" {
			w.keepProgram(t, filepath.Join(dir, ".tool", "bin", "robots-audit"))
		}
	}
}

var (
	jenkinsStep     = regexp.MustCompile(`(?s)sh '''(.*?)'''`)
	jenkinsVariable = regexp.MustCompile(`(?m)^    (\w+) = '(.*?)'`)
)

func jenkinsScripts(t *testing.T, text string) (scripts []string, env map[string]string) {
	t.Helper()
	env = map[string]string{}
	for _, found := range jenkinsVariable.FindAllStringSubmatch(text, -1) {
		env[found[1]] = found[2]
	}
	for _, found := range jenkinsStep.FindAllStringSubmatch(text, -1) {
		scripts = append(scripts, found[1])
	}
	if len(env) != 4 || len(scripts) != strings.Count(text, "sh '") || strings.Contains(strings.Join(scripts, ""), `\`) || !strings.Contains(text, "always {\n      junit 'verify.xml'\n") {
		t.Fatalf("variables %v, steps %q", env, scripts)
	}
	return scripts, env
}

func azureScripts(t *testing.T, text string) (scripts []string, env map[string]string) {
	t.Helper()
	var pipeline struct {
		Variables map[string]string
		Steps     []struct {
			Bash, Task, Condition, Publish string
			Inputs                         map[string]string
		}
	}
	if err := yaml.Unmarshal([]byte(text), &pipeline); err != nil {
		t.Fatal(err)
	}
	published := false
	for _, step := range pipeline.Steps {
		switch {
		case step.Bash != "" && step.Condition == "":
			scripts = append(scripts, step.Bash)
		case step.Task == "PublishTestResults@2":
			published = step.Condition == "succeededOrFailed()" && step.Inputs["testResultsFormat"] == "JUnit" && step.Inputs["testResultsFiles"] == "verify.xml" && step.Inputs["failTaskOnMissingResultsFile"] == "true"
		case step.Task == "GoTool@0", step.Publish == "comment.md":
		default:
			t.Errorf("%+v is not known here", step)
		}
	}
	if !published {
		t.Error("the results are not published")
	}
	return scripts, pipeline.Variables
}

func bitbucketScripts(t *testing.T, text string) (scripts []string, env map[string]string) {
	t.Helper()
	var pipeline struct {
		Pipelines struct {
			PullRequests map[string][]struct {
				Step struct{ Script, Artifacts []string }
			} `yaml:"pull-requests"`
		}
	}
	if err := yaml.Unmarshal([]byte(text), &pipeline); err != nil {
		t.Fatal(err)
	}
	for _, steps := range pipeline.Pipelines.PullRequests {
		for _, step := range steps {
			scripts = append(scripts, strings.Join(step.Step.Script, "\n"))
		}
	}
	return scripts, map[string]string{}
}
