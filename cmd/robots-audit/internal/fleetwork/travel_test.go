package fleetwork

import (
	"errors"
	"flag"
	"path/filepath"
	"slices"
	"testing"

	"robots-audit/audit/fleet"
	"robots-audit/reports"
)

// many is a flag that may be repeated.
type many []string

func (m *many) String() string     { return "" }
func (m *many) Set(s string) error { *m = append(*m, s); return nil }
func (m *many) Values() []string   { return *m }

// TestTravel holds that flags arrive as they were set, and that those of one machine stay.
func TestTravel(t *testing.T) {
	declare := func() (*flag.FlagSet, *many, *string, *int) {
		f := flag.NewFlagSet("x", flag.ContinueOnError)
		list := new(many)
		f.Var(list, "robots", "")
		return f, list, f.String("urls", "", ""), f.Int("workers", 3, "")
	}
	f, _, _, _ := declare()
	if err := f.Parse([]string{"-robots", "a=my file.txt", "-robots", "b=n.txt", "-urls", "k.csv", "-workers", "9"}); err != nil {
		t.Fatal(err)
	}
	settings := Pack(f)
	if got, want := Inputs(settings), []Input{{"urls", "k.csv"}, {"robots", "my file.txt"}, {"robots.1", "n.txt"}}; !slices.Equal(got, want) {
		t.Errorf("%+v", got)
	}
	f, list, urls, workers := declare()
	if err := Unpack(f, &fleet.Run{Settings: settings}); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(*list, many{"a=my file.txt", "b=n.txt"}) || *urls != "k.csv" || *workers != 3 {
		t.Errorf("%q %q %d", *list, *urls, *workers)
	}
	if got := Copy("in", "robots", 1, "b=n.txt"); got != "b="+filepath.Join("in", "robots.1") {
		t.Error(got)
	}
	if Unpack(f, &fleet.Run{Settings: map[string]string{"later": "1"}}) == nil {
		t.Error("a setting of another version is taken")
	}
}

func TestResult(t *testing.T) {
	for _, given := range [][]string{nil, {"a.example"}} {
		r, err := decodeResult(result{[]byte("{\"checksum\":\"x\"}\n"), given}.encode())
		if err != nil || string(r.line) != "{\"checksum\":\"x\"}\n" || !slices.Equal(r.given, given) {
			t.Errorf("%q %q %v", r.line, r.given, err)
		}
	}
}

// A result that no folder takes ends its run, which would be tried in vain for hours otherwise.
func TestResultThatDoesNotFit(t *testing.T) {
	folder, err := reports.Open(reports.Options{Dir: filepath.Join(t.TempDir(), "run")})
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Discard()
	m := &merged{folder: folder}
	for _, text := range []string{"{}", "{\"given\":3}", "{\"checksum\":\"x\"}\n"} {
		if err := m.Add([]byte(text)); !errors.Is(err, fleet.ErrHopeless) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
