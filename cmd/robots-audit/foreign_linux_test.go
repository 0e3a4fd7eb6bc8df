package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/clitest"
	"robots-audit/cmd/internal/scheduling"
	desk "robots-audit/reports/serve"
)

// foreigner is an object that another user may put in the place of a file or folder, and that the
// program must not touch.
type foreigner struct {
	kind string
	put  func(path, outside string) error
}

// secret is in the files outside.
const secret = "SECRET-OUTSIDE"

var foreigners = []foreigner{
	{"a link to a file", func(path, outside string) error { return os.Symlink(filepath.Join(outside, "secret"), path) }},
	{"a link to its own content", func(path, outside string) error { return os.Symlink(filepath.Join(outside, "moved"), path) }},
	{"a link to a folder", func(path, outside string) error { return os.Symlink(outside, path) }},
	{"a link to nothing", func(path, outside string) error { return os.Symlink(filepath.Join(outside, "new"), path) }},
	{"a link to a device", func(path, _ string) error { return os.Symlink("/dev/zero", path) }},
	{"a pipe", func(path, _ string) error { return syscall.Mkfifo(path, 0o644) }},
	{"a folder", func(path, _ string) error {
		return errors.Join(os.Mkdir(path, 0o755), os.WriteFile(filepath.Join(path, "file"), []byte("x"), 0o644))
	}},
	{"1 GB", func(path, _ string) error {
		return errors.Join(os.WriteFile(path, nil, 0o644), os.Truncate(path, 1<<30))
	}},
	{"a script", func(path, _ string) error {
		return os.WriteFile(path, []byte(`<meta http-equiv="Content-Security-Policy" content="default-src * 'unsafe-inline'"><script>planted()</script>`), 0o644)
	}},
}

// foreignHistory is a history of two runs of two sites, the second with differences, and a
// proposal.
func foreignHistory(t *testing.T) string {
	const plain = "User-agent: *\nDisallow: /private/\nSitemap: http://HOST/map.txt\n"
	var later atomic.Bool
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/map.txt":
			fmt.Fprintf(w, "http://%s/1\nhttp://%[1]s/private/1\n", r.Host)
		case r.URL.Path != "/robots.txt":
			http.NotFound(w, r)
		case later.Load() && r.Host == "al03.example.com":
			w.WriteHeader(http.StatusServiceUnavailable)
		default:
			text := strings.ReplaceAll(plain, "HOST", r.Host)
			if later.Load() {
				text += "User-agent: Googlebot\nDisallow: /\n"
			}
			fmt.Fprint(w, text)
		}
	}))
	t.Cleanup(server.Close)
	dir := t.TempDir()
	config := filepath.Join(dir, "config.toml")
	text := fmt.Sprintf(`crawlers = "Googlebot"
retries = 0
no-cache = true
quiet = true
reports = "page"
connect-to = ":80:%s"
[history]
dir = "history"
[[schedule]]
name = "shops"
cron = "0 * * * *"
domains = "list"
[alerts]
confirm_after = "0s"
[[alerts.file]]
path = "alerts.jsonl"
`, server.Listener.Addr())
	err := errors.Join(os.WriteFile(config, []byte(text), 0o644), os.WriteFile(filepath.Join(dir, "list"), []byte("http://al01.example.com\nhttp://al03.example.com\n"), 0o644))
	if err != nil {
		t.Fatal(err)
	}
	before := scheduling.Clock
	t.Cleanup(func() { scheduling.Clock = before })
	for hour := 6; hour < 8; hour++ {
		scheduling.Clock = func() time.Time { return time.Date(2026, 11, 2, hour, 0, 0, 0, time.UTC) }
		later.Store(hour > 6)
		if code, said := call("schedule", "-config", config, "-once"); code != cli.ExitDone && code != cli.ExitUnknown {
			t.Fatalf("exit code %d: %s", code, said)
		}
	}
	history := filepath.Join(dir, "history")
	proposals := filepath.Join(history, "proposals", "al01.example.com")
	if err := errors.Join(os.MkdirAll(proposals, 0o755), os.WriteFile(filepath.Join(proposals, "20261102T080000.000Z.txt"), []byte(plain), 0o644)); err != nil {
		t.Fatal(err)
	}
	return history
}

