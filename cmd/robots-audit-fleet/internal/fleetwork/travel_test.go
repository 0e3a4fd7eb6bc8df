package fleetwork

import (
	"flag"
	"path/filepath"
	"slices"
	"testing"

	"robots-audit/audit/fleet"
)

// many is a flag that may be repeated.
type many []string

func (m *many) String() string     { return "" }
func (m *many) Set(s string) error { *m = append(*m, s); return nil }
func (m *many) Values() []string   { return *m }

// TestTravel checks that flags arrive as they were set, without those of one machine.
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
