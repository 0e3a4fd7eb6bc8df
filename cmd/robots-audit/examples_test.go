//go:build examples

package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"go.yaml.in/yaml/v3"

	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/clitest"
)

// The examples under .github/examples run here as written. The steps of the file run in a shell
// with only the variables of the build server, in a fresh folder. A clone of this module replaces
// the team's copy of the program. Servers on loopback replace the live site and the build server's
// API. The machine needs bash, git, Go with its caches, curl and jq.

// exampleWorld is the environment of an example's steps.
type exampleWorld struct {
	dir     string // for all files
	source  string // the repository of the program
	path    string // the variable PATH
	site    *httptest.Server
	files   map[string]string // of the site, by path; nil = the site does not answer
	visited map[string]int    // requests to the site, by path
	said    string            // output of the last script
	mu      sync.Mutex
}

// The live site, and the expectations of its team.
const (
	exampleRobots  = "User-agent: *\nDisallow: /cart/\nSitemap: http://shop.example/sitemap.xml\n"
	exampleExpect  = "url,crawler,expect,profile,note\n/products/*,Googlebot,allow,,we live of them\n/cart/,Googlebot,disallow\n/about,GPTBot,same\n"
	exampleSitemap = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>http://shop.example/products/1</loc></url><url><loc>http://shop.example/products/2</loc></url><url><loc>http://shop.example/about</loc></url></urlset>`
)

// newExampleWorld makes the world, with a clone of this module.
func newExampleWorld(t *testing.T) *exampleWorld {
	t.Helper()
	w := &exampleWorld{dir: t.TempDir(), path: os.Getenv("PATH"), visited: map[string]int{}, files: map[string]string{"/robots.txt": exampleRobots, "/sitemap.xml": exampleSitemap}}
	w.site = httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.visited[r.URL.Path]++
		switch body := w.files[r.URL.Path]; {
		case w.files == nil:
			panic(http.ErrAbortHandler)
		case r.Host != "shop.example" || body == "":
			http.NotFound(out, r)
		default:
			out.Write([]byte(body))
		}
	}))
	t.Cleanup(w.site.Close)
	w.source = filepath.Join(w.dir, "source")
	checkoutModule(t, w.source)
	return w
}

