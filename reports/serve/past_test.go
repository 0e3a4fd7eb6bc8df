package serve

import "testing"

// TestRunStates checks that the list of a history's runs counts their sites by state as the runs
// themselves do: an unknown number is never shown as 0.
func TestRunStates(t *testing.T) {
	dir, ids := newHistory(t, shopFirst, "User-agent: *\nDisallow: /\n")
	_, a := newDesk(t, Options{History: dir})
	var list struct {
		Runs []struct {
			Run      string
			Sites    *int
			Critical *int `json:"critical_sites"`
			Warn     *int `json:"warn_sites"`
			Unknown  *int `json:"unknown_sites"`
		}
	}
	a.json("/", &list)
	if len(list.Runs) != len(ids) {
		t.Fatalf("%d runs, want %d", len(list.Runs), len(ids))
	}
	critical := 0
	for _, r := range list.Runs {
		var summary struct {
			Totals struct{ Sites, Critical, Warn, Unknown int }
		}
		a.json("/runs/"+r.Run+"/report/summary.json", &summary)
		want := summary.Totals
		if r.Sites == nil || r.Critical == nil || r.Warn == nil || r.Unknown == nil {
			t.Fatalf("%s: %+v, want %+v", r.Run, r, want)
		}
		if *r.Sites != want.Sites || *r.Critical != want.Critical || *r.Warn != want.Warn || *r.Unknown != want.Unknown {
			t.Errorf("%s: %d sites: %d, %d, %d; want %+v", r.Run, *r.Sites, *r.Critical, *r.Warn, *r.Unknown, want)
		}
		critical += want.Critical
	}
	if critical == 0 {
		t.Error("no site is critical: nothing was compared")
	}
}
