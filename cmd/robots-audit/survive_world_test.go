//go:build soak

package main

import (
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/clitest"
)

// Shared by the tests that kill runs and damage their folders at random moments and places:
//
//	TEST_TIMES=60 TEST_SEED=1 go test -tags soak -run 'TestKills|TestDamages' ./cmd/robots-audit

// sturdyWorld serves ten sites, some of which have a report that fits into memory. Its responses
// never change.
type sturdyWorld struct {
	*httptest.Server
	list string // the file that names the sites
}

const sturdySites = 10

func newSturdyWorld(t *testing.T) *sturdyWorld {
	w := &sturdyWorld{list: filepath.Join(t.TempDir(), "list")}
	w.Server = httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		rw.Header()["Date"] = nil
		time.Sleep(10 * time.Millisecond)
		var number int
		fmt.Sscanf(r.Host, "s%d.example", &number)
		switch {
		case r.URL.Path == "/robots.txt" && number == 3:
			http.Error(rw, "none", http.StatusNotFound)
		case r.URL.Path == "/robots.txt":
			fmt.Fprintf(rw, "User-agent: *\nDisallow: /0\nDisallow: /1/5\nSitemap: http://%s/list.txt\n", r.Host)
		case r.URL.Path == "/list.txt":
			for i := range 10 << number {
				fmt.Fprintf(rw, "http://%s/%d/%d\n", r.Host, i%10, i)
			}
		default:
			http.NotFound(rw, r)
		}
	}))
	t.Cleanup(w.Close)
	var list strings.Builder
	for i := range sturdySites {
		fmt.Fprintf(&list, "http://s%d.example\n", i)
	}
	clitest.WriteFile(t, w.list, list.String())
	return w
}

func (w *sturdyWorld) args(out string, more ...string) []string {
	return append([]string{"-domains", w.list, "-quiet", "-workers", "3", "-retries", "0", "-format", "csv", "-out", out, "-connect-to", ":80:" + w.Listener.Addr().String()}, more...)
}

// read reads all files of a folder except the lock, by name.
func read(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	in := os.DirFS(dir)
	err := fs.WalkDir(in, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == "lock" {
			return err
		}
		text, err := fs.ReadFile(in, name)
		files[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// differences lists the files that differ, without those in but.
func differences(want, got map[string]string, but ...string) (names []string) {
	for name := range want {
		if other, ok := got[name]; !slices.Contains(but, name) && (!ok || want[name] != other) {
			names = append(names, name)
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok && !slices.Contains(but, name) {
			names = append(names, name+" (too many)")
		}
	}
	slices.Sort(names)
	return names
}

const journalFile = "records/journal.zst"

// essence is the result of a run without times and IDs: its records, run.json and summary.json. Of
// other files it has the names.
func essence(t *testing.T, files map[string]string) map[string]string {
	t.Helper()
	z, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	found := map[string]string{}
	for name, text := range files {
		switch {
		case strings.HasPrefix(name, "records/") && name != journalFile:
			lines, err := z.DecodeAll([]byte(text), nil)
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			found[name] = clitest.Clocks.ReplaceAllString(string(lines), "")
		case name == "run.json", name == "summary.json":
			found[name] = clitest.Clocks.ReplaceAllString(text, "")
		default:
			found[name] = ""
		}
	}
	return found
}

// whole fails unless a run has the same results as the clean one. Every file in its folder must be,
// byte for byte, the file that report makes from its records.
func whole(t *testing.T, clean, dir, what string) {
	t.Helper()
	files := read(t, dir)
	if diff := differences(essence(t, read(t, clean)), essence(t, files)); len(diff) > 0 {
		t.Errorf("%s: not as a clean run has it: %q", what, diff)
	}
	again := t.TempDir()
	clitest.Write(t, again, files)
	if code, said := call("report", again); code != cli.ExitDone {
		t.Errorf("%s: report has exit code %d: %s", what, code, said)
	}
	if diff := differences(files, read(t, again), journalFile); len(diff) > 0 {
		t.Errorf("%s: not what the records say: %q", what, diff)
	}
	os.RemoveAll(again) // there would be many
}