// TestForeign replaces each file and folder of a history by a link, a pipe, a device, a folder, 1
// GB or a script. No command or view reads, writes or removes anything outside, hangs, or uses much
// memory. No script gets into a page, and errors name the place.
func TestForeign(t *testing.T) {
	history := foreignHistory(t)
	places := placesOf(t, history)
	runs := []string{"20261102T060000Z", "20261102T070000Z"}
	type attempt struct {
		place string
		by    foreigner
	}
	var all []attempt
	for _, place := range places {
		for _, by := range foreigners {
			all = append(all, attempt{place, by})
		}
	}
	if os.Getenv("TEST_FOREIGN") != "all" { // each takes a second
		dice := rand.New(rand.NewPCG(34, 1))
		dice.Shuffle(len(all), func(i, k int) { all[i], all[k] = all[k], all[i] })
		all = all[:10]
	}
	for _, a := range all {
		t.Run(strings.ReplaceAll(a.place, "/", ":")+" is "+a.by.kind, func(t *testing.T) {
			dir, outside := filepath.Join(t.TempDir(), "history"), t.TempDir()
			path := filepath.Join(dir, a.place)
			err := errors.Join(os.CopyFS(dir, os.DirFS(history)), os.Rename(path, filepath.Join(outside, "moved")), os.WriteFile(filepath.Join(outside, "secret"), []byte(secret), 0o644))
			for _, name := range []string{"index.html", "run.json", "lock", "journal.jsonl", "al01.example.com.html", "al01.example.com.xlsx", "al01.example.com.jsonl.zst", "changes.json"} {
				err = errors.Join(err, os.WriteFile(filepath.Join(outside, name), []byte(secret), 0o644))
			}
			if err = errors.Join(err, a.by.put(path, outside)); err != nil {
				t.Fatal(err)
			}
			was := tree(t, outside)
			f := &foreignWorld{t: t, dir: dir, place: a.place, robots: filepath.Join(t.TempDir(), "robots.txt"), runs: runs}
			clitest.WriteFile(t, f.robots, "User-agent: *\nDisallow: /1\n")
			f.views()
			f.commands()
			if is := tree(t, outside); !slices.Equal(is, was) {
				t.Errorf("outside lies\n%s\nand was\n%s", strings.Join(is, "\n"), strings.Join(was, "\n"))
			}
			if found := holding(dir, secret); len(found) > 0 {
				t.Errorf("what lies outside is now in %q", found)
			}
		})
	}
}

// placesOf are the files and folders of a history, one of each kind.
func placesOf(t *testing.T, dir string) (list []string) {
	t.Helper()
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, _ fs.DirEntry, err error) error {
		if name != "." && !strings.Contains(name, "al03.") && !strings.HasPrefix(name, "runs/20261102T060000Z/") {
			list = append(list, name)
		}
		return err
	})
	if err != nil || len(list) < 30 {
		t.Fatalf("%q, %v", list, err)
	}
	return list
}

// tree lists the content of a folder, with sizes and times.
func tree(t *testing.T, dir string) (list []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || name == dir {
			return err
		}
		info, err := d.Info()
		if err == nil {
			list = append(list, fmt.Sprint(name, " ", info.Mode(), " ", info.Size(), " ", info.ModTime()))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// holding are the plain files below a folder that contain a text. It does not follow the replaced
// link.
func holding(dir, text string) (list []string) {
	filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if info, e := d.Info(); err != nil || e != nil || !info.Mode().IsRegular() || info.Size() > 100<<20 {
			return nil
		}
		if data, _ := os.ReadFile(name); bytes.Contains(data, []byte(text)) {
			list = append(list, name)
		}
		return nil
	})
	return list
}

// foreignWorld is a history with one part replaced.
type foreignWorld struct {
	t          *testing.T
	dir, place string
	robots     string // a file of the user
	runs       []string
}

// bounded calls do, which must neither hang nor read the replaced part into memory.
func (f *foreignWorld) bounded(what string, do func()) {
	f.t.Helper()
	done := make(chan struct{})
	go func() { defer close(done); do() }()
	tick, end := time.NewTicker(20*time.Millisecond), time.After(time.Minute)
	defer tick.Stop()
	for most := uint64(0); ; {
		select {
		case <-done:
			if most > 500<<20 {
				f.t.Errorf("%s: %d MB held", what, most>>20)
			}
			return
		case <-end:
			f.t.Fatalf("%s has not ended after a minute", what)
		case <-tick.C:
			var now runtime.MemStats
			runtime.ReadMemStats(&now)
			most = max(most, now.HeapInuse)
		}
	}
}

