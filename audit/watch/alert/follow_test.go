package alert

import (
	"strings"
	"testing"

	"robots-audit/audit/watch/history"
)

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

// The alerts of a change are sorted by severity, but those that may only follow from others are last.
func TestSortChange(t *testing.T) {
	for _, c := range []struct{ have, want string }{
		{"AL07 high;AL01 critical;AL09 critical", "AL01 AL09 AL07"},
		{"AL11 high;AL13 info;AL01 critical;AL10 medium", "AL01 AL13 AL11 AL10"},
		{"AL11 high;AL02 critical;AL10 medium", "AL02 AL11 AL10"},
		{"AL12 medium needs;AL13 info;AL02 critical", "AL02 AL13 AL12"},
		{"AL12 medium own;AL13 info;AL02 critical", "AL02 AL12 AL13"},
		{"AL12 medium needs;AL11 medium;AL13 info", "AL11 AL12 AL13"},
		{"AL10 medium;AL04 high", "AL04 AL10"},
	} {
		var list []history.Alert
		for text := range strings.SplitSeq(c.have, ";") {
			part := strings.Fields(text)
			a := history.Alert{Condition: part[0], Severity: part[1], Subjects: []string{"DIR003"}}
			if text == "AL12 medium needs" {
				a.Subjects = []string{"SM005"}
			}
			list = append(list, a)
		}
		SortChange(list)
		var got []string
		for _, a := range list {
			got = append(got, a.Condition)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v, want %s", c.have, got, c.want)
		}
	}
	if Short("AL01") != "the home page is blocked" || Short("AL99") != "" {
		t.Errorf("%q, %q", Short("AL01"), Short("AL99"))
	}
}
