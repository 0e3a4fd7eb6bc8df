//go:build soak

package reports

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"robots-audit/reports/internal/xlsx"
)

// sheetSize is the size of a sheet of a workbook.
type sheetSize struct {
	name        string
	rows, bytes int // rows includes the header
}

// rowsOfSheets reads a workbook of any size, as a stream.
func rowsOfSheets(t *testing.T, name string) (list []sheetSize) {
	t.Helper()
	book, err := zip.OpenReader(name)
	noError(t, err)
	defer book.Close()
	index, err := fs.ReadFile(book, "xl/workbook.xml")
	noError(t, err)
	for i, m := range regexp.MustCompile(`<sheet name="([^"]*)"`).FindAllSubmatch(index, -1) {
		f, err := book.Open(fmt.Sprintf("xl/worksheets/sheet%d.xml", i+1))
		noError(t, err)
		of := sheetSize{name: string(m[1])}
		of.rows, of.bytes = countIn(t, f, "<row r=")
		list = append(list, of)
		f.Close()
	}
	return list
}

// linesOfSites counts the lines of summary.json that are entries of sites.
func linesOfSites(t *testing.T, name string) int {
	t.Helper()
	f, err := os.Open(name)
	noError(t, err)
	defer f.Close()
	n, _ := countIn(t, f, "\n{\"domain\":")
	return n
}

// countIn counts the occurrences of a text in a stream, and its bytes.
func countIn(t *testing.T, r io.Reader, text string) (n, size int) {
	t.Helper()
	buf, kept := make([]byte, 1<<20), 0
	for {
		more, err := r.Read(buf[kept:])
		size += more
		n += bytes.Count(buf[:kept+more], []byte(text))
		if err == io.EOF {
			return n, size
		}
		noError(t, err)
		keep := min(len(text)-1, kept+more) // bytes that the next piece may complete
		kept = copy(buf, buf[kept+more-keep:kept+more])
	}
}

// TestSoakSummaries closes a run of a million sites (TEST_SITES), and logs the cost of its
// summaries: memory must be about a hundred bytes for each site. Demand of a site must be fast in
// any run.
func TestSoakSummaries(t *testing.T) {
	sites := 1_000_000
	if n, err := strconv.Atoi(os.Getenv("TEST_SITES")); err == nil {
		sites = n
	}
	dir := os.Getenv("TEST_DIR")
	if dir == "" {
		dir = t.TempDir()
	}
	o := testOptions(filepath.Join(dir, fmt.Sprint(sites)))
	o.Reports = []string{levelBlocked}
	r := openRun(t, o)
	begin := time.Now()
	enterMany(t, r, sites)
	writeAll(t, r, siteRecords("demanded.example", sites, 100))
	t.Logf("entered: %v", time.Since(begin).Round(time.Millisecond))
	stop, most := make(chan struct{}), make(chan uint64)
	go func() {
		var top uint64
		for {
			select {
			case <-stop:
				most <- top
				return
			case <-time.After(50 * time.Millisecond):
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				top = max(top, m.HeapInuse)
			}
		}
	}()
	runtime.GC()
	begin = time.Now()
	closeRun(t, r)
	took := time.Since(begin)
	close(stop)
	memory := <-most
	t.Logf("closed: %v, heap %d MB", took.Round(time.Millisecond), memory>>20)
	if limit := uint64(200<<20) + uint64(sites)*700; memory > limit {
		t.Errorf("%d MB of memory, more than %d", memory>>20, limit>>20)
	}
	sizes := map[string]int64{}
	filepath.WalkDir(o.Dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, _ := filepath.Rel(o.Dir, path)
		if filepath.Dir(name) != "." && filepath.Dir(name) != hidden {
			name = filepath.Dir(name)
		}
		if info, err := d.Info(); err == nil {
			sizes[name] += info.Size()
		}
		return nil
	})
	t.Logf("bytes: %v", sizes)
	sheets, sitesIn := rowsOfSheets(t, filepath.Join(o.Dir, "summary.xlsx")), 0
	for _, s := range sheets {
		t.Logf("summary.xlsx: %s: %d rows, %d MB of XML", s.name, s.rows, s.bytes>>20)
		if s.rows > xlsx.MaxRows || s.bytes > 1<<30+64<<20 {
			t.Errorf("%s: no program opens a sheet of %d rows and %d bytes", s.name, s.rows, s.bytes)
		}
		if s.name == "Sites" || strings.HasPrefix(s.name, "Sites ") {
			sitesIn += s.rows - 1
		}
	}
	if lines := linesOfSites(t, filepath.Join(o.Dir, "summary.json")); sitesIn != sites+1 || lines != sites+1 {
		t.Errorf("%d sites in summary.xlsx, %d lines of sites in summary.json", sitesIn, lines)
	}
	begin = time.Now()
	made, err := Options{Dir: o.Dir}.Demand([]string{"demanded.example"}, "")
	if err != nil || len(made) != 1 {
		t.Fatal(made, err)
	}
	t.Logf("demanded: %v", time.Since(begin).Round(time.Millisecond))
	begin = time.Now()
	if _, err := (Options{Dir: o.Dir}).Demand([]string{"demandet.example"}, ""); err == nil {
		t.Error("there is no such site")
	}
	t.Logf("not found: %v", time.Since(begin).Round(time.Millisecond))
}
