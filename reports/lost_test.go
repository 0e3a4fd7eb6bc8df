package reports

import (
	"bytes"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"robots-audit/audit"
)

// recordsOfCom is the name of the file of records that the tests damage.
const recordsOfCom = "records/example.com" + recordsExt

// recordDamages are the ways in which the records of example.com are lost. Under the race detector
// there are only a few: goroutines do the same with all of them.
func recordDamages() map[string]func(t *testing.T, dir string, was map[string]string) {
	write := func(change func(t *testing.T, text string, was map[string]string) string) func(t *testing.T, dir string, was map[string]string) {
		return func(t *testing.T, dir string, was map[string]string) {
			put(t, dir, recordsOfCom, change(t, was[recordsOfCom], was))
		}
	}
	damages := map[string]func(t *testing.T, dir string, was map[string]string){
		"removed": func(t *testing.T, dir string, _ map[string]string) { gone(t, dir, recordsOfCom) },
		"empty":   write(func(*testing.T, string, map[string]string) string { return "" }),
		"cut":     write(func(_ *testing.T, text string, _ map[string]string) string { return text[:len(text)*2/3] }),
		"garbage": write(func(*testing.T, string, map[string]string) string { return "no zstd" }),
		"flipped": write(func(_ *testing.T, text string, _ map[string]string) string {
			b := []byte(text)
			b[len(b)/2] ^= 4
			return string(b)
		}),
		"longer": write(func(_ *testing.T, text string, _ map[string]string) string {
			return text + "\x50\x2a\x4d\x18\x00\x00\x00\x00"
		}), // a frame to be skipped
		"of another site": write(func(_ *testing.T, _ string, was map[string]string) string {
			return was["records/example.net"+recordsExt]
		}),
		"with another site's at the end": write(func(_ *testing.T, text string, was map[string]string) string {
			return text + was["records/example.net"+recordsExt]
		}),
		"without its end": write(func(t *testing.T, text string, _ map[string]string) string {
			lines := unpack(t, text)
			return packed(t, lines[:bytes.LastIndex(bytes.TrimSpace(lines), []byte("\n"))+1])
		}),
		"changed and packed again": write(func(t *testing.T, text string, _ map[string]string) string {
			return packed(t, bytes.Replace(unpack(t, text), []byte(`"urls":700`), []byte(`"urls":701`), 1))
		}),
		"a line without end": write(func(t *testing.T, text string, _ map[string]string) string {
			return text + packed(t, make([]byte, audit.MaxLine+1<<20))
		}),
		"a bomb": write(func(t *testing.T, text string, _ map[string]string) string {
			return text + strings.Repeat(packed(t, bytes.Repeat([]byte("\n"), 4<<20)), 200)
		}),
		"what makes us stumble": write(func(t *testing.T, text string, _ map[string]string) string {
			lines := bytes.SplitAfterN(unpack(t, text), []byte("\n"), 2)
			return packed(t, slices.Concat(lines[0], []byte(`{"url":{"loc":"https://example.com/","sm":0,"o":7,"v":"ddddddd","l":[5]}}`+"\n"), lines[1]))
		}),
	}
	if raced {
		maps.DeleteFunc(damages, func(name string, _ func(t *testing.T, dir string, was map[string]string)) bool {
			return name != "removed" && name != "flipped" && name != "what makes us stumble"
		})
	}
	return damages
}