// checkoutModule makes a repository of this module's files as they are, and checks it out.
func checkoutModule(t *testing.T, dir string) {
	t.Helper()
	repository := "--git-dir=" + filepath.Join(dir, ".git")
	for _, args := range [][]string{
		{"init", "-q", dir},
		{repository, "config", "core.compression", "0"}, // it is cloned many times
		{repository, "config", "pack.window", "0"},
		{repository, "--work-tree=.", "add", "-A"},
		{"-c", "user.name=test", "-c", "user.email=test@example.com", "-c", "commit.gpgsign=false", repository, "commit", "-q", "-m", "all"},
		{"-c", "tag.gpgsign=false", repository, "tag", "v9.9.9"},
		{"-C", dir, "reset", "-q", "--hard"},
	} {
		cmd := exec.Command("git", args...)
		cmd.Dir = filepath.Join("..", "..")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
}

// keepProgram moves a program that go has built as an example says. From then on, the same command
// copies it.
func (w *exampleWorld) keepProgram(t *testing.T, built string) {
	t.Helper()
	program := filepath.Join(w.dir, "robots-audit")
	if err := os.Rename(built, program); err != nil {
		t.Fatal(err)
	}
	w.path = w.fakeGo(t, `[ "$*" = "install ./cmd/robots-audit" ] && [ -e go.mod ] && mkdir "$GOBIN" && cp "`+program+`" "$GOBIN"`) + ":" + os.Getenv("PATH")
}

// fakeGo makes a folder with a program go that runs this script, and returns its name.
func (w *exampleWorld) fakeGo(t *testing.T, script string) string {
	t.Helper()
	dir, err := os.MkdirTemp(w.dir, "go")
	if err != nil {
		t.Fatal(err)
	}
	clitest.Write(t, dir, map[string]string{"go": "#!/bin/sh\n" + script + "\n"})
	if err := os.Chmod(filepath.Join(dir, "go"), 0o777); err != nil {
		t.Fatal(err)
	}
	return dir
}

// values are the values that a team sets in the head of an example.
func (w *exampleWorld) values() map[string]string {
	return map[string]string{
		"SITE": "http://shop.example", "AUDIT_FLAGS": "-no-cache -retries 0 -connect-to :80:" + w.site.Listener.Addr().String(),
		"TOOL_REPOSITORY": "file://" + w.source, "TOOL_VERSION": "v9.9.9",
	}
}

// checkout makes a fresh folder with the files of the site's repository, and keeps the entry keep.
func (w *exampleWorld) checkout(t *testing.T, dir, robots, expectations, keep string) {
	t.Helper()
	list, _ := os.ReadDir(dir)
	for _, entry := range list {
		if entry.Name() != keep {
			os.RemoveAll(filepath.Join(dir, entry.Name()))
		}
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	clitest.Write(t, dir, map[string]string{"robots.txt": robots, "expect.csv": expectations})
}

// shell runs a script with bash and some options.
func (w *exampleWorld) shell(t *testing.T, dir, script string, env map[string]string, options ...string) int {
	t.Helper()
	return w.script(t, dir, script, env, append([]string{"bash", "--noprofile", "--norc"}, options...)...)
}

// script runs a script with a shell, with only these variables and those of Go's caches. It returns
// the exit code.
func (w *exampleWorld) script(t *testing.T, dir, script string, env map[string]string, shell ...string) int {
	t.Helper()
	file := filepath.Join(w.dir, "step.sh")
	clitest.WriteFile(t, file, script)
	home := filepath.Join(w.dir, "home")
	if err := os.MkdirAll(home, 0o777); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(shell[0], append(slices.Clone(shell[1:]), file)...)
	// The same flags as in .ci/run, so that packages are not compiled again in each folder.
	cmd.Dir, cmd.Env = dir, []string{"HOME=" + home, "TMPDIR=" + w.dir, "GOFLAGS=-trimpath", "CGO_ENABLED=0"}
	caches, err := exec.Command("go", "env", "GOCACHE", "GOMODCACHE", "GOPROXY", "GOTOOLCHAIN").Output()
	if err != nil {
		t.Fatal(err)
	}
	for i, value := range strings.Split(strings.TrimSpace(string(caches)), "\n") {
		cmd.Env = append(cmd.Env, []string{"GOCACHE", "GOMODCACHE", "GOPROXY", "GOTOOLCHAIN"}[i]+"="+value)
	}
	for name, value := range env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	out, err := cmd.CombinedOutput()
	w.said = string(out)
	t.Logf("%s\n%s", strings.TrimSpace(script), out)
	if strings.Contains(string(out), "is no setting") {
		t.Error("a variable of the example is taken for a setting of the program")
	}
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode()
}

// fetched counts the requests to the live site for a path.
func (w *exampleWorld) fetched(path string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.visited[path]
}

// exampleAPI replaces the API of a build server: comments are listed in pages, created and changed.
// Others have commented before, one of them with our marker.
type exampleAPI struct {
	*httptest.Server
	header, token string         // required in requests
	path          string         // of the comments
	change, one   string         // method that changes a comment, and its path before the ID
	author        string         // key in a comment for its author
	us, others    map[string]any // value of that key
	marker        string         // start of our comments
	list          []exampleComment
	writes        []string // method and path of requests that changed something
	faults        []string // requests that a real API would reject
}

type exampleComment struct {
	id     int
	body   string
	author map[string]any
}

// start serves the API until the test ends.
func (a *exampleAPI) start(t *testing.T) {
	a.reset()
	a.Server = httptest.NewServer(a)
	t.Cleanup(a.Close)
}

// reset removes all comments except those of others.
func (a *exampleAPI) reset() {
	a.list, a.writes = nil, nil
	for i := range 130 {
		body := "Comment " + strconv.Itoa(i)
		if i == 3 {
			body = a.marker + "\nsomebody else's"
		}
		a.list = append(a.list, exampleComment{1000 + i, body, a.others})
	}
}

func (a *exampleAPI) ours() []exampleComment { return a.list[130:] }

func (a *exampleAPI) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get(a.header) != a.token {
		a.faults = append(a.faults, "no token")
	}
	var in struct{ Body string }
	id, changes := strings.CutPrefix(r.URL.Path, a.one)
	switch {
	case r.URL.Path == "/user":
		json.NewEncoder(w).Encode(a.us)
		return
	case r.Method == http.MethodGet && r.URL.Path == a.path:
		page, _ := strconv.Atoi(cmp.Or(r.URL.Query().Get("page"), "1"))
		size, _ := strconv.Atoi(cmp.Or(r.URL.Query().Get("per_page"), "30"))
		out := []map[string]any{}
		for i := (page - 1) * size; i < min(page*size, len(a.list)); i++ {
			out = append(out, map[string]any{"id": a.list[i].id, "body": a.list[i].body, a.author: a.list[i].author})
		}
		json.NewEncoder(w).Encode(out)
		return
	case json.NewDecoder(r.Body).Decode(&in) != nil || in.Body == "":
		a.faults = append(a.faults, r.Method+" "+r.URL.Path+": no body")
		w.WriteHeader(http.StatusUnprocessableEntity)
		return
	case r.Method == http.MethodPost && r.URL.Path == a.path:
		a.list = append(a.list, exampleComment{5000 + len(a.list), in.Body, a.us})
		w.WriteHeader(http.StatusCreated)
	case r.Method == a.change && changes:
		at := slices.IndexFunc(a.list, func(c exampleComment) bool { return strconv.Itoa(c.id) == id })
		if at < 130 {
			a.faults = append(a.faults, "a comment that is not ours was changed: "+id)
			w.WriteHeader(http.StatusForbidden)
			return
		}
		a.list[at].body = in.Body
	default:
		a.faults = append(a.faults, r.Method+" "+r.URL.Path)
		http.NotFound(w, r)
		return
	}
	a.writes = append(a.writes, r.Method+" "+r.URL.Path)
	w.Write([]byte("{}"))
}

// holds fails unless there is exactly one comment of ours, with these texts.
func (a *exampleAPI) holds(t *testing.T, writes int, texts ...string) {
	t.Helper()
	for _, fault := range a.faults {
		t.Error(fault)
	}
	if ours := a.ours(); len(ours) != 1 || len(a.writes) != writes {
		t.Fatalf("%d comments of ours, written by %v", len(ours), a.writes)
	}
	body := a.ours()[0].body
	hasTexts(t, "comment", body, append(texts, a.marker+"\n### ")...)
}

// hasTexts fails for each text that is missing in another.
func hasTexts(t *testing.T, what, text string, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if !strings.Contains(text, want) {
			t.Errorf("%s: %q is missing in %s", what, want, text)
		}
	}
}

