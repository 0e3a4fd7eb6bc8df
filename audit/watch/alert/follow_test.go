package alert

import "testing"

// TestFollow: only events that merely follow from a more severe one are marked.
func TestFollow(t *testing.T) {
	shut := "User-agent: *\nDisallow: /\n"
	for _, test := range []struct {
		name string
		now  served
		want map[string]bool // of AL10 to AL12, those that come
	}{
		{"the file of a test system", body("# staging\n" + shut), map[string]bool{"AL10": true, "AL11": true}},
		{"one line", body(robots + "Disallow: /\n"), map[string]bool{"AL10": true, "AL11": true, "AL12": true}},
		{"an error of the file's own beside it", body(robots + "Disallow: /\nSitemapp: /y\n"), map[string]bool{"AL12": false}},
		{"other preferences beside it", body("# staging\n" + shut + "Content-Signal: ai-train=no\n"), map[string]bool{"AL10": false, "AL11": true}},
		{"a part", body(robots + "Disallow: /a\nDisallow: /b\n"), map[string]bool{"AL11": false, "AL12": false}},
	} {
		got := map[string]bool{}
		for _, e := range eventsOf(t, plain(), test.now) {
			t.Log(test.name, e.Text, e.Follows)
			if e.Condition == "AL10" || e.Condition == "AL11" || e.Condition == "AL12" {
				got[e.Condition] = e.Follows
			} else if e.Follows {
				t.Errorf("%s: %s follows", test.name, e.Condition)
			}
		}
		for code, want := range test.want {
			if follows, came := got[code]; !came || follows != want {
				t.Errorf("%s: %s came: %v, follows: %v, want %v", test.name, code, came, follows, want)
			}
		}
	}
}
