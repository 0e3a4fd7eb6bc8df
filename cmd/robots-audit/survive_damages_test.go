//go:build soak

package main

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"robots-audit/cmd/internal/cli"
	"robots-audit/cmd/internal/clitest"
)

type damage struct {
	how   string
	files []string
}

func (d damage) String() string { return d.how + " " + strings.Join(d.files, ", ") }

// named reports whether a message names the damaged file or its site.
func (d damage) named(said string) bool {
	for _, name := range d.files {
		base := path.Base(name)
		if strings.HasPrefix(name, "evidence/") || strings.HasPrefix(name, "pages/") && strings.HasSuffix(name, ".js") {
			base = path.Base(path.Dir(name))
		}
		site, _, _ := strings.Cut(base, ".example")
		if strings.Contains(said, base) || strings.Contains(said, site+".example") {
			return true
		}
	}
	return false
}

// damaged damages one of the files, or swaps two.
func damaged(dice *rand.Rand, files map[string]string) damage {
	all := slices.Sorted(maps.Keys(files))
	var pool []string
	switch roll := dice.IntN(20); { // the few essential ones are chosen often
	case roll < 6:
		pool = ofKind(all, "records/")
	case roll < 9:
		pool = []string{journalFile}
	case roll < 11:
		pool = []string{"run.json"}
	case roll < 13:
		pool = ofKind(all, "evidence/")
	default:
		pool = all
	}
	for {
		name := pool[dice.IntN(len(pool))]
		was := files[name]
		text := []byte(was)
		d := damage{files: []string{name}}
		switch dice.IntN(6) {
		case 0:
			d.how = "flipped bytes of"
			for range 1 + dice.IntN(8) {
				if len(text) > 0 {
					text[dice.IntN(len(text))] ^= byte(1 + dice.IntN(255))
				}
			}
		case 1:
			d.how = "cut"
			text = text[:dice.IntN(len(text)+1)]
		case 2:
			d.how = "emptied"
			text = nil
		case 3:
			d.how = "removed"
			delete(files, name)
			return d
		case 4:
			d.how = "swapped"
			alike := ofKind(all, path.Dir(name)+"/")
			if path.Dir(name) == "." {
				alike = all
			}
			other := alike[dice.IntN(len(alike))]
			if files[other] == was {
				continue
			}
			d.files = append(d.files, other)
			files[name], files[other] = files[other], was
			return d
		case 5:
			d.how = "lengthened"
			for range 1 + dice.IntN(100) {
				text = append(text, byte(dice.IntN(256)))
			}
		}
		if string(text) != was {
			files[name] = string(text)
			return d
		}
	}
}

func ofKind(names []string, prefix string) (list []string) {
	for _, name := range names {
		if strings.HasPrefix(name, prefix) {
			list = append(list, name)
		}
	}
	return list
}

// summaries are the files about all sites.
var summaries = []string{"index.html", "summary.json", "summary.md", "summary.xlsx", "run.json", journalFile}

// TestDamages damages the folder of a finished run at random. report and -resume restore the run,
// or say what is missing. Putting the file back makes it complete again.
func TestDamages(t *testing.T) {
	n, dice := clitest.Times(t)
	w := newSturdyWorld(t)
	clean := filepath.Join(t.TempDir(), "run")
	if code, said := call(w.args(clean, "-no-cache")...); code != cli.ExitDone {
		t.Fatalf("exit code %d: %s", code, said)
	}
	if code, said := call("report", clean); code != cli.ExitDone { // so that the journal is in the order of the records
		t.Fatalf("exit code %d: %s", code, said)
	}
	want := read(t, clean)
	counts := map[string]int{}
	for range n {
		files := maps.Clone(want)
		d := damaged(dice, files)

		dir := t.TempDir()
		clitest.Write(t, dir, files)
		code, said := call("report", dir)
		counts[fmt.Sprintf("report %d", code)]++
		switch got := read(t, dir); {
		case code == cli.ExitDone:
			if diff := differences(want, got); len(diff) > 0 {
				t.Errorf("%v: report says 0, and of the clean run differ %q: %s", d, diff, said)
			}
		case code != cli.ExitFailed || !d.named(said):
			t.Errorf("%v: report has exit code %d and does not say so: %s", d, code, said)
		default:
			if diff := differences(want, got, slices.Concat(summaries, d.files)...); len(diff) > 0 {
				t.Errorf("%v: report has spoiled %q", d, diff)
			}
			if !slices.Contains(d.files, "summary.json") {
				if sum, names := clitest.Totals(t, dir); sum.Sites != sturdySites || len(names) != sturdySites {
					t.Errorf("%v: %d sites in summary.json, %d named", d, sum.Sites, len(names))
				}
			}
			for _, name := range d.files {
				clitest.Write(t, dir, map[string]string{name: want[name]})
			}
			if code, said := call("report", dir); code != cli.ExitDone {
				t.Errorf("%v, put back: report has exit code %d: %s", d, code, said)
			}
			if diff := differences(want, read(t, dir)); len(diff) > 0 {
				t.Errorf("%v, put back: of the clean run differ %q", d, diff)
			}
		}
		os.RemoveAll(dir)

		dir = t.TempDir()
		clitest.Write(t, dir, files)
		code, said = call(w.args(dir, "-no-cache", "-resume")...)
		counts[fmt.Sprintf("resume %d", code)]++
		switch {
		case code == cli.ExitDone:
			whole(t, clean, dir, d.String()+", resumed")
		case code != cli.ExitFailed || !d.named(said):
			t.Errorf("%v: resumed, exit code %d, and it does not say so: %s", d, code, said)
		default:
			if diff := differences(files, read(t, dir)); len(diff) > 0 {
				t.Errorf("%v: resumed, it has spoiled %q", d, diff)
			}
		}
		os.RemoveAll(dir)
	}
	t.Logf("%d damages; exit codes: %v", n, counts)
}
