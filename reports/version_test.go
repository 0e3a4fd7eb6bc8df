package reports

import "testing"

// Which versions may resume a run, and which may write to it.
func TestVersions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		version, of string
		on, newer   bool // of has a newer release than version
	}{
		{"0.2.0", "0.2.0", true, false},
		{"0.2.0", "0.1.0", true, false},
		{"0.2.0", "0.1.7", true, false},
		{"0.2.0-dev", "0.1.0", true, false},
		{"0.2.0-dev", "0.2.0", true, false},
		{"0.2.0", "0.2.3", true, false},
		{"v0.10.0", "0.9.0", true, false},
		{"0.9.0", "0.10.0", false, true},
		{"0.2.0", "0.3.0", false, true},
		{"0.2.0", "0.3.0-dev", false, true},
		{"1.0.0", "0.9.0", false, false},
		{"0.9.0", "1.0.0", false, true},
		{"mine", "mine", true, false},
		{"mine", "0.1.0", false, false},
		{"0.1.0", "mine", false, false},
		{"", "0.1.0", false, false},
	} {
		if on := goesOn(c.version, c.of); on != c.on {
			t.Errorf("%q goes on with a run of %q: %v", c.version, c.of, on)
		}
		if err := (&manifest{Version: c.of}).checkWriter(c.version); (err != nil) != c.newer {
			t.Errorf("%q writes to a run of %q: %v", c.version, c.of, err)
		}
	}
}
