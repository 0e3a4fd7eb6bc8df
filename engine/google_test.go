package engine

import "testing"

// TestGoogleMatcher holds google-oss to what Google's open-source matcher said,
// verdict and line.
func TestGoogleMatcher(t *testing.T) {
	p := mustProfile(t, "google-oss")
	for _, set := range []struct {
		file string
		asks int
	}{
		{"google_matcher.jsonl.gz", 20000},
		{"google_divergences.jsonl.gz", 52},
		{"suites.jsonl.gz", 1669},
	} {
		asks, good := 0, 0
		for _, f := range readCases(t, set.file) {
			if f.Profile != "" && f.Profile != "google" {
				continue
			}
			r := p.Parse(f.body())
			for _, ask := range f.Asks {
				d := r.Group(token(ask.Agents...)).Verdict(ask.URL)
				asks++
				if d.Verdict.String() != ask.Verdict || ask.Line != nil && d.Line() != *ask.Line {
					t.Errorf("%s %s: agents %q url %q: %v, line %d; matcher says %s, line %d\n%q",
						set.file, f.ID, ask.Agents, ask.URL, d.Verdict, d.Line(), ask.Verdict, lineOf(ask), f.body())
					continue
				}
				good++
			}
		}
		t.Logf("%s: %d of %d", set.file, good, asks)
		if asks != set.asks {
			t.Errorf("%s holds %d asks, not %d", set.file, asks, set.asks)
		}
	}
}

func lineOf(a ask) int {
	if a.Line == nil {
		return -1
	}
	return *a.Line
}
