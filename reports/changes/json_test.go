package changes

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// contract are the keys that changes.json must have, by their path: programs of others read them. A
// path ends in its kind; "*" is each element of a list, or each value of a map by names.
const contract = `
old {}; new {}
totals.sites 0; totals.sites_changed 0; totals.newly_blocked 0; totals.newly_allowed 0; totals.now_unclear 0; totals.clear_again 0
totals.appeared 0; totals.appeared_blocked 0; totals.vanished 0
sites []
sites.*.domain ""; sites.*.changed true
sites.*.robots.old {}?; sites.*.robots.new {}?; sites.*.robots.diff []
sites.*.robots.diff.*.op ""; sites.*.robots.diff.*.old_line 0; sites.*.robots.diff.*.new_line 0; sites.*.robots.diff.*.text ""
sites.*.robots.diff.*.newly_blocked 0; sites.*.robots.diff.*.newly_allowed 0
sites.*.flips {}; sites.*.flips.*.newly_blocked 0; sites.*.flips.*.newly_allowed 0; sites.*.flips.*.weight 0
sites.*.causes {}; sites.*.causes.* 0
sites.*.changes []; sites.*.changes.*.kind ""; sites.*.changes.*.what ""; sites.*.changes.*.before ""; sites.*.changes.*.after ""; sites.*.changes.*.severity ""
sites.*.samples []; sites.*.samples.*.url ""; sites.*.samples.*.crawler ""; sites.*.samples.*.was ""; sites.*.samples.*.is ""
sites.*.samples.*.old_rule ""; sites.*.samples.*.old_line 0; sites.*.samples.*.new_rule ""; sites.*.samples.*.new_line 0; sites.*.samples.*.cause ""
`

// TestContract checks the keys of changes.json for every site, line, change and sample.
func TestContract(t *testing.T) {
	dir := t.TempDir()
	r := newReport(t, Options{Dir: dir})
	add(t, r, shop(t))
	for _, site := range others(t) {
		add(t, r, site)
	}
	closeReport(t, r)
	var all any
	text := folder(t, dir)["changes.json"]
	if err := json.Unmarshal([]byte(text), &all); err != nil {
		t.Fatal(err)
	}
	if strings.ContainsAny(text, "<>\u202e\u2028") || !utf8.ValidString(text) {
		t.Error("text of a site stands there as it came")
	}
	for _, line := range strings.FieldsFunc(contract, func(r rune) bool { return r == '\n' || r == ';' }) {
		path, kind, _ := strings.Cut(strings.TrimSpace(line), " ")
		seen := 0
		check(t, all, strings.Split(path, "."), path, kind, &seen)
		if seen == 0 {
			t.Errorf("%s is nowhere", path)
		}
	}
	for _, site := range all.(map[string]any)["sites"].([]any) {
		robots := site.(map[string]any)["robots"].(map[string]any)
		for _, side := range []string{"old", "new"} {
			if answer, ok := robots[side].(map[string]any); ok {
				for _, key := range []string{"status", "sha256", "access"} {
					if answer[key] == nil {
						t.Errorf("robots.%s lacks %s", side, key)
					}
				}
			}
		}
		for _, line := range robots["diff"].([]any) {
			if op := line.(map[string]any)["op"].(string); !slices.Contains([]string{"+", "-", "~", "moved"}, op) {
				t.Errorf("op %q", op)
			}
		}
	}
}

// check compares the kind of the value at a path, and counts it.
func check(t *testing.T, value any, path []string, whole, kind string, seen *int) {
	t.Helper()
	if len(path) == 0 {
		*seen++
		if got := kindOf(value); got != strings.TrimSuffix(kind, "?") && (value != nil || !strings.HasSuffix(kind, "?")) {
			t.Errorf("%s is %s, want %s", whole, got, kind)
		}
		return
	}
	switch of := value.(type) {
	case map[string]any:
		if path[0] == "*" {
			for _, below := range of {
				check(t, below, path[1:], whole, kind, seen)
			}
		} else if below, ok := of[path[0]]; ok {
			check(t, below, path[1:], whole, kind, seen)
		} else {
			t.Errorf("%s: %s is not there", whole, path[0])
		}
	case []any:
		for _, below := range of {
			check(t, below, path[1:], whole, kind, seen)
		}
	default:
		t.Errorf("%s: %s stands below %v", whole, path[0], value)
	}
}

// kindOf is the kind of a JSON value in the form of the contract.
func kindOf(value any) string {
	switch value.(type) {
	case map[string]any:
		return "{}"
	case []any:
		return "[]"
	case string:
		return `""`
	case float64:
		return "0"
	case bool:
		return "true"
	}
	return fmt.Sprint(value)
}