// commands runs every command that takes the history or its last run.
func (f *foreignWorld) commands() {
	run1, run2 := filepath.Join(f.dir, "runs", f.runs[0]), filepath.Join(f.dir, "runs", f.runs[1])
	expect := filepath.Join(filepath.Dir(f.robots), "expect.csv")
	if err := os.WriteFile(expect, []byte("url,crawler,expect\nhttp://al01.example.com/1,Googlebot,allow\n"), 0o644); err != nil {
		f.t.Fatal(err)
	}
	for _, args := range [][]string{
		{"compare", run1, run2, "-out", filepath.Join(f.t.TempDir(), "changes")},
		{"simulate", "-robots", f.robots, "-site", "al01.example.com", "-out", filepath.Join(f.t.TempDir(), "simulated"), run2},
		{"verify", "-expect", expect, "-run", run2, "-robots", "al01.example.com=" + f.robots},
		{"report", run2},
		{"schedule", "-reindex", f.dir},
	} {
		if named := f.place == "runs" || f.place == "runs/"+f.runs[1]; named && args[0] == "report" {
			continue // a link that the user names is followed
		}
		var out, told bytes.Buffer
		code := -1
		f.bounded(args[0], func() { code = run(args, cli.Streams{In: strings.NewReader(""), Out: &out, Err: &told}) })
		said := out.String() + told.String()
		if strings.Contains(said, secret) {
			f.t.Errorf("%s says what lies outside: %s", args[0], said)
		}
		if (code == cli.ExitFailed || code == cli.ExitUsage) && !f.named(said) {
			f.t.Errorf("%s: exit code %d, and the place is not named: %s", args[0], code, said)
		}
		if strings.Contains(said, "panic") || code < 0 {
			f.t.Errorf("%s: exit code %d: %s", args[0], code, said)
		}
	}
}

// named reports whether a message names the place or a folder above it.
func (f *foreignWorld) named(said string) bool {
	for part := range strings.SplitSeq(f.place, "/") {
		if part != "runs" && !slices.Contains(f.runs, part) && strings.Contains(said, part) {
			return true
		}
	}
	return strings.Contains(said, filepath.Join(f.dir, f.place))
}

// views requests all pages of the dashboard.
func (f *foreignWorld) views() {
	d, err := desk.New(desk.Options{History: f.dir, Version: cli.Version, Memory: 256 << 20})
	if err != nil {
		if !f.named(err.Error()) {
			f.t.Errorf("serve: %v", err)
		}
		return
	}
	defer d.Close()
	server := httptest.NewServer(d)
	defer server.Close()
	client := &http.Client{Timeout: time.Minute}
	defer client.CloseIdleConnections()
	ask := func(method, path, body string) {
		f.bounded(path, func() {
			r, _ := http.NewRequest(method, server.URL+path, strings.NewReader(body))
			if body != "" {
				r.Header.Set("Content-Type", "application/json")
			}
			answer, err := client.Do(r)
			if err != nil {
				f.t.Errorf("%s: %v", path, err)
				return
			}
			text, err := io.ReadAll(io.LimitReader(answer.Body, 64<<20))
			answer.Body.Close()
			switch policy := answer.Header.Get("Content-Security-Policy"); {
			case err != nil:
				f.t.Errorf("%s: %v", path, err)
			case bytes.Contains(text, []byte(secret)), bytes.Contains(text, []byte(f.dir)):
				f.t.Errorf("%s shows what lies outside, or where the history does: %.300s", path, text)
			case policy == "" || strings.Contains(policy, "* ") || strings.Contains(policy, "'unsafe-inline'") && !strings.Contains(policy, "style-src"):
				f.t.Errorf("%s: policy %q", path, policy)
			case bytes.Contains(text, []byte("<script>planted()")) && !strings.Contains(policy, "sandbox"):
				f.t.Errorf("%s: the planted script is sent without a sandbox", path)
			}
		})
	}
	ask("GET", "/", "")
	ask("GET", "/alerts", "")
	for _, id := range f.runs {
		at := "/runs/" + id
		for _, path := range []string{"", "/sites", "/sites?state=critical", "/search?q=private"} {
			ask("GET", at+path, "")
		}
		for _, file := range []string{"index.html", "pages/al01.example.com.html", "summary.json", "summary.md", "summary.xlsx", "al01.example.com.xlsx", "run.json"} {
			ask("GET", at+"/report/"+file, "")
		}
		for _, file := range []string{"index.html", "changes.json", "changes.md", "changes.xlsx"} {
			ask("GET", "/comparisons/"+id+"/"+file, "")
		}
		site := at + "/sites/al01.example.com"
		for _, path := range []string{"", "/url?url=http://al01.example.com/1", "/versions", "/edit", "/start?key=proposal:20261102T080000.000Z"} {
			ask("GET", site+path, "")
		}
		for _, path := range []string{"/try", "/lint", "/wish", "/expect", "/save"} {
			ask("POST", site+path, `{"robots":"User-agent: *\nDisallow: /1\n","urls":["http://al01.example.com/1"]}`)
		}
	}
}