// TestRebuildLoses damages the records of one site in every way. The site is unknown with its
// reason, an error names it and the file, its reports stay, and the other sites are unchanged. When
// the file is restored, everything is.
func TestRebuildLoses(t *testing.T) {
	t.Parallel()
	dir := straightRun(t)
	mustRebuild(t, dir) // the journal in the order of a rebuild
	want := folder(t, dir)
	for name, damage := range recordDamages() {
		t.Run(name, func(t *testing.T) {
			damage(t, dir, want)
			rounds := 1
			if name == "removed" || name == "cut" {
				rounds = 2 // it is lost, not forgotten
			}
			for range rounds {
				_, err := Options{Dir: dir}.Rebuild()
				var loss *LossError
				if !errors.As(err, &loss) || loss.Untouched || len(loss.Losses) != 1 || !strings.Contains(loss.Losses[0], "example.com: records_") || !strings.Contains(loss.Losses[0], recordsOfCom) {
					t.Fatalf("error %v, want one loss that names the site and its file", err)
				}
				got := folder(t, dir)
				for _, name := range []string{"example.com.xlsx", "pages/example.com.html", "evidence/example.com/robots.txt", "example.net.xlsx", "example.org_8080.xlsx"} {
					if got[name] != want[name] {
						t.Errorf("%s has changed", name)
					}
				}
				if !strings.Contains(got["summary.json"], `"sites":3,"ok":0,"warn":2,"critical":0,"unknown":1`) || !strings.Contains(got["summary.json"], `"stage":"report","code":"records_`) {
					t.Errorf("summary.json: %.1500s", got["summary.json"])
				}
				if !strings.Contains(got["summary.md"], "- example.com: the file with the site's records is ") {
					t.Errorf("summary.md: %s", got["summary.md"])
				}
			}
			put(t, dir, recordsOfCom, want[recordsOfCom])
			mustRebuild(t, dir)
			sameFolder(t, maps.Clone(want), folder(t, dir))
		})
	}
}

// TestResumeLost resumes a run with the same damage: the site is audited again. If it is no longer
// in the list it is unknown, not forgotten.
func TestResumeLost(t *testing.T) {
	t.Parallel()
	want := folder(t, straightRun(t))
	for name, damage := range recordDamages() {
		t.Run(name, func(t *testing.T) {
			dir := straightRun(t)
			damage(t, dir, want)
			o := testOptions(dir)
			o.Resume = true
			r := openRun(t, o)
			closeRun(t, r)
			if got := r.Totals(); got.Sites != 3 || got.Unknown != 1 || got.Failed != 1 {
				t.Errorf("not audited again: %+v", got)
			}
			r = openRun(t, o)
			for _, rec := range threeSites() {
				if skip := rec.Domain != "example.com"; r.Skip(rec.Domain) != skip {
					t.Fatalf("Skip(%s) = %v", rec.Domain, !skip)
				} else if !skip {
					writeAll(t, r, []audit.Record{rec})
				}
			}
			closeRun(t, r)
			sameFolder(t, maps.Clone(want), folder(t, dir), journalName)
		})
	}
}

// TestRebuildNothing changes nothing if nothing can be made again.
func TestRebuildNothing(t *testing.T) {
	t.Parallel()
	for name, damage := range map[string]func(t *testing.T, dir string){
		"no records":                func(t *testing.T, dir string) { gone(t, dir, "records") },
		"no records and no journal": func(t *testing.T, dir string) { gone(t, dir, "records"); gone(t, dir, hidden) },
		"all records empty": func(t *testing.T, dir string) {
			for _, base := range []string{"example.com", "example.net", "example.org_8080"} {
				put(t, dir, "records/"+base+recordsExt, "")
			}
		},
		"one of the records, and no journal": func(t *testing.T, dir string) { gone(t, dir, recordsOfCom); gone(t, dir, journalName) },
		"a file for the records":             func(t *testing.T, dir string) { put(t, dir, "records", "") },
		"no run.json":                        func(t *testing.T, dir string) { gone(t, dir, "run.json") },
	} {
		t.Run(name, func(t *testing.T) {
			dir := straightRun(t)
			damage(t, dir)
			want := folder(t, dir)
			if err := rebuildIn(dir); err == nil {
				t.Error("no error")
			}
			sameFolder(t, want, folder(t, dir))
		})
	}
}

