package reports

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"robots-audit/audit"
	"robots-audit/engine"
	"robots-audit/reports/internal/site"
)

// threeSites are the records of three sites, interleaved.
func threeSites() []audit.Record {
	a, b, c := siteRecords("example.com", 0, 700), siteRecords("example.org:8080", 1, 300), siteRecords("example.net", 2, 0)
	// Bytes that are not UTF-8, where JSON cannot keep them and where it can.
	b[1].Robots.Rules[3].Rule = "disallow: /\xff\xfea/"
	b[2].URLs.List[0].Loc += "\xff"
	var mixed []audit.Record
	for len(a)+len(b)+len(c) > 0 {
		for _, list := range []*[]audit.Record{&c, &a, &b} {
			if len(*list) > 0 {
				mixed = append(mixed, (*list)[0])
				*list = (*list)[1:]
			}
		}
	}
	return mixed
}

// folder reads all files of a run except the lock.
func folder(t testing.TB, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	tree := os.DirFS(dir)
	err := fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == "lock" {
			return err
		}
		text, err := fs.ReadFile(tree, name)
		files[name] = string(text)
		return err
	})
	noError(t, err)
	return files
}

// sameFolder compares two runs file by file, byte by byte, except the named files.
func sameFolder(t *testing.T, want, got map[string]string, but ...string) {
	t.Helper()
	for _, name := range but {
		delete(want, name)
		delete(got, name)
	}
	for name := range want {
		if _, ok := got[name]; !ok {
			t.Errorf("%s is missing", name)
		} else if want[name] != got[name] {
			t.Errorf("%s differs: %d bytes, want %d", name, len(got[name]), len(want[name]))
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s should not be there", name)
		}
	}
}

const journalName = packedFile

// linesName is the journal of a run that is not closed, or of a build before journals were packed.
const linesName = hidden + "/" + journalFile

// straightRun is a run of threeSites in its own folder. The first one is made and the others are
// copies.
func straightRun(t *testing.T) (dir string) {
	return copied(t, "straight", func(dir string) {
		writeRun(t, testOptions(dir), threeSites())
	})
}

// copies are the folders that were made, by name.
var (
	copies   = map[string]fstest.MapFS{}
	copiesMu sync.Mutex
)

// copied is a new folder for a test with the files that make wrote into an earlier one of that
// name.
func copied(t *testing.T, name string, make func(dir string)) (dir string) {
	t.Helper()
	copiesMu.Lock()
	defer copiesMu.Unlock()
	if copies[name] == nil {
		made := t.TempDir()
		make(made)
		files := fstest.MapFS{}
		err := filepath.WalkDir(made, func(path string, d fs.DirEntry, err error) error {
			if err != nil || path == made {
				return err
			}
			info, err := d.Info()
			if err != nil {
				return err
			}
			of := &fstest.MapFile{Mode: info.Mode()}
			if !d.IsDir() {
				of.Data, err = os.ReadFile(path)
			}
			name, _ := filepath.Rel(made, path)
			files[filepath.ToSlash(name)] = of
			return err
		})
		noError(t, err)
		copies[name] = files
	}
	dir = t.TempDir()
	noError(t, os.CopyFS(dir, copies[name]))
	return dir
}

func TestFolder(t *testing.T) {
	t.Parallel()
	var names []string
	for name := range folder(t, straightRun(t)) {
		if IsAsset(name) { // its name has a hash of its content
			name = "pages/page-*" + path.Ext(name)
		}
		names = append(names, name)
	}
	want := []string{
		"summary.xlsx", "summary.json", "summary.md", "index.html", "run.json", journalName,
		"pages/example.com.html", "pages/example.com.rows/1.js", "pages/example.org_8080.html", "pages/example.net.html",
		"pages/page-*.css", "pages/page-*.js",
		"example.com.xlsx", "example.org_8080.xlsx", "example.net.xlsx",
		"records/example.com.jsonl.zst", "records/example.org_8080.jsonl.zst", "records/example.net.jsonl.zst",
		"evidence/example.com/robots.txt", "evidence/example.com/headers.json",
		"evidence/example.org_8080/robots.txt", "evidence/example.org_8080/headers.json",
		"evidence/example.net/robots.txt", "evidence/example.net/headers.json",
	}
	slices.Sort(names)
	slices.Sort(want)
	checkEqual(t, "files", slices.Compact(names), want)
}

