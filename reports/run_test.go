package reports

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"robots-audit/audit"
	"robots-audit/engine"
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

// folder reads all files of a run but the lock.
func folder(t testing.TB, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name() == "lock" {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		files[filepath.ToSlash(name)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// sameFolder compares two runs file by file, byte by byte, but for those named.
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

const journalName = hidden + "/journal.jsonl"

func straightRun(t *testing.T) (dir string) {
	dir = t.TempDir()
	r := openRun(t, testOptions(dir))
	writeAll(t, r, threeSites())
	closeRun(t, r)
	return dir
}

func TestFolder(t *testing.T) {
	var names []string
	for name := range folder(t, straightRun(t)) {
		names = append(names, name)
	}
	want := []string{
		"summary.xlsx", "summary.json", "summary.md", "index.html", "run.json", journalName,
		"pages/example.com.html", "pages/example.com.rows/1.js", "pages/example.org_8080.html", "pages/example.net.html",
		"example.com.xlsx", "example.org_8080.xlsx", "example.net.xlsx",
		"records/example.com.jsonl.zst", "records/example.org_8080.jsonl.zst", "records/example.net.jsonl.zst",
		"evidence/example.com/robots.txt", "evidence/example.com/headers.json",
		"evidence/example.org_8080/robots.txt", "evidence/example.org_8080/headers.json",
		"evidence/example.net/robots.txt", "evidence/example.net/headers.json",
	}
	sorted := cmp.Transformer("sorted", func(s []string) map[string]bool {
		m := map[string]bool{}
		for _, n := range s {
			m[n] = true
		}
		return m
	})
	if diff := cmp.Diff(want, names, sorted); diff != "" {
		t.Error(diff)
	}
}

// The order in which sites finish, and how their records are mixed and cut
// into batches, leaves no trace.
func TestDeterministic(t *testing.T) {
	want := folder(t, straightRun(t))
	dir := t.TempDir()
	r := openRun(t, testOptions(dir))
	for _, domain := range []string{"example.net", "example.org:8080", "example.com"} {
		for _, rec := range threeSites() {
			if rec.Domain != domain {
				continue
			}
			if rec.URLs == nil {
				writeAll(t, r, []audit.Record{rec})
				continue
			}
			for len(rec.URLs.List) > 0 {
				n := min(7, len(rec.URLs.List))
				writeAll(t, r, []audit.Record{{Domain: domain, URLs: &audit.URLs{List: rec.URLs.List[:n]}}})
				rec.URLs.List = rec.URLs.List[n:]
			}
		}
	}
	closeRun(t, r)
	sameFolder(t, want, folder(t, dir), journalName)
}

func TestRebuild(t *testing.T) {
	dir := straightRun(t)
	want := folder(t, dir)
	for _, name := range []string{"summary.json", "summary.xlsx", "example.com.xlsx", "evidence/example.net/robots.txt"} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := Rebuild(dir); err != nil {
		t.Fatal(err)
	}
	sameFolder(t, want, folder(t, dir), journalName)
	if err := Rebuild(dir); err != nil {
		t.Fatal(err)
	}
	sameFolder(t, want, folder(t, dir), journalName)
}

// Records that cannot be read cost one site its place among the fine ones,
// nothing more.
func TestRebuildBroken(t *testing.T) {
	dir := straightRun(t)
	before := folder(t, dir)
	name := filepath.Join(dir, "records", "example.com"+recordsExt)
	if err := os.WriteFile(name, []byte(before["records/example.com"+recordsExt][:2000]), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := Rebuild(dir); err == nil || !strings.Contains(err.Error(), "example.com") {
		t.Errorf("error %v, want one that names the site", err)
	}
	after := folder(t, dir)
	if after["example.com.xlsx"] != before["example.com.xlsx"] || after["example.net.xlsx"] != before["example.net.xlsx"] {
		t.Error("a workbook has changed")
	}
	if !strings.Contains(after["summary.json"], `"sites":3,"ok":0,"warn":2,"critical":0,"unknown":1`) {
		t.Errorf("totals: %.400s", after["summary.json"])
	}
}

// kill leaves a run as kill -9 does: nothing is closed, the lock is gone.
func kill(t *testing.T, r *Run) {
	t.Helper()
	if err := r.ledger.journal.file.Close(); err != nil {
		t.Fatal(err)
	}
	if err := r.lock.Unlock(); err != nil {
		t.Fatal(err)
	}
}

// TestResume kills a run after each of its records in turn and goes on.
func TestResume(t *testing.T) {
	want := folder(t, straightRun(t))
	records := threeSites()
	for at := range records {
		dir := t.TempDir()
		r := openRun(t, testOptions(dir))
		writeAll(t, r, records[:at])
		done := map[string]bool{}
		for _, rec := range records[:at] {
			if rec.Done != nil {
				done[rec.Domain] = true
			}
		}
		kill(t, r)
		journal, err := os.OpenFile(filepath.Join(dir, journalName), os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(journal, `{"name":"example.com","base":"exam`) // torn by the kill
		journal.Close()

		o := testOptions(dir)
		o.Resume = true
		o.Started = start.AddDate(0, 0, 1) // later; the run keeps its own
		o.Settings["workers"] = "99"
		r = openRun(t, o)
		for _, rec := range threeSites() {
			if r.Skip(rec.Domain) != done[rec.Domain] {
				t.Fatalf("killed after %d records: Skip(%s) = %v", at, rec.Domain, !done[rec.Domain])
			}
			if !done[rec.Domain] {
				writeAll(t, r, []audit.Record{rec})
			}
		}
		closeRun(t, r)
		got := folder(t, dir)
		sameFolder(t, copyOf(want), got, journalName, "run.json")
	}
}

func copyOf(m map[string]string) map[string]string {
	c := map[string]string{}
	for k, v := range m {
		c[k] = v
	}
	return c
}

// A finished site whose file does not have its size any more is audited again.
func TestResumeDamaged(t *testing.T) {
	dir := straightRun(t)
	if err := os.Truncate(filepath.Join(dir, "example.com.xlsx"), 0); err != nil {
		t.Fatal(err)
	}
	want := folder(t, straightRun(t))
	for range 2 { // the journal then has two lines of the site
		o := testOptions(dir)
		o.Resume = true
		r := openRun(t, o)
		for _, rec := range threeSites() {
			if !r.Skip(rec.Domain) {
				writeAll(t, r, []audit.Record{rec})
			}
		}
		if got := r.Totals().Sites; got != 3 {
			t.Errorf("%d sites", got)
		}
		closeRun(t, r)
	}
	sameFolder(t, want, folder(t, dir), journalName)
}

func TestOpenErrors(t *testing.T) {
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
	if err := Rebuild(dir); !errors.Is(err, ErrLocked) {
		t.Errorf("rebuilding a run at work: %v", err)
	}
}

// fullDisk fails for the files of one site, in one of the ways of a disk.
type fullDisk struct {
	osDisk
	site string
	op   string
	err  error
}

func (d fullDisk) fails(op, name string) error {
	if op == d.op && strings.Contains(filepath.ToSlash(name), d.site) {
		return &fs.PathError{Op: op, Path: name, Err: d.err}
	}
	return nil
}

func (d fullDisk) Append(name string, data []byte) error {
	if err := d.fails("append", name); err != nil {
		return err
	}
	return d.osDisk.Append(name, data)
}

func (d fullDisk) Create(name string) (io.WriteCloser, error) {
	if err := d.fails("create", name); err != nil {
		return nil, err
	}
	f, err := d.osDisk.Create(name)
	if e := d.fails("write", name); e != nil && err == nil {
		return fullFile{f, e}, nil
	}
	return f, err
}

func (d fullDisk) Rename(from, to string) error {
	if err := d.fails("rename", to); err != nil {
		return err
	}
	return d.osDisk.Rename(from, to)
}

func (d fullDisk) Mkdir(name string) error {
	if err := d.fails("mkdir", name); err != nil {
		return err
	}
	return d.osDisk.Mkdir(name)
}

// fullFile takes nothing.
type fullFile struct {
	io.WriteCloser
	err error
}

func (f fullFile) Write([]byte) (int, error) { return 0, f.err }

func TestFullDisk(t *testing.T) {
	for _, c := range []struct {
		op   string
		err  error
		code string
	}{
		{"append", syscall.ENOSPC, "disk_full"}, {"create", syscall.EROFS, "read_only"}, {"write", syscall.ENOSPC, "disk_full"},
		{"rename", syscall.EACCES, "read_only"}, {"mkdir", syscall.EIO, "write_failed"},
	} {
		t.Run(c.op, func(t *testing.T) {
			dir := t.TempDir()
			o := testOptions(dir)
			o.disk = fullDisk{site: "example.com", op: c.op, err: c.err}
			old := filepath.Join(dir, "example.com.xlsx")
			if err := os.WriteFile(old, []byte("last month's report"), 0o644); err != nil {
				t.Fatal(err)
			}
			r := openRun(t, o)
			writeAll(t, r, siteRecords("example.org", 0, 10))
			writeAll(t, r, siteRecords("example.com", 1, 10000))
			writeAll(t, r, siteRecords("example.net", 2, 10))
			if got, want := r.Totals().Headline(), "3 sites: 0 critical, 2 warnings, 1 unknown, 0 ok"; got != want {
				t.Errorf("%s, want %s", got, want)
			}
			if r.Totals().Failed != 1 {
				t.Errorf("failed: %d", r.Totals().Failed)
			}
			closeRun(t, r)
			files := folder(t, dir)
			if files["example.com.xlsx"] != "last month's report" {
				t.Error("the old report has been touched")
			}
			if !strings.Contains(files["summary.json"], `{"stage":"report","code":"`+c.code+`"`) {
				t.Errorf("summary.json has no error %s", c.code)
			}
			for name := range files {
				if strings.Contains(name, "tmp") {
					t.Errorf("left behind: %s", name)
				}
			}

			// With room on the disk the site is audited again, and that alone.
			o.Resume, o.disk = true, nil
			r = openRun(t, o)
			if r.Skip("example.com") || !r.Skip("example.net") {
				t.Error("the wrong sites are audited again")
			}
			writeAll(t, r, siteRecords("example.com", 1, 10000))
			closeRun(t, r)
			if got, want := r.Totals().Headline(), "3 sites: 0 critical, 3 warnings, 0 unknown, 0 ok"; got != want {
				t.Errorf("%s, want %s", got, want)
			}
			if err := Rebuild(dir); err != nil {
				t.Error(err)
			}
		})
	}
}

// A failed site has no records, but its line outlives a rebuild.
func TestRebuildFailed(t *testing.T) {
	dir := t.TempDir()
	o := testOptions(dir)
	o.disk = fullDisk{site: "example.com", op: "append", err: syscall.ENOSPC}
	r := openRun(t, o)
	writeAll(t, r, siteRecords("example.com", 0, 10))
	writeAll(t, r, siteRecords("example.org", 1, 10))
	closeRun(t, r)
	want := folder(t, dir)
	if err := Rebuild(dir); err != nil {
		t.Fatal(err)
	}
	sameFolder(t, want, folder(t, dir), journalName)
}

// A folder of the run that cannot be written is an error of the run.
func TestFolderGone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	r := openRun(t, testOptions(dir))
	writeAll(t, r, siteRecords("example.com", 0, 10))
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err == nil {
		t.Error("closing a run whose folder is gone must fail")
	}
	if err := os.WriteFile(filepath.Join(filepath.Dir(dir), "file"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(testOptions(filepath.Join(filepath.Dir(dir), "file", "run"))); err == nil {
		t.Error("a folder below a file must fail")
	}
}

// A run that is stopped says how many sites it left.
func TestUnfinished(t *testing.T) {
	dir := t.TempDir()
	r := openRun(t, testOptions(dir))
	records := threeSites()
	writeAll(t, r, records[:len(records)-1])
	closeRun(t, r)
	want := folder(t, dir)
	if !strings.Contains(want["summary.json"], `"unfinished":1}`) || !strings.Contains(want["summary.md"], "stopped with 1 site in work") {
		t.Errorf("%s\n%s", want["summary.md"], want["summary.json"])
	}
	if len(want["example.com.xlsx"]) > 0 {
		t.Error("a site that is not finished has a workbook")
	}
	if err := Rebuild(dir); err != nil {
		t.Fatal(err)
	}
	sameFolder(t, want, folder(t, dir), journalName)
}

// run.json names the source of every profile that is used.
func TestProfileNotes(t *testing.T) {
	p, ok := engine.ProfileByName("google")
	if !ok {
		t.Fatal("no profile google")
	}
	crawlers := []audit.Crawler{{Profile: "google"}, {Profile: "google"}, {Profile: "reader-a"}}
	want := []profileNote{{"google", p.Title, p.Dated, p.Source}, {Name: "reader-a"}}
	if diff := cmp.Diff(want, profiles(crawlers)); diff != "" || p.Source == "" {
		t.Error(diff)
	}
}

func TestEmptyRun(t *testing.T) {
	dir := t.TempDir()
	r := openRun(t, testOptions(dir))
	closeRun(t, r)
	files := folder(t, dir)
	if !strings.HasPrefix(files["summary.md"], "0 sites: 0 critical, 0 warnings, 0 unknown, 0 ok\n") || !strings.Contains(files["summary.json"], `"sites":[`+"\n]}") {
		t.Errorf("%s\n%s", files["summary.md"], files["summary.json"])
	}
}

func TestWriteOutOfOrder(t *testing.T) {
	r := openRun(t, testOptions(t.TempDir()))
	defer r.Close()
	if err := r.Write(siteRecords("example.com", 0, 1)[2]); err == nil {
		t.Error("a URL before its Site must be an error")
	}
}

// TestMemory holds 200 sites in flight, each with three sheets that grow, to 190 KB each.
func TestMemory(t *testing.T) {
	r := openRun(t, testOptions(t.TempDir()))
	defer r.Close()
	records := siteRecords("example.com", 0, 20000)
	records = records[:len(records)-1]
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	const sites = 200
	for i := range sites {
		name := fmt.Sprintf("site-%d.example", i)
		for _, rec := range records[:40] { // some 4,000 URLs
			rec.Domain = name
			if rec.Site != nil {
				site := *rec.Site
				site.Name = name
				rec.Site = &site
			}
			if err := r.Write(rec); err != nil {
				t.Fatal(err)
			}
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	each := (int64(after.HeapAlloc) - int64(before.HeapAlloc)) / sites
	t.Logf("%d bytes for each site in flight", each)
	if each > 190<<10 {
		t.Errorf("%d bytes for each site in flight", each)
	}
	runtime.KeepAlive(records)
}