// readExample decodes the YAML of an example.
func readExample(t *testing.T, name string, into any) {
	t.Helper()
	text := clitest.Read(t, "..", "..", ".github", "examples", name)
	if err := yaml.Unmarshal([]byte(text), into); err != nil {
		t.Fatal(err)
	}
}

// TestExampleRepository checks that each file that people copy names the repository of the program in
// one place, with this version, and that nothing else names it.
func TestExampleRepository(t *testing.T) {
	top := filepath.Join("..", "..")
	of := map[string]int{".pre-commit-hooks.yaml": 1, "README.md": 0}
	for _, pattern := range []string{"actions/robots-audit/*.yml", "actions/robots-audit/steps/*", "docs/*", "examples/*", "workflows/*"} {
		files, err := filepath.Glob(filepath.Join(top, ".github", pattern))
		if err != nil || len(files) == 0 {
			t.Fatal(pattern, err)
		}
		for _, file := range files {
			name, err := filepath.Rel(top, file)
			if err != nil {
				t.Fatal(err)
			}
			of[name] = 0
			if pattern == "examples/*" && (filepath.Ext(name) == ".yml" || filepath.Base(name) == "Jenkinsfile") {
				of[name] = 1
			}
		}
	}
	version := "v" + strings.TrimSuffix(cli.NextVersion, "-dev")
	for name, want := range of {
		text := clitest.Read(t, top, name)
		if is := strings.Count(text, "OWNER") + strings.Count(text, "git.example.com"); is != want {
			t.Errorf("%s names the repository of the program %d times, want %d", name, is, want)
		}
		if want == 1 && strings.Count(text, version) != 1 {
			t.Errorf("%s does not name version %s once", name, version)
		}
	}
}
