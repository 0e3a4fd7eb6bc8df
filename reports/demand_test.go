package reports

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"robots-audit/reports/internal/disk"
)

// TestDemand makes the files of single sites of a run that left them out: the same bytes as in a
// run with all reports, and no files of other sites. The run can be resumed and made again with
// them.
func TestDemand(t *testing.T) {
	t.Parallel()
	all := folder(t, levelRun(t))
	dir := levelRun(t, levelSummary)
	before := folder(t, dir)
	for _, site := range []string{"clean.example", "shut.example:8080"} { // no other site's records are needed
		noError(t, os.Rename(filepath.Join(dir, "records", "large.example"+recordsExt), filepath.Join(dir, "away")))
		made, err := Options{Dir: dir}.Demand([]string{site, "large-clean.example", site}, "")
		if err != nil || len(made) != 2 || made[0].Site != site || !slices.Contains(made[0].Paths, filepath.Join(dir, fileBase(site)+".xlsx")) {
			t.Fatalf("%s: %v, %v", site, made, err)
		}
		noError(t, os.Rename(filepath.Join(dir, "away"), filepath.Join(dir, "records", "large.example"+recordsExt)))
	}
	want := maps.Clone(before)
	for name, text := range all {
		if ofSite(name, "clean.example", "shut.example_8080", "large-clean.example") || IsAsset(name) {
			want[name] = text
		}
	}
	after := folder(t, dir)
	sameFolder(t, maps.Clone(want), maps.Clone(after), journalName, linesName)

	// Entered: a second time changes nothing, and a resumed run has nothing to do.
	if _, err := (Options{Dir: dir}).Demand([]string{"clean.example"}, ""); err != nil {
		t.Fatal(err)
	}
	sameFolder(t, after, folder(t, dir))
	o := testOptions(dir)
	o.Reports, o.Formats, o.Resume = []string{levelSummary}, []string{"csv"}, true
	r := openRun(t, o)
	for _, name := range []string{"clean.example", "shut.example:8080", "small.example"} {
		if !r.Skip(name) {
			t.Errorf("%s would be audited again", name)
		}
	}
	closeRun(t, r)
	resumed := folder(t, dir)
	for name, has := range map[string]bool{"clean.example": true, "small.example": false} {
		if strings.Contains(resumed["summary.json"], `"workbook":"`+name+`.xlsx"`) != has || strings.Contains(resumed["index.html"], `["`+name+`","`+name+`","`) != has {
			t.Errorf("%s: the summaries lead to its files, or not: want %v", name, has)
		}
	}
	mustRebuild(t, dir) // these files are made again
	sameFolder(t, resumed, folder(t, dir), journalName)

	// A file of them that is damaged is found when the run is resumed.
	truncate(t, dir, "clean.example.xlsx", 100)
	r = openRun(t, o)
	if r.Skip("clean.example") {
		t.Error("a damaged workbook is not found")
	}
	closeRun(t, r)
}

// TestDemandElsewhere makes the files in another folder, and changes nothing in the run's, though
// the run has another level or is still working.
func TestDemandElsewhere(t *testing.T) {
	t.Parallel()
	all := folder(t, levelRun(t))
	dir, out := levelRun(t, levelNone), filepath.Join(t.TempDir(), "a", "b")
	o := testOptions(dir)
	o.Reports, o.Formats, o.Resume = []string{levelNone}, []string{"csv"}, true
	r := openRun(t, o)
	defer r.Close()
	if _, err := (Options{Dir: dir}).Demand([]string{"large.example"}, ""); !errors.Is(err, ErrLocked) {
		t.Errorf("made in the folder of a run that is at work: %v", err)
	}
	before := folder(t, dir)
	made, err := Options{Dir: dir}.Demand([]string{"https://large.example/", "small.example"}, out)
	if err != nil || len(made) != 2 {
		t.Fatal(made, err)
	}
	want := map[string]string{}
	for name, text := range all {
		if ofSite(name, "large.example", "small.example") || IsAsset(name) {
			want[name] = text
		}
	}
	sameFolder(t, want, folder(t, out))
	sameFolder(t, before, folder(t, dir))
	if entries, _ := os.ReadDir(out); slices.ContainsFunc(entries, func(e os.DirEntry) bool { return strings.HasPrefix(e.Name(), hidden) }) {
		t.Error("temporary files are left")
	}
	if _, err := (Options{Dir: dir}).Demand([]string{"small.example"}, levelRun(t)); !errors.Is(err, ErrHoldsRun) {
		t.Errorf("into the folder of another run: %v", err)
	}
}

// TestDemandWrong: invalid names, damaged records, and a journal that is cut or missing.
func TestDemandWrong(t *testing.T) {
	t.Parallel()
	dir := levelRun(t, levelSummary)
	demand := func(names ...string) ([]Demanded, error) { return Options{Dir: dir}.Demand(names, "") }
	var unknown *UnknownSiteError
	if made, err := demand("small.example", "lagre.example"); !errors.As(err, &unknown) || unknown.Nearest != "large.example" || made != nil {
		t.Errorf("%v, %v", made, err)
	}
	if _, err := demand("nothing-like-it.test"); !errors.As(err, &unknown) || unknown.Nearest != "" {
		t.Errorf("%v", err)
	}
	if _, err := demand("../records/small.example"); !errors.As(err, &unknown) {
		t.Errorf("%v", err)
	}
	journal := filepath.Join(dir, hidden, journalFile)
	noError(t, os.WriteFile(journal, []byte(`{"checksum":"0`), 0o644))
	truncate(t, dir, "records/large.example"+recordsExt, 100)
	made, err := demand("large.example", "small.example")
	if err == nil || !strings.Contains(err.Error(), "records/large.example.jsonl.zst") || len(made) != 1 || made[0].Site != "small.example" {
		t.Errorf("%v, %v", made, err)
	}
	if j, err := readJournal(journalIn(disk.OS{}, dir), t.TempDir()); err != nil || j.damaged > 0 || j.torn || len(j.entries) != 8 {
		t.Errorf("the journal after it: %+v, %v", j, err)
	}
	noError(t, errors.Join(os.Remove(journal), os.Remove(filepath.Join(dir, packedFile))))
	if made, err := demand("clean.example"); err != nil || len(made) != 1 {
		t.Errorf("without a journal: %v, %v", made, err)
	}
	gone(t, dir, "run.json")
	if _, err := demand("clean.example"); err == nil {
		t.Error("made without run.json")
	}
}