// TestRebuildJournal damages the journal: the sites are taken from their
// records, and the run is as it was.
func TestRebuildJournal(t *testing.T) {
	t.Parallel()
	dir := straightRun(t)
	mustRebuild(t, dir)
	want := folder(t, dir)
	whole := journalText(t, dir)
	lines := strings.SplitAfter(whole, "\n")
	for name, c := range map[string]struct{ journal, told string }{
		"none":               {"", "the file is not there"},
		"cut in the middle":  {lines[0] + lines[1][:100], "it breaks off"},
		"a line too few":     {lines[0] + lines[2], "1 site of which the journal did not know"},
		"a figure changed":   {strings.Replace(whole, `"urls":700`, `"urls":100`, 1), "1 line cannot be read"},
		"torn in the middle": {lines[0] + lines[1][50:] + lines[2], "1 line cannot be read"},
		"an array for the summary": {lines[0] + lines[1] + `{"name":"example.org:8080","base":"example.org_8080","ordinal":1,"records":1,"summary":[1,2]}` + "\n",
			"1 line cannot be read"},
		"another folder":     {lines[0] + `{"name":"example.net","base":"../x","summary":{"domain":"example.net"}}` + "\n" + lines[2], "1 line cannot be read"},
		"a line without end": {lines[0] + strings.Repeat("[", maxJournalLine+1) + "\n" + lines[1] + lines[2], "1 line cannot be read"},
	} {
		t.Run(name, func(t *testing.T) {
			gone(t, dir, journalName)
			if c.journal != "" { // as in a run that is not closed
				put(t, dir, linesName, c.journal)
			}
			var told []string
			if _, err := (Options{Dir: dir, Warn: func(text string) { told = append(told, text) }}).Rebuild(); err != nil {
				t.Error(err)
			}
			if len(told) != 1 || !strings.Contains(told[0], c.told) {
				t.Errorf("told %q, want %q", told, c.told)
			}
			sameFolder(t, maps.Clone(want), folder(t, dir))
		})
	}
}

// TestRebuildStrangers has files among the records that do not belong to the run.
func TestRebuildStrangers(t *testing.T) {
	t.Parallel()
	dir := straightRun(t)
	want := folder(t, dir)
	put(t, dir, "records/example.com (1)"+recordsExt, want[recordsOfCom])
	put(t, dir, "records/notes.txt", "")
	var told []string
	if _, err := (Options{Dir: dir, Warn: func(text string) { told = append(told, text) }}).Rebuild(); err != nil || len(told) != 1 || !strings.Contains(told[0], "example.com (1)") {
		t.Errorf("told %q, error %v", told, err)
	}
	sameFolder(t, want, folder(t, dir), journalName, "records/example.com (1)"+recordsExt, "records/notes.txt")

	put(t, dir, "records/example.info"+recordsExt, "what may have been a site")
	if err := rebuildIn(dir); err == nil || !strings.Contains(err.Error(), "records/example.info"+recordsExt) {
		t.Errorf("error %v, want one that names the file", err)
	}
}

// TestRebuildLater kills a resumed run after it has renamed the records of a new audit and before
// the journal has its line.
func TestRebuildLater(t *testing.T) {
	t.Parallel()
	dir := straightRun(t)
	journal := folder(t, dir)[journalName]
	gone(t, dir, "example.com.xlsx")
	o := testOptions(dir)
	o.Resume = true
	r := openRun(t, o)
	later := siteRecords("example.com", 0, 10)
	done := later[len(later)-1].Done
	later[0].Site.Started, done.Finished = start.AddDate(0, 0, 1), done.Finished.AddDate(0, 0, 1)
	writeAll(t, r, later)
	kill(t, r)
	gone(t, dir, linesName)
	put(t, dir, journalName, journal)
	var told []string
	rebuilt, err := Options{Dir: dir, Warn: func(text string) { told = append(told, text) }}.Rebuild()
	if err != nil || !rebuilt.Unfinished || rebuilt.URLs != 310 || len(told) != 1 || !strings.Contains(told[0], "a later audit") {
		t.Errorf("%+v, told %q, error %v", rebuilt, told, err)
	}
}
