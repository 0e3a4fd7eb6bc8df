package engine

import "testing"

// TestWebmasterTesters compares the profiles with the answers of Bing's and
// Yandex's own testers. Yandex's tester also names the deciding line.
func TestWebmasterTesters(t *testing.T) {
	asks := map[string]int{}
	for _, f := range readCases(t, "webmaster_testers.jsonl.gz") {
		r := mustProfile(t, f.Profile).Parse(f.body())
		for _, ask := range f.Asks {
			asks[f.Profile]++
			c := crawlerOf(t, ask.Agents[0], f.Profile)
			if f.Profile == "yandex" {
				c = token(ask.Agents...) // the token it was asked for, not a robot of the list
			}
			d := r.Group(c).Verdict(ask.URL)
			if d.Verdict.String() != ask.Verdict || ask.Line != nil && d.Line() != *ask.Line {
				t.Errorf("%s: %s %s on %s: %v, line %d; want %s", f.Profile, f.ID, ask.Agents[0], ask.URL, d.Verdict, d.Line(), ask.Verdict)
			}
		}
	}
	if asks["bing"] != 191 || asks["yandex"] != 140 {
		t.Errorf("%d and %d answers, want 191 of Bing's tester and 140 of Yandex's", asks["bing"], asks["yandex"])
	}
}