func TestRebuild(t *testing.T) {
	t.Parallel()
	dir := straightRun(t)
	want := folder(t, dir)
	for _, name := range []string{"summary.json", "summary.xlsx", "example.com.xlsx", "evidence/example.net/robots.txt"} {
		gone(t, dir, name)
	}
	mustRebuild(t, dir)
	sameFolder(t, want, folder(t, dir), journalName)
	mustRebuild(t, dir)
	sameFolder(t, want, folder(t, dir), journalName)
}

func TestOpenErrors(t *testing.T) {
	t.Parallel()
	dir := straightRun(t)
	resume := testOptions(dir)
	resume.Resume = true

	if _, err := Open(testOptions(dir)); !errors.Is(err, ErrExists) {
		t.Errorf("a folder with a run: %v", err)
	}
	empty := resume
	empty.Dir = t.TempDir()
	if _, err := Open(empty); !errors.Is(err, ErrNoRun) {
		t.Errorf("an empty folder: %v", err)
	}
	other := resume
	other.Rows, other.Crawlers, other.Settings = "all", testCrawlers[:1], map[string]any{"max-urls": "7"}
	_, err := Open(other)
	var mismatch *MismatchError
	if !errors.As(err, &mismatch) || len(mismatch.Differences) != 3 {
		t.Fatalf("other settings: %v", err)
	}
	for i, want := range []string{"rows: the run has \"blocked\", now \"all\"", "crawlers: ", "max-urls: the run has \"0\", now \"7\""} {
		if !strings.HasPrefix(mismatch.Differences[i], want) {
			t.Errorf("difference %q, want %q", mismatch.Differences[i], want)
		}
	}
	r := openRun(t, resume)
	defer r.Close()
	if _, err := Open(resume); !errors.Is(err, ErrLocked) {
		t.Errorf("two runs at once: %v", err)
	}
	if err := rebuildIn(dir); !errors.Is(err, ErrLocked) {
		t.Errorf("rebuilding a run at work: %v", err)
	}
}

// A stopped run says how many sites are unfinished.
func TestUnfinished(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	r := openRun(t, testOptions(dir))
	records := threeSites()
	writeAll(t, r, records[:len(records)-1])
	closeRun(t, r)
	want := folder(t, dir)
	if !strings.Contains(want["summary.json"], `"unfinished":1}`) || !strings.Contains(want["summary.md"], "stopped before 1 site was finished") {
		t.Errorf("%s\n%s", want["summary.md"], want["summary.json"])
	}
	if len(want["example.com.xlsx"]) > 0 {
		t.Error("a site that is not finished has a workbook")
	}
	mustRebuild(t, dir)
	sameFolder(t, want, folder(t, dir), journalName)
}

// run.json names the source of every profile that is used.
func TestProfileNotes(t *testing.T) {
	t.Parallel()
	p, ok := engine.ProfileByName("google")
	if !ok {
		t.Fatal("no profile google")
	}
	crawlers := []audit.Crawler{{Profile: "google"}, {Profile: "google"}, {Profile: "reader-a"}}
	want := []site.ProfileInfo{{Name: "google", Title: p.Title, Dated: p.Dated, Source: p.Source}, {Name: "reader-a"}}
	if diff := cmp.Diff(want, profileInfos(crawlers)); diff != "" || p.Source == "" {
		t.Error(diff)
	}
}

func TestEmptyRun(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	r := openRun(t, testOptions(dir))
	closeRun(t, r)
	files := folder(t, dir)
	if !strings.HasPrefix(files["summary.md"], "0 sites: 0 critical, 0 warnings, 0 unknown, 0 OK\n") || !strings.Contains(files["summary.json"], `"sites":[`+"\n]}") {
		t.Errorf("%s\n%s", files["summary.md"], files["summary.json"])
	}
}

func TestWriteOutOfOrder(t *testing.T) {
	t.Parallel()
	r := openRun(t, testOptions(t.TempDir()))
	defer r.Close()
	if err := r.Write(siteRecords("example.com", 0, 1)[2]); err == nil {
		t.Error("a URL before its Site must be an error")
	}
}
