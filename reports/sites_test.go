package reports

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"robots-audit/audit"
)

func openSites(t testing.TB, o Options) *Sites {
	t.Helper()
	s, err := OpenSites(o, "")
	noError(t, err)
	t.Cleanup(func() { s.Close() })
	return s
}

// finishSite makes the report of a site from its records.
func finishSite(s *Sites, records []audit.Record) (*SiteFiles, error) {
	r, err := s.Begin(records[0].Site)
	if err != nil {
		return nil, err
	}
	defer r.Discard()
	for _, rec := range records[1:] {
		if err := r.Add(rec); err != nil {
			return nil, err
		}
	}
	return r.Finish()
}

// mustFinish is finishSite that must not fail.
func mustFinish(t testing.TB, s *Sites, records []audit.Record) *SiteFiles {
	t.Helper()
	files, err := finishSite(s, records)
	noError(t, err)
	return files
}

// checkEmpty searches a scratch folder for remaining files.
func checkEmpty(t testing.TB, dir string) {
	t.Helper()
	for name := range folder(t, dir) {
		t.Errorf("left behind: %s", name)
	}
}

// place copies files to the folder of the run. All files that a file refers to must exist before
// it.
func place(dir string, files []SiteFile) error {
	for _, f := range files {
		to := filepath.Join(dir, f.Name)
		text, err := os.ReadFile(f.Path)
		if err == nil {
			err = os.MkdirAll(filepath.Dir(to), 0o755)
		}
		if err != nil {
			return err
		}
		if err := os.WriteFile(to, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// putTogether does the sites in two folders, many at a time, enters their lines in a random order,
// and returns the resulting folder.
func putTogether(t *testing.T, o Options, sites [][]audit.Record, problems []audit.Record) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "run")
	var machines [2]*Sites
	for i := range machines {
		of := o
		of.Dir = t.TempDir()
		machines[i] = openSites(t, of)
	}
	lines := make([][]byte, len(sites))
	var group sync.WaitGroup
	for i := range sites {
		group.Go(func() {
			files, err := finishSite(machines[i%2], sites[i])
			if err != nil {
				t.Error(err)
				return
			}
			lines[i] = files.Line
			if err := errors.Join(place(dir, files.Files), files.Remove()); err != nil {
				t.Error(err)
			}
			if !slices.IsSortedFunc(files.Files, func(a, b SiteFile) int { return fileRank(a.Name) - fileRank(b.Name) }) {
				t.Errorf("the files appear in the order %v", files.Files)
			}
		})
	}
	group.Wait()
	if t.Failed() {
		t.FailNow()
	}
	for _, m := range machines {
		checkEmpty(t, m.run.Dir)
	}
	o.Dir = t.TempDir()
	r := openRun(t, o)
	writeAll(t, r, problems)
	for _, i := range rand.Perm(len(lines)) {
		noError(t, r.Enter(lines[i]))
	}
	closeRun(t, r)
	written, err := r.Written()
	noError(t, err)
	var files []SiteFile
	for _, name := range written {
		files = append(files, SiteFile{name, filepath.Join(o.Dir, name)})
	}
	noError(t, place(dir, files))
	if at := slices.Index(written, "index.html"); written[len(written)-1] != "run.json" || at >= 0 && at < slices.Index(written, "summary.json") {
		t.Errorf("the files appear in the order %v", written)
	}
	if left := len(folder(t, o.Dir)) - len(written); left > 0 {
		t.Errorf("%d files of the run are not listed: %v", left, written)
	}
	return dir
}

// fileRank is the order of a site's files: files that others are made of, or refer to, come first.
func fileRank(name string) int {
	switch {
	case strings.HasPrefix(name, "evidence/"):
		return 0
	case strings.HasPrefix(name, "records/"):
		return 1
	case strings.Contains(name, ".rows/"):
		return 3
	case strings.HasPrefix(name, "pages/"):
		return 4
	case strings.HasSuffix(name, ".xlsx"):
		return 5
	}
	return 2 // exports
}

// sameRun compares two runs of the same sites, byte by byte.
func sameRun(t *testing.T, want, got string) {
	t.Helper()
	sameFolder(t, folder(t, want), folder(t, got))
}

// townRecords audits a town over a real server, once, and returns the records of each site. One
// site has more rows than its page includes, and more than fit in memory; the third site is OK.
func townRecords(t *testing.T, sites int) (crawlers []audit.Crawler, list [][]audit.Record) {
	t.Helper()
	w, names := newTown(rand.New(rand.NewPCG(14, 1)), sites)
	var large strings.Builder
	large.WriteString(`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`)
	for i := range 2_000 {
		fmt.Fprintf(&large, "<url><loc>http://%s%s%d</loc></url>", names[0], townPaths[i%len(townPaths)], i)
	}
	w[names[0]+"/sitemap.xml"] = large.String() + "</urlset>"
	w[names[0]+"/robots.txt"] = "User-agent: *\nDisallow: /*1\nDisallow: /*2\nDisallow: /*3\nDisallow: /*4\nDisallow: /*5\n\nUser-agent: GPTBot\nDisallow: /\n"
	w[names[2]+"/robots.txt"] = "User-agent: *\nDisallow: /nothing\nSitemap: http://" + names[2] + "/sitemap.xml\n"
	w[names[2]+"/sitemap.xml"] = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>http://` + names[2] + `/</loc></url></urlset>`
	by := map[string][]audit.Record{}
	crawlers = auditTown(t, w, names, townCrawlers, func(rec audit.Record) {
		if rec.URLs != nil {
			rec.URLs = rec.URLs.Clone()
		}
		by[rec.Domain] = append(by[rec.Domain], rec)
	})
	for _, records := range by {
		if records[0].Site != nil {
			list = append(list, records)
		}
	}
	slices.SortFunc(list, func(a, b []audit.Record) int { return a[0].Site.Ordinal - b[0].Site.Ordinal })
	if len(list) != sites {
		t.Fatalf("%d sites were audited", len(list))
	}
	list[1] = withLogs(list[1], crawlerLogs(list[1][0].Domain))
	return crawlers, list
}

// cloned are records that may be changed: reports mark URLs of a given list.
func cloned(records []audit.Record) []audit.Record {
	records = slices.Clone(records)
	for i := range records {
		if records[i].URLs != nil {
			records[i].URLs = records[i].URLs.Clone()
		}
	}
	return records
}

// A folder that is put together from sites done in several places equals that of a run on one
// machine, byte by byte, after any operation.
func TestSites(t *testing.T) {
	crawlers, sites := townRecords(t, 5)
	problems := []audit.Record{{Problem: &audit.Problem{Stage: "list", Code: "bad_line", Detail: "line 3: no site"}}}
	segments := []Segment{{Name: "shop", Pattern: "/shop"}, {Name: "a", Pattern: "/a"}}
	for _, c := range []struct {
		name string
		o    Options
	}{
		{"all rows and formats", Options{Rows: "all", Formats: []string{"csv", "jsonl", "parquet"}, CSVMark: true, RowLimit: 800, Segments: segments}},
		{"as it is", Options{FailOn: FailOn{Severity: "error"}}},
		{"evidence alone", Options{Reports: []string{"evidence"}}},
		{"workbooks alone", Options{Reports: []string{"workbook"}, Formats: []string{"jsonl"}}},
		{"blocked", Options{Reports: []string{levelBlocked}, Formats: []string{"csv"}}},
		{"blocked, pages alone", Options{Reports: []string{levelBlocked, "page"}}},
		{"summary", Options{Reports: []string{levelSummary}, Formats: []string{"csv"}}},
		{"none", Options{Reports: []string{levelNone}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			o := c.o
			o.AllSheets, o.Version, o.Started, o.Crawlers, o.Settings = true, "1.2.3", start, crawlers, map[string]any{"workers": "4"}
			own := o
			own.Dir = t.TempDir()
			r := openRun(t, own)
			writeAll(t, r, problems)
			for _, records := range sites {
				writeAll(t, r, cloned(records))
			}
			closeRun(t, r)
			dir := putTogether(t, o, sites, problems)
			sameRun(t, own.Dir, dir)
			checkLevel(t, dir, levelOf(o.Reports), sites)
			checkAsRun(t, own.Dir, dir, o, sites, problems)
		})
	}
}

// checkLevel compares the files of a folder's sites with its level: of townRecords, the third has
// none with levelBlocked.
func checkLevel(t *testing.T, dir, level string, sites [][]audit.Record) {
	t.Helper()
	files := folder(t, dir)
	for i, records := range sites {
		has := false
		for name := range files {
			has = has || ofSite(name, fileBase(records[0].Domain))
		}
		if want := level == levelAll || level == levelBlocked && i != 2; has != want {
			t.Errorf("%s: %s has files besides its records: %v, want %v", level, records[0].Domain, has, want)
		}
	}
}

// checkAsRun runs the usual operations on a folder that was put together; want is that of a run.
func checkAsRun(t *testing.T, want, dir string, o Options, sites [][]audit.Record, problems []audit.Record) {
	t.Helper()
	stored, err := OpenStored(dir, o.Version)
	if err != nil || len(stored.Sites) != len(sites) || len(stored.Unwritten) > 0 || stored.Finished.IsZero() {
		t.Fatalf("%+v (%v)", stored, err)
	}
	for i, of := range stored.Sites {
		n := 0
		for _, err := range of.Records() {
			noError(t, err)
			n++
		}
		if of.Damage != nil || of.Name != sites[i][0].Domain || n < len(sites[i])/2 {
			t.Errorf("site %d: %s, %d records, %v", i, of.Name, n, of.Damage)
		}
	}
	if _, err := (Options{Dir: dir, RowLimit: o.RowLimit}).Rebuild(); err != nil {
		t.Fatal(err)
	}
	sameRun(t, want, dir)

	// Resumed, it has nothing to do.
	o.Dir, o.Resume = dir, true
	r := openRun(t, o)
	for _, records := range sites {
		if !r.Skip(records[0].Domain) {
			t.Errorf("%s is audited again", records[0].Domain)
		}
	}
	writeAll(t, r, problems)
	closeRun(t, r)
	sameRun(t, want, dir)
	if r.Totals().Sites != len(sites) {
		t.Errorf("%d sites", r.Totals().Sites)
	}

	// Damage of one file is found.
	name := filepath.Join(dir, recordsName(fileBase(sites[3][0].Domain)))
	text := readBytes(t, name)
	text[len(text)/2] ^= 1
	noError(t, os.WriteFile(name, text, 0o644))
	r = openRun(t, o)
	for i, records := range sites {
		if r.Skip(records[0].Domain) == (i == 3) {
			t.Errorf("%s: skipped %v, and the records of %s are damaged", records[0].Domain, i == 3, sites[3][0].Domain)
		}
	}
	writeAll(t, r, problems)
	writeAll(t, r, cloned(sites[3]))
	closeRun(t, r)
	sameFolder(t, folder(t, want), folder(t, dir), journalName) // it has two lines of the site
}

// A full disk does not make a site unknown: no file of it remains, and it can be done again.
func TestSitesFullDisk(t *testing.T) {
	for _, c := range diskFaults {
		for _, urls := range []int{10, 3_000} {
			t.Run(fmt.Sprint(c.op, urls), func(t *testing.T) {
				t.Parallel()
				o := testOptions(t.TempDir())
				o.Formats = []string{"csv"}
				o.disk = fullDisk{site: "example.com", op: c.op, err: c.err}
				s := openSites(t, o)
				records := siteRecords("example.com", 0, urls)
				if files, err := finishSite(s, records); !errors.Is(err, c.err) || files != nil {
					t.Fatalf("%v, error %v", files, err)
				}
				checkEmpty(t, o.Dir)
				if _, err := finishSite(s, siteRecords("example.org", 1, 10)); err != nil {
					t.Error("another site:", err)
				}
				s.run.folder.FS = fullDisk{}
				if s.run.makeShared() != nil {
					t.Fatal("no template")
				}
				files := mustFinish(t, s, records)
				sameLine(t, records, o, files.Line)
			})
		}
	}
}

// sameLine compares a line with the one that a run appends.
func sameLine(t *testing.T, records []audit.Record, o Options, line []byte) {
	t.Helper()
	o.Dir, o.disk = t.TempDir(), nil
	writeRun(t, o, records)
	if want := journalText(t, o.Dir); want != string(line) {
		t.Errorf("the line is\n%s\nwant\n%s", line, want)
	}
}

// Files of a killed process are removed; two processes do not share a folder.
func TestSitesFolder(t *testing.T) {
	t.Parallel()
	o := testOptions(t.TempDir())
	s := openSites(t, o)
	if _, err := OpenSites(o, ""); !errors.Is(err, ErrLocked) {
		t.Errorf("a second process: %v", err)
	}
	own := filepath.Join(o.Dir, "notes.xlsx")
	noError(t, os.WriteFile(own, []byte("not ours"), 0o644))
	mustFinish(t, s, siteRecords("example.com", 0, 10))
	half, err := s.Begin(siteRecords("example.org", 0, 10)[0].Site)
	noError(t, err)
	for _, rec := range siteRecords("example.org", 0, 10_000)[1:50] {
		noError(t, half.Add(rec))
	}
	if left := len(folder(t, o.Dir)); left < 6 {
		t.Fatalf("%d files", left)
	}
	noError(t, s.run.lock.Unlock()) // as kill -9 leaves it
	s = openSites(t, o)
	for name := range folder(t, o.Dir) {
		if name != "notes.xlsx" {
			t.Errorf("left behind: %s", name)
		}
	}
	noError(t, s.Close())
	o.SingleFile = true
	if _, err := OpenSites(o, ""); !errors.Is(err, errSingleFile) {
		t.Errorf("a run in a single file: %v", err)
	}
}

// A site can be in progress only once; one that is given up leaves nothing, and can be begun again.
func TestSitesDiscard(t *testing.T) {
	t.Parallel()
	o := testOptions(t.TempDir())
	s := openSites(t, o)
	for _, urls := range []int{10, 3_000} {
		records := siteRecords("example.com", 0, urls)
		half, err := s.Begin(records[0].Site)
		noError(t, err)
		if _, err := s.Begin(records[0].Site); !errors.Is(err, ErrInWork) {
			t.Errorf("the same site twice: %v", err)
		}
		for _, rec := range records[1 : len(records)-1] {
			noError(t, half.Add(rec))
		}
		if half.Add(audit.Record{Domain: "example.org", Done: &audit.Done{}}) == nil || half.Add(records[0]) == nil {
			t.Error("records that are none of the site's are taken")
		}
		if urls == 10 {
			if files, err := half.Finish(); err == nil || files != nil {
				t.Error("a site without its end is finished")
			}
		}
		noError(t, errors.Join(half.Discard(), half.Discard()))
		checkEmpty(t, o.Dir)
		files := mustFinish(t, s, records)
		if _, err := s.Begin(records[0].Site); !errors.Is(err, ErrInWork) {
			t.Errorf("a site whose files are not fetched yet: %v", err)
		}
		noError(t, files.Remove())
	}
}

// A line is entered only unchanged, in its own run, and once.
func TestEnter(t *testing.T) {
	t.Parallel()
	s := openSites(t, testOptions(t.TempDir()))
	var lines [][]byte
	for i := range 3 {
		files := mustFinish(t, s, siteRecords(fmt.Sprintf("site-%d.example", i), i, 10))
		lines = append(lines, files.Line)
	}
	for _, c := range []struct {
		change func(*Options)
		want   string
	}{
		{func(o *Options) { o.Crawlers = []audit.Crawler{testCrawlers[1], testCrawlers[0], testCrawlers[2]} }, "other crawlers"},
		{func(o *Options) { o.Crawlers = testCrawlers[:2] }, "other crawlers"},
		{func(o *Options) { o.SingleFile = true }, errSingleFile.Error()},
	} {
		o := testOptions(t.TempDir())
		c.change(&o)
		r := openRun(t, o)
		defer r.Close()
		if err := r.Enter(lines[0]); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	r := openRun(t, testOptions(t.TempDir()))
	for i := range lines[0] { // any changed bit
		damaged := bytes.Clone(lines[0])
		damaged[i] ^= 4
		if r.Enter(damaged) == nil {
			t.Fatalf("byte %d of %q is damaged, and the line is entered", i, damaged)
		}
	}
	_, object, _ := bytes.Cut(lines[0], []byte(","))
	for _, text := range []string{"", "\n", "{}\n", string(lines[0][:40]), string(lines[0][:len(lines[0])-1]), string(lines[0]) + string(lines[1]), "{" + string(object)} {
		if r.Enter([]byte(text)) == nil {
			t.Errorf("%.60q is entered", text)
		}
	}
	checkEqual(t, "sites were counted", r.Totals().Sites, 0)
	for _, line := range lines[:2] {
		noError(t, r.Enter(line))
	}
	if err := r.Enter(lines[1]); err == nil || !strings.Contains(err.Error(), "site-1.example is finished already") {
		t.Errorf("the same site twice: %v", err)
	}
	checkEqual(t, "totals", r.Totals().Headline(), "2 sites: 0 critical, 2 warnings, 0 unknown, 0 OK")
	closeRun(t, r)
	if text := journalText(t, r.Dir); text != string(lines[0])+string(lines[1]) {
		t.Errorf("the journal is %q", text)
	}
}

// Anybody can make a line with a correct seal: whatever it contains, the run refuses it, or accepts
// it and closes.
func TestEnterForged(t *testing.T) {
	t.Parallel()
	s := openSites(t, testOptions(t.TempDir()))
	files := mustFinish(t, s, siteRecords("site-0.example", 0, 10))
	object, err := sealedObject(bytes.TrimSpace(files.Line))
	noError(t, err)
	text := string(object)
	var tokens [][2]int // beginning and end of each value
	for d, at := json.NewDecoder(strings.NewReader(text)), int64(0); ; at = d.InputOffset() {
		token, err := d.Token()
		if err != nil {
			break
		}
		if _, bracket := token.(json.Delim); !bracket {
			from := int(at) + strings.IndexFunc(text[at:], func(r rune) bool { return !strings.ContainsRune(",: ", r) })
			tokens = append(tokens, [2]int{from, int(d.InputOffset())})
		}
	}
	r := openRun(t, testOptions(t.TempDir()))
	taken := 0
	for i, at := range tokens {
		for j, other := range []string{"null", "-1", "1e300", "9007199254740993", "true", `"x"`, `"../x"`, "[]", "[1,2,3,4,5]", `{"x":1}`} {
			name := fmt.Sprintf("site-%d.example", 1+i*10+j)
			forged := strings.ReplaceAll(text[:at[0]]+other+text[at[1]:], "site-0.example", name)
			switch err := r.Enter(append(seal([]byte(forged), false), '\n')); {
			case err == nil:
				taken++
			case !errors.Is(err, ErrLine):
				t.Errorf("%s: %v", forged, err)
			}
		}
	}
	closeRun(t, r)
	t.Logf("%d of %d taken", taken, 10*len(tokens))
	if got := r.Totals().Sites; got != taken || taken == 0 || taken == 10*len(tokens) {
		t.Errorf("%d sites, want %d", got, taken)
	}
}

// A finished site leaves nothing in memory.
func TestSitesMemory(t *testing.T) {
	s := openSites(t, testOptions(t.TempDir()))
	records := siteRecords("example.com", 0, 5)
	heap := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	n := 0
	do := func(sites int) {
		for range sites {
			n++
			files := mustFinish(t, s, renamed(records, fmt.Sprintf("site-%d.example", n)))
			noError(t, files.Remove())
		}
	}
	do(50)
	before := heap()
	do(150)
	each := (heap() - before) / 150
	t.Logf("%d bytes stay of a site", each)
	if each > 200 {
		t.Errorf("%d bytes stay of each site", each)
	}
	runtime.KeepAlive(s)
}
