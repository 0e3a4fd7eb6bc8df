package page

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"robots-audit/engine/escape"
)

// TestSetup compares the JSON appended for the script with that of encoding/json.
func TestSetup(t *testing.T) {
	for i, text := range rowTexts {
		other := rowTexts[(i*7+3)%len(rowTexts)]
		for shape := range 8 {
			s := pageSetup{Rows: int64(i * 1000), Crawlers: []string{text, other}, Clicks: shape&1 > 0}
			want := map[string]any{"rows": s.Rows, "crawlers": []string{escape.ShowInvalid(text), escape.ShowInvalid(other)}}
			if s.Clicks {
				want["clicks"] = true
			}
			if shape&2 > 0 {
				s.Files, s.Searched, s.Inline, s.Folder, s.Names = 3, 2, 200, "a.rows", []string{"a"}
				want["files"], want["searched"], want["inline"], want["perFile"], want["folder"], want["names"] = 3, 2, 200, rowsPerFile, "a.rows", []string{"a"}
			}
			if shape&4 > 0 {
				s.Kind, s.NoWorkbooks, s.SingleFile = "sites", true, true
				s.Rules, s.Dirs = []viewChoice{{"0:2", text}, {"0:3", "line 3"}}, []viewChoice{{"/a/", "/a/"}, {"/", "/ (top level)"}}
				want["kind"], want["noWorkbooks"], want["singleFile"] = "sites", true, true
				want["rules"], want["dirs"] = [][]string{{"0:2", escape.ShowInvalid(text)}, {"0:3", "line 3"}}, []any{"/a/", []string{"/", "/ (top level)"}}
			}
			text := s.appendJSON(nil)
			if bytes.ContainsAny(text, "<>&") || strings.ContainsFunc(string(text), escape.IsHidden) {
				t.Errorf("not for an element script: %s", text)
			}
			if diff := cmp.Diff(decoded(t, mustJSON(t, want)), decoded(t, text)); diff != "" {
				t.Errorf("encoding/json (-) and appended (+):\n%s", diff)
			}
		}
	}
}

func mustJSON(t *testing.T, v any) []byte {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func decoded(t *testing.T, text []byte) (v any) {
	t.Helper()
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return v
}
